//! Subjects that fail while at least a given number of deltas is there, whichever they are: a
//! count, a limit or a length.
//!
//! Every survivor takes a test that refutes it; all the others together should take no more than a
//! few for each doubling of the list.

use std::collections::HashSet;
use std::hash::Hash;

use whodunit_core::searches::{Blocks, Certify, Each, Sweep};
use whodunit_core::{DeltaSet, Facts, Kind, Search, Step, Tree, TreeCandidate, Verdict};
use whodunit_test_support::Random;

/// How many lists a search meets.
const LISTS: u64 = 400;

/// Returns how many deltas there are, and how many must stay.
fn problem(seed: u64) -> (usize, usize) {
    let mut random = Random::new(seed);
    let count = 1 << random.between(3, 12);
    let count = random.between(count / 2, count);
    let stays = if random.chance(10) { 0 } else { random.between(1, (count / 4).clamp(1, 128)) };
    (count, stays)
}

/// Counts the different questions of a search over candidates that fail if `enough` holds.
fn tests<S: Search>(mut search: S, enough: impl Fn(&S::Candidate) -> bool) -> (usize, S::Candidate)
where
    S::Candidate: Eq + Hash,
{
    let mut asked = HashSet::new();
    while let Step::Ask(candidate) = search.step() {
        let verdict = if enough(&candidate) { Verdict::Fail } else { Verdict::Pass };
        search.learn(&verdict.into());
        asked.insert(candidate);
    }
    (asked.len(), search.best())
}

/// Asserts that there were no more tests than `for_each` for each delta that stays, and three for
/// each doubling of the list.
fn check(name: &str, seed: u64, count: usize, stays: usize, tests: usize, for_each: f64) {
    let doublings = (count as f64).log2() + 1.0;
    let bound = for_each * stays as f64 + 3.0 * doublings;
    assert!(tests as f64 <= bound, "{name}, seed {seed}: {tests} for {stays} of {count}");
}

#[test]
fn lists_take_a_test_for_each_that_stays_and_a_few_for_the_rest() {
    for seed in 0..LISTS {
        let (count, stays) = problem(seed);
        let (asked, left) = tests(Blocks::new(count), |kept| kept.len() >= stays);
        assert_eq!(left.len(), stays);
        check("blocks", seed, count, stays, asked, 1.3);
        let sizes = (0..count).map(|place| 1 + place * place % 37);
        let (asked, left) = tests(Blocks::weighted(sizes), |kept| kept.len() >= stays);
        assert_eq!(left.len(), stays);
        check("blocks by size", seed, count, stays, asked, 1.3);
        let (asked, left) = tests(Each::new(count), |kept| kept.len() >= stays);
        assert_eq!(left.len(), stays);
        check("each", seed, count, stays, asked, 1.0);
    }
}

/// Returns a list of items, every third of which has two removable parts.
fn tree(count: usize) -> Tree {
    let mut builder = Tree::builder();
    builder.open(Facts::fixed(2).list(Kind(1)));
    for place in 0..count {
        builder.open(Facts::free(1));
        if place % 3 == 0 {
            builder.leaf(Facts::free(1)).leaf(Facts::free(1));
        }
        builder.close();
    }
    builder.close();
    builder.build()
}

#[test]
fn trees_take_a_few_tests_for_each_item_that_stays() {
    for seed in 0..LISTS {
        let (count, stays) = problem(seed);
        let tree = tree(count);
        let list = tree.children(tree.root())[0];
        let items = |shown: &TreeCandidate| shown.children(&tree, list).count();
        for (name, search) in [
            ("sweep", Sweep::new(&tree)),
            ("one walk", Sweep::new(&tree).certify(Certify::None)),
            ("what is left", Sweep::new(&tree).over_what_is_left(DeltaSet::empty())),
            ("heavy lists", Sweep::new(&tree).heaviest_lists_first()),
        ] {
            let (asked, left) = tests(search, |shown| items(shown) >= stays);
            assert_eq!(items(&left), stays);
            check(name, seed, count, stays, asked, 3.0);
        }
    }
}
