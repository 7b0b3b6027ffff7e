//! One run of a candidate among several.

use crate::Verdict;

/// The `nth` run of a candidate, counted from 0. It has an identity of its own, so that repeats can
/// be remembered, resumed and run side by side like other questions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Repeat<C> {
    /// The candidate that is run.
    pub candidate: C,
    /// The number of earlier runs of the candidate.
    pub nth: u32,
}

impl<C> Repeat<C> {
    /// Turns the candidate into another description of it.
    pub fn map<D>(self, describe: impl FnOnce(C) -> D) -> Repeat<D> {
        Repeat { candidate: describe(self.candidate), nth: self.nth }
    }
}

/// A verdict on a candidate that rests on several of its runs.
#[derive(Clone, Debug)]
pub struct Decided<C> {
    /// The candidate asked about.
    pub candidate: C,
    /// The verdict of all its runs together.
    pub verdict: Verdict,
    /// How many of its runs showed the failure.
    pub counts: crate::Sightings,
    /// The run that settled the verdict; `None` if it was certain without a run.
    pub last: Option<u32>,
}
