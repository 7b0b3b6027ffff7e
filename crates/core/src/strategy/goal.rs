//! The verdict that a search keeps: the failure, or the pass.

use crate::{Answer, DeltaSet, Lesson, Search, Step, Verdict};

/// The verdict that a search keeps while it makes a set of changes smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The failure. An unresolved candidate may hide it.
    Fail,
    /// The failure, where some changes are needed to be able to test at all: an unresolved
    /// candidate lacks some of them.
    Restore,
    /// Any answer, where some changes are needed to be able to test at all.
    Answer,
    /// The pass.
    Pass,
}

impl Goal {
    /// Whether a verdict is the one to keep.
    pub fn is_met(self, verdict: Verdict) -> bool {
        match self {
            Goal::Fail | Goal::Restore => verdict == Verdict::Fail,
            Goal::Answer => verdict != Verdict::Unresolved,
            Goal::Pass => verdict == Verdict::Pass,
        }
    }
}

/// A search for a smallest failing set; a candidate that reaches the goal counts as a failure.
#[derive(Clone)]
pub(super) struct GoalSearch<S> {
    pub(super) search: S,
    pub(super) goal: Goal,
}

impl<S: Search<Candidate = DeltaSet>> Search for GoalSearch<S> {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        self.search.step()
    }

    fn learn(&mut self, answer: &Answer) {
        let verdict = match (self.goal, answer.verdict) {
            (Goal::Pass | Goal::Answer, Verdict::Pass) => Verdict::Fail,
            // An absent failure is an answer.
            (Goal::Answer, Verdict::Unresolved) if answer.lessons.contains(&Lesson::Absent) => {
                Verdict::Fail
            }
            (Goal::Pass, Verdict::Fail) | (Goal::Restore | Goal::Answer, Verdict::Unresolved) => {
                Verdict::Pass
            }
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
        // The goal decides which of the other two answers leads elsewhere.
        matches!(self.goal, Goal::Pass | Goal::Answer) || self.search.heeds_unresolved()
    }
}
