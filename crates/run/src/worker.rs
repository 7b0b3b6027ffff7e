//! Runs the oracle on one candidate at a time.

use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};

use whodunit_core::Verdict;

use crate::judge::Observation;

/// Runs the oracle on one candidate at a time; several workers run at once.
///
/// Nothing here assumes that a worker shares the disk or the machine.
pub trait Worker<C>: Send {
    /// Why a test could not be run.
    type Error: Send;

    /// Tests one candidate. `None` means that the test was cancelled.
    ///
    /// A test that could not be run is an error, never a verdict.
    fn test(&mut self, ticket: Ticket, candidate: &C) -> Result<Option<Tested>, Self::Error>;

    /// Returns what cancels a test that is running, from another thread.
    fn canceller(&self) -> Box<dyn Fn(Ticket) + Send> {
        Box::new(|_| ())
    }
}

/// A worker that can return the observation of a test without judging it.
pub trait Observe<C>: Worker<C> {
    /// Runs the oracle on one candidate. `None` means that the test was cancelled.
    fn observe(
        &mut self,
        ticket: Ticket,
        candidate: &C,
    ) -> Result<Option<Observation>, Self::Error>;
}

/// Names a test, to cancel it.
///
/// The caller numbers its tests; the commands of one test (build, gate, test) may share a ticket.
/// The tickets given to one worker never go down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

impl Ticket {
    /// Returns a ticket that was never used in this process, larger than all before.
    pub fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Ticket(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The outcome of one test.
#[derive(Clone, Debug)]
pub struct Tested {
    /// The verdict of the rule.
    pub verdict: Verdict,
    /// The observation, if a process was run.
    pub observation: Option<Observation>,
    /// Whether the verdict rests on a time limit that the user did not set.
    pub doubtful: bool,
}

/// A worker that asks a function in this process.
pub struct Ask<F>(pub F);

impl<C, F: Fn(&C) -> Verdict + Send> Worker<C> for Ask<F> {
    type Error = Infallible;

    fn test(&mut self, _ticket: Ticket, candidate: &C) -> Result<Option<Tested>, Self::Error> {
        Ok(Some(Tested { verdict: (self.0)(candidate), observation: None, doubtful: false }))
    }
}

impl<C, W: Worker<C>> Worker<C> for &mut W {
    type Error = W::Error;

    fn test(&mut self, ticket: Ticket, candidate: &C) -> Result<Option<Tested>, Self::Error> {
        (**self).test(ticket, candidate)
    }

    fn canceller(&self) -> Box<dyn Fn(Ticket) + Send> {
        (**self).canceller()
    }
}
