//! The only way to run a test: with budget, memory, journal and evidence.
//!
//! A [`Lab`] asks, searches and proves on behalf of a job. A test that is not run by it or by its
//! [`Workers`] could not be counted, stopped, resumed or claimed.

mod repeating;
mod workers;

use std::any::Any;
use std::collections::HashMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use whodunit_core::searches::Repeated;
use whodunit_core::{LeastRate, Noise, Repeat, Search, Sightings, Verdict};
use whodunit_exec::{Oracle, StageLimits, WorkerError};
use whodunit_run::evidence::{Claim, Evidence};
use whodunit_run::judge::{Observation, Provenance, Rule};
use whodunit_run::{
    Counts, Ended, Engine, EngineError, Keep, Key, Memory, Observer, Outcome, RepeatWorker,
    Repeats, Source, Stop, Subject, Tally, TestEvent, Worker,
};

use crate::record::{PastTest, Recorder};
use repeating::further_runs;
use repeating::{Deciding, decide_all};
use repeating::{Measuring, One};
pub(crate) use repeating::{Repeating, decide_again};
pub(crate) use workers::{Hand, Workers, launcher};

/// Why no more tests are run.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The run was stopped, or its time or tests were used up, before there was anything to keep.
    #[error("{} before anything was found", .0.words())]
    StoppedEarly(Ended),
    /// The test could not find something to run.
    #[error("the test could not be run")]
    NotRunnable {
        /// The observation of the test.
        seen: Box<Observation>,
    },
    /// A test has another outcome than before the run was interrupted. The job catches this error
    /// and begins the run again, so users never see it.
    #[error("a test says something else than it did before the run was interrupted")]
    OutcomeChanged,
    /// A finding from folders with earlier builds does not hold in clean ones.
    #[error("tests in folders with earlier builds say something else than tests in clean ones")]
    WarmDisagrees,
    /// A test had another outcome when it was repeated. The run continues with this knowledge;
    /// users see the error only if it occurs too often.
    #[error("a test says something else when it is repeated")]
    Flaky,
    /// A worker could not run the test.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// The journal cannot be written.
    #[error("cannot write down what happens")]
    Journal(#[source] io::Error),
}

impl From<EngineError<WorkerError>> for LabError {
    fn from(error: EngineError<WorkerError>) -> Self {
        match error {
            EngineError::Worker(error) => LabError::Worker(error),
            EngineError::Observer(error) => LabError::Journal(error),
        }
    }
}

impl From<Ended> for LabError {
    fn from(ended: Ended) -> Self {
        LabError::StoppedEarly(ended)
    }
}

/// Repetitions in clean folders of a test that a folder with earlier builds contradicts, before the
/// folder is blamed. A test that fails in half of its runs passes this in one of 256 cases.
const REPEATS: usize = 8;

/// Factor on a time limit that was derived from the first runs, for the second run of a test that
/// hit the limit. A test that hits this one as well is believed not to end.
pub(crate) const SECOND_CHANCE: u32 = 5;

/// Number of claims that are confirmed at most: the last ones, which include those of the answer.
const MOST_CONFIRMED: usize = 32;

/// Number of further runs of a result of `reduce`, besides further runs of some tests that show that
/// none of it can be removed.
///
/// Assume that a test shows the failure at rate r, and that a removable piece stays in the result
/// with a probability of 3 (1 - r). Nobody notices this if the result fails in each of its runs (two
/// first runs, one of the proof and these nine: r^12), and if the result without that piece passes
/// once more (1 - r). So 3 r^12 (1 - r)^2 of all runs have such a wrong answer, less than one in a
/// hundred for every r.
const RESULT_AGAIN: usize = 9;

/// Limits on the tests and the time of a lab.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Budget {
    /// Number of tests that may decide; unlimited if `None`.
    pub(crate) max_tests: Option<u64>,
    /// Time that is reserved for the proof.
    pub(crate) reserve: Duration,
}

/// Runs the tests of a job: asks, searches and proves.
pub(crate) struct Lab<'a, B: Subject, W> {
    subject: B,
    pub(crate) workers: Workers<W>,
    pub(crate) rule: Arc<Rule>,
    pub(crate) memory: Memory,
    pub(crate) recorder: Recorder<'a>,
    pub(crate) budget: Budget,
    pub(crate) tally: Tally,
    /// Number of tests that no question had asked for when the last search ended.
    unasked: u64,
    /// The questions before the first question about the subject.
    preliminary: Preliminary,
    pub(crate) ended: Ended,
    /// How tests are repeated, if the test is flaky.
    repeating: Option<Repeating>,
    /// Whether the run continues if the test turns out to be flaky.
    pub(crate) expects_noise: bool,
    /// Whether a claim is tested several times, because tests contradicted each other before.
    pub(crate) is_suspicious: bool,
    /// The candidates that the run makes claims about, with whether they fail. Each claim rests on
    /// one test.
    claimed: Vec<(Key, B::Candidate, bool)>,
}

/// Questions that are not about the subject of the run, and their tests.
#[derive(Default)]
struct Preliminary {
    asked: Vec<Key>,
    tally: Tally,
}

/// A claim with the observation that supports it.
pub(crate) type Seen = (Claim, Observation);

impl<'a, B, W> Lab<'a, B, W>
where
    B: Subject + Sync,
    B::Candidate: Clone + Send,
    W: Hand<B::Candidate>,
{
    /// Creates a lab, and instructs the workers to look for this failure with these limits for each
    /// stage.
    pub(crate) fn new(
        subject: B,
        mut workers: Workers<W>,
        (rule, limits): (Rule, StageLimits),
        recorder: Recorder<'a>,
        budget: Budget,
    ) -> Self {
        let rule = Arc::new(rule);
        let oracle = Oracle { limits, ..workers.oracle().clone() };
        workers.instruct(oracle, &rule);
        Lab {
            subject,
            workers,
            rule,
            memory: Memory::default(),
            recorder,
            budget,
            tally: Tally::default(),
            unasked: 0,
            preliminary: Preliminary::default(),
            ended: Ended::Done,
            repeating: None,
            expects_noise: false,
            is_suspicious: false,
            claimed: Vec::new(),
        }
    }

    /// Sets the oracle of the workers for all later tests; their limits stay as they are.
    pub(crate) fn instruct(&mut self, oracle: Oracle) {
        let limits = self.workers.oracle().limits.clone();
        self.workers.instruct(Oracle { limits, ..oracle }, &self.rule);
    }

    /// From now on decides each question by several runs.
    pub(crate) fn repeat(&mut self, repeating: Repeating) {
        self.repeating = Some(repeating);
    }

    /// From now on accepts a candidate as failing only if it fails at this rate or a higher one.
    /// Decisions made for another rate are forgotten; the runs behind them are kept.
    pub(crate) fn ask_for_rate(&mut self, least: LeastRate) {
        if let Some(repeating) = &mut self.repeating {
            repeating.least = Some(least);
        }
        self.memory.forget_decided();
    }

    /// Returns the rate that is asked for, if there is one.
    pub(crate) fn least_rate(&self) -> Option<LeastRate> {
        self.repeating.as_ref().and_then(|repeating| repeating.least)
    }

    /// Runs a candidate until it has this many runs in all, and returns their counts.
    pub(crate) fn measure(
        &mut self,
        candidate: &B::Candidate,
        runs: u32,
    ) -> Result<Sightings, LabError> {
        let counts = Sightings::default();
        let measuring = Measuring { candidate: candidate.clone(), counts, runs };
        Ok(self.search_runs(measuring)?.counts)
    }

    /// Returns the rates of a flaky test, estimated from all runs so far.
    pub(crate) fn noise(&self) -> Option<Noise> {
        self.repeating.as_ref().map(|repeating| repeating.noise)
    }

    /// Accepts the verdict of the first runs on a content without further runs. Does nothing for a
    /// steady test.
    pub(crate) fn settle(&mut self, key: Key, verdict: Verdict) {
        if let Some(repeating) = &mut self.repeating {
            repeating.settled.insert(key, verdict);
        }
    }

    /// Remembers tests from before an interruption of this run.
    pub(crate) fn recall(&mut self, tests: &[PastTest]) {
        let Lab { workers, memory, repeating, .. } = self;
        for test in tests {
            test.recall(workers.oracle(), memory);
            if let (Some(repeating), Some((key, verdict))) = (repeating.as_mut(), test.known()) {
                repeating.settled.insert(key, verdict);
            }
        }
    }

    /// Prepares for a search that asks the same questions about the subject again from the
    /// beginning.
    pub(crate) fn rewind(&mut self) {
        self.memory.rewind();
        for key in &self.preliminary.asked {
            self.memory.commit(*key);
        }
        (self.tally, self.unasked) = (self.preliminary.tally, 0);
        self.recorder.go_on_after(self.tally.answers());
    }

    /// Asks a search that is not about the subject, before the first question about the subject.
    /// `lend` turns a worker of the run into one for this search, and `give_back` turns it back.
    pub(crate) fn search_before<D, V, S>(
        &mut self,
        other: &D,
        (lend, give_back): (impl FnMut(W) -> V, impl FnMut(V) -> W),
        search: S,
    ) -> Result<S, LabError>
    where
        D: Subject + Sync,
        S: Search<Candidate = D::Candidate>,
        V: Worker<D::Candidate, Error = WorkerError>,
    {
        let (stop, limit) = (self.search_stop(), self.tests_left());
        let Lab { workers, memory, recorder, preliminary, .. } = self;
        let mut lent: Vec<V> = workers.hands.drain(..).map(lend).collect();
        let hands = lent.iter_mut().collect();
        let keep = &mut |_, candidate: &_, _| {
            preliminary.asked.push(other.key(candidate));
            Ok(())
        };
        let outcome = drive(other, hands, (memory, recorder), (stop, limit), search, keep);
        workers.hands.extend(lent.into_iter().map(give_back));
        let search = self.take(outcome?);
        self.preliminary.tally = self.tally;
        self.recorder.go_on_after(self.tally.answers());
        Ok(search)
    }

    /// Returns the stop for searches; it comes early enough for a proof.
    pub(crate) fn search_stop(&self) -> Stop {
        self.workers.stop.sooner(self.budget.reserve)
    }

    /// Whether the searches of the run are over; checks the time.
    pub(crate) fn is_over(&mut self) -> bool {
        if self.ended == Ended::Done {
            self.ended = self.search_stop().ended().unwrap_or(Ended::Done);
        }
        self.ended != Ended::Done
    }

    /// Whether `more` further tests fit into the number of tests that the user allows.
    pub(crate) fn has_tests_left(&self, more: u64) -> bool {
        self.budget.max_tests.is_none_or(|most| self.tally.committed + more <= most)
    }

    /// Stops the run because of a panic.
    pub(crate) fn panicked(&mut self, panic: &(dyn Any + Send)) {
        self.workers.stop.panicked(panic);
        self.ended = Ended::Defect;
    }

    /// Takes the outcome of a part of a run, which may have panicked. If the run was stopped
    /// meanwhile, notes this and returns `None`; the answer is then made of the earlier findings.
    pub(crate) fn unless_stopped<T, E: EndsRun>(
        &mut self,
        done: std::thread::Result<Result<T, E>>,
    ) -> Result<Option<T>, E> {
        match done {
            Ok(Err(error)) => match error.stopped() {
                Some(ended) => {
                    self.ended = ended;
                    Ok(None)
                }
                None => Err(error),
            },
            Ok(done) => done.map(Some),
            Err(panic) => {
                self.panicked(&*panic);
                Ok(None)
            }
        }
    }

    /// Asks a search until it is done. `keep` gets every candidate that was asked about, with the
    /// number of its question in this search.
    pub(crate) fn search<S>(
        &mut self,
        search: S,
        keep: &mut Keep<'_, B::Candidate>,
    ) -> Result<S, LabError>
    where
        S: Search<Candidate = B::Candidate>,
    {
        if let Some(repeating) = &self.repeating {
            let repeated =
                Repeated::new(search, repeating.noise, repeating.bounds).at_least(repeating.least);
            return self.search_repeated(repeated, keep);
        }
        let (stop, limit) = (self.search_stop(), self.tests_left());
        let Lab { subject, workers, memory, recorder, .. } = self;
        let hands = workers.hands.iter_mut().collect();
        let outcome = drive(subject, hands, (memory, recorder), (stop, limit), search, keep)?;
        Ok(self.take(outcome))
    }

    /// Asks a search until it is done, and repeats each question until it is decided.
    fn search_repeated<S>(
        &mut self,
        search: Repeated<S>,
        keep: &mut Keep<'_, B::Candidate>,
    ) -> Result<S, LabError>
    where
        S: Search<Candidate = B::Candidate>,
    {
        let search = self.search_runs(search)?;
        for (question, decided) in (1..).zip(search.decided()) {
            let key = self.subject.key(&decided.candidate);
            if let Some(last) = decided.last {
                self.memory.decide(key, decided.verdict, last);
                let repeating = self.repeating.as_ref();
                if repeating.is_some_and(|it| it.is_doubtful(decided.verdict, decided.counts)) {
                    self.memory.doubt(key);
                }
            }
            keep(question, &decided.candidate, decided.verdict).map_err(LabError::Journal)?;
        }
        if let Some(repeating) = &mut self.repeating {
            repeating.noise = search.noise();
        }
        Ok(search.search)
    }

    /// Asks a search that repeats its questions by itself, until it is done.
    pub(crate) fn search_runs<S>(&mut self, search: S) -> Result<S, LabError>
    where
        S: Search<Candidate = Repeat<B::Candidate>>,
    {
        let (stop, limit) = (self.search_stop(), self.tests_left());
        let Lab { subject, workers, memory, recorder, repeating, .. } = self;
        let nothing = HashMap::new();
        let settled = repeating.as_ref().map_or(&nothing, |repeating| &repeating.settled);
        let subject = &Repeats { subject, settled };
        let hands = workers.hands.iter_mut().map(RepeatWorker).collect();
        let keep = &mut |_, _: &_, _| Ok(());
        let outcome = drive(subject, hands, (memory, recorder), (stop, limit), search, keep)?;
        Ok(self.take(outcome))
    }

    /// Takes the outcome of a search.
    fn take<S>(&mut self, outcome: Outcome<S>) -> S {
        let Outcome { search, ended, tally } = outcome;
        self.recorder.next_search(tally.answers());
        self.ended = ended;
        self.tally.add(tally, self.unasked);
        self.unasked = self.memory.unasked();
        search
    }

    fn tests_left(&self) -> Option<u64> {
        let most = self.budget.max_tests;
        most.map(|most| most.saturating_sub(self.tally.committed))
    }

    /// Asks about one candidate, with a test if its verdict is not known. The test counts like one
    /// of a search; it is an error after the end of the searches.
    pub(crate) fn ask(&mut self, candidate: &B::Candidate) -> Result<Verdict, LabError> {
        if self.repeating.is_some() {
            return self.ask_repeatedly(candidate);
        }
        let key = self.subject.key(candidate);
        if self.memory.get(key).is_none() || self.memory.is_fresh(key) {
            if !self.is_over() && !self.has_tests_left(1) {
                self.ended = Ended::OutOfTests;
            }
            if self.ended != Ended::Done {
                return Err(LabError::StoppedEarly(self.ended));
            }
        }
        if let Some((verdict, source)) = self.memory.commit(key) {
            // A test that ran ahead, or before an interruption, decides only now.
            self.tally.count(verdict, source);
            return Ok(verdict);
        }
        let stop = self.search_stop();
        let stop = std::mem::replace(&mut self.workers.stop, stop);
        let seen = self.workers.observe(candidate);
        self.workers.stop = stop;
        let seen = seen.inspect_err(|error| {
            if let LabError::StoppedEarly(ended) = error {
                self.ended = *ended;
            }
        })?;
        let verdict = self.judge(&seen)?;
        self.memory.know(key, verdict, Some(&seen));
        let observation = Some(Box::new(seen));
        let event = TestEvent::Tested { key, verdict, observation };
        self.recorder.event(&event).map_err(LabError::Journal)?;
        self.tally.count(verdict, Source::Committed);
        Ok(verdict)
    }

    /// Asks about one candidate, with as many runs as its verdict needs.
    fn ask_repeatedly(&mut self, candidate: &B::Candidate) -> Result<Verdict, LabError> {
        if self.is_over() {
            return Err(LabError::StoppedEarly(self.ended));
        }
        let one = One { candidate: candidate.clone(), verdict: None };
        let one = self.search(one, &mut |_, _, _| Ok(()))?;
        one.verdict.ok_or(LabError::StoppedEarly(self.ended))
    }

    /// Tests candidates in clean folders, even if their verdicts are known; `None` for a candidate
    /// for which no time was left. These tests do not count towards the number of tests that the
    /// user allows.
    ///
    /// An error if a candidate has another verdict than in a folder with earlier builds, or than
    /// before the run was interrupted.
    pub(crate) fn prove_all(
        &mut self,
        candidates: &[B::Candidate],
    ) -> Result<Vec<Option<Seen>>, LabError> {
        let proved = self.prove_each(candidates, |lab, (candidate, key), verdict| {
            // A verdict that was only a lack of time contradicts nothing.
            let is_told = !lab.memory.is_doubtful(key);
            let before = lab.memory.evidence(key).filter(|_| is_told);
            let before = before.filter(|it| it.is_contradicted_by(verdict));
            match before.map(Evidence::origin) {
                Some(Provenance::Earlier) => Err(LabError::OutcomeChanged),
                Some(Provenance::Warm) if lab.is_steady_in_clean(candidate, verdict)? => {
                    Err(LabError::WarmDisagrees)
                }
                Some(Provenance::Warm) => Err(LabError::Flaky),
                Some(Provenance::Clean) if lab.expects_noise => Err(LabError::Flaky),
                _ if lab.is_suspicious && !lab.is_steady_in_clean(candidate, verdict)? => {
                    Err(LabError::Flaky)
                }
                Some(Provenance::Clean | Provenance::Disturbed) | None => Ok(()),
            }
        })?;
        for (candidate, seen) in candidates.iter().zip(&proved) {
            if let Some((claim, _)) = seen {
                self.note_claim(candidate, claim.verdict());
            }
        }
        Ok(proved)
    }

    /// Notes a claim, so that it can be confirmed later.
    fn note_claim(&mut self, candidate: &B::Candidate, verdict: Verdict) {
        let key = self.subject.key(candidate);
        self.claimed.retain(|(before, ..)| *before != key);
        self.claimed.push((key, candidate.clone(), verdict.is_fail()));
    }

    /// Tests the claims of the answer again in clean folders, because each rests on one test, and a
    /// flaky test may have looked steady until now. An error if a test has another verdict. Returns
    /// `Ended::Done`, or the reason why some claims were not tested again.
    pub(crate) fn confirm(&mut self, confidence: f64) -> Result<Ended, LabError> {
        let recent = self.claimed.len().saturating_sub(MOST_CONFIRMED);
        let claimed = self.claimed.split_off(recent);
        let fails = claimed.iter().filter(|(.., fails)| *fails).count();
        let again = further_runs(fails, claimed.len() - fails, confidence);
        self.run_again(claimed.iter().flat_map(|claim| std::iter::repeat_n(claim, again)))
    }

    /// Does the same for a result, and for some of the tests that show that none of it can be
    /// removed.
    pub(crate) fn confirm_result(
        &mut self,
        result: &B::Candidate,
        pieces: &[B::Candidate],
    ) -> Result<Ended, LabError> {
        let with_claim = |candidate: &B::Candidate| {
            let key = self.subject.key(candidate);
            let claim = self.known_claim(key)?;
            Some((key, candidate.clone(), claim.verdict().is_fail()))
        };
        let (result, pieces) = (with_claim(result), pieces.iter().filter_map(with_claim));
        let pieces: Vec<_> = pieces.collect();
        let result = result.iter().flat_map(|claim| std::iter::repeat_n(claim, RESULT_AGAIN));
        self.run_again(result.chain(&pieces))
    }

    /// Runs claims again if they rest on single runs of a test that may be flaky.
    fn run_again<'c>(
        &mut self,
        claims: impl Iterator<Item = &'c (Key, B::Candidate, bool)>,
    ) -> Result<Ended, LabError>
    where
        B::Candidate: 'c,
    {
        if !self.expects_noise || self.repeating.is_some() {
            return Ok(Ended::Done);
        }
        let claims: Vec<_> = claims.collect();
        let candidates = claims.iter().map(|(_, candidate, _)| candidate.clone()).collect();
        let all = self.workers.observe_all(candidates)?;
        self.tally.proof += all.iter().flatten().count() as u64;
        let mut outcome = Ended::Done;
        for ((key, _, fails), seen) in claims.into_iter().zip(all) {
            let seen = match seen {
                Ok(seen) => seen,
                Err(ended) => {
                    outcome = ended;
                    continue;
                }
            };
            let verdict = self.judge(&seen)?;
            // A test that something else killed, or that had too little time, contradicts nothing.
            let is_clean = Evidence::of(verdict, &seen).claim().is_some()
                && !self.workers.oracle().is_hasty(&seen);
            if is_clean && verdict.is_fail() != *fails {
                self.recorder.known(*key, verdict, &seen).map_err(LabError::Journal)?;
                return Err(LabError::Flaky);
            }
        }
        Ok(outcome)
    }

    /// Returns whether a candidate has the same verdict in clean folders each time. Then folders
    /// with earlier builds are to blame for another verdict there.
    fn is_steady_in_clean(
        &mut self,
        candidate: &B::Candidate,
        verdict: Verdict,
    ) -> Result<bool, LabError> {
        if !self.expects_noise || self.repeating.is_some() {
            return Ok(true);
        }
        let again = self.workers.observe_all(vec![candidate.clone(); REPEATS])?;
        self.tally.proof += again.iter().flatten().count() as u64;
        for seen in again.into_iter().flatten() {
            if !self.workers.oracle().is_hasty(&seen) && self.judge(&seen)? != verdict {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs the oracle on candidates in clean folders. A test that only a derived time limit ended
    /// runs once more with more time; a candidate known for this runs only with more time.
    fn observe_patiently(
        &mut self,
        candidates: &[B::Candidate],
    ) -> Result<Vec<Result<Observation, Ended>>, LabError> {
        let usual = self.workers.oracle().clone();
        let is_known = |it: &B::Candidate| self.memory.is_doubtful(self.subject.key(it));
        let mut all: Vec<Option<Result<Observation, Ended>>> = vec![None; candidates.len()];
        let at_once: Vec<usize> = places(candidates, |it| !is_known(it));
        let run = |workers: &mut Workers<W>, places: &[usize]| {
            workers.observe_all(places.iter().map(|&place| candidates[place].clone()).collect())
        };
        let seen = run(&mut self.workers, &at_once)?;
        at_once.into_iter().zip(seen).for_each(|(place, seen)| all[place] = Some(seen));
        let is_open = |seen: &Option<Result<Observation, Ended>>| match seen {
            Some(Ok(seen)) => usual.is_hasty(seen),
            Some(Err(_)) => false,
            None => true,
        };
        let slow = places(&all, is_open);
        if !slow.is_empty() {
            self.tally.proof += slow.iter().filter(|&&place| all[place].is_some()).count() as u64;
            self.workers.instruct(usual.patient(SECOND_CHANCE), &self.rule);
            let seen = run(&mut self.workers, &slow);
            self.workers.instruct(usual, &self.rule);
            slow.into_iter().zip(seen?).for_each(|(place, seen)| all[place] = Some(seen));
        }
        Ok(all.into_iter().map(|seen| seen.expect("each was run")).collect())
    }

    /// Tests candidates in clean folders, and passes each verdict to `check` before it is believed.
    fn prove_each(
        &mut self,
        candidates: &[B::Candidate],
        check: impl Fn(&mut Self, (&B::Candidate, Key), Verdict) -> Result<(), LabError>,
    ) -> Result<Vec<Option<Seen>>, LabError> {
        if self.repeating.is_some() {
            return self.prove_repeatedly(candidates, check);
        }
        let all = self.observe_patiently(candidates)?;
        let mut claims = Vec::new();
        for (candidate, seen) in candidates.iter().zip(all) {
            let seen = match seen {
                Ok(seen) => seen,
                Err(ended) => {
                    self.ended = ended;
                    claims.push(None);
                    continue;
                }
            };
            let (key, verdict) = (self.subject.key(candidate), self.judge(&seen)?);
            self.tally.proof += 1;
            let checked = check(self, (candidate, key), verdict);
            if matches!(checked, Err(LabError::Flaky)) {
                // A run that contradicts another one is evidence as well.
                self.recorder.known(key, verdict, &seen).map_err(LabError::Journal)?;
            }
            checked?;
            self.memory.know(key, verdict, Some(&seen));
            self.recorder.known(key, verdict, &seen).map_err(LabError::Journal)?;
            let claim = Evidence::of(verdict, &seen).claim();
            if claim.is_none() {
                // Something else killed the test each time, so it supports no claim.
                self.ended = Ended::GaveUp;
            }
            claims.push(claim.map(|claim| (claim, seen)));
        }
        Ok(claims)
    }

    /// Runs candidates in clean folders until each has a verdict or too many runs.
    fn prove_repeatedly(
        &mut self,
        candidates: &[B::Candidate],
        check: impl Fn(&mut Self, (&B::Candidate, Key), Verdict) -> Result<(), LabError>,
    ) -> Result<Vec<Option<Seen>>, LabError> {
        let Some(Repeating { noise, strict, least, .. }) = self.repeating.clone() else {
            return Ok(Vec::new());
        };
        let rule = self.rule.clone();
        let judge = |seen: &Observation| judge(&rule, seen);
        let deciding = Deciding { noise: &noise, bounds: strict, least };
        let all = decide_all(&mut self.workers, candidates, judge, &deciding)?;
        let mut claims = Vec::new();
        for (candidate, runs) in candidates.iter().zip(all) {
            let runs = match runs {
                Ok(runs) => runs,
                Err(ended) => {
                    self.ended = ended;
                    claims.push(None);
                    continue;
                }
            };
            self.tally.proof += runs.all.len() as u64;
            let (Some(verdict), Some(seen)) = (runs.verdict, runs.telling()) else {
                claims.push(None);
                continue;
            };
            let key = self.subject.key(candidate);
            // The journal comes first: if the check makes the run begin again, this verdict is not
            // asked for again.
            self.recorder.known(key, verdict, seen).map_err(LabError::Journal)?;
            self.settle(key, verdict);
            check(self, (candidate, key), verdict)?;
            self.memory.know(key, verdict, Some(seen));
            self.memory.count(key, runs.counts);
            let claim = Evidence::of(verdict, seen).claim();
            let claim = claim.map(|claim| claim.of_runs(Some(runs.counts.into())));
            claims.push(claim.map(|claim| (claim, seen.clone())));
        }
        Ok(claims)
    }

    /// Returns the claims that some candidates support, as far as the budget allows. Candidates
    /// that were not tested in a clean folder are tested, as many at once as there are workers.
    pub(crate) fn claim_all(
        &mut self,
        candidates: &[B::Candidate],
    ) -> Result<Vec<Option<Claim>>, LabError> {
        // The number of workers decides which candidates happened to be tested in a clean folder,
        // so all of them count here.
        if !candidates.is_empty() && !self.has_tests_left(candidates.len() as u64) {
            self.ended = Ended::OutOfTests;
            return Ok(vec![None; candidates.len()]);
        }
        let is_open = |it: &&B::Candidate| {
            let key = self.subject.key(it);
            self.is_suspicious || self.memory.is_doubtful(key) || self.known_claim(key).is_none()
        };
        let open: Vec<B::Candidate> = candidates.iter().filter(is_open).cloned().collect();
        self.prove_all(&open)?;
        let claims: Vec<_> =
            candidates.iter().map(|it| self.known_claim(self.subject.key(it))).collect();
        for (candidate, claim) in candidates.iter().zip(&claims) {
            if let Some(claim) = claim {
                self.note_claim(candidate, claim.verdict());
            }
        }
        Ok(claims)
    }

    /// Returns the claim that a content supports without another test.
    pub(crate) fn known_claim(&self, key: Key) -> Option<Claim> {
        let claim = self.memory.asked(key)?.claim()?;
        Some(claim.of_runs(self.memory.counts(key).map(Counts::from)))
    }

    /// Judges an observation; an error if the test demands that the run stops.
    fn judge(&self, seen: &Observation) -> Result<Verdict, LabError> {
        judge(&self.rule, seen)
    }
}

/// Asks a search until it is done, stopped, or `max_tests` tests have decided.
fn drive<D, V, S>(
    subject: &D,
    workers: Vec<V>,
    (memory, recorder): (&mut Memory, &mut Recorder<'_>),
    (stop, max_tests): (Stop, Option<u64>),
    search: S,
    keep: &mut Keep<'_, D::Candidate>,
) -> Result<Outcome<S>, LabError>
where
    D: Subject + Sync,
    S: Search<Candidate = D::Candidate>,
    V: Worker<D::Candidate, Error = WorkerError>,
{
    let engine = Engine { subject, memory, max_tests, stop, observer: recorder, keep };
    Ok(engine.run(search, workers)?)
}

/// Returns the positions of the elements for which this holds.
fn places<T>(all: &[T], holds: impl Fn(&T) -> bool) -> Vec<usize> {
    (0..all.len()).filter(|&place| holds(&all[place])).collect()
}

/// Judges an observation; an error if the test demands that the run stops.
pub(crate) fn judge(rule: &Rule, seen: &Observation) -> Result<Verdict, LabError> {
    if rule.stops(seen) {
        return Err(LabError::NotRunnable { seen: Box::new(seen.clone()) });
    }
    Ok(rule.judge(seen))
}

/// An error that may mean only that the run was stopped.
pub(crate) trait EndsRun {
    /// Returns the error of the lab, if this is one.
    fn of_lab(&self) -> Option<&LabError>;

    /// Returns why the run was stopped, if the error means that.
    fn stopped(&self) -> Option<Ended> {
        match self.of_lab() {
            Some(LabError::StoppedEarly(ended)) => Some(*ended),
            _ => None,
        }
    }
}

/// Runs a part of a run and catches its panic, for [`Lab::unless_stopped`].
pub(crate) fn guarded<T, E>(
    work: impl FnOnce() -> Result<T, E>,
) -> std::thread::Result<Result<T, E>> {
    catch_unwind(AssertUnwindSafe(work))
}
