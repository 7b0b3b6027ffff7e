//! One run of `changes` in front of the user.

use whodunit::changes::{
    Changes, ChangesAnswer, ChangesError, ChangesPast, ChangesSettings, WatchChanges,
};
use whodunit::journal::Journal;
use whodunit::process::Enforced;

use super::{Session, Watcher};
use crate::args::PagesArgs;
use crate::exit::Exit;
use crate::pages;
use crate::report;
use crate::trouble::Trouble;

impl Session<'_> {
    /// Carries out a run of `changes` and returns its answer.
    pub(crate) fn find_changes(
        &self,
        settings: ChangesSettings,
        journal: Journal,
        past: ChangesPast,
    ) -> Result<ChangesAnswer, Trouble> {
        let run = journal.name();
        let goes_on = past.key.is_some();
        let mut watcher = Watcher::new(self.output, settings.how.jobs, "testing both versions")
            .inspect_err(|_| self.forget(&run, goes_on))?;
        watcher.recall_changes(&past);
        let surroundings = self.environment.surroundings(&settings.how.variables);
        let result = Changes {
            settings: settings.clone(),
            surroundings: &surroundings,
            patches: self.environment.patches(&run),
            journal,
            past,
            stop: self.stop.clone(),
            watch: &mut watcher,
        }
        .run();
        watcher.progress.end();
        let result = match result {
            Ok(answer) => watcher.close_events().map(|()| answer).map_err(ChangesError::Io),
            failed => failed,
        };
        result.map_err(|error| {
            let worthwhile = goes_on || watcher.learned;
            self.forget(&run, worthwhile);
            let run = worthwhile.then_some(run);
            Trouble::Changes { error, settings: Box::new(settings), run }
        })
    }

    /// Prints the answer, writes the pages that were asked for and returns the exit code.
    pub(crate) fn report_changes(
        &self,
        answer: &ChangesAnswer,
        pages: &PagesArgs,
    ) -> Result<Exit, Trouble> {
        let text = report::changes::answer(answer) + &report::changes::run(answer);
        pages::write(answer, pages)?;
        self.print(answer, &text)?;
        Ok(answer.ended.into())
    }
}

impl Watcher {
    /// Shows what the journal says about the beginning.
    fn recall_changes(&mut self, past: &ChangesPast) {
        self.told = past.questions;
        if let Some(learned) = &past.learned {
            self.progress.note(&report::changes::failure(learned));
            self.progress.note(&format!("going on after {} questions", past.questions));
        }
    }
}

impl WatchChanges for Watcher {
    fn sandbox(&mut self, enforced: &Enforced) {
        self.note_sandbox(enforced);
    }
}
