//! The outcome of a test: verdict, answer, lessons.

use crate::{Delta, DeltaSet};

/// The three outcomes of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// The failure we are after is there.
    Fail,
    /// The test ran, and the failure is not there.
    Pass,
    /// Neither can be said: another failure, a timeout, something that does not build.
    Unresolved,
}

impl Verdict {
    /// Whether this is the failure we are after.
    pub fn is_fail(self) -> bool {
        self == Verdict::Fail
    }
}

/// `true` stands for a failure.
impl From<bool> for Verdict {
    fn from(fails: bool) -> Self {
        if fails { Verdict::Fail } else { Verdict::Pass }
    }
}

/// A verdict, and the lessons about the deltas that the run taught.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The verdict of the test.
    pub verdict: Verdict,
    /// Facts that a build error or the like revealed; empty for most runs.
    pub lessons: Vec<Lesson>,
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        Answer { verdict, lessons: Vec::new() }
    }
}

/// A fact read off a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lesson {
    /// A candidate with `delta` is testable only if it has all of `needs` too.
    Implies {
        /// The delta that cannot stand alone.
        delta: Delta,
        /// The deltas that it cannot do without.
        needs: DeltaSet,
    },
    /// The reason why the verdict is unresolved.
    Because(Reason),
    /// The failure is absent although the test does not pass: something else shows where the
    /// failure would show.
    Absent,
    /// The verdict is certain without a test, so another run cannot change it.
    Certain,
    /// The candidate brings its own test instead of the tracked one.
    OtherTest,
}

/// The reason of an unresolved verdict. Two reasons can only be compared for equality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason(pub u64);
