//! The tests that the list searches need on simulated subjects.
//!
//! The oracle fails iff all needed deltas are kept. Everything is seeded, so the table is the
//! same on every machine.

use std::collections::HashSet;
use std::fmt::Write;

use whodunit_core::searches::{Blocks, Ddmin};
use whodunit_core::{Delta, DeltaSet, Search, Step, Verdict};

use whodunit_test_support::Random;

/// Instances averaged in each cell.
const SEEDS: u64 = 50;

struct Case {
    name: &'static str,
    count: u32,
    needed: u32,
    together: bool,
    /// The most tests that `blocks` may need.
    bar: Option<u32>,
}

const CASES: [Case; 8] = [
    Case { name: "1,000 with 1", count: 1000, needed: 1, together: false, bar: Some(15) },
    Case { name: "1,000 with 2", count: 1000, needed: 2, together: false, bar: None },
    Case { name: "1,000 with 5", count: 1000, needed: 5, together: false, bar: Some(60) },
    Case { name: "1,000 with 10", count: 1000, needed: 10, together: false, bar: Some(108) },
    Case { name: "1,000 with 50", count: 1000, needed: 50, together: false, bar: Some(390) },
    Case {
        name: "1,000 with 50 together",
        count: 1000,
        needed: 50,
        together: true,
        bar: Some(120),
    },
    Case { name: "8,721 with 1", count: 8721, needed: 1, together: false, bar: Some(18) },
    Case { name: "10,000 with 10", count: 10000, needed: 10, together: false, bar: None },
];

/// Returns the table in Markdown.
pub(crate) fn table() -> String {
    let mut text = String::from(HEAD);
    for case in &CASES {
        let blocks = mean(case, |count| Blocks::new(count as usize));
        let ddmin = mean(case, |count| Ddmin::new(count as usize));
        let bar = case.bar.map_or(String::new(), |bar| bar.to_string());
        let bound = case.bound();
        writeln!(text, "| {} | {bound:.0} | {blocks:.1} | {bar} | {ddmin:.1} |", case.name)
            .expect("a string takes everything");
    }
    text
}

const HEAD: &str = "\
# Tests that list searches need

Simulated: the oracle fails iff all needed deltas are kept. Mean of 50 seeds, questions about the
same content counted once, the proof that every survivor is needed included. The bound is
log2 C(n, k) + k for scattered deltas: what any search needs to tell the subsets apart and to refute
each survivor. Regenerate with `cargo run --release -p whodunit-bench -- lists`.

| deltas | bound | blocks | at most | ddmin |
|---|---|---|---|---|
";

fn mean<S: Search<Candidate = DeltaSet>>(case: &Case, start: impl Fn(u32) -> S) -> f64 {
    let total: usize = (0..SEEDS).map(|seed| tests(start(case.count), &case.place(seed))).sum();
    total as f64 / SEEDS as f64
}

/// Counts the different questions that a search asks.
fn tests<S: Search<Candidate = DeltaSet>>(mut search: S, needed: &DeltaSet) -> usize {
    let mut asked = HashSet::new();
    while let Step::Ask(candidate) = search.step() {
        let verdict = if needed.is_subset(&candidate) { Verdict::Fail } else { Verdict::Pass };
        search.learn(&verdict.into());
        asked.insert(candidate);
    }
    assert_eq!(&search.best(), needed);
    asked.len()
}

impl Case {
    /// Returns the number of yes-or-no answers that every search needs at least.
    fn bound(&self) -> f64 {
        let (n, k) = (f64::from(self.count), f64::from(self.needed));
        let subsets: f64 = if self.together {
            (n - k + 1.0).log2()
        } else {
            (0..self.needed).map(|i| ((n - f64::from(i)) / (k - f64::from(i))).log2()).sum()
        };
        subsets + k
    }

    fn place(&self, seed: u64) -> DeltaSet {
        let mut random = Random::new(seed);
        if self.together {
            let start = random.below(self.count - self.needed);
            return DeltaSet::run(start..start + self.needed);
        }
        let mut chosen = HashSet::new();
        while chosen.len() < self.needed as usize {
            chosen.insert(random.below(self.count));
        }
        chosen.into_iter().map(Delta).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_table_is_up_to_date() {
        assert_eq!(table(), include_str!("../tables/lists.md"));
    }

    #[test]
    fn blocks_stays_below_the_bars() {
        for case in &CASES {
            let tests = mean(case, |count| Blocks::new(count as usize));
            let within = case.bar.is_none_or(|bar| tests <= f64::from(bar));
            assert!(within, "{}: {tests}", case.name);
        }
    }
}
