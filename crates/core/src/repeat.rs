//! One run of a candidate among several.

use crate::Verdict;

/// The `nth` run of a candidate, counted from 0. It has an identity of its own, so that repeats can
/// be remembered, resumed and run side by side like other questions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Repeat<C> {
    /// What is run.
    pub candidate: C,
    /// How many runs of it there were before.
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
    /// What was asked about.
    pub candidate: C,
    /// The verdict of its runs together.
    pub verdict: Verdict,
    /// How many of its runs showed the failure.
    pub counts: crate::Sightings,
    /// The run that settled it; nothing if it was certain without one.
    pub last: Option<u32>,
}
