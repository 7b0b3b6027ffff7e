//! Searches with a test that is only right most of the time. The tests are random but repeatable;
//! `bench noisy` counts the same on many more.

use whodunit_core::searches::{Blocks, Bounds, Closure, Ddmin, Noisy, Repeated};
use whodunit_core::{DeltaSet, Noise, Repeat, Search, Sightings, Step, Verdict};
use whodunit_test_support::Random;

/// How often a run shows the failure: where it is, and where it is not.
#[derive(Clone, Copy)]
struct Rates {
    there: f64,
    elsewhere: f64,
}

const STEADY: Rates = Rates { there: 1.0, elsewhere: 0.0 };
const SEVEN_OF_TEN: Rates = Rates { there: 0.7, elsewhere: 0.0 };
const BOTH_WAYS: Rates = Rates { there: 0.95, elsewhere: 0.05 };

const BOUNDS: Bounds = Bounds { accept: 0.0005, reject: 0.0005 };

/// How many random tests each promise is checked with.
const RUNS: u64 = 200;

impl Rates {
    fn shows(self, random: &mut Random, is_there: bool) -> bool {
        let rate = if is_there { self.there } else { self.elsewhere };
        (random.below(1_000_000) as f64) < rate * 1e6
    }

    /// Runs both ends ten times, as the first runs of a job do.
    fn learned(self, random: &mut Random) -> Noise {
        let mut noise = Noise::default();
        for _ in 0..10 {
            noise.there.count(self.shows(random, true));
            noise.elsewhere.count(self.shows(random, false));
        }
        noise
    }
}

fn noisy(rates: Rates, seed: u64) -> bool {
    let mut random = Random::new(seed);
    let culprit = random.below(200) as usize;
    let mut search = Noisy::new(200, 0.99, rates.learned(&mut random));
    while let Step::Ask(Repeat { candidate, .. }) = search.step() {
        let shows = rates.shows(&mut random, candidate > culprit);
        search.learn(&Verdict::from(shows).into());
    }
    search.suspects() == (culprit, culprit)
}

#[test]
fn the_row_is_right_as_often_as_it_says() {
    for rates in [STEADY, SEVEN_OF_TEN, BOTH_WAYS] {
        let right = (0..RUNS).filter(|&seed| noisy(rates, seed + 1)).count() as u64;
        assert!(right * 100 >= RUNS * 98, "right in {right} of {RUNS}");
    }
}

/// Searches for two deltas of 64 and returns whether exactly these were found.
fn set_of_two<S: Search<Candidate = DeltaSet>>(search: S, rates: Rates, seed: u64) -> bool {
    let mut random = Random::new(seed);
    let [one, other] = [random.below(32) as u32, 32 + random.below(32) as u32];
    let needed: DeltaSet = DeltaSet::run(one..one + 1).union(&DeltaSet::run(other..other + 1));
    let mut search = Repeated::new(search, rates.learned(&mut random), BOUNDS);
    while let Step::Ask(Repeat { candidate, .. }) = search.step() {
        let is_there = needed.minus(&candidate).is_empty();
        let shows = rates.shows(&mut random, is_there);
        search.learn(&Verdict::from(shows).into());
    }
    search.search.best() == needed
}

#[test]
fn any_search_finds_what_is_needed_by_repeating() {
    for rates in [STEADY, SEVEN_OF_TEN, BOTH_WAYS] {
        let found = |seed: u64| {
            [
                set_of_two(Ddmin::new(64), rates, seed),
                set_of_two(Blocks::new(64), rates, seed),
                set_of_two(Closure::new(64), rates, seed),
            ]
        };
        let right = (1..=RUNS).flat_map(found).filter(|it| *it).count() as u64;
        assert!(right * 100 >= 3 * RUNS * 98, "right in {right} of {}", 3 * RUNS);
    }
}

#[test]
fn one_sighting_decides_where_the_failure_never_shows_without_being_there() {
    let noise = Noise {
        there: Sightings { seen: 5, runs: 10 },
        elsewhere: Sightings { seen: 0, runs: 2_000 },
    };
    let mut search = Repeated::new(Ddmin::new(8), noise, BOUNDS);
    let Step::Ask(first) = search.step() else { panic!("there is a question") };
    search.learn(&Verdict::Pass.into());
    assert_eq!(search.step(), Step::Ask(Repeat { nth: 1, ..first.clone() }));
    search.learn(&Verdict::Fail.into());
    let decided = search.decided();
    assert_eq!(decided.len(), 1);
    assert_eq!(decided[0].verdict, Verdict::Fail);
    assert_eq!(decided[0].counts, Sightings { seen: 1, runs: 2 });
}

#[test]
fn a_first_run_that_cannot_be_told_is_not_repeated() {
    let noise = Noise { there: Sightings { seen: 5, runs: 10 }, ..Noise::default() };
    let mut search = Repeated::new(Ddmin::new(8), noise, BOUNDS);
    search.learn(&Verdict::Unresolved.into());
    assert_eq!(search.decided()[0].verdict, Verdict::Unresolved);
}
