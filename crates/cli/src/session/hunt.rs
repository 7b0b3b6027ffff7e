//! Common parts of runs of `changes` and `history` in front of the user.

use std::io;

use whodunit_exec::process::Enforced;
use whodunit_jobs::Past;
use whodunit_jobs::changes::{LearnedEnds, VersionSettings, VersionsRun, WatchChanges};
use whodunit_jobs::journal::Journal;
use whodunit_jobs::versions::TreePath;

use super::{Session, Watcher};
use crate::defect;
use crate::output::{WARNING, plain};
use crate::report;
use crate::trouble::Trouble;

impl Session<'_> {
    /// Carries out a run over versions and returns its answer. `first` is shown before the search
    /// begins. If the run fails its journal is deleted, unless the run can be continued; then
    /// `trouble` gets its name.
    pub(super) fn over_versions<S, A, E: From<io::Error>>(
        &self,
        (settings, how): (S, &VersionSettings),
        (journal, past): (Journal, Past<LearnedEnds, A>),
        first: &str,
        carry_out: impl FnOnce(VersionsRun<'_, S, A>) -> Result<A, E>,
        trouble: impl FnOnce(E, Option<String>) -> Trouble,
    ) -> Result<A, Trouble> {
        let (run, goes_on) = (journal.name(), past.key.is_some());
        defect::is_about(&run, self.environment.runs(), goes_on);
        let mut watcher = Watcher::new(self.output, how.jobs, first)
            .inspect_err(|_| self.forget(&run, goes_on))?;
        watcher.told = past.questions;
        if let Some(learned) = &past.learned {
            watcher.progress.note(&report::changes::failure(learned));
            watcher.progress.note(&format!("continuing after {} questions", past.questions));
        }
        let surroundings = self.environment.surroundings(&how.variables);
        let result = carry_out(VersionsRun {
            settings,
            surroundings: &surroundings,
            patches: self.environment.patches(&run),
            journal,
            past,
            stop: self.stop.clone(),
            watch: &mut watcher,
        });
        watcher.progress.end();
        let result = match result {
            Ok(answer) => watcher.close_events().map(|()| answer).map_err(E::from),
            failed => failed,
        };
        result.map_err(|error| {
            let worthwhile = goes_on || watcher.learned;
            self.forget(&run, worthwhile);
            trouble(error, worthwhile.then_some(run))
        })
    }
}

impl WatchChanges for Watcher {
    fn sandbox(&mut self, enforced: &Enforced) {
        self.note_sandbox(enforced);
    }

    fn uncommitted(&mut self, path: &TreePath) {
        let path = plain(&path.display());
        self.progress
            .note(&format!("`{path}` is not committed; it is tested as it is in the checkout"));
    }

    fn unused(&mut self, what: &str) {
        self.progress.note(&format!("{WARNING}warning:{WARNING:#} {}", plain(what)));
    }
}
