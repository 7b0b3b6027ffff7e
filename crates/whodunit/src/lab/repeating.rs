//! Decides by several runs what one run of a flaky test cannot.
//!
//! Searches are given verdicts that a sequential test decided ([`Repeated`]); proofs and single
//! candidates are run until the same is true of them ([`decide_all`]). How many runs there are depends
//! on the answers alone, never on the number of workers.

use std::collections::HashMap;

use whodunit_core::searches::Bounds;
use whodunit_core::{LeastRate, Noise, Repeat, Search, Sightings, Step, Verdict};
use whodunit_run::judge::{Observation, Rule};
use whodunit_run::{Ended, Flakiness, Key};

use super::workers::{Hand, Workers};
use super::{LabError, judge};

/// An answer rests on about this many decisions, each of which gets its share of the error that the
/// confidence leaves.
const DECISIONS: f64 = 20.0;

/// How often a search of `reduce` may keep a piece that could go; the proof looks at each of them again.
const LEAVE_A_PIECE: f64 = 0.05;

/// Rounds of runs after which a candidate that is still open stays so.
const ROUNDS: usize = 6;

/// The runs of one round where a rate is asked for: most rates are told from half of them.
const BATCH_FOR_RATE: u32 = 16;

/// The most runs of one round.
const BATCH: u32 = 300;

/// What a lab knows of a test that does not always say the same.
#[derive(Clone, Debug)]
pub(crate) struct Repeating {
    /// How often the failure shows, as all runs so far say.
    pub(super) noise: Noise,
    /// When the runs of a question suffice.
    pub(super) bounds: Bounds,
    /// When those of a proof do.
    pub(super) strict: Bounds,
    /// The rate below which a candidate is refused, if there is one.
    pub(super) least: Option<LeastRate>,
    /// What was decided in clean folders; it is not asked about again.
    pub(super) settled: HashMap<Key, Verdict>,
}

impl Repeating {
    /// Repeats so that a whole answer is as sure as asked for.
    pub(crate) fn new(flakiness: &Flakiness) -> Self {
        let strict = strict(flakiness);
        let noise = flakiness.noise();
        let least = flakiness.least_rate();
        Repeating { noise, bounds: strict, strict, least, settled: HashMap::new() }
    }

    /// Repeats less where a mistake only leaves a piece that could go.
    pub(crate) fn leaving_pieces(flakiness: &Flakiness) -> Self {
        let repeating = Repeating::new(flakiness);
        let bounds = Bounds { reject: LEAVE_A_PIECE, ..repeating.strict };
        Repeating { bounds, ..repeating }
    }

    /// Returns whether these counts are too few for a claim.
    pub(super) fn is_doubtful(&self, verdict: Verdict, counts: Sightings) -> bool {
        let is_open = verdict == Verdict::Pass && self.least.is_none();
        is_open && self.noise.probability(0.5, counts) > self.strict.reject
    }
}

/// Returns how sure a single decision has to be.
fn strict(flakiness: &Flakiness) -> Bounds {
    let share = (1.0 - flakiness.confidence) / DECISIONS;
    Bounds { accept: share, reject: share }
}

/// A claim is confirmed with this many further runs at most.
const MOST_FURTHER: usize = 4;

/// Returns how often each claim of an answer that rests on single runs is run again, so that a test that
/// fails only sometimes is noticed, whatever its rate is.
///
/// Where such a test names something wrong, one claim has to say again and again what is not so: a
/// pass of a version with the failure, or a failure of one without it. All claims of the other kind have to
/// say what is so each time. With a rate p of what is so, n claims of that kind and k runs of each
/// claim, that has the probability p^(nk) (1 - p)^k, which no p makes larger than
/// a^a b^b / (a + b)^(a + b) with a = nk and b = k.
pub(super) fn further_runs(fails: usize, others: usize, confidence: f64) -> usize {
    let term = |it: f64| if it > 0.0 { it * it.ln() } else { 0.0 };
    let unnoticed = |runs: usize, claims: usize| {
        let (so, not) = ((claims * runs) as f64, runs as f64);
        (term(so) + term(not) - term(so + not)).exp()
    };
    let suffices = |further: &usize| {
        [fails, others].iter().all(|claims| unnoticed(1 + further, *claims) <= 1.0 - confidence)
    };
    (1..MOST_FURTHER).find(suffices).unwrap_or(MOST_FURTHER)
}

/// When runs suffice for a verdict.
pub(super) struct Deciding<'a> {
    pub(super) noise: &'a Noise,
    pub(super) bounds: Bounds,
    /// The rate below which a candidate is refused; then nothing else decides.
    pub(super) least: Option<LeastRate>,
}

impl Deciding<'_> {
    /// Returns how many runs are made at once: as many as have to be silent.
    fn batch(&self) -> u32 {
        match self.least {
            Some(_) => BATCH_FOR_RATE,
            None => silence(self.noise, self.bounds.reject),
        }
    }
}

/// What several runs of a candidate say.
pub(crate) struct Runs {
    /// The verdict; nothing if they do not suffice for one.
    pub(crate) verdict: Option<Verdict>,
    /// How many of them showed the failure.
    pub(crate) counts: Sightings,
    /// All of them.
    pub(crate) all: Vec<(Verdict, Observation)>,
}

impl Runs {
    /// Returns a run that says the same as all of them.
    pub(crate) fn telling(&self) -> Option<&Observation> {
        let said = self.verdict?;
        self.all.iter().rev().find(|(verdict, _)| *verdict == said).map(|(_, seen)| seen)
    }

    fn decide(&mut self, to_decide: &Deciding<'_>) {
        if matches!(self.all[..], [(Verdict::Unresolved, _)]) {
            self.verdict = Some(Verdict::Unresolved);
            return;
        }
        let Deciding { noise, bounds, least } = to_decide;
        if let Some(least) = least {
            self.verdict = least.verdict(self.counts);
            return;
        }
        let there = noise.probability(0.5, self.counts);
        self.verdict = if there >= 1.0 - bounds.accept {
            Some(Verdict::Fail)
        } else if there <= bounds.reject {
            let passes = self.all.iter().any(|(verdict, _)| *verdict == Verdict::Pass);
            Some(if passes { Verdict::Pass } else { Verdict::Unresolved })
        } else {
            None
        };
    }
}

/// Runs candidates in clean folders until it is clear of each whether the failure is there, as many
/// runs at once as there are workers. Says why of those that could not be run.
pub(super) fn decide_all<C: Clone + Send, W: Hand<C>>(
    workers: &mut Workers<W>,
    candidates: &[C],
    judge: impl Fn(&Observation) -> Result<Verdict, LabError>,
    deciding: &Deciding<'_>,
) -> Result<Vec<Result<Runs, Ended>>, LabError> {
    let none = || Ok(Runs { verdict: None, counts: Sightings::default(), all: Vec::new() });
    let mut runs: Vec<Result<Runs, Ended>> = candidates.iter().map(|_| none()).collect();
    // What cannot be tested shows in one run.
    let mut batch = 1;
    for _ in 0..=ROUNDS {
        let is_open = |at: &usize| runs[*at].as_ref().is_ok_and(|it| it.verdict.is_none());
        let open: Vec<usize> = (0..candidates.len()).filter(is_open).collect();
        if open.is_empty() {
            break;
        }
        let places = open.iter().flat_map(|&at| std::iter::repeat_n(at, batch as usize));
        let places: Vec<usize> = places.collect();
        let asked = places.iter().map(|&at| candidates[at].clone()).collect();
        for (at, seen) in places.into_iter().zip(workers.observe_all(asked)?) {
            match (&mut runs[at], seen) {
                (Ok(runs), Ok(seen)) => {
                    let verdict = judge(&seen)?;
                    runs.counts.count(verdict.is_fail());
                    runs.all.push((verdict, seen));
                }
                (runs, Err(ended)) => *runs = Err(ended),
                (Err(_), Ok(_)) => {}
            }
        }
        for at in open {
            if let Ok(runs) = &mut runs[at] {
                runs.decide(deciding);
            }
        }
        batch = deciding.batch();
    }
    Ok(runs)
}

/// Decides one candidate in the way its answer was decided: by one run if the test is steady, else by
/// as many as it takes to be as sure as the answer. Nothing if they do not suffice.
pub(crate) fn decide_again<C: Clone + Send, W: Hand<C>>(
    workers: &mut Workers<W>,
    candidate: &C,
    rule: &Rule,
    flaky: Option<&Flakiness>,
) -> Result<Option<(Verdict, Observation)>, LabError> {
    let Some(flaky) = flaky else {
        let seen = workers.observe(candidate)?;
        return Ok(Some((judge(rule, &seen)?, seen)));
    };
    let judge = |seen: &Observation| judge(rule, seen);
    let candidates = std::slice::from_ref(candidate);
    let (noise, bounds, least) = (&flaky.noise(), strict(flaky), flaky.least_rate());
    let deciding = Deciding { noise, bounds, least };
    let decided = decide_all(workers, candidates, judge, &deciding)?;
    let mut decided = decided.into_iter();
    let runs = decided.next().expect("one was asked about")?;
    Ok(runs.verdict.zip(runs.telling().cloned()))
}

/// Returns how many runs without a sighting say that the failure is not there.
fn silence(noise: &Noise, reject: f64) -> u32 {
    let suffices =
        |runs: &u32| noise.probability(0.5, Sightings { seen: 0, runs: *runs }) <= reject;
    (1..BATCH).find(suffices).unwrap_or(BATCH)
}

/// A search that asks about one candidate.
#[derive(Clone)]
pub(super) struct One<C> {
    pub(super) candidate: C,
    pub(super) verdict: Option<Verdict>,
}

impl<C: Clone> Search for One<C> {
    type Candidate = C;

    fn step(&self) -> Step<C> {
        match self.verdict {
            Some(_) => Step::Done,
            None => Step::Ask(self.candidate.clone()),
        }
    }

    fn learn(&mut self, answer: &whodunit_core::Answer) {
        self.verdict = Some(answer.verdict);
    }

    fn best(&self) -> C {
        self.candidate.clone()
    }

    fn likely(&self) -> f64 {
        0.5
    }
}

/// A search that counts the runs of one candidate.
#[derive(Clone)]
pub(super) struct Measuring<C> {
    pub(super) candidate: C,
    pub(super) counts: Sightings,
    /// How many runs there will be.
    pub(super) runs: u32,
}

impl<C: Clone> Search for Measuring<C> {
    type Candidate = Repeat<C>;

    fn step(&self) -> Step<Repeat<C>> {
        match self.counts.runs < self.runs {
            true => Step::Ask(self.best()),
            false => Step::Done,
        }
    }

    fn learn(&mut self, answer: &whodunit_core::Answer) {
        self.counts.count(answer.verdict.is_fail());
    }

    fn best(&self) -> Repeat<C> {
        Repeat { candidate: self.candidate.clone(), nth: self.counts.runs }
    }

    fn likely(&self) -> f64 {
        0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_claims_are_run_four_times_each_and_many_claims_twice() {
        assert_eq!(further_runs(1, 1, 0.99), 3);
        assert_eq!(further_runs(4, 4, 0.99), 1);
        assert_eq!(further_runs(1, 1, 0.999), 4);
        assert_eq!(further_runs(1, 0, 0.99), MOST_FURTHER);
    }
}
