//! One run of `history` in front of the user.

use whodunit_jobs::history::{HistoryAnswer, HistoryError, HistoryPast, HistorySettings};
use whodunit_jobs::journal::Journal;

use super::{AnswerTo, Session};
use crate::args::PagesArgs;
use crate::defect;
use crate::exit::Exit;
use crate::pages;
use crate::report;
use crate::trouble::Trouble;

impl Session<'_> {
    /// Carries out a run of `history` and returns its answer.
    // A path to the method would have a single lifetime.
    #[expect(clippy::redundant_closure_for_method_calls)]
    pub(crate) fn walk_history(
        &self,
        settings: &HistorySettings,
        journal: Journal,
        past: HistoryPast,
    ) -> Result<HistoryAnswer, Trouble> {
        self.over_versions(
            (settings.clone(), &settings.how),
            (journal, past),
            "testing the newest version",
            |run| run.run(),
            |error, run| {
                // A continued run with such a good version would only fail again.
                let is_hopeless = matches!(error, HistoryError::GoodFails { .. });
                run.iter().for_each(|run| self.forget(run, !is_hopeless));
                let (settings, run) = (Box::new(settings.clone()), run.filter(|_| !is_hopeless));
                Trouble::History { error, settings, run }
            },
        )
    }

    /// Prints the answer, writes the requested pages and returns the exit code.
    pub(crate) fn report_history(
        &self,
        answer: &HistoryAnswer,
        pages: &PagesArgs,
    ) -> Result<Exit, Trouble> {
        defect::reports();
        let text = report::history::answer(answer) + &report::history::run(answer);
        pages::write(answer, pages)?;
        self.print(answer, &text, AnswerTo::beside(pages))?;
        Ok(answer.into())
    }
}
