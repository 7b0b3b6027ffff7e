//! The tests that the searches for changes need on simulated change sets.
//!
//! Everything is seeded, so the table is the same on every machine. The text of the table describes
//! the simulation.

use std::collections::HashSet;
use std::fmt::{self, Write};

use whodunit_core::searches::{Boundaries, ChangeSet, Closure, DdPlus, Ordered};
use whodunit_core::{Answer, Delta, DeltaSet, Implications, Lesson, Search, Step, Verdict};

use whodunit_test_support::Random;

/// Instances averaged in each cell.
const SEEDS: u64 = 300;

/// Percentages of unresolved tests that tell which changes are missing.
const HINTS: [u32; 4] = [0, 20, 50, 100];

/// The levels of boundaries between changes.
const FILE: u8 = 1;
const DIRECTORY: u8 = 2;

struct Case {
    name: &'static str,
    count: u32,
    culprits: u32,
    bonds: Bonds,
    /// The most tests that `closure` may need, for each rate of hints.
    bars: [Option<u32>; 4],
}

/// The dependencies between changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bonds {
    /// No dependencies.
    Free,
    /// Each change needs all earlier ones, and the search knows that.
    Ordered,
    /// This many of a thousand changes are in groups of which all or none must be present; the
    /// search does not know that.
    Grouped(u32),
    /// The same, but the nearness is chosen for each member of a group, not for the group.
    Scattered(u32),
    /// Groups as in GDB, with hints like those of its builds: one identifier, which other changes
    /// have as well, and which is sometimes the wrong one.
    LikeGdb,
}

/// The nearness of groups in GDB, such that `dd_plus` needs as many tests as in the paper: 470 in
/// random order, 289 by folders, files and identifiers (section 8). Found by trying; both numbers
/// are met within 3 %.
const GDB: Nearness = Nearness { share: 9, in_file: 35, in_directory: 15 };

/// The distances between the members of a group.
struct Nearness {
    /// The number of changes in groups, of a thousand.
    share: u32,
    /// The number of groups within one file, of a hundred.
    in_file: u32,
    /// The number of groups within one directory, but not one file, of a hundred.
    in_directory: u32,
}

const CASES: [Case; 10] = [
    Case::new("344, total order", 344, 1, Bonds::Ordered, [Some(9); 4]),
    Case::new("344, 5 % grouped", 344, 1, Bonds::Grouped(50), [None; 4]),
    Case::new("344, 15 % grouped", 344, 1, Bonds::Grouped(150), [None; 4]),
    Case::new("8,721, 1 % grouped", 8721, 1, Bonds::Grouped(10), [Some(140), None, Some(25), None]),
    Case::new("8,721, 1 % scattered", 8721, 1, Bonds::Scattered(10), [Some(140), None, None, None]),
    Case::new("8,721, 3.3 % grouped", 8721, 1, Bonds::Grouped(33), [None; 4]),
    Case::new("8,721, as in GDB", 8721, 1, Bonds::LikeGdb, [None; 4]),
    Case::new("1,000, two culprits", 1000, 2, Bonds::Free, [Some(40); 4]),
    Case::new("1,000, three culprits", 1000, 3, Bonds::Free, [Some(60); 4]),
    Case::new("1,000, 5 % grouped, two culprits", 1000, 2, Bonds::Grouped(50), [None; 4]),
];

/// Returns the table in Markdown.
pub(crate) fn table() -> String {
    let mut text = String::from(HEAD);
    for case in &CASES {
        let shuffled = dd_plus_shuffled(case).map_or(String::new(), |tests| tests.to_string());
        write!(text, "| {} | {shuffled} | {} |", case.name, dd_plus(case))
            .expect("a string takes everything");
        for (hints, bar) in HINTS.into_iter().zip(case.bars) {
            let bar = bar.map_or(String::new(), |bar| format!(" ≤ {bar}"));
            write!(text, " {}{bar} |", closure(case, hints)).expect("a string takes everything");
        }
        text.push('\n');
    }
    text
}

const HEAD: &str = "\
# Tests that searches for changes need

Simulated: a candidate is a set of changes, and fails iff all culprits, drawn at random, are in it.
Changes lie in files of 1 to 8 and directories of 1 to 99 files. *Grouped*: this share of them is in
groups of 2 to 4 of which a candidate must have all or none to be testable. 60 % of the groups lie in
one file, 25 % in one directory, the others anywhere. *Scattered*: the same, but each further member
of a group by itself is in the same file, directory, or anywhere. *Total order*: each change needs
all earlier ones, which is known from the start (`dd_plus` is given the same: `ordered`).

*Hints*: the share of unresolved tests that name what is missing: of the first group that is broken,
the changes that are there, and those that are not. Whether a test does is decided by a hash of its
candidate, so asking again does not help. `dd_plus` heeds no hints.

*As in GDB*: 0.9 % of the changes are in groups, 35 % of these in one file, 15 % in one directory, the others
anywhere, so that `dd_plus` needs about what it did in the paper (470 tests in random order, 289 by
folders, files and identifiers). Hints are like those of a build there: they name one identifier. One change
that is there then needs one that is missing, and up to three innocent ones that have the identifier too;
one hint in five is about innocent ones only.

Mean of 300 seeds, of which unresolved in brackets, and what the bars allow. Questions about the same
candidate count once. `closure` counts up to the proof that nothing can be left out of the culprit;
`dd_plus` stops before. Regenerate with `cargo run --release -p whodunit-bench -- changesets`.

| changes | dd_plus, random order | dd_plus, file order | closure, no hints | 20 % | 50 % | 100 % |
|---|---|---|---|---|---|---|
";

/// A simulated set of changes.
struct Simulation {
    count: u32,
    bonds: Bonds,
    seed: u64,
    culprits: DeltaSet,
    groups: Vec<DeltaSet>,
    /// The level of the boundary before each change.
    levels: Vec<u8>,
}

/// The tests that a search needed, summed up.
#[derive(Default)]
struct Tests {
    all: usize,
    unresolved: usize,
}

impl Case {
    const fn new(
        name: &'static str,
        count: u32,
        culprits: u32,
        bonds: Bonds,
        bars: [Option<u32>; 4],
    ) -> Self {
        Case { name, count, culprits, bonds, bars }
    }

    fn simulate(&self, seed: u64) -> Simulation {
        let mut random = Random::new(seed);
        let mut levels = vec![0; self.count as usize];
        let (mut next, mut files) = (0, 0);
        while next < levels.len() {
            levels[next] = if files == 0 { DIRECTORY } else { FILE };
            files = if files == 0 { random.below(99) } else { files - 1 };
            next += 1 + random.below(8) as usize;
        }
        let mut taken = DeltaSet::empty();
        let mut groups = Vec::new();
        let grouped = match self.bonds {
            Bonds::Free | Bonds::Ordered => 0,
            Bonds::Grouped(share) | Bonds::Scattered(share) => self.count * share / 1000,
            Bonds::LikeGdb => self.count * GDB.share / 1000,
        };
        while taken.len() < grouped as usize {
            let group = self.group(&mut random, &levels, &taken);
            taken = taken.union(&group);
            groups.push(group);
        }
        let mut culprits = DeltaSet::empty();
        while culprits.len() < self.culprits as usize {
            culprits = culprits.union(&one(random.below(self.count)));
        }
        Simulation { count: self.count, bonds: self.bonds, seed, culprits, groups, levels }
    }

    fn group(&self, random: &mut Random, levels: &[u8], taken: &DeltaSet) -> DeltaSet {
        let everywhere = 0..self.count;
        let free = DeltaSet::full(self.count as usize).minus(taken);
        let first = pick(random, &free).expect("most changes are in no group");
        let mut group = one(first.0);
        let mut nearness = random.below(100);
        for _ in 0..1 + random.below(3) {
            if matches!(self.bonds, Bonds::Scattered(_)) {
                nearness = random.below(100);
            }
            let (in_file, in_directory) = match self.bonds {
                Bonds::LikeGdb => (GDB.in_file, GDB.in_directory),
                _ => (60, 25),
            };
            let near = match nearness {
                near if near < in_file => around(levels, first, FILE),
                near if near < in_file + in_directory => around(levels, first, DIRECTORY),
                _ => everywhere.clone(),
            };
            let free = free.minus(&group);
            let there = free.intersection(&DeltaSet::run(near));
            let member = pick(random, if there.is_empty() { &free } else { &there });
            group = group.union(&one(member.expect("most changes are in no group").0));
        }
        group
    }
}

/// Returns the changes of the same file or directory.
fn around(levels: &[u8], delta: Delta, level: u8) -> std::ops::Range<u32> {
    let place = delta.0 as usize;
    let start = (0..=place).rev().find(|&at| levels[at] >= level).unwrap_or(0);
    let end = (place + 1..levels.len()).find(|&at| levels[at] >= level).unwrap_or(levels.len());
    start as u32..end as u32
}

fn pick(random: &mut Random, set: &DeltaSet) -> Option<Delta> {
    let rank = random.below(u32::try_from(set.len()).ok()?.max(1));
    set.get(rank as usize)
}

fn moved(set: &DeltaSet, order: &[u32]) -> DeltaSet {
    set.iter().map(|delta| Delta(order[delta.0 as usize])).collect()
}

fn one(delta: u32) -> DeltaSet {
    DeltaSet::run(delta..delta + 1)
}

impl Simulation {
    fn answer(&self, candidate: &DeltaSet, hints: u32) -> Answer {
        if self.bonds == Bonds::Ordered && *candidate != DeltaSet::full(candidate.len()) {
            return Verdict::Unresolved.into();
        }
        let broken = self.groups.iter().find(|group| {
            let there = group.intersection(candidate).len();
            there > 0 && there < group.len()
        });
        let Some(broken) = broken else {
            let fails = self.culprits.is_subset(candidate);
            return if fails { Verdict::Fail } else { Verdict::Pass }.into();
        };
        let mut answer = Answer::from(Verdict::Unresolved);
        if self.bonds == Bonds::LikeGdb {
            answer.lessons.extend(self.identifier(candidate, broken, hints));
        } else if self.gives_hint(candidate, hints) {
            let missing = broken.minus(candidate);
            let there = broken.intersection(candidate);
            let lesson = |delta| Lesson::Implies { delta, needs: missing.clone() };
            answer.lessons.extend(there.iter().map(lesson));
        }
        answer
    }

    /// Returns the lesson of an identifier in the message of a build, if there is a message: a
    /// present change needs a missing one, and up to three others that have the identifier too. One
    /// message in five names an identifier of those others only.
    fn identifier(&self, candidate: &DeltaSet, broken: &DeltaSet, hints: u32) -> Option<Lesson> {
        let mut random = self.chance(candidate);
        if random.below(100) >= hints {
            return None;
        }
        let delta = pick(&mut random, &broken.intersection(candidate))?;
        let mut needs = DeltaSet::empty();
        for _ in 0..random.below(4) {
            needs = needs.union(&one(random.below(self.count)));
        }
        if random.below(5) > 0 {
            needs = needs.union(&one(pick(&mut random, &broken.minus(candidate))?.0));
        }
        needs = needs.minus(&one(delta.0));
        (!needs.is_empty()).then_some(Lesson::Implies { delta, needs })
    }

    /// Whether a candidate gives a hint: repeated tests of it do not change that.
    fn gives_hint(&self, candidate: &DeltaSet, hints: u32) -> bool {
        self.chance(candidate).below(100) < hints
    }

    fn chance(&self, candidate: &DeltaSet) -> Random {
        let mut mixed = self.seed;
        for run in candidate.runs() {
            let ends = u64::from(run.start) << 32 | u64::from(run.end);
            mixed = mixed << 32 | u64::from(Random::new(mixed ^ ends).below(u32::MAX));
        }
        Random::new(mixed)
    }

    /// Returns the simulation with the changes in random order.
    fn shuffled(mut self) -> Self {
        let mut random = Random::new(self.seed + 1_000_000);
        let mut order: Vec<u32> = (0..self.count).collect();
        for place in (1..self.count).rev() {
            order.swap(place as usize, random.below(place + 1) as usize);
        }
        self.culprits = moved(&self.culprits, &order);
        self.groups = self.groups.iter().map(|group| moved(group, &order)).collect();
        self
    }

    fn closure(&self) -> Closure {
        let changes = ChangeSet::new(self.count as usize);
        if self.bonds == Bonds::Ordered {
            let implications = Implications::chain(self.count as usize);
            return Closure::over(ChangeSet { implications, ..changes });
        }
        let boundaries = Boundaries::from_levels(self.levels.iter().copied());
        Closure::over(ChangeSet { boundaries, ..changes })
    }

    /// Counts the different questions that a search asks.
    fn tests<S: Search<Candidate = DeltaSet>>(&self, mut search: S, hints: u32) -> Tests {
        let mut tests = Tests::default();
        let mut asked = HashSet::new();
        while let Step::Ask(candidate) = search.step() {
            let answer = self.answer(&candidate, hints);
            search.learn(&answer);
            if asked.insert(candidate) {
                tests.all += 1;
                tests.unresolved += usize::from(answer.verdict == Verdict::Unresolved);
            }
        }
        assert!(self.culprits.is_subset(&search.best()));
        tests
    }
}

impl Tests {
    /// Adds up the tests of all seeds of a case.
    fn of(case: &Case, tests: impl Fn(Simulation) -> Tests) -> Tests {
        let seeds = (0..SEEDS).map(|seed| tests(case.simulate(seed)));
        seeds.fold(Tests::default(), |sum, tests| Tests {
            all: sum.all + tests.all,
            unresolved: sum.unresolved + tests.unresolved,
        })
    }

    fn mean(&self) -> f64 {
        self.all as f64 / SEEDS as f64
    }
}

impl fmt::Display for Tests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} ({:.1})", self.mean(), self.unresolved as f64 / SEEDS as f64)
    }
}

fn closure(case: &Case, hints: u32) -> Tests {
    Tests::of(case, |simulation| simulation.tests(simulation.closure(), hints))
}

fn dd_plus(case: &Case) -> Tests {
    let count = case.count as usize;
    Tests::of(case, |simulation| match case.bonds {
        Bonds::Ordered => simulation.tests(Ordered::new(count), 0),
        _ => simulation.tests(DdPlus::new(count), 0),
    })
}

fn dd_plus_shuffled(case: &Case) -> Option<Tests> {
    let count = case.count as usize;
    (case.bonds != Bonds::Ordered)
        .then(|| Tests::of(case, |simulation| simulation.shuffled().tests(DdPlus::new(count), 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_table_is_up_to_date() {
        assert_eq!(table(), include_str!("../tables/changesets.md"));
    }

    #[test]
    fn the_model_of_gdb_takes_dd_plus_what_it_took_in_the_paper() {
        let case = CASES.iter().find(|case| case.bonds == Bonds::LikeGdb).expect("it is there");
        let random = dd_plus_shuffled(case).expect("it has no order").mean();
        let grouped = dd_plus(case).mean();
        assert!((random / 470.0 - 1.0).abs() < 0.05, "{random}");
        assert!((grouped / 289.0 - 1.0).abs() < 0.05, "{grouped}");
    }

    #[test]
    fn closure_stays_below_the_bars() {
        for case in &CASES {
            for (hints, bar) in HINTS.into_iter().zip(case.bars) {
                let Some(bar) = bar else { continue };
                let tests = closure(case, hints).mean();
                assert!(tests <= f64::from(bar), "{}, {hints} % hints: {tests}", case.name);
            }
        }
    }
}
