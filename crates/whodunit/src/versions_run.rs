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

/// A watcher of a run over versions.
pub trait WatchChanges: Watch {
    /// Takes note of the parts of the sandbox that are enforced, if one was asked for.
    fn sandbox(&mut self, _enforced: &Enforced) {}

    /// Takes note of a test file that is taken from the checkout, because it is not committed.
    fn uncommitted(&mut self, _path: &TreePath) {}

    /// Takes note of something in the settings that cannot be used, in words.
    fn unused(&mut self, _what: &str) {}
}

impl WatchChanges for Nobody {}

/// One run over versions with settings `S` and an answer `A`.
pub struct VersionsRun<'a, S, A> {
    /// The user's settings.
    pub settings: S,
    /// The machine that the run uses.
    pub surroundings: &'a Surroundings,
    /// The journal of the run.
    pub journal: Journal,
    /// Folder for patches if the settings name none.
    pub patches: PathBuf,
    /// The earlier part of the run, if it was interrupted.
    pub past: Past<LearnedEnds, A>,
    /// Stops the run.
    pub stop: Stop,
    /// The watcher of the run.
    pub watch: &'a mut dyn WatchChanges,
}

impl<'a, S, A> VersionsRun<'a, S, A> {
    /// Creates a run without a past; nobody can stop it unless [`stop`](Self::stop) is set. Patches
    /// are written to the folder `patches`.
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
