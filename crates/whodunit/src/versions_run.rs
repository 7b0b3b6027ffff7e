//! One run of a job over versions, `changes` or `history`, before it begins.

use std::path::PathBuf;

use whodunit_exec::process::Enforced;
use whodunit_run::Stop;
use whodunit_versions::TreePath;

use crate::answer::LearnedEnds;
use crate::event::{Nobody, Watch};
use crate::job::Past;
use crate::journal::Journal;
use crate::settings::Surroundings;

/// Somebody who watches a run over versions.
pub trait WatchChanges: Watch {
    /// Takes note of what the sandbox can do, if one was asked for.
    fn sandbox(&mut self, _enforced: &Enforced) {}

    /// Takes note of a test that is taken from the checkout, because it is not committed.
    fn uncommitted(&mut self, _path: &TreePath) {}

    /// Takes note of something that was asked for and cannot be used, in words.
    fn unused(&mut self, _what: &str) {}
}

impl WatchChanges for Nobody {}

/// One run over versions with settings `S` that ends with an answer `A`.
pub struct VersionsRun<'a, S, A> {
    /// What to do.
    pub settings: S,
    /// Where it is done.
    pub surroundings: &'a Surroundings,
    /// Where it is written down.
    pub journal: Journal,
    /// Where patches go if the settings do not say.
    pub patches: PathBuf,
    /// What was written down when the run was ended before its time.
    pub past: Past<LearnedEnds, A>,
    /// A way to stop it.
    pub stop: Stop,
    /// Who watches.
    pub watch: &'a mut dyn WatchChanges,
}

impl<'a, S, A> VersionsRun<'a, S, A> {
    /// Prepares a run that begins at the beginning; nobody can stop it unless [`stop`](Self::stop)
    /// is set. Patches go to the folder `patches`.
    pub fn new(
        settings: S,
        surroundings: &'a Surroundings,
        (journal, patches): (Journal, PathBuf),
        watch: &'a mut dyn WatchChanges,
    ) -> Self {
        let (past, stop) = Default::default();
        VersionsRun { settings, surroundings, journal, patches, past, stop, watch }
    }
}
