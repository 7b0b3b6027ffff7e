//! Runs the oracle on one candidate at a time.

use std::io;
use std::path::PathBuf;

use whodunit_core::Verdict;

use crate::oracle::{BadCommand, Observation};
use crate::process::{ProcessError, Ticket};
use crate::scratch::ScratchError;

/// Runs the oracle on one candidate at a time; several workers run at once.
///
/// Nothing here assumes that a worker shares the disk or the machine.
pub trait Worker<C>: Send {
    /// Tests one candidate. `None` means that the test was cancelled.
    ///
    /// A test that could not be run is an error, never a verdict.
    fn test(&mut self, ticket: Ticket, candidate: &C) -> Result<Option<Tested>, WorkerError>;

    /// Returns what cancels a test that is running, from another thread.
    fn canceller(&self) -> Box<dyn Fn(Ticket) + Send> {
        Box::new(|_| ())
    }
}

/// A worker that can say what it saw without judging it.
pub trait Observe<C>: Worker<C> {
    /// Runs the oracle on one candidate. `None` means that the test was cancelled.
    fn observe(
        &mut self,
        ticket: Ticket,
        candidate: &C,
    ) -> Result<Option<Observation>, WorkerError>;
}

/// The outcome of one test.
#[derive(Clone, Debug)]
pub struct Tested {
    /// What the rule says.
    pub verdict: Verdict,
    /// What was seen, if it was a process.
    pub observation: Option<Observation>,
    /// Whether the verdict rests on a time limit that nobody gave.
    pub doubtful: bool,
}

/// Why a test could not be run.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The candidate could not be put on disk.
    #[error("cannot lay out a candidate in `{}`", .folder.display())]
    LayOut {
        /// The folder of the test.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The folder of the last test could not be cleared.
    #[error(transparent)]
    Clear(#[from] ScratchError),
    /// The command makes no sense for these files.
    #[error(transparent)]
    Command(#[from] BadCommand),
    /// The command could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The test says that the run has to stop. What it printed is in the observation.
    #[error("`{command}` {}: by the convention of `git bisect run` that stops the run", .seen.signature)]
    Stopped {
        /// The command as it can be typed.
        command: String,
        /// What was seen.
        seen: Box<Observation>,
    },
}

/// A worker that asks a function in this process.
pub struct Ask<F>(pub F);

impl<C, F: Fn(&C) -> Verdict + Send> Worker<C> for Ask<F> {
    fn test(&mut self, _ticket: Ticket, candidate: &C) -> Result<Option<Tested>, WorkerError> {
        Ok(Some(Tested { verdict: (self.0)(candidate), observation: None, doubtful: false }))
    }
}

impl<C, W: Worker<C>> Worker<C> for &mut W {
    fn test(&mut self, ticket: Ticket, candidate: &C) -> Result<Option<Tested>, WorkerError> {
        (**self).test(ticket, candidate)
    }

    fn canceller(&self) -> Box<dyn Fn(Ticket) + Send> {
        (**self).canceller()
    }
}
