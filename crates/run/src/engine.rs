//! Drives a search: chooses the next tests, gives them to workers, and commits the answers in
//! order.
//!
//! Only real answers reach the search that decides, in the order of its questions. Meanwhile the
//! other workers test guesses about the next questions. The guesses are made on copies of the
//! search, and a wrong guess is thrown away, so the answer does not depend on the number of
//! workers.

mod futures;
mod pool;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use serde::{Deserialize, Serialize};
use whodunit_core::{Answer, Lesson, Search, Task, Verdict};

use crate::event::{Source, TestEvent};
use crate::key::Key;
use crate::memory::Memory;
use crate::refutation::Refutation;
use crate::stop::{Ended, GLANCE, Stop};
use crate::subject::{Size, Subject};
use crate::worker::{Ticket, Worker};
use futures::Futures;
use pool::Pool;

/// Counts of tests and answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Tests that decided.
    pub committed: u64,
    /// Questions whose content was known.
    pub cached: u64,
    /// Questions that were certain without a test.
    pub foretold: u64,
    /// Tests that ran ahead for nothing, the cancelled ones included.
    pub wasted: u64,
    /// Answers that were neither fail nor pass.
    pub unresolved: u64,
    /// Committed tests after the last one that made the candidate smaller.
    pub after_last_success: u64,
    /// Tests for the proof alone, in clean folders.
    #[serde(default)]
    pub proof: u64,
}

/// The state of a run at this moment, for progress displays.
#[derive(Clone, Copy, Debug)]
pub struct Status {
    /// The counts so far.
    pub tally: Tally,
    /// Workers that run a test.
    pub busy: usize,
    /// The size of the best candidate.
    pub best: Size,
    /// The size of the candidate that is being asked about.
    pub asked: Option<Size>,
}

/// Watches a run.
pub trait Observer {
    /// Records an event. An error stops the run: a test that cannot be recorded does not count.
    fn event(&mut self, event: &TestEvent) -> std::io::Result<()>;

    /// Called when the next question is for another task. An error stops the run.
    fn task(&mut self, _task: Task) -> std::io::Result<()> {
        Ok(())
    }

    /// Shows the current state; called often, and not part of the journal.
    fn status(&mut self, _status: &Status) {}
}

/// Ignores all events.
impl Observer for () {
    fn event(&mut self, _event: &TestEvent) -> std::io::Result<()> {
        Ok(())
    }
}

/// Why a search could not go on; `E` is the error of its workers.
#[derive(Debug, thiserror::Error)]
pub enum EngineError<E> {
    /// A test could not be run.
    #[error(transparent)]
    Worker(E),
    /// An event could not be recorded.
    #[error("cannot write down what happens")]
    Observer(#[source] std::io::Error),
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome<S> {
    /// The search as it stands at the end.
    pub search: S,
    /// Why it was no longer asked.
    pub ended: Ended,
    /// How many tests it took.
    pub tally: Tally,
}

/// Drives one search to its end.
pub struct Engine<'a, B: Subject> {
    /// The subject.
    pub subject: &'a B,
    /// The verdicts known so far; new ones are added.
    pub memory: &'a mut Memory,
    /// The largest number of committed tests; `None` for no limit.
    pub max_tests: Option<u64>,
    /// When to stop.
    pub stop: Stop,
    /// The watcher.
    pub observer: &'a mut dyn Observer,
    /// Is given every candidate that was asked about, with its number and verdict.
    pub keep: &'a mut Keep<'a, B::Candidate>,
}

/// Takes a candidate that was asked about, to keep it for inspection.
pub type Keep<'a, C> = dyn FnMut(u64, &C, Verdict) -> std::io::Result<()> + 'a;

impl<B: Subject + Sync> Engine<'_, B> {
    /// Asks `search` until it is done or the budget is used up.
    pub fn run<S, W>(self, search: S, workers: Vec<W>) -> Result<Outcome<S>, EngineError<W::Error>>
    where
        S: Search<Candidate = B::Candidate>,
        W: Worker<B::Candidate>,
    {
        let subject = self.subject;
        thread::scope(|scope| {
            let stop = self.stop.clone();
            let mut pool = Pool::start(scope, workers, move || stop.is_stopped());
            let mut drive = Drive {
                best: subject.size(&search.best()),
                futures: Futures::new(subject, search),
                engine: self,
                tally: Tally::default(),
                running: HashMap::new(),
                question: 0,
                task: None,
            };
            // Searches are copied before they learn, so after a panic the deciding search is
            // unchanged.
            let ended = catch_unwind(AssertUnwindSafe(|| drive.drive(&mut pool)));
            let ended = ended.unwrap_or_else(|panic| {
                drive.engine.stop.panicked(&*panic);
                Ok(Ended::Defect)
            });
            pool.end();
            drive.tally.wasted += drive.engine.memory.unasked();
            let tally = drive.tally;
            ended.map(|ended| Outcome { search: drive.futures.into_search(), ended, tally })
        })
    }
}

/// A run under way.
struct Drive<'a, B: Subject, S: Search<Candidate = B::Candidate>> {
    engine: Engine<'a, B>,
    futures: Futures<'a, B, S>,
    tally: Tally,
    running: HashMap<Key, Ticket>,
    best: Size,
    question: u64,
    /// The number of the search's task at hand.
    task: Option<usize>,
}

impl<B: Subject, S: Search<Candidate = B::Candidate>> Drive<'_, B, S> {
    fn drive<E: Send>(
        &mut self,
        pool: &mut Pool<'_, B::Candidate, E>,
    ) -> Result<Ended, EngineError<E>> {
        loop {
            if let Some(ended) = self.commit()? {
                return Ok(ended);
            }
            if let Some(ended) = self.engine.stop.ended() {
                return Ok(ended);
            }
            self.cancel_unforeseen(pool);
            self.hand_out(pool);
            self.report(pool);
            if let Some(done) = pool.wait(GLANCE) {
                self.running.remove(&done.key);
                let result = match done.result {
                    Ok(result) => result,
                    Err(panic) => {
                        self.engine.stop.panicked(&*panic);
                        return Ok(Ended::Defect);
                    }
                };
                match result.map_err(EngineError::Worker)? {
                    Some(tested) => {
                        let seen = tested.observation.as_ref();
                        self.engine.memory.add(done.key, tested.verdict, seen);
                        if tested.doubtful {
                            self.engine.memory.doubt(done.key);
                        }
                        self.tell(&TestEvent::Tested {
                            key: done.key,
                            verdict: tested.verdict,
                            observation: tested.observation.map(Box::new),
                        })?;
                    }
                    None => self.tally.wasted += 1,
                }
            }
        }
    }

    /// Answers the search's questions as far as the answers are known.
    fn commit<E>(&mut self) -> Result<Option<Ended>, EngineError<E>> {
        while let Some(question) = self.futures.question() {
            // While every answer is known or foretold the loop never waits for a test, so it must
            // check for a stop here.
            if let Some(ended) = self.engine.stop.ended() {
                return Ok(Some(ended));
            }
            let (key, candidate) = (question.key, question.candidate.clone());
            let foretold = question.foretold;
            self.note_task()?;
            let (verdict, source) = match foretold {
                Some(verdict) => (verdict, Source::Foretold),
                None => {
                    let most = self.engine.max_tests;
                    let used_up = most.is_some_and(|most| self.tally.committed >= most);
                    if used_up
                        && (self.engine.memory.is_fresh(key)
                            || self.engine.memory.get(key).is_none())
                    {
                        return Ok(Some(Ended::OutOfTests));
                    }
                    match self.engine.memory.commit(key) {
                        Some(known) => known,
                        None => return Ok(None),
                    }
                }
            };
            self.question += 1;
            self.tally.count(verdict, source);
            let size = self.engine.subject.size(&candidate);
            let question = self.question;
            self.tell(&TestEvent::Committed { question, key, verdict, source, size })?;
            (self.engine.keep)(question, &candidate, verdict).map_err(EngineError::Observer)?;
            // A foretold candidate was not run, so there is no output to learn from.
            let answer = match source {
                Source::Foretold => self.engine.subject.certain(verdict),
                Source::Committed | Source::Cached => {
                    answer(self.engine.subject, &candidate, (key, verdict), self.engine.memory)
                }
            };
            self.futures.advance(&answer);
            // Where several runs decide about a candidate, only the search knows that they suffice.
            let failing = match self.engine.subject.is_decided_by_one() {
                true => size,
                false => self.engine.subject.size(&self.futures.search().best()),
            };
            if verdict.is_fail() && failing.bytes < self.best.bytes {
                let size = failing;
                self.best = size;
                self.tally.after_last_success = 0;
                self.tell(&TestEvent::Improved { question, size })?;
            }
        }
        // A search that was stopped while it learned may have ended early.
        Ok(Some(self.engine.stop.ended().unwrap_or(Ended::Done)))
    }

    /// Calls the observer if the question at hand belongs to another task than the one before.
    fn note_task<E>(&mut self) -> Result<(), EngineError<E>> {
        let search = self.futures.search();
        let Some((number, task)) = search.task().filter(|(it, _)| Some(*it) != self.task) else {
            return Ok(());
        };
        self.task = Some(number);
        self.best = self.engine.subject.size(&search.best());
        self.engine.observer.task(task).map_err(EngineError::Observer)
    }

    /// Ends tests that no imagined future asks for any more.
    fn cancel_unforeseen<E: Send>(&mut self, pool: &mut Pool<'_, B::Candidate, E>) {
        if self.running.len() > 1 || pool.is_full() {
            let foreseen = self.futures.foreseen();
            for (_, &ticket) in self.running.iter().filter(|(key, _)| !foreseen.contains(key)) {
                pool.cancel(ticket);
            }
        }
    }

    /// Gives idle workers the questions that are most likely to be asked.
    fn hand_out<E: Send>(&mut self, pool: &mut Pool<'_, B::Candidate, E>) {
        while pool.has_idle() {
            let ahead = if pool.size() == 1 { futures::Ahead::No } else { futures::Ahead::Yes };
            let unresolved = self.tally.share_unresolved();
            let (memory, running) = (&*self.engine.memory, &self.running);
            let running = |key| running.contains_key(&key);
            let stop = &self.engine.stop;
            let Some(question) = self.futures.pick(ahead, unresolved, memory, running, stop) else {
                return;
            };
            let ticket = Ticket::next();
            self.running.insert(question.key, ticket);
            pool.hand_out(ticket, question.key, question.candidate);
        }
    }

    fn report<E: Send>(&mut self, pool: &Pool<'_, B::Candidate, E>) {
        let asked = self.futures.question().map(|question| question.candidate.clone());
        let status = Status {
            tally: self.tally,
            busy: pool.busy(),
            best: self.best,
            asked: asked.map(|candidate| self.engine.subject.size(&candidate)),
        };
        self.engine.observer.status(&status);
    }

    fn tell<E>(&mut self, event: &TestEvent) -> Result<(), EngineError<E>> {
        self.engine.observer.event(event).map_err(EngineError::Observer)
    }
}

/// Returns the answer to a question whose verdict is known.
fn answer<B: Subject>(
    subject: &B,
    candidate: &B::Candidate,
    (key, verdict): (Key, Verdict),
    memory: &Memory,
) -> Answer {
    let mut answer = Answer::from(verdict);
    if verdict == Verdict::Unresolved {
        let mentions = memory.mentions(key);
        if !mentions.is_empty() {
            answer.lessons = subject.lessons(candidate, mentions);
        }
        let refutation = memory.refutation(key);
        let reason = refutation.and_then(|it| subject.reason(candidate, it));
        answer.lessons.extend(reason.map(Lesson::Because));
        if matches!(refutation, Some(Refutation::OtherValue { .. })) {
            answer.lessons.push(Lesson::Absent);
        }
    }
    if verdict != Verdict::Fail && subject.has_other_test(candidate) {
        answer.lessons.push(Lesson::OtherTest);
    }
    answer
}

impl Tally {
    /// Returns how many questions were answered.
    pub fn answers(&self) -> u64 {
        self.committed + self.cached + self.foretold
    }

    /// Counts one answer.
    pub fn count(&mut self, verdict: Verdict, source: Source) {
        match source {
            Source::Committed => {
                self.committed += 1;
                self.after_last_success += 1;
            }
            Source::Cached => self.cached += 1,
            Source::Foretold => self.foretold += 1,
        }
        self.unresolved += u64::from(verdict == Verdict::Unresolved);
    }

    /// Adds the counts of a later search; no question had asked for `unasked_before` tests before it.
    pub fn add(&mut self, later: Tally, unasked_before: u64) {
        let Tally { committed, cached, foretold, wasted, unresolved, after_last_success, proof } =
            later;
        self.committed += committed;
        self.cached += cached;
        self.foretold += foretold;
        // The engine counts every test of the run that no question has asked for as wasted, those that
        // ran before the search as well.
        self.wasted = (self.wasted + wasted).saturating_sub(unasked_before);
        self.unresolved += unresolved;
        self.after_last_success = after_last_success;
        self.proof += proof;
    }

    /// Returns how many of the answers that were not fail were unresolved, roughly.
    fn share_unresolved(&self) -> f64 {
        (self.unresolved as f64 + 0.5) / (self.answers() as f64 + 1.0)
    }
}
