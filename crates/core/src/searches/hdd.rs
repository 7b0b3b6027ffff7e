//! `hdd`: hierarchical delta debugging (Misherghi and Su, 2006; Misherghi's thesis, Algorithm 1).
//!
//! `ddmin` on the nodes of one level after the other, from the root down; nodes below a removed
//! one are never looked at. A level holds the nodes shown at the same depth; its deltas are the
//! nodes that can be left out or replaced by their minimal strings. Departure: of nodes that
//! allow both, as many as possible are left out first, and then as many as possible of the others
//! are shrunk.

use std::sync::Arc;

use crate::searches::level::{Level, Pass};
use crate::{Answer, Delta, Search, Step, Tree, TreeCandidate};

/// The search; see the module's text.
///
/// Each level is 1-minimal when the search leaves it, but a removal further down may make
/// something above dispensable: [`HddPlus`](crate::searches::HddPlus) and
/// [`HddStar`](crate::searches::HddStar) handle that.
#[derive(Clone, Debug)]
pub struct Hdd {
    tree: Tree,
    /// The nodes shown at this level when the pass began.
    nodes: Arc<[Delta]>,
    pass: Pass,
    level: Level,
}

impl Hdd {
    /// Starts with the whole tree, which is known to fail.
    pub fn new(tree: &Tree) -> Self {
        Self::from(tree, TreeCandidate::whole(tree))
    }

    /// Starts with a candidate that is known to fail.
    pub fn from(tree: &Tree, failing: TreeCandidate) -> Self {
        let nodes: Arc<[Delta]> = failing.tops(tree).collect();
        let level = Level::new(tree, failing, &nodes, Pass::LeaveOut);
        let mut search = Hdd { tree: tree.clone(), nodes, pass: Pass::LeaveOut, level };
        search.settle();
        search
    }

    /// Moves on while there is nothing to ask at this level.
    fn settle(&mut self) {
        while self.level.is_done() && !self.nodes.is_empty() {
            let base = self.level.best(&self.tree);
            let shown = self.nodes.iter().filter(|&&node| base.kept().contains(node));
            match self.pass {
                Pass::LeaveOut => {
                    self.nodes = shown.copied().collect();
                    self.pass = Pass::Shrink;
                }
                Pass::Shrink => {
                    self.nodes = shown.flat_map(|&node| base.children(&self.tree, node)).collect();
                    self.pass = Pass::LeaveOut;
                }
            }
            self.level = Level::new(&self.tree, base, &self.nodes, self.pass);
        }
    }
}

impl Search for Hdd {
    type Candidate = TreeCandidate;

    fn step(&self) -> Step<TreeCandidate> {
        self.level.step(&self.tree)
    }

    fn learn(&mut self, answer: &Answer) {
        self.level.learn(answer);
        self.settle();
    }

    fn best(&self) -> TreeCandidate {
        self.level.best(&self.tree)
    }

    fn likely(&self) -> f64 {
        self.level.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::trees::{check, needs};

    #[test]
    fn the_thesis_example_is_reduced_level_by_level() {
        // Figures 2.1 and 2.2: the loop's condition shrinks to its minimal string.
        check(
            "f(int_x int_y if(ne! then= else) while(not_zero! y--) return)",
            Hdd::new,
            needs(&["int_y", "y--"]),
            "
            - ✓
            f(int_x int_y) ✓
            f(if(ne then else) while(not_zero y--) return) ✓
            f(int_x) ✓
            f(int_y) ✓
            f(if(ne then else)) ✓
            f(while(not_zero y--) return) ✓
            f(int_y if(ne then else) while(not_zero y--) return) ✗
            f(if(ne then else) while(not_zero y--) return) ✓
            f(int_y while(not_zero y--) return) ✗
            f(while(not_zero y--)) ✓
            f(return) ✓
            f(int_y return) ✓
            f(int_y while(not_zero y--)) ✗
            f(int_y while(not_zero)) ✓
            f(int_y while(0 y--)) ✗
            f(int_y while(0)) ✓
            f(int_y while(0 y--)) =
            ",
        );
    }

    #[test]
    fn what_cannot_be_left_out_is_shrunk() {
        // The call fails with three arguments, of which the last matters.
        check(
            "call(a~ b~(x) c~)",
            Hdd::new,
            |shown| {
                shown.contains(&"c")
                    && shown.iter().filter(|word| "abc0".contains(**word)).count() == 3
            },
            "
            - ✓
            call(a) ✓
            call(b(x) c) ✓
            call(b(x)) ✓
            call(c) ✓
            call(a c) ✗
            call(a 0) ✓
            call(0 c) ✗
            call(0 0) ✓
            call(0 c) =
            ",
        );
    }

    #[test]
    fn nothing_above_is_looked_at_again() {
        check(
            "definition block(use)",
            Hdd::new,
            defined_before_used,
            "
            definition ✓
            block(use) ✓
            definition block ✗
            definition block =
            ",
        );
    }

    fn defined_before_used(shown: &[&str]) -> bool {
        shown.contains(&"block") && (shown.contains(&"definition") || !shown.contains(&"use"))
    }
}
