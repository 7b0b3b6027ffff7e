//! What a test says about a candidate.

use crate::{Delta, DeltaSet};

/// The three outcomes of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// The failure we are after is there.
    Fail,
    /// The test ran, and the failure is not there.
    Pass,
    /// Nothing can be said: another failure, a timeout, something that does not build.
    Unresolved,
}

impl Verdict {
    /// Whether this is the failure we are after.
    pub fn is_fail(self) -> bool {
        self == Verdict::Fail
    }
}

/// Takes whether the failure is there.
impl From<bool> for Verdict {
    fn from(fails: bool) -> Self {
        if fails { Verdict::Fail } else { Verdict::Pass }
    }
}

/// A verdict, and what the run taught about the deltas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What the test said.
    pub verdict: Verdict,
    /// What a build error or the like revealed; empty for most runs.
    pub lessons: Vec<Lesson>,
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        Answer { verdict, lessons: Vec::new() }
    }
}

/// A fact, read off a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lesson {
    /// A candidate with `delta` is testable only if it has all of `needs` too.
    Implies {
        /// The delta that cannot stand alone.
        delta: Delta,
        /// What it cannot do without.
        needs: DeltaSet,
    },
    /// Why the question stayed open.
    Because(Reason),
    /// The failure is not there, although the test does not pass: where the failure would show,
    /// something else does.
    Absent,
    /// The verdict holds without a test, so that no other run could say something else.
    Certain,
    /// The candidate brings a test of its own, other than the one that is tracked.
    OtherTest,
}

/// A reason for which questions stay open. All that can be asked of it is whether two are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason(pub u64);
