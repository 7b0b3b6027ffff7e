//! One run of `changes` in front of the user.

use whodunit_jobs::changes::{ChangesAnswer, ChangesPast, ChangesSettings};
use whodunit_jobs::journal::Journal;

use super::{AnswerTo, Session};
use crate::args::PagesArgs;
use crate::defect;
use crate::exit::Exit;
use crate::pages;
use crate::report;
use crate::trouble::Trouble;

impl Session<'_> {
    /// Carries out a run of `changes` and returns its answer.
    // A path to the method would have a single lifetime.
    #[expect(clippy::redundant_closure_for_method_calls)]
    pub(crate) fn find_changes(
        &self,
        settings: &ChangesSettings,
        journal: Journal,
        past: ChangesPast,
    ) -> Result<ChangesAnswer, Trouble> {
        self.over_versions(
            (settings.clone(), &settings.how),
            (journal, past),
            "testing both versions",
            |run| run.run(),
            |error, run| {
                let settings = Box::new(settings.clone());
                Trouble::Changes { error, settings, run }
            },
        )
    }

    /// Prints the answer, with the results of its phases if wanted, writes the requested pages
    /// and returns the exit code.
    pub(crate) fn report_changes(
        &self,
        answer: &ChangesAnswer,
        pages: &PagesArgs,
        phases: bool,
    ) -> Result<Exit, Trouble> {
        defect::reports();
        let text = report::changes::answer(answer, phases) + &report::changes::run(answer);
        pages::write(answer, pages)?;
        self.print(answer, &text, AnswerTo::beside(pages))?;
        Ok(answer.into())
    }
}
