//! The tests that the tree searches need on simulated subjects.
//!
//! Every node of a random tree can be left out. The oracle fails iff all culprits are shown, and
//! is unresolved where a node is shown without the earlier node that it depends on. Everything
//! is seeded, so the table is the same on every machine.

use std::collections::HashSet;
use std::thread;

use whodunit_core::searches::{Hdd, HddPlus, HddRecursive, HddStar, Sweep};
use whodunit_core::{Delta, Facts, Search, Step, Tree, TreeCandidate, Verdict};

use whodunit_test_support::Random;

/// Instances averaged in each cell.
const SEEDS: u64 = 5;

struct Case {
    nodes: u32,
    culprits: u32,
    /// The number of nodes that depend on an earlier one, of a hundred.
    dependent: u32,
}

const CASES: [Case; 12] = [
    Case { nodes: 500, culprits: 3, dependent: 0 },
    Case { nodes: 500, culprits: 5, dependent: 0 },
    Case { nodes: 500, culprits: 10, dependent: 0 },
    Case { nodes: 2000, culprits: 3, dependent: 0 },
    Case { nodes: 2000, culprits: 5, dependent: 0 },
    Case { nodes: 2000, culprits: 10, dependent: 0 },
    Case { nodes: 500, culprits: 3, dependent: 15 },
    Case { nodes: 500, culprits: 5, dependent: 15 },
    Case { nodes: 500, culprits: 10, dependent: 15 },
    Case { nodes: 2000, culprits: 3, dependent: 15 },
    Case { nodes: 2000, culprits: 5, dependent: 15 },
    Case { nodes: 2000, culprits: 10, dependent: 15 },
];

/// A tree with its oracle.
struct Subject {
    tree: Tree,
    culprits: Vec<Delta>,
    /// A node, and an earlier one that it depends on.
    needs: Vec<(Delta, Delta)>,
}

/// The costs and the result of a search, on average.
struct Mean {
    tests: f64,
    left: f64,
}

/// Returns the table in Markdown.
pub(crate) fn table() -> String {
    let rows = thread::scope(|scope| {
        let rows = CASES.each_ref().map(|case| scope.spawn(|| case.row()));
        rows.map(|row| row.join().expect("a row is computed or the table is not"))
    });
    format!("{HEAD}{}", rows.concat())
}

const HEAD: &str = "\
# Tests that tree searches need

Simulated: random trees in which every node can be left out. The oracle fails iff all culprits,
which are leaves, are shown; it is unresolved where a node is shown without the earlier node that
it depends on. Tests needed → nodes left, the mean of 5 seeds; questions about the same content are
counted once. `sweep`, `hdd_plus` and `hdd_star` include the proof that no node left can go by
itself. Regenerate with `cargo run --release -p whodunit-bench -- trees`.

| nodes | culprits | dependent | sweep | hdd_recursive | hdd | hdd_plus | hdd_star |
|---|---|---|---|---|---|---|---|
";

impl Case {
    fn row(&self) -> String {
        let cells = [
            self.mean(Sweep::new),
            self.mean(HddRecursive::new),
            self.mean(Hdd::new),
            self.mean(HddPlus::new),
            self.mean(HddStar::new),
        ];
        let cells = cells.map(|cell| format!("{:.0} → {:.0}", cell.tests, cell.left));
        let Case { nodes, culprits, dependent } = self;
        format!("| {nodes} | {culprits} | {dependent} % | {} |\n", cells.join(" | "))
    }

    fn mean<S: Search<Candidate = TreeCandidate>>(&self, start: impl Fn(&Tree) -> S) -> Mean {
        let mut sums = (0, 0);
        for seed in 0..SEEDS {
            let subject = self.subject(seed);
            let (tests, left) = subject.reduce(start(&subject.tree));
            sums = (sums.0 + tests, sums.1 + left);
        }
        Mean { tests: sums.0 as f64 / SEEDS as f64, left: sums.1 as f64 / SEEDS as f64 }
    }

    fn subject(&self, seed: u64) -> Subject {
        let mut random = Random::new(seed);
        let tree = random_tree(self.nodes, &mut random);
        let all = || (1..self.nodes).map(Delta);
        let leaves: Vec<Delta> = all().filter(|&node| tree.children(node).is_empty()).collect();
        let mut culprits = HashSet::new();
        while culprits.len() < self.culprits as usize {
            culprits.insert(leaves[random.below(leaves.len() as u32) as usize]);
        }
        let mut needs = Vec::new();
        for node in all().skip(1) {
            if random.below(100) < self.dependent {
                needs.push((node, Delta(1 + random.below(node.0 - 1))));
            }
        }
        Subject { tree, culprits: culprits.into_iter().collect(), needs }
    }
}

/// Makes a tree in which the parent of each node is chosen among the earlier nodes.
fn random_tree(nodes: u32, random: &mut Random) -> Tree {
    let mut children = vec![Vec::new(); nodes as usize];
    for node in 1..nodes {
        children[random.below(node) as usize].push(node);
    }
    let mut builder = Tree::builder();
    let mut ahead = vec![children[0].clone().into_iter()];
    while let Some(siblings) = ahead.last_mut() {
        if let Some(node) = siblings.next() {
            builder.open(Facts::free(1));
            ahead.push(children[node as usize].clone().into_iter());
        } else {
            ahead.pop();
            if !ahead.is_empty() {
                builder.close();
            }
        }
    }
    builder.build()
}

impl Subject {
    /// Counts the different questions that a search asks, and the nodes that it leaves.
    fn reduce<S: Search<Candidate = TreeCandidate>>(&self, mut search: S) -> (usize, usize) {
        let mut asked = HashSet::new();
        while let Step::Ask(candidate) = search.step() {
            search.learn(&self.judge(&candidate).into());
            asked.insert(candidate);
        }
        let best = search.best();
        assert_eq!(self.judge(&best), Verdict::Fail);
        (asked.len(), best.kept().len() - 1)
    }

    fn judge(&self, candidate: &TreeCandidate) -> Verdict {
        let kept = candidate.kept();
        if !self.culprits.iter().all(|&culprit| kept.contains(culprit)) {
            return Verdict::Pass;
        }
        let broken = |&(node, needs): &(Delta, Delta)| kept.contains(node) && !kept.contains(needs);
        if self.needs.iter().any(broken) { Verdict::Unresolved } else { Verdict::Fail }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_table_is_up_to_date() {
        assert_eq!(table(), include_str!("../tables/trees.md"));
    }
}
