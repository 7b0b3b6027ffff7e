//! Asks again where an outcome says nothing about the candidate.

use whodunit_run::judge::Observation;

use crate::error::WorkerError;
use crate::process::ProcessError;
use crate::runner::Runner;

/// How often a test is run at most. One in five tests killed from outside, as on a machine whose memory
/// is short, leaves one in 625 open after this many.
const ATTEMPTS: u32 = 4;

/// A worker that can run one test on a candidate, from laying it out to the end.
pub(crate) trait Attempt {
    /// Runs the test once.
    fn attempt(&mut self) -> Result<Option<Observation>, WorkerError>;

    /// Returns what runs the commands.
    fn runner(&self) -> &Runner;
}

/// Runs a test until nobody has disturbed it: neither killed it nor stopped its launcher. Returns
/// what came of the last attempt if all were disturbed.
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
