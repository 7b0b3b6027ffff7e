//! The first runs of a job: they teach the failure, the limits and the steadiness of the test.
//!
//! A job names its [`Ends`] and the outcomes it expects; the rest is the same for all jobs. Each end is
//! run twice. If two runs of one end differ, or if the user asks for more runs, each end is run many
//! times, and the rates of a flaky test are learned together with the failure.

mod limits;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_run::judge::{Failure, Observation, Provenance, Rule};
use whodunit_run::{Counts, Flakiness};

use crate::answer::Learned;
use crate::lab::{Hand, LabError, Workers};
use crate::settings::{FlakySettings, LimitSettings};
pub(crate) use limits::{first_limits, later_limits, reserve};

/// Runs of the failing end once two of its runs differ, and of the other end. With fewer runs the
/// rates are less certain, and every later question costs more runs (see `bench noisy`).
const FAILING_RUNS: usize = 20;
const OTHER_RUNS: usize = 10;

/// Runs of an end in clean folders that have to agree before a folder with earlier builds is blamed for
/// another outcome. A test that fails in half of its runs passes this in one of 256 cases.
const CLEAN_RUNS: usize = 9;

/// The ends of a job: the candidates that its first runs test, and the outcome it expects of each.
pub(crate) trait Ends {
    /// A candidate of the job.
    type Candidate: Clone + Send;
    /// Why there is nothing to search for.
    type Error: From<LabError>;

    /// Returns the candidate that is expected to fail.
    fn failing(&self) -> &Self::Candidate;

    /// Returns the candidate that is expected to pass, if the job has one.
    fn passing(&self) -> Option<&Self::Candidate> {
        None
    }

    /// Returns a candidate that holds nothing, if the job has one. It is run only if the test is flaky,
    /// to learn how often the failure shows where it is not.
    fn empty(&self) -> Option<Self::Candidate> {
        None
    }

    /// Judges a run before the failure is known.
    fn judge(&self, run: &Observation) -> Verdict;

    /// Checks the first run of each end.
    fn check(
        &self,
        failing: &Observation,
        passing: Option<&Observation>,
    ) -> Result<(), Unexpected<Self::Error>>;

    /// Whether the user described the failure, so that nothing is learned about it.
    fn is_given(&self) -> bool;

    /// Learns the failure that two failing runs share and passing runs do not show.
    fn failure(&self, failing: [&Observation; 2], passing: &[&Observation]) -> Option<Failure>;

    /// Returns the rule that recognises the failure; the given rule if nothing was learned.
    fn rule(&self, failure: Option<Failure>) -> Rule;

    /// Returns the failure in words. `shown` is a run that shows it.
    fn words(&self, rule: &Rule, shown: &Observation) -> String;

    /// Returns the error for two runs of one end that differ.
    fn differ(&self, first: Box<Observation>, second: Box<Observation>) -> Self::Error;
}

/// The error for an end whose first run is not as the job expects.
pub(crate) struct Unexpected<E> {
    /// The reason in the terms of the job.
    pub(crate) error: E,
    /// The ends that may have another outcome when they are run again; none if the error is final.
    pub(crate) doubted: Doubted,
}

/// The ends that are run again before their first run counts.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Doubted {
    pub(crate) failing: bool,
    pub(crate) passing: bool,
}

impl<E> From<E> for Unexpected<E> {
    /// The error is final, whatever further runs show.
    fn from(error: E) -> Self {
        Unexpected { error, doubted: Doubted::default() }
    }
}

/// The settings of the first runs.
pub(crate) struct Asked<'s> {
    pub(crate) flaky: &'s FlakySettings,
    pub(crate) limits: &'s LimitSettings,
    /// Whether later tests of this run already showed that the test is flaky.
    pub(crate) is_flaky: bool,
}

impl Asked<'_> {
    /// Whether each end is run many times even if its runs agree.
    fn is_repeated(&self) -> bool {
        self.is_flaky || self.flaky.repeat.is_some() || self.flaky.wants_rate()
    }

    /// Returns how often the failing end is run, once it is run many times.
    fn failing_runs(&self) -> usize {
        self.flaky.repeat.map_or(FAILING_RUNS, |runs| runs as usize)
    }

    /// Returns how often the other end is run, once it is run many times.
    fn other_runs(&self) -> usize {
        self.flaky.repeat.map_or(OTHER_RUNS, |runs| runs as usize)
    }
}

/// The first runs of both ends, in order.
pub(crate) struct FirstRuns {
    /// Runs of the failing end.
    pub(crate) failing: Vec<Observation>,
    /// Runs of the passing end; none if the job has no such end.
    pub(crate) passing: Vec<Observation>,
    /// The files that the first run of the failing end read.
    pub(crate) read_by_failing: Vec<Arc<[u8]>>,
    /// The files that the first run of the passing end read.
    pub(crate) read_by_passing: Vec<Arc<[u8]>>,
    /// Whether each end was run many times.
    pub(crate) are_many: bool,
}

/// Runs each end, and learns the failure, the limits of later tests, and the rates of a flaky test.
pub(crate) fn learn<E: Ends, W: Hand<E::Candidate>>(
    ends: &E,
    workers: &mut Workers<W>,
    asked: &Asked<'_>,
) -> Result<(Learned, FirstRuns), E::Error> {
    let mut runs = FirstRuns::of(ends, workers)?;
    let goes_on = asked.flaky.goes_on();
    let mut unexpected = None;
    match ends.check(&runs.failing[0], runs.passing.first()) {
        Ok(()) => runs.repeat(ends, workers)?,
        Err(Unexpected { error, doubted }) => {
            if !goes_on || doubted == Doubted::default() {
                return Err(error);
            }
            runs.repeat_doubted(ends, workers, doubted)?;
            if !asked.is_repeated() && runs.are_steady(ends) {
                return Err(error);
            }
            unexpected = Some(error);
        }
    }
    if runs.warm_folder_misleads(ends, workers)? {
        return Err(LabError::WarmDisagrees.into());
    }
    let differing = runs.differing(ends);
    if goes_on && (asked.is_repeated() || unexpected.is_some() || differing.is_some()) {
        runs.go_on(ends, workers, asked)?;
    } else if let Some(differing) = differing {
        return Err(error_of(ends, differing));
    }
    let Some(signature) = runs.shared(ends) else { return Err(runs.useless(ends, unexpected)) };
    let rule = ends.rule(signature.clone());
    let mut flaky = None;
    if runs.are_many {
        flaky = match runs.rates(ends, workers, &rule, asked)? {
            Some(rates) if !rates.tells_apart() => return Err(runs.useless(ends, unexpected)),
            rates => rates,
        };
    }
    let learned = Learned {
        signature,
        failure: ends.words(&rule, runs.shown(&rule)),
        command: workers.oracle().command.display(),
        limits: later_limits(asked.limits, &runs.all().collect::<Vec<_>>()),
        durations: runs.all().map(|run| run.duration).collect(),
        flaky,
    };
    Ok((learned, runs))
}

impl FirstRuns {
    /// Runs each end once in a clean folder, the failing end first.
    fn of<E: Ends, W: Hand<E::Candidate>>(
        ends: &E,
        workers: &mut Workers<W>,
    ) -> Result<Self, LabError> {
        let failing = vec![workers.observe(ends.failing())?];
        let read_by_failing = workers.first().files_read();
        let (mut passing, mut read_by_passing) = (Vec::new(), Vec::new());
        if let Some(end) = ends.passing() {
            workers.first().clean();
            passing.push(workers.observe(end)?);
            read_by_passing = workers.first().files_read();
        }
        Ok(FirstRuns { failing, passing, read_by_failing, read_by_passing, are_many: false })
    }

    /// Runs each end once more, in the folder that the other end used.
    fn repeat<E: Ends, W: Hand<E::Candidate>>(
        &mut self,
        ends: &E,
        workers: &mut Workers<W>,
    ) -> Result<(), LabError> {
        self.failing.push(workers.observe(ends.failing())?);
        if let Some(end) = ends.passing() {
            self.passing.push(workers.observe(end)?);
        }
        Ok(())
    }

    /// Runs the doubted ends once more. A folder that the other end used might explain another
    /// outcome, so a job with two ends takes a clean folder.
    fn repeat_doubted<E: Ends, W: Hand<E::Candidate>>(
        &mut self,
        ends: &E,
        workers: &mut Workers<W>,
        doubted: Doubted,
    ) -> Result<(), LabError> {
        let mut run = |candidate: &E::Candidate| {
            if ends.passing().is_some() {
                workers.first().clean();
            }
            workers.observe(candidate)
        };
        if doubted.failing {
            self.failing.push(run(ends.failing())?);
        }
        if let Some(end) = ends.passing().filter(|_| doubted.passing) {
            self.passing.push(run(end)?);
        }
        Ok(())
    }

    /// Whether a run in a folder with earlier builds has another verdict than all runs of the same
    /// end in clean folders. Then the folder is to blame, and not the test. An end with such a run
    /// is run [`CLEAN_RUNS`] times in clean folders.
    fn warm_folder_misleads<E: Ends, W: Hand<E::Candidate>>(
        &mut self,
        ends: &E,
        workers: &mut Workers<W>,
    ) -> Result<bool, LabError> {
        let is_warm = |run: &Observation| run.origin == Provenance::Warm;
        for (candidate, runs) in
            [(Some(ends.failing()), &mut self.failing), (ends.passing(), &mut self.passing)]
        {
            let Some((candidate, first)) = candidate.zip(runs.first()) else { continue };
            let said = ends.judge(first);
            if !runs.iter().any(|run| is_warm(run) && ends.judge(run) != said) {
                continue;
            }
            let warm = runs.iter().filter(|run| is_warm(run)).count();
            fill(runs, workers, candidate, CLEAN_RUNS + warm)?;
            if runs.iter().all(|run| is_warm(run) || ends.judge(run) == said) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Runs each end in clean folders until it was run many times.
    fn go_on<E: Ends, W: Hand<E::Candidate>>(
        &mut self,
        ends: &E,
        workers: &mut Workers<W>,
        asked: &Asked<'_>,
    ) -> Result<(), LabError> {
        self.are_many = true;
        fill(&mut self.failing, workers, ends.failing(), asked.failing_runs())?;
        match ends.passing() {
            Some(end) => fill(&mut self.passing, workers, end, asked.other_runs()),
            None => Ok(()),
        }
    }

    /// Returns how often the failure shows at each end; `None` if the test is steady after all.
    fn rates<E: Ends, W: Hand<E::Candidate>>(
        &self,
        ends: &E,
        workers: &mut Workers<W>,
        rule: &Rule,
        asked: &Asked<'_>,
    ) -> Result<Option<Flakiness>, LabError> {
        let there = count(rule, &self.failing);
        let mut elsewhere = count(rule, &self.passing);
        let is_steady = there.seen == there.runs && elsewhere.seen == 0;
        // A test that was flaky before counts as flaky even if all these runs agree.
        if !asked.is_flaky && is_steady && !asked.flaky.wants_rate() {
            return Ok(None);
        }
        if let Some(empty) = ends.empty().filter(|_| there.seen > 0) {
            let mut runs = Vec::new();
            fill(&mut runs, workers, &empty, asked.other_runs())?;
            let silent = count(rule, &runs);
            // If the failure shows without any content, these runs do not give the rate of a
            // candidate without it.
            elsewhere = if silent.seen == 0 { silent } else { elsewhere };
        }
        let FlakySettings { confidence, keep_rate: least, .. } = *asked.flaky;
        Ok(Some(Flakiness { there, elsewhere, confidence, least }))
    }

    /// Returns the failure that two failing runs share; `Some(None)` if a run shows the failure
    /// that the user described, `None` if there are no such runs.
    fn shared<E: Ends>(&self, ends: &E) -> Option<Option<Failure>> {
        let passing: Vec<&Observation> = judged(ends, &self.passing, Verdict::Pass).collect();
        let failing: Vec<&Observation> = judged(ends, &self.failing, Verdict::Fail).collect();
        if ends.is_given() {
            return failing.first().map(|_| None);
        }
        let pairs =
            (0..failing.len()).flat_map(|at| (at + 1..failing.len()).map(move |to| (at, to)));
        let shared = |(at, to): (usize, usize)| ends.failure([failing[at], failing[to]], &passing);
        pairs.into_iter().find_map(shared).map(Some)
    }

    /// Returns the runs of an end that differ: in their verdict, or in the failure that they show.
    fn differing<E: Ends>(&self, ends: &E) -> Option<&[Observation]> {
        if self.passing.iter().any(|run| ends.judge(run) != Verdict::Pass) {
            return Some(&self.passing);
        }
        let (first, others) = self.failing.split_first()?;
        let shows_same = |run| ends.is_given() || ends.failure([first, run], &[]).is_some();
        let are_same = self.failing.iter().all(|run| ends.judge(run) == Verdict::Fail)
            && !others.is_empty()
            && others.iter().all(shows_same);
        (!are_same).then_some(&self.failing)
    }

    /// Whether all runs of each end are judged alike.
    fn are_steady<E: Ends>(&self, ends: &E) -> bool {
        let is_steady =
            |runs: &[Observation]| runs.iter().all(|run| ends.judge(run) == ends.judge(&runs[0]));
        is_steady(&self.failing) && is_steady(&self.passing)
    }

    /// Returns why nothing can be learned from the runs.
    fn useless<E: Ends>(&self, ends: &E, unexpected: Option<E::Error>) -> E::Error {
        match unexpected.filter(|_| self.are_steady(ends)) {
            Some(error) => error,
            None => error_of(ends, &self.failing),
        }
    }

    /// Returns the first run of the failing end that shows the failure.
    pub(crate) fn shown(&self, rule: &Rule) -> &Observation {
        let fails = |run: &&Observation| rule.judge(run) == Verdict::Fail;
        self.failing.iter().find(fails).unwrap_or(&self.failing[0])
    }

    /// Returns the first run of the passing end that passes.
    pub(crate) fn silent(&self, rule: &Rule) -> Option<&Observation> {
        self.passing.iter().find(|run| rule.judge(run) == Verdict::Pass)
    }

    /// Returns the runs of both ends.
    fn all(&self) -> impl Iterator<Item = &Observation> {
        self.failing.iter().chain(&self.passing)
    }
}

/// Runs a candidate in clean folders until there are this many runs of it.
fn fill<C: Clone + Send, W: Hand<C>>(
    runs: &mut Vec<Observation>,
    workers: &mut Workers<W>,
    candidate: &C,
    count: usize,
) -> Result<(), LabError> {
    let more = count.saturating_sub(runs.len());
    for seen in workers.observe_all(vec![candidate.clone(); more])? {
        runs.push(seen?);
    }
    Ok(())
}

/// Returns how many runs show the failure.
fn count(rule: &Rule, runs: &[Observation]) -> Counts {
    let seen = runs.iter().filter(|run| rule.judge(run) == Verdict::Fail).count();
    Counts { seen: seen as u32, runs: runs.len() as u32 }
}

/// Returns the runs that have this verdict when they are judged before the failure is known.
fn judged<'r, E: Ends>(
    ends: &'r E,
    runs: &'r [Observation],
    verdict: Verdict,
) -> impl Iterator<Item = &'r Observation> {
    runs.iter().filter(move |run| ends.judge(run) == verdict)
}

/// Returns the error for runs of one end that differ: it shows the first run and one with another
/// verdict, or the second run if all verdicts are the same.
fn error_of<E: Ends>(ends: &E, runs: &[Observation]) -> E::Error {
    let first = &runs[0];
    let is_other = |run: &&Observation| ends.judge(run) != ends.judge(first);
    let second = runs.iter().find(is_other).or(runs.get(1)).unwrap_or(first);
    ends.differ(Box::new(first.clone()), Box::new(second.clone()))
}
