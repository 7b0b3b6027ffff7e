//! `ddmin` on nodes of a tree, none of which is below another.
//!
//! Hierarchical delta debugging is a schedule of these. Each delta is an edit that leaves a node
//! out; keeping the delta is not making the edit.

use std::sync::Arc;

use crate::searches::Ddmin;
use crate::{Answer, Delta, DeltaSet, Edit, Search, Step, Tree, TreeCandidate};

/// The kind of edits that `ddmin` chooses from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// Leaving nodes out.
    LeaveOut,
    /// Showing the minimal strings of nodes that could not be dropped.
    Shrink,
}

/// One run of `ddmin`.
#[derive(Clone, Debug)]
pub(super) struct Level {
    base: TreeCandidate,
    edits: Arc<[Edit]>,
    ddmin: Ddmin,
}

impl Level {
    /// Starts from a failing candidate, with those of `nodes` that the pass is about.
    pub(super) fn new(tree: &Tree, base: TreeCandidate, nodes: &[Delta], pass: Pass) -> Self {
        let edit = |&node: &Delta| match pass {
            Pass::LeaveOut => base.leave_out(tree, node),
            Pass::Shrink => base.shrink_instead(tree, node),
        };
        let edits: Arc<[Edit]> = nodes.iter().filter_map(edit).collect();
        Level { ddmin: Ddmin::new(edits.len()), base, edits }
    }

    pub(super) fn step(&self, tree: &Tree) -> Step<TreeCandidate> {
        match self.ddmin.step() {
            Step::Ask(untouched) => Step::Ask(self.candidate(tree, &untouched)),
            Step::Done => Step::Done,
        }
    }

    pub(super) fn learn(&mut self, answer: &Answer) {
        self.ddmin.learn(answer);
    }

    pub(super) fn is_done(&self) -> bool {
        matches!(self.ddmin.step(), Step::Done)
    }

    pub(super) fn best(&self, tree: &Tree) -> TreeCandidate {
        self.candidate(tree, &self.ddmin.best())
    }

    pub(super) fn likely(&self) -> f64 {
        self.ddmin.likely()
    }

    fn candidate(&self, tree: &Tree, untouched: &DeltaSet) -> TreeCandidate {
        let made = DeltaSet::full(self.edits.len()).minus(untouched);
        self.base.with(
            tree,
            made.runs().flat_map(|run| &self.edits[run.start as usize..run.end as usize]),
        )
    }
}
