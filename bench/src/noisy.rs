//! The runs that searches need with a test that is only right most of the time.
//!
//! Everything is seeded, so the table is the same on every machine.

use std::collections::HashMap;
use std::fmt::Write;

use whodunit_core::searches::{Blocks, Bounds, Closure, Noisy, Repeated};
use whodunit_core::{
    Answer, Delta, DeltaSet, Lesson, Noise, Repeat, Search, Sightings, Step, Verdict,
};
use whodunit_test_support::Random;

/// Simulated searches in each cell.
const SEEDS: u64 = 1_000;

/// First runs of the failing end and of the other one, from which the rates are learned, as a job
/// does it with a flaky test.
const FIRST_RUNS: (u32, u32) = (20, 10);

/// The probabilities that a run shows the failure: where it is, and where it is not.
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
    /// The most runs, and the least share of right results.
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

/// First runs of the failing end, if it is known that the failure never shows elsewhere.
const FREE_RUNS: [u32; 5] = [0, 10, 20, 50, 200];

/// The bounds for deciding one question, as `reduce --confidence 0.99` has them; in a search whose
/// result is proved afterwards a wrong pass only costs further runs.
const STRICT: Bounds = Bounds { accept: 0.0005, reject: 0.0005 };
const LENIENT: Bounds = Bounds { reject: 0.05, ..STRICT };

/// Rounds of runs after which an undecided candidate of the proof stays undecided.
const ROUNDS: usize = 6;

/// The results of many searches, summed up.
#[derive(Clone, Copy, Default)]
struct Result {
    runs: u64,
    right: u64,
    /// Searches whose result still has all needed deltas.
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

    /// Returns the knowledge after very many runs.
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

    /// Counts a result.
    fn add(&mut self, result: &DeltaSet, needed: &DeltaSet) {
        self.right += u64::from(result == needed);
        self.kept += u64::from(needed.minus(result).is_empty());
    }
}

/// Returns the tables in Markdown.
pub(crate) fn table() -> String {
    let mut text = String::from(HEAD);
    for case in &CASES {
        let rates = case.rates;
        let nothing = row(case, |_| Noise::default());
        let learned = row(case, |random| rates.learned(random, FIRST_RUNS));
        let known = row(case, |_| rates.known());
        let bar = case.bar.map_or(String::new(), |(runs, right)| {
            let is_met = nothing.mean() <= runs && nothing.share() >= right;
            format!("{runs}, {} %: {}", 100.0 * right, if is_met { "met" } else { "missed" })
        });
        let Case { count, confidence, .. } = case;
        let Rates { there, elsewhere } = rates;
        let cells = [nothing, learned, known].map(|it| it.cell()).join(" | ");
        writeln!(text, "| {count} | {there} | {elsewhere:.2} | {confidence} | {cells} | {bar} |")
            .expect("a string takes everything");
    }
    text.push_str(PRICE);
    for case in CASES.iter().filter(|it| it.bar.is_some() && it.rates.elsewhere == 0.0) {
        let silent = case.rates.known().elsewhere;
        let free = FREE_RUNS.map(|runs| {
            let noise = |random: &mut Random| Noise {
                elsewhere: silent,
                ..case.rates.learned(random, (runs, 0))
            };
            row(case, noise).cell()
        });
        let (runs, _) = case.bar.expect("only rows with a bar are here");
        writeln!(text, "| {} | {} | {runs} |", case.rates.there, free.join(" | "))
            .expect("a string takes everything");
    }
    text.push_str(SETS);
    let mut steady = None;
    for (name, rates) in [
        ("steady", Rates { there: 1.0, elsewhere: 0.0 }),
        ("r = 0.5", Rates { there: 0.5, elsewhere: 0.0 }),
        ("r = 0.5, f = 0 is known", Rates { there: 0.5, elsewhere: 0.0 }),
        ("r = 0.95, f = 0.05", Rates { there: 0.95, elsewhere: 0.05 }),
    ] {
        let is_known = name.ends_with("known");
        let [found, proved] = set(Blocks::new, (rates, LENIENT, is_known), 200, 4);
        let [closure, _] = set(Closure::new, (rates, STRICT, is_known), 1000, 1);
        let times = proved.mean() / *steady.get_or_insert(proved.mean());
        let kept = |it: Result| 100.0 * it.kept as f64 / SEEDS as f64;
        writeln!(
            text,
            "| {name} | {} | {} | {:.1} % | {times:.1} | {} |",
            found.cell(),
            proved.cell(),
            kept(proved),
            closure.cell()
        )
        .expect("a string takes everything");
    }
    text
}

/// Searches a row for one delta, with given knowledge of the rates.
fn row(case: &Case, noise: impl Fn(&mut Random) -> Noise) -> Result {
    let mut result = Result::default();
    for seed in 1..=SEEDS {
        let mut random = Random::new(seed);
        let culprit = random.below(case.count);
        let mut search = Noisy::new(case.count, case.confidence, noise(&mut random));
        while let Step::Ask(Repeat { candidate, .. }) = search.step() {
            result.runs += 1;
            let shows = case.rates.shows(&mut random, candidate > culprit);
            search.learn(&Verdict::from(shows).into());
        }
        result.right += u64::from(search.suspects() == (culprit, culprit));
    }
    result
}

/// Searches for the needed deltas with a search that repeats its questions, and then proves the
/// result. A steady test is asked once, as the jobs do.
fn set<S: Search<Candidate = DeltaSet> + Clone>(
    search: impl Fn(usize) -> S,
    (rates, bounds, is_known): (Rates, Bounds, bool),
    count: usize,
    needed: usize,
) -> [Result; 2] {
    let is_steady = rates.there == 1.0 && rates.elsewhere == 0.0;
    let (mut found, mut proved) = (Result::default(), Result::default());
    for seed in 1..=SEEDS {
        let mut random = Random::new(seed);
        let all: Vec<u32> = (0..count as u32).collect();
        let needed: DeltaSet = random.some(&all, needed).into_iter().map(Delta).collect();
        let is_there = |candidate: &DeltaSet| needed.minus(candidate).is_empty();
        let mut search = search(count);
        if is_steady {
            while let Step::Ask(candidate) = search.step() {
                found.runs += 1;
                proved.runs += 1;
                search.learn(&Verdict::from(is_there(&candidate)).into());
            }
            found.add(&search.best(), &needed);
            proved.add(&search.best(), &needed);
            continue;
        }
        let mut noise = rates.learned(&mut random, FIRST_RUNS);
        if is_known {
            noise.elsewhere = rates.known().elsewhere;
        }
        let shows = |candidate: &DeltaSet| rates.shows(&mut random, is_there(candidate));
        let mut lab = Lab { shows, noise, told: HashMap::new(), settled: HashMap::new(), runs: 0 };
        let mut result = lab.search(search.clone(), bounds);
        found.runs += lab.runs;
        found.add(&result.best, &needed);
        while !lab.proves(&result) {
            result = lab.search(search.clone(), bounds);
        }
        proved.runs += lab.runs;
        proved.add(&result.best, &needed);
    }
    [found, proved]
}

/// The steps of `reduce` with a flaky test.
struct Lab<F> {
    shows: F,
    noise: Noise,
    /// The result of each run of a candidate: a restarted search does not repeat these runs.
    told: HashMap<Repeat<DeltaSet>, bool>,
    /// The verdicts of the proof.
    settled: HashMap<DeltaSet, Verdict>,
    runs: u64,
}

/// The result of a search.
struct Outcome {
    best: DeltaSet,
    /// Candidates that pass with the certainty that a proof needs.
    refuted: Vec<DeltaSet>,
}

impl<F: FnMut(&DeltaSet) -> bool> Lab<F> {
    fn search<S: Search<Candidate = DeltaSet>>(&mut self, search: S, bounds: Bounds) -> Outcome {
        let mut repeated = Repeated::new(search, self.noise, bounds);
        while let Step::Ask(repeat) = repeated.step() {
            if let Some(&verdict) = self.settled.get(&repeat.candidate) {
                repeated.learn(&Answer { verdict, lessons: vec![Lesson::Certain] });
                continue;
            }
            let shows = *self.told.entry(repeat).or_insert_with_key(|repeat| {
                self.runs += 1;
                (self.shows)(&repeat.candidate)
            });
            repeated.learn(&Verdict::from(shows).into());
        }
        self.noise = repeated.noise();
        let decided = repeated.decided().into_iter().filter(|it| {
            let is_sure = self.noise.probability(0.5, it.counts) <= STRICT.reject;
            it.verdict == Verdict::Pass && (is_sure || it.last.is_none())
        });
        Outcome { refuted: decided.map(|it| it.candidate).collect(), best: repeated.search.best() }
    }

    /// Runs the result again, and the candidates without one of its deltas that are not yet certain
    /// to pass. Returns whether none of these fails.
    fn proves(&mut self, result: &Outcome) -> bool {
        self.decide(&result.best);
        let without = |delta| result.best.minus(&DeltaSet::from_iter([delta]));
        let open: Vec<DeltaSet> =
            result.best.iter().map(without).filter(|it| !result.refuted.contains(it)).collect();
        let mut is_proved = true;
        for candidate in open {
            let verdict = self.decide(&candidate);
            is_proved &= !verdict.is_fail();
            self.settled.insert(candidate, verdict);
        }
        is_proved
    }

    /// Decides one candidate as a proof does: by one run, and then by rounds of as many runs as
    /// prove a pass if none shows the failure.
    fn decide(&mut self, candidate: &DeltaSet) -> Verdict {
        let there = |counts| self.noise.probability(0.5, counts);
        let silent = |runs: &u32| there(Sightings { seen: 0, runs: *runs }) <= STRICT.reject;
        let silence = (1..300).find(silent).unwrap_or(300);
        let mut counts = Sightings::default();
        for round in 0..=ROUNDS {
            for _ in 0..if round == 0 { 1 } else { silence } {
                self.runs += 1;
                counts.count((self.shows)(candidate));
            }
            let there = there(counts);
            if there >= 1.0 - STRICT.accept {
                return Verdict::Fail;
            } else if there <= STRICT.reject {
                return Verdict::Pass;
            }
        }
        Verdict::Unresolved
    }
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

const PRICE: &str = "
The bars of the first rows are missed because the rate has to be learned, whatever is believed of f. Here it
is certain that f = 0, and only r is learned: from runs of the end that fails, which are made before and not
counted, and from the search. That a version passes again and again speaks for a lower r as well as for the
version being good, and only sightings tell the two apart. The bar lies less than two runs above what the
known rate costs for r = 0.9 and 0.5. No prior of r that was tried came near it without being wrong too often
elsewhere: one with most of its weight on high rates needed 19 runs at r = 0.9, but was wrong in 3 of 100 at
r = 0.5.

| r | none: runs | right | 10: runs | right | 20: runs | right | 50: runs | right | 200: runs | right | bar |
|---|---|---|---|---|---|---|---|---|---|---|---|
";

const SETS: &str = "
Sets of changes, each question repeated until a pass or a failure is wrong in at most one of 2,000 cases
(`blocks`: a pass in at most one of 20, as in `reduce`); rates learned from 20 and 10 first runs. `blocks` looks
for 4 of 200 deltas, `closure` for 1 of 1,000 changes. `proved` is what `reduce` does as a whole: what is left
without each delta is run again until a pass is wrong in at most one of 2,000 cases, and the search begins again
with what is known if one of them fails. All its runs are counted; `times` compares them with those of the
steady test (the bar is 4). Right is what is found and minimal: the wrong ones of `blocks` alone hold a delta
that was kept because of a wrong pass. The bar is missed for r = 0.5. That one sighting suffices if f = 0 is
certain saves a quarter of the runs, and is not enough: silence takes four runs to reject, and the proof of
four deltas twelve for each.

| test | blocks: runs | right | proved: runs | right | still fails | times | closure: runs | right |
|---|---|---|---|---|---|---|---|---|
";
