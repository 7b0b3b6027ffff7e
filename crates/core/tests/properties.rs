//! The promises of the searches, for oracles of all sorts over a few deltas.
//!
//! Oracles are pure functions of the candidate and a seed; a failing case names its seed. To put a
//! search under test, add a line to the table below: how it starts, whether the empty candidate
//! must pass, and what it promises beside what every search does.

use std::fmt;

use whodunit_core::searches::{
    Blocks, Closure, Dd, DdPlus, Ddmin, Foretold, Halving, Isolate, Ordered, Prefixes, Resolving,
    SmallestUndo, Undoable, Unit, UnitBoundary,
};
use whodunit_core::{Answer, Delta, DeltaSet, Hierarchy, Implications, Search, Step, Verdict};
use whodunit_test_support::Random;

use Baseline::{Anything, Passes};
use Verdict::{Fail, Pass, Unresolved};

/// How many oracles of each family a search meets.
const ORACLES: u64 = 5_000;

macro_rules! promises {
    ($($claim:ident: $start:expr, $baseline:expr, $promise:expr;)*) => {
        $(
            #[test]
            fn $claim() {
                for seed in 0..ORACLES {
                    for oracle in Oracle::families(seed, $baseline) {
                        $promise(&drive($start(oracle.count), &oracle));
                    }
                }
            }
        )*
    };
}

promises! {
    blocks_is_one_minimal: Blocks::new, Anything, one_minimal;
    closure_is_one_minimal: Closure::new, Passes, one_minimal;
    dd_asks_less_than_two_questions_a_delta: Dd::new, Passes, less_than_two_a_delta;
    dd_plus_always_ends: DdPlus::new, Passes, nothing_more;
    ddmin_is_one_minimal: Ddmin::new, Anything, one_minimal;
    foretold_asks_only_what_is_not_foretold: foretold_ddmin, Anything, asks_prefixes_only;
    halving_asks_less_than_two_questions_a_delta: Halving::new, Anything, less_than_two_a_delta;
    isolate_ends_with_a_difference_that_cannot_be_narrowed: Isolate::new, Passes, narrowest;
    ordered_asks_only_beginnings: Ordered::new, Passes, asks_prefixes_only;
    resolving_asks_only_about_what_has_all_it_needs: resolving_dd_plus, Passes, takes_needs_along;
    without_the_smallest_undo_it_passes: smallest_undo, Passes, passes_without;
}

/// Takes back single deltas of files with three each, all of them equally suspect.
fn smallest_undo(count: usize) -> SmallestUndo {
    let unit = |number: u32| Unit {
        changes: only(Delta(number)),
        weight: 1.0,
        boundary: if number.is_multiple_of(3) { UnitBoundary::File } else { UnitBoundary::Item },
    };
    SmallestUndo::new(Undoable {
        all: DeltaSet::full(count),
        units: (0..count as u32).map(unit).collect(),
        believed: Implications::builder().build(),
        certain: Implications::builder().build(),
        patience: 100,
        halvings: 0,
        most: usize::MAX,
    })
}

fn passes_without(ended: &Ended<'_, SmallestUndo>) {
    let Ended { search, oracle, .. } = ended;
    let all = DeltaSet::full(oracle.count);
    if let Some(undo) = search.found() {
        assert_eq!(oracle.judge(&all.minus(undo)), Pass, "{ended}");
        for delta in undo.iter().filter(|_| undo.len() > 1) {
            let less = undo.minus(&only(delta));
            assert_ne!(oracle.judge(&all.minus(&less)), Pass, "{ended}: {delta:?}");
        }
    }
}

/// Knows that each delta with an odd number needs the one before.
fn resolving_dd_plus(count: usize) -> Resolving<DdPlus> {
    let mut known = Implications::builder();
    (1..count as u32).step_by(2).for_each(|delta| known.add(Delta(delta), Delta(delta - 1)));
    Resolving::new(count, DdPlus::new, known.build())
}

fn takes_needs_along(ended: &Ended<'_, Resolving<DdPlus>>) {
    let lacks = |set: &DeltaSet| {
        set.iter().any(|delta| delta.0 % 2 == 1 && !set.contains(Delta(delta.0 - 1)))
    };
    assert!(!ended.asked.iter().any(|(question, _)| lacks(question)), "{ended}");
}

fn foretold_ddmin(count: usize) -> Foretold<Ddmin, Prefixes> {
    Foretold::new(Ddmin::new(count), Prefixes)
}

fn nothing_more<S>(_: &Ended<'_, S>) {}

fn one_minimal<S: Search<Candidate = DeltaSet>>(ended: &Ended<'_, S>) {
    let best = ended.search.best();
    for delta in best.iter() {
        let smaller = best.minus(&only(delta));
        assert_ne!(ended.oracle.judge(&smaller), Fail, "{ended}: {delta:?} can go");
    }
}

fn less_than_two_a_delta<S>(ended: &Ended<'_, S>) {
    assert!(ended.asked.len() < 2 * ended.oracle.count, "{ended}");
}

fn asks_prefixes_only<S>(ended: &Ended<'_, S>) {
    let is_prefix =
        |(question, _): &(DeltaSet, Verdict)| *question == DeltaSet::full(question.len());
    assert!(ended.asked.iter().all(is_prefix), "{ended}");
}

fn narrowest(ended: &Ended<'_, Isolate>) {
    let Ended { search, oracle, .. } = ended;
    let (passing, failing) = (search.passing(), search.best());
    assert_eq!(oracle.judge(&passing), Pass, "{ended}");
    assert_eq!(search.difference().union(&passing), failing, "{ended}");
    if search.difference().len() < 2 {
        return;
    }
    for delta in search.difference().iter() {
        let (more, less) = (passing.union(&only(delta)), failing.minus(&only(delta)));
        assert_eq!(oracle.judge(&more), Unresolved, "{ended}: {delta:?} can be added");
        assert_eq!(oracle.judge(&less), Unresolved, "{ended}: {delta:?} can be taken");
    }
}

#[test]
fn halving_over_any_tree_asks_less_than_two_questions_a_delta() {
    for seed in 0..ORACLES {
        let oracle = Oracle::random(seed, Anything);
        let search = Halving::over(any_tree(oracle.count, seed));
        less_than_two_a_delta(&drive(search, &oracle));
    }
}

#[test]
fn one_culprit_is_found_by_dd_in_twice_the_logarithm() {
    for count in 1..=70 {
        for culprit in 0..count {
            let oracle = Oracle::needing(count, 1 << culprit);
            let ended = drive(Dd::new(count), &oracle);
            assert_eq!(ended.search.found(), candidate(1 << culprit), "{ended}");
            assert!(ended.asked.len() <= 2 * log2(count), "{ended}");
        }
    }
}

#[test]
fn isolate_is_a_binary_search_while_all_is_resolved() {
    for seed in 0..ORACLES {
        let oracle = Oracle::random(seed, Passes).resolved();
        let ended = drive(Isolate::new(oracle.count), &oracle);
        assert_eq!(ended.search.difference().len(), 1, "{ended}");
        assert!(ended.asked.len() <= log2(oracle.count), "{ended}");
    }
}

#[test]
fn dd_finds_the_smallest_set_if_monotone_unambiguous_and_consistent() {
    // Such oracles are exactly those that need a given set.
    for (count, culprits) in needy() {
        let oracle = Oracle::needing(count, culprits);
        let ended = drive(Dd::new(count), &oracle);
        assert_eq!(ended.search.found(), oracle.smallest_failing(), "{ended}");
    }
}

#[test]
fn minimising_finds_the_smallest_set_if_monotone_unambiguous_and_consistent() {
    for (count, culprits) in needy() {
        let oracle = Oracle::needing(count, culprits);
        let smallest = oracle.smallest_failing();
        assert_eq!(drive(Blocks::new(count), &oracle).search.best(), smallest);
        assert_eq!(drive(Closure::new(count), &oracle).search.best(), smallest);
        assert_eq!(drive(Ddmin::new(count), &oracle).search.best(), smallest);
        assert_eq!(drive(Halving::new(count), &oracle).search.best(), smallest);
    }
}

#[test]
fn dd_plus_is_dd_while_all_is_resolved() {
    for seed in 0..ORACLES {
        let oracle = Oracle::random(seed, Passes).resolved();
        let dd = drive(Dd::new(oracle.count), &oracle);
        let dd_plus = drive(DdPlus::new(oracle.count), &oracle);
        assert_eq!(dd.asked, dd_plus.asked, "{dd}");
        assert_eq!(dd.search.found(), dd_plus.search.found(), "{dd}");
    }
}

#[test]
fn dd_plus_finds_a_safe_culprit_beside_changes_that_imply_each_other() {
    for seed in 0..ORACLES {
        let mut random = Random::new(seed);
        let count = 1 + random.below(10) as usize;
        let culprit = 1 << random.below(count as u64);
        let group = any_set(&mut random, count) & !culprit;
        let oracle = Oracle::needing(count, culprit).together(group);
        let ended = drive(DdPlus::new(count), &oracle);
        assert_eq!(ended.search.found(), candidate(culprit), "{ended}, group {group:b}");
    }
}

/// A search at its end, and how it got there.
struct Ended<'a, S> {
    search: S,
    oracle: &'a Oracle,
    asked: Vec<(DeltaSet, Verdict)>,
}

impl<S> fmt::Display for Ended<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, name) = (self.oracle.count, &self.oracle.name);
        write!(f, "{count} deltas, {name}, asked {:?}", self.asked)
    }
}

/// Drives a search to its end and asserts what every search promises.
fn drive<S>(start: S, oracle: &Oracle) -> Ended<'_, S>
where
    S: Search<Candidate = DeltaSet>,
{
    // Far more than any search needs, so only one that does not end reaches it.
    let patience = 16 + 8 * oracle.count * oracle.count;
    let mut ended = Ended { search: start.clone(), oracle, asked: Vec::new() };
    let mut best = DeltaSet::full(oracle.count);
    assert_eq!(ended.search.best(), best, "{ended}: starts with everything");
    while let Step::Ask(question) = ended.search.step() {
        assert!(ended.asked.len() < patience, "{ended}: does not end");
        assert_eq!(ended.search.step(), Step::Ask(question.clone()), "{ended}: not pure");
        assert!((0.0..=1.0).contains(&ended.search.likely()), "{ended}: no probability");
        let verdict = oracle.judge(&question);
        ended.search.learn(&Answer::from(verdict));
        if verdict == Fail && question.len() < best.len() {
            best = question.clone();
        }
        ended.asked.push((question, verdict));
        assert_eq!(ended.search.best(), best, "{ended}: not the smallest seen to fail");
    }
    ended.search.learn(&Answer::from(Fail));
    assert_eq!(ended.search.step(), Step::Done, "{ended}: learns when done");
    assert_eq!(ended.search.best(), best, "{ended}: learns when done");
    if !start.heeds_unresolved() {
        assert_unresolved_is_pass(start, &ended);
    }
    ended
}

fn assert_unresolved_is_pass<S>(mut search: S, ended: &Ended<'_, S>)
where
    S: Search<Candidate = DeltaSet>,
{
    for (question, verdict) in &ended.asked {
        assert_eq!(search.step(), Step::Ask(question.clone()), "{ended}: heeds unresolved");
        search.learn(&Answer::from(if *verdict == Unresolved { Pass } else { *verdict }));
    }
    assert_eq!(search.step(), Step::Done, "{ended}: heeds unresolved");
}

/// The verdict on the empty candidate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Baseline {
    Passes,
    Anything,
}

/// Judges sets of deltas, given as bits. The full set fails.
struct Oracle {
    name: String,
    count: usize,
    judge: Box<dyn Fn(u128) -> Verdict>,
}

impl Oracle {
    fn new(name: String, count: usize, judge: impl Fn(u128) -> Verdict + 'static) -> Self {
        Oracle { name, count, judge: Box::new(judge) }
    }

    /// Returns one oracle of each family.
    fn families(seed: u64, baseline: Baseline) -> [Oracle; 4] {
        let mut random = Random::new(seed);
        let count = 1 + random.below(10) as usize;
        let culprits = match baseline {
            Passes => any_set(&mut random, count) | 1 << random.below(count as u64),
            Anything => any_set(&mut random, count),
        };
        let (one, other) = (any_set(&mut random, count), any_set(&mut random, count));
        [
            Oracle::random(seed, baseline),
            Oracle::needing(count, culprits),
            Oracle::needing_any(count, culprits),
            Oracle::needing(count, culprits).together(one).together(other),
        ]
    }

    /// Answers at random but repeatably, neither monotone nor consistent, from nearly always
    /// failing to hardly ever resolved.
    fn random(seed: u64, baseline: Baseline) -> Self {
        let mut random = Random::new(seed);
        let count = 1 + random.below(10) as usize;
        let (fails, passes) = (1 + random.below(8), 1 + random.below(8));
        let sides = fails + passes + random.below(16);
        Oracle::new(format!("random {seed}"), count, move |bits| {
            if bits == full(count) {
                return Fail;
            }
            if bits == 0 && baseline == Passes {
                return Pass;
            }
            match Random::new(seed ^ (bits as u64) << 32).below(sides) {
                roll if roll < fails => Fail,
                roll if roll < fails + passes => Pass,
                _ => Unresolved,
            }
        })
    }

    /// Fails when all culprits are there.
    fn needing(count: usize, culprits: u128) -> Self {
        let name = format!("needs all of {culprits:b}");
        let judge = move |bits| if bits & culprits == culprits { Fail } else { Pass };
        Oracle::new(name, count, judge)
    }

    /// Fails when one of the culprits is there, or everything.
    fn needing_any(count: usize, culprits: u128) -> Self {
        let name = format!("needs any of {culprits:b}");
        let fails = move |bits| bits & culprits != 0 || bits == full(count);
        Oracle::new(name, count, move |bits| if fails(bits) { Fail } else { Pass })
    }

    /// Is unresolved where some but not all of a group are there.
    fn together(self, group: u128) -> Self {
        let name = format!("{}, {group:b} together", self.name);
        Oracle::new(name, self.count, move |bits| match bits & group {
            0 => (self.judge)(bits),
            there if there == group => (self.judge)(bits),
            _ => Unresolved,
        })
    }

    /// Passes where it was unresolved.
    fn resolved(self) -> Self {
        let name = format!("{}, resolved", self.name);
        Oracle::new(name, self.count, move |bits| match (self.judge)(bits) {
            Unresolved => Pass,
            verdict => verdict,
        })
    }

    fn judge(&self, candidate: &DeltaSet) -> Verdict {
        (self.judge)(candidate.iter().fold(0, |bits, delta| bits | 1 << delta.0))
    }

    /// Tries every subset.
    fn smallest_failing(&self) -> DeltaSet {
        let all = (0..=full(self.count)).filter(|&bits| (self.judge)(bits) == Fail);
        candidate(all.min_by_key(|bits| bits.count_ones()).expect("the full set fails"))
    }
}

/// A set with about a third of the deltas.
fn any_set(random: &mut Random, count: usize) -> u128 {
    (0..count).filter(|_| random.below(3) == 0).fold(0, |bits, delta| bits | 1 << delta)
}

/// Every set of culprits but the empty one, among up to eight deltas.
fn needy() -> impl Iterator<Item = (usize, u128)> {
    (1..=8).flat_map(|count| (1..=full(count)).map(move |culprits| (count, culprits)))
}

fn any_tree(count: usize, seed: u64) -> Hierarchy {
    let mut random = Random::new(seed);
    let mut tree = Hierarchy::builder();
    let (mut depth, mut left) = (0, count);
    while left > 0 {
        match random.below(3) {
            0 => {
                tree.open();
                depth += 1;
            }
            1 if depth > 0 => {
                tree.close();
                depth -= 1;
            }
            _ => {
                tree.deltas(1);
                left -= 1;
            }
        }
    }
    tree.build()
}

fn full(count: usize) -> u128 {
    (1 << count) - 1
}

fn candidate(bits: u128) -> DeltaSet {
    (0..128).filter(|delta| bits >> delta & 1 == 1).map(Delta).collect()
}

fn only(delta: Delta) -> DeltaSet {
    DeltaSet::run(delta.0..delta.0 + 1)
}

/// The logarithm to base 2, rounded up.
fn log2(count: usize) -> usize {
    count.next_power_of_two().ilog2() as usize
}
