//! Decides by several runs where one run of a flaky test proves nothing.
//!
//! Searches get verdicts from a sequential test ([`Repeated`]); proofs and single candidates are
//! run until [`decide_all`] reaches a verdict. The number of runs depends on their outcomes alone,
//! never on the number of workers.

use std::collections::HashMap;

use whodunit_core::searches::Bounds;
use whodunit_core::{LeastRate, Noise, Repeat, Search, Sightings, Step, Verdict};
use whodunit_run::judge::{Observation, Rule};
use whodunit_run::{Ended, Flakiness, Key};

use super::workers::{Hand, Workers};
use super::{LabError, judge};

/// Decisions on which an answer rests, roughly; each gets its share of the error that the
/// confidence leaves.
const DECISIONS: f64 = 20.0;

/// Probability that a search of `reduce` keeps a piece that could be removed; the proof looks at
/// each piece again.
const LEAVE_A_PIECE: f64 = 0.05;

/// Rounds of runs after the first run of a candidate; a candidate that is still open then gets no
/// verdict.
const ROUNDS: usize = 6;

/// Runs of one round where a rate is asked for. Half of them suffice for most rates.
const BATCH_FOR_RATE: u32 = 16;

/// The most runs of one round.
const BATCH: u32 = 300;

/// The knowledge of a lab about a flaky test.
#[derive(Clone, Debug)]
pub(crate) struct Repeating {
    /// The rates of the failure, estimated from all runs so far.
    pub(super) noise: Noise,
    /// The error allowed in a decision of a question.
    pub(super) bounds: Bounds,
    /// The error allowed in a decision of a proof.
    pub(super) strict: Bounds,
    /// Rate below which a candidate is refused, if there is one.
    pub(super) least: Option<LeastRate>,
    /// Verdicts decided in clean folders; these contents are not run again.
    pub(super) settled: HashMap<Key, Verdict>,
}

impl Repeating {
    /// Repeats so often that a whole answer is as certain as asked for.
    pub(crate) fn new(flakiness: &Flakiness) -> Self {
        let strict = strict(flakiness);
        let noise = flakiness.noise();
        let least = flakiness.least_rate();
        Repeating { noise, bounds: strict, strict, least, settled: HashMap::new() }
    }

    /// Repeats less where a mistake only leaves a piece that could be removed.
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

/// Returns the error allowed in a single decision.
fn strict(flakiness: &Flakiness) -> Bounds {
    let share = (1.0 - flakiness.confidence) / DECISIONS;
    Bounds { accept: share, reject: share }
}

/// Maximum number of further runs that confirm a claim.
const MOST_FURTHER: usize = 4;

/// Returns how often each claim of an answer that rests on single runs is run again, so that a
/// flaky test is noticed, whatever its rate is.
///
/// Claims that fail and claims that do not are looked at in turn. A wrong answer needs one wrong
/// claim of one kind, such as a pass of a version that has the failure, wrong in all of its k runs,
/// while all n claims of the other kind are right in all of their k runs. If a run is right with
/// probability p, this happens with probability p^(nk) (1 - p)^k. No p makes that larger than a^a
/// b^b / (a + b)^(a + b) with a = nk and b = k.
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

/// The criterion for enough runs.
pub(super) struct Deciding<'a> {
    pub(super) noise: &'a Noise,
    pub(super) bounds: Bounds,
    /// Rate below which a candidate is refused; if set, it is the only criterion.
    pub(super) least: Option<LeastRate>,
}

impl Deciding<'_> {
    /// Returns how many runs of a candidate one round makes: as many as a pass needs if all of them
    /// are silent.
    fn batch(&self) -> u32 {
        match self.least {
            Some(_) => BATCH_FOR_RATE,
            None => silence(self.noise, self.bounds.reject),
        }
    }
}

/// Several runs of a candidate, and the verdict that they give.
pub(crate) struct Runs {
    /// The verdict; `None` if there are too few runs for one.
    pub(crate) verdict: Option<Verdict>,
    /// The number of runs, and of those that showed the failure.
    pub(crate) counts: Sightings,
    /// The runs with their own verdicts.
    pub(crate) all: Vec<(Verdict, Observation)>,
}

impl Runs {
    /// Returns a run with the same verdict as all of them together.
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

/// Runs candidates in clean folders until each has a verdict or too many runs, as many runs at once
/// as there are workers. A candidate that could not be run has the reason instead.
pub(super) fn decide_all<C: Clone + Send, W: Hand<C>>(
    workers: &mut Workers<W>,
    candidates: &[C],
    judge: impl Fn(&Observation) -> Result<Verdict, LabError>,
    deciding: &Deciding<'_>,
) -> Result<Vec<Result<Runs, Ended>>, LabError> {
    let none = || Ok(Runs { verdict: None, counts: Sightings::default(), all: Vec::new() });
    let mut runs: Vec<Result<Runs, Ended>> = candidates.iter().map(|_| none()).collect();
    // One run is enough to see that a candidate cannot be tested.
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

/// Decides one candidate in the way its answer was decided: by one run if the test is steady,
/// otherwise by enough runs to be as certain as the answer. `None` if the runs do not decide.
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

/// Returns how many runs without the failure decide that it is not there.
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
    /// The number of runs to make.
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
