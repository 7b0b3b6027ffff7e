//! `hdd_plus`: hierarchical delta debugging, then one node at a time (Misherghi's thesis, 3.4).
//!
//! After [`Hdd`] every shown node is left out by itself, from the root down, level by level,
//! and that again until a whole round removes nothing: the result is 1-tree-minimal for any
//! oracle.

use std::sync::Arc;

use crate::searches::Hdd;
use crate::{Answer, Delta, Edit, Search, Step, Tree, TreeCandidate};

/// The search; see the module's text.
#[derive(Clone, Debug)]
pub struct HddPlus {
    tree: Tree,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    /// Whole levels.
    Greedy(Hdd),
    /// Single nodes.
    Singles(Round),
}

/// One walk over all shown nodes.
#[derive(Clone, Debug)]
struct Round {
    current: TreeCandidate,
    /// The possible edits of the nodes that were shown at the start, in the order of asking.
    edits: Arc<[Edit]>,
    /// The edit asked about; one past the last edit when nothing is left to ask.
    next: usize,
    removed: bool,
}

impl HddPlus {
    /// Starts with the whole tree, which is known to fail.
    pub fn new(tree: &Tree) -> Self {
        let mut search = HddPlus { tree: tree.clone(), phase: Phase::Greedy(Hdd::new(tree)) };
        search.settle();
        search
    }

    /// Goes over to single nodes when the levels are done.
    fn settle(&mut self) {
        if let Phase::Greedy(hdd) = &self.phase
            && matches!(hdd.step(), Step::Done)
        {
            self.phase = Phase::Singles(Round::new(&self.tree, hdd.best()));
        }
    }
}

impl Round {
    fn new(tree: &Tree, current: TreeCandidate) -> Self {
        let edits = breadth_first(tree, &current).into_iter().flat_map(|node| {
            current.leave_out(tree, node).into_iter().chain(current.shrink_instead(tree, node))
        });
        Round { edits: edits.collect(), current, next: 0, removed: false }
    }

    fn learn(&mut self, tree: &Tree, goes: bool) {
        let Some(edit) = self.edits.get(self.next) else { return };
        if goes {
            self.current = self.current.with(tree, [edit]);
            self.removed = true;
        }
        let left = self.edits[self.next + 1..].iter();
        // Skip nodes below a removed one, and nodes too light to be shrunk. They wait for the
        // next round, if there is one.
        let skipped = left.take_while(|edit| !self.is_possible(tree, **edit)).count();
        self.next += 1 + skipped;
        if self.next == self.edits.len() && self.removed {
            *self = Round::new(tree, self.current.clone());
        }
    }

    fn is_possible(&self, tree: &Tree, edit: Edit) -> bool {
        match edit {
            Edit::Drop(node) => self.current.shows(node),
            Edit::Shrink(node) => self.current.shrink(tree, node).is_some(),
            Edit::Hoist { .. } | Edit::Splice { .. } => false,
        }
    }
}

fn breadth_first(tree: &Tree, candidate: &TreeCandidate) -> Vec<Delta> {
    let mut found: Vec<Delta> = candidate.tops(tree).collect();
    let mut next = 0;
    while let Some(&node) = found.get(next) {
        found.extend(candidate.children(tree, node));
        next += 1;
    }
    found
}

impl Search for HddPlus {
    type Candidate = TreeCandidate;

    fn step(&self) -> Step<TreeCandidate> {
        match &self.phase {
            Phase::Greedy(hdd) => hdd.step(),
            Phase::Singles(round) => match round.edits.get(round.next) {
                Some(edit) => Step::Ask(round.current.with(&self.tree, [edit])),
                None => Step::Done,
            },
        }
    }

    fn learn(&mut self, answer: &Answer) {
        match &mut self.phase {
            Phase::Greedy(hdd) => hdd.learn(answer),
            Phase::Singles(round) => round.learn(&self.tree, answer.verdict.is_fail()),
        }
        self.settle();
    }

    fn best(&self) -> TreeCandidate {
        match &self.phase {
            Phase::Greedy(hdd) => hdd.best(),
            Phase::Singles(round) => round.current.clone(),
        }
    }

    fn likely(&self) -> f64 {
        match &self.phase {
            Phase::Greedy(hdd) => hdd.likely(),
            // The levels have already tried nearly everything.
            Phase::Singles(_) => 0.05,
        }
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::trees::check;

    #[test]
    fn what_the_levels_left_goes_node_by_node() {
        check(
            "definition block(use)",
            HddPlus::new,
            defined_before_used,
            "
            definition ✓
            block(use) ✓
            definition block ✗
            block ✗
            - ✓
            - ✓
            block =
            ",
        );
    }

    fn defined_before_used(shown: &[&str]) -> bool {
        shown.contains(&"block") && (shown.contains(&"definition") || !shown.contains(&"use"))
    }
}
