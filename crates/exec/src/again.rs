//! Repeats tests whose outcome says nothing about the candidate.

use whodunit_run::judge::Observation;

use crate::error::WorkerError;
use crate::process::ProcessError;
use crate::runner::Runner;

/// The most attempts at one test. If one test in five is killed from outside, as on a machine that
/// is short of memory, one in 625 is still open after this many.
const ATTEMPTS: u32 = 4;

/// A worker that can run one test on a candidate, from laying it out to the end.
pub(crate) trait Attempt {
    /// Runs the test once.
    fn attempt(&mut self) -> Result<Option<Observation>, WorkerError>;

    /// Returns the runner of the commands.
    fn runner(&self) -> &Runner;
}

/// Runs a test until an attempt was not disturbed: neither was the test killed nor its launcher
/// stopped. Returns the outcome of the last attempt if all were disturbed.
pub(crate) fn until_undisturbed(
    worker: &mut impl Attempt,
) -> Result<Option<Observation>, WorkerError> {
    for _ in 1..ATTEMPTS {
        match worker.attempt() {
            Err(WorkerError::Process(ProcessError::LauncherSilent)) => {}
            Ok(Some(seen)) if worker.runner().is_disturbed(&seen) => {}
            outcome => return outcome,
        }
    }
    worker.attempt()
}
