//! Turns a search over sets of changes into one that the lab can ask.

use std::sync::Arc;

use whodunit_core::{Answer, DeltaSet, Search, Step, Task};

use super::trees::TreeState;

/// Makes trees of sets of deltas.
pub(crate) trait Space: Send + Sync + 'static {
    /// Returns the tree that a set makes.
    fn tree(self: &Arc<Self>, set: DeltaSet) -> TreeState;
}

/// A search over sets of deltas, as a search over trees.
pub(super) struct InSpace<S, P> {
    pub(super) search: S,
    pub(super) space: Arc<P>,
}

impl<S: Clone, P> Clone for InSpace<S, P> {
    fn clone(&self) -> Self {
        InSpace { search: self.search.clone(), space: self.space.clone() }
    }
}

impl<S: Search<Candidate = DeltaSet>, P: Space> Search for InSpace<S, P> {
    type Candidate = TreeState;

    fn step(&self) -> Step<TreeState> {
        self.search.step().map(|set| self.space.tree(set))
    }

    fn learn(&mut self, answer: &Answer) {
        self.search.learn(answer);
    }

    fn best(&self) -> TreeState {
        self.space.tree(self.search.best())
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
