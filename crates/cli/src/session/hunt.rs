//! What runs of `changes` and `history` have in common in front of the user.

use std::io;

use whodunit_exec::process::Enforced;
use whodunit_jobs::changes::{LearnedEnds, WatchChanges};
use whodunit_jobs::versions::TreePath;

use super::{Session, Watcher};
use crate::defect;
use crate::output::{WARNING, plain};
use crate::report;
use crate::trouble::Trouble;

/// A run, and what its journal says if it goes on.
pub(super) struct Hunted<'a> {
    pub(super) run: String,
    pub(super) jobs: usize,
    /// What is done before the search.
    pub(super) first: &'static str,
    pub(super) goes_on: bool,
    pub(super) questions: u64,
    pub(super) learned: Option<&'a LearnedEnds>,
}

impl Session<'_> {
    /// Lets a run be watched. If it fails its journal goes, unless it is worth going on with; then
    /// `trouble` gets its name.
    pub(super) fn watch_hunt<A, E: From<io::Error>>(
        &self,
        hunted: Hunted<'_>,
        work: impl FnOnce(&mut Watcher) -> Result<A, E>,
        trouble: impl FnOnce(E, Option<String>) -> Trouble,
    ) -> Result<A, Trouble> {
        let Hunted { run, jobs, first, goes_on, questions, learned } = hunted;
        defect::is_about(&run, self.environment.runs(), goes_on);
        let mut watcher =
            Watcher::new(self.output, jobs, first).inspect_err(|_| self.forget(&run, goes_on))?;
        watcher.told = questions;
        if let Some(learned) = learned {
            watcher.progress.note(&report::changes::failure(learned));
            watcher.progress.note(&format!("going on after {questions} questions"));
        }
        let result = work(&mut watcher);
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
