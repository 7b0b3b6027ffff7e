//! `hdd_recursive`: hierarchical delta debugging branch by branch (Kiss, Hodován and Gyimóthy,
//! "HDDr: a recursive variant of the hierarchical delta debugging algorithm", 2018; Misherghi's
//! thesis leaves it as future work in chapter 2).
//!
//! `ddmin` on the children of one node, then on the children of each that stayed. Of the orders
//! that the paper allows this is the depth-first one in the order of the text, so where the walk
//! stands is a single node. As in `hdd`, nodes that can be dropped or shrunk get both tried.

use crate::searches::level::{Level, Pass};
use crate::{Answer, Delta, Search, Step, Tree, TreeCandidate};

/// The search; see the module's text. Promises no more than [`Hdd`](crate::searches::Hdd).
#[derive(Clone, Debug)]
pub struct HddRecursive {
    tree: Tree,
    branch: Branch,
    pass: Pass,
    level: Level,
}

/// The parent of the nodes that are looked at.
#[derive(Clone, Copy, Debug)]
enum Branch {
    /// None: the root itself is looked at.
    Root,
    /// This node.
    Below(Delta),
}

impl HddRecursive {
    /// Starts with the whole tree, which is known to fail.
    pub fn new(tree: &Tree) -> Self {
        let whole = TreeCandidate::whole(tree);
        let level = Level::new(tree, whole, &[tree.root()], Pass::LeaveOut);
        let (branch, pass) = (Branch::Root, Pass::LeaveOut);
        let mut search = HddRecursive { tree: tree.clone(), branch, pass, level };
        search.settle();
        search
    }

    /// Moves on while there is nothing to ask in this branch.
    fn settle(&mut self) {
        while self.level.is_done() {
            let base = self.level.best(&self.tree);
            if self.pass == Pass::LeaveOut {
                self.pass = Pass::Shrink;
            } else {
                let from = match self.branch {
                    Branch::Root => self.tree.root(),
                    Branch::Below(node) => Delta(node.0 + 1),
                };
                let Some(next) = base.kept().first_from(from) else { return };
                self.branch = Branch::Below(next);
                self.pass = Pass::LeaveOut;
            }
            let nodes: Vec<Delta> = match self.branch {
                Branch::Root => base.tops(&self.tree).collect(),
                Branch::Below(node) => base.children(&self.tree, node).collect(),
            };
            self.level = Level::new(&self.tree, base, &nodes, self.pass);
        }
    }
}

impl Search for HddRecursive {
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
    fn one_branch_is_done_before_the_next() {
        check(
            "f(a b) g(c d)",
            HddRecursive::new,
            needs(&["a", "d"]),
            "
            f(a b) ✓
            g(c d) ✓
            f(a) g(c d) ✗
            f g(c d) ✓
            f(a) g(c) ✓
            f(a) g(d) ✗
            f(a) g ✓
            f(a) g(d) =
            ",
        );
    }
}
