//! What a search holds on to: the failure, or the pass.

use whodunit_core::{Answer, DeltaSet, Search, Step, Verdict};

/// What a search holds on to while it makes a set of changes smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The failure; what cannot be tested may hide it.
    Fail,
    /// The failure, where it takes changes to be able to test at all: what cannot be tested lacks
    /// some of them.
    Restore,
    /// The pass.
    Pass,
}

impl Goal {
    pub(crate) fn verdict(self) -> Verdict {
        match self {
            Goal::Fail | Goal::Restore => Verdict::Fail,
            Goal::Pass => Verdict::Pass,
        }
    }
}

/// A search for a smallest failing set that is told what it holds on to as a failure.
#[derive(Clone)]
pub(super) struct HoldingOn<S> {
    pub(super) search: S,
    pub(super) goal: Goal,
}

impl<S: Search<Candidate = DeltaSet>> Search for HoldingOn<S> {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        self.search.step()
    }

    fn learn(&mut self, answer: &Answer) {
        let verdict = match (self.goal, answer.verdict) {
            (Goal::Pass, Verdict::Pass) => Verdict::Fail,
            (Goal::Pass, Verdict::Fail) | (Goal::Restore, Verdict::Unresolved) => Verdict::Pass,
            (_, verdict) => verdict,
        };
        self.search.learn(&Answer { verdict, lessons: answer.lessons.clone() });
    }

    fn best(&self) -> DeltaSet {
        self.search.best()
    }

    fn likely(&self) -> f64 {
        self.search.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        // Which of the other two answers leads elsewhere depends on the goal.
        self.goal == Goal::Pass || self.search.heeds_unresolved()
    }
}
