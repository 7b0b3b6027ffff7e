//! How many runs searches need with a test that is only right most of the time.
//!
//! Everything is seeded, so the table is the same on every machine.

use std::fmt::Write;

use whodunit_core::searches::{Blocks, Bounds, Closure, Noisy, Repeated};
use whodunit_core::{Delta, DeltaSet, Noise, Repeat, Search, Sightings, Step, Verdict};
use whodunit_test_support::Random;

/// Simulated searches in each cell.
const SEEDS: u64 = 1_000;

/// First runs of the end that fails and of the other one where the rates have to be learned: what a job
/// makes of a test that is not steady.
const FIRST_RUNS: (u32, u32) = (20, 10);

/// How often a run shows the failure: where it is, and where it is not.
#[derive(Clone, Copy)]
struct Rates {
    there: f64,
    elsewhere: f64,
}

/// A row of versions.
struct Case {
    count: usize,
    rates: Rates,
    confidence: f64,
    /// The most runs, and what part of the searches has to be right.
    bar: Option<(f64, f64)>,
}

const fn case(
    count: usize,
    (there, elsewhere): (f64, f64),
    confidence: f64,
    bar: Option<(f64, f64)>,
) -> Case {
    Case { count, rates: Rates { there, elsewhere }, confidence, bar }
}

const CASES: [Case; 9] = [
    case(1024, (1.0, 0.0), 0.99, None),
    case(1024, (0.9, 0.0), 0.993, Some((16.0, 0.99))),
    case(1024, (0.5, 0.0), 0.993, Some((36.0, 0.99))),
    case(1024, (0.1, 0.0), 0.997, Some((230.0, 0.99))),
    case(1000, (0.95, 0.05), 0.995, Some((29.7, 0.995))),
    case(1000, (0.9, 0.1), 0.99, None),
    case(1000, (0.7, 0.3), 0.99, None),
    case(300, (0.7, 0.0), 0.99, None),
    case(300, (1.0, 1.0 / 6.0), 0.99, None),
];

/// What came of many searches.
#[derive(Default)]
struct Result {
    runs: u64,
    right: u64,
    /// Searches whose result still has all that is needed.
    kept: u64,
}

impl Rates {
    fn shows(self, random: &mut Random, is_there: bool) -> bool {
        let rate = if is_there { self.there } else { self.elsewhere };
        (random.below(1_000_000u64) as f64) < rate * 1e6
    }

    fn learned(self, random: &mut Random, (failing, other): (u32, u32)) -> Noise {
        let mut noise = Noise::default();
        (0..failing).for_each(|_| noise.there.count(self.shows(random, true)));
        (0..other).for_each(|_| noise.elsewhere.count(self.shows(random, false)));
        noise
    }

    /// Returns what is known after very many runs.
    fn known(self) -> Noise {
        let runs = 100_000;
        let counts = |rate: f64| Sightings { seen: (rate * f64::from(runs)) as u32, runs };
        Noise { there: counts(self.there), elsewhere: counts(self.elsewhere) }
    }
}

impl Result {
    fn mean(&self) -> f64 {
        self.runs as f64 / SEEDS as f64
    }

    fn share(&self) -> f64 {
        self.right as f64 / SEEDS as f64
    }

    fn cell(&self) -> String {
        format!("{:.1} | {:.1} %", self.mean(), 100.0 * self.share())
    }
}

/// Returns the tables in Markdown.
pub(crate) fn table() -> String {
    let mut text = String::from(HEAD);
    for case in &CASES {
        let [nothing, learned, known] =
            [Some((0, 0)), Some(FIRST_RUNS), None].map(|it| row(case, it));
        let bar = case.bar.map_or(String::new(), |(runs, right)| {
            let is_met = nothing.mean() <= runs && nothing.share() >= right;
            format!("{runs}, {} %: {}", 100.0 * right, if is_met { "met" } else { "missed" })
        });
        let Case { count, rates, confidence, .. } = case;
        let (there, elsewhere) = (rates.there, rates.elsewhere);
        let cells = [nothing, learned, known].map(|it| it.cell()).join(" | ");
        writeln!(text, "| {count} | {there} | {elsewhere:.2} | {confidence} | {cells} | {bar} |")
            .expect("a string takes everything");
    }
    text.push_str(SETS);
    for (name, rates) in [
        ("steady", Rates { there: 1.0, elsewhere: 0.0 }),
        ("r = 0.5", Rates { there: 0.5, elsewhere: 0.0 }),
        ("r = 0.95, f = 0.05", Rates { there: 0.95, elsewhere: 0.05 }),
    ] {
        let strict = Bounds { accept: 0.0005, reject: 0.0005 };
        let lenient = Bounds { reject: 0.05, ..strict };
        let blocks = set(Blocks::new, (rates, lenient), 200, 4);
        let closure = set(Closure::new, (rates, strict), 1000, 1);
        let kept = 100.0 * blocks.kept as f64 / SEEDS as f64;
        writeln!(text, "| {name} | {} | {kept:.1} % | {} |", blocks.cell(), closure.cell())
            .expect("a string takes everything");
    }
    text
}

/// Looks for one delta of a row; `first` runs of each end are made before, or the rates are known.
fn row(case: &Case, first: Option<(u32, u32)>) -> Result {
    let mut result = Result::default();
    for seed in 1..=SEEDS {
        let mut random = Random::new(seed);
        let culprit = random.below(case.count);
        let noise = match first {
            Some(runs) => case.rates.learned(&mut random, runs),
            None => case.rates.known(),
        };
        let mut search = Noisy::new(case.count, case.confidence, noise);
        while let Step::Ask(Repeat { candidate, .. }) = search.step() {
            result.runs += 1;
            let shows = case.rates.shows(&mut random, candidate > culprit);
            search.learn(&Verdict::from(shows).into());
        }
        result.right += u64::from(search.suspects() == (culprit, culprit));
    }
    result
}

/// Looks for the deltas that are needed with a search that repeats its questions. A steady test is
/// asked once, as the jobs do.
fn set<S: Search<Candidate = DeltaSet>>(
    search: impl Fn(usize) -> S,
    (rates, bounds): (Rates, Bounds),
    count: usize,
    needed: usize,
) -> Result {
    let is_steady = rates.there == 1.0 && rates.elsewhere == 0.0;
    let mut result = Result::default();
    for seed in 1..=SEEDS {
        let mut random = Random::new(seed);
        let all: Vec<u32> = (0..count as u32).collect();
        let needed: DeltaSet = random.some(&all, needed).into_iter().map(Delta).collect();
        let is_there = |candidate: &DeltaSet| needed.minus(candidate).is_empty();
        let mut search = search(count);
        if is_steady {
            while let Step::Ask(candidate) = search.step() {
                result.runs += 1;
                search.learn(&Verdict::from(is_there(&candidate)).into());
            }
        } else {
            let noise = rates.learned(&mut random, FIRST_RUNS);
            let mut repeated = Repeated::new(search, noise, bounds);
            while let Step::Ask(Repeat { candidate, .. }) = repeated.step() {
                result.runs += 1;
                let shows = rates.shows(&mut random, is_there(&candidate));
                repeated.learn(&Verdict::from(shows).into());
            }
            search = repeated.search;
        }
        result.right += u64::from(search.best() == needed);
        result.kept += u64::from(needed.minus(&search.best()).is_empty());
    }
    result
}

const HEAD: &str = "\
# Runs that searches need with a flaky test

Simulated, 1,000 searches a cell. r is how often a run shows the failure where it is, f where it is
not. Regenerate with `cargo run --release -p whodunit-bench -- noisy`.

One version of a row is looked for with `noisy` until it is as sure as the table says.
The rates are unknown (nothing was run before), learned (from 20 first runs of the end that fails and
10 of the other one, which are not counted) or known (from very many). Runs are means; the bars are
compared with unknown rates. How sure each of the first rows has to be was chosen after looking at these
numbers: with known rates and 0.99, fewer than 99 % were right for r = 0.5 and r = 0.1.

| versions | r | f | sure | unknown: runs | right | learned: runs | right | known: runs | right | bar |
|---|---|---|---|---|---|---|---|---|---|---|
";

const SETS: &str = "
Sets of changes, each question repeated until a pass or a failure is wrong in at most one of 2,000 cases
(`blocks`: a pass in at most one of 20, as in `reduce`, whose proof looks at each piece again); rates learned
from 20 and 10 first runs. `blocks` looks for 4 of 200 deltas, `closure` for 1 of 1,000 changes.

| test | blocks: runs | right | still fails | closure: runs | right |
|---|---|---|---|---|---|
";
