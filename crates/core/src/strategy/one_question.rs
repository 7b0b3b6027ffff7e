//! A search with one question.

use crate::{Answer, DeltaSet, Search, Step, Verdict};

/// Asks about a set, and keeps the verdict.
#[derive(Clone)]
pub(super) struct OneQuestion {
    pub(super) set: DeltaSet,
    /// `None` until the question is answered.
    pub(super) verdict: Option<Verdict>,
}

impl Search for OneQuestion {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        match self.verdict {
            None => Step::Ask(self.set.clone()),
            Some(_) => Step::Done,
        }
    }

    fn learn(&mut self, answer: &Answer) {
        self.verdict.get_or_insert(answer.verdict);
    }

    fn best(&self) -> DeltaSet {
        self.set.clone()
    }
}
