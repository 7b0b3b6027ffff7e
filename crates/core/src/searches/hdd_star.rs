//! `hdd_star`: hierarchical delta debugging until it removes nothing (Misherghi's thesis, 3.4).
//!
//! `ddmin` tries every node of a level by itself, so a run of [`Hdd`] that changes nothing has
//! refuted every shown node singly: the result is 1-tree-minimal for any oracle.

use crate::searches::Hdd;
use crate::{Answer, Search, Step, Tree, TreeCandidate};

/// The search; see the module's text.
#[derive(Clone, Debug)]
pub struct HddStar {
    tree: Tree,
    /// The candidate that the current run started with.
    started: TreeCandidate,
    run: Hdd,
}

impl HddStar {
    /// Starts with the whole tree, which is known to fail.
    pub fn new(tree: &Tree) -> Self {
        let started = TreeCandidate::whole(tree);
        HddStar { tree: tree.clone(), started, run: Hdd::new(tree) }
    }
}

impl Search for HddStar {
    type Candidate = TreeCandidate;

    fn step(&self) -> Step<TreeCandidate> {
        self.run.step()
    }

    fn learn(&mut self, answer: &Answer) {
        self.run.learn(answer);
        if matches!(self.run.step(), Step::Done) && self.run.best() != self.started {
            self.started = self.run.best();
            self.run = Hdd::from(&self.tree, self.started.clone());
        }
    }

    fn best(&self) -> TreeCandidate {
        self.run.best()
    }

    fn likely(&self) -> f64 {
        self.run.likely()
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
    fn what_could_go_only_later_goes_in_the_next_run() {
        check(
            "definition block(use)",
            HddStar::new,
            defined_before_used,
            "
            definition ✓
            block(use) ✓
            definition block ✗
            definition ✓
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
