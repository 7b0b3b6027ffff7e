//! A search over sets of changes, as the lab asks it.

use std::sync::Arc;

use whodunit_core::{Answer, DeltaSet, Search, Step, Task};

use super::trees::{Space, TreeState};

/// A search over sets of deltas as one over trees.
#[derive(Clone)]
pub(super) struct InSpace<S> {
    pub(super) search: S,
    pub(super) space: Arc<Space>,
}

impl<S: Search<Candidate = DeltaSet>> Search for InSpace<S> {
    type Candidate = TreeState;

    fn step(&self) -> Step<TreeState> {
        self.search.step().map(|set| TreeState { space: self.space.clone(), set })
    }

    fn learn(&mut self, answer: &Answer) {
        self.search.learn(answer);
    }

    fn best(&self) -> TreeState {
        TreeState { space: self.space.clone(), set: self.search.best() }
    }

    fn likely(&self) -> f64 {
        self.search.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.search.heeds_unresolved()
    }

    fn task(&self) -> Option<(usize, Task)> {
        self.search.task()
    }
}
