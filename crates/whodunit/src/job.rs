//! The course that runs of all jobs share: begin, interruption, continuation, new begin.

use std::collections::{HashMap, HashSet};
use std::io;
use std::time::{Duration, Instant};

use whodunit_run::{Key, Source, Stop, TestEvent};

use crate::answer::{Shortened, WhyAgain};
use crate::event::{Event, Watch};
use crate::journal::Journal;
use crate::lab::{EndsRun, LabError};
use crate::record::{PastTest, Recorder};

/// The journal of an interrupted run, read back. `L` is the type of what the first runs teach, `A`
/// that of the answer.
#[derive(Clone, Debug)]
pub struct Past<L, A> {
    /// The content of the subject.
    pub key: Option<Key>,
    /// The identity of the oracle.
    pub oracle: Option<Key>,
    /// Why the run began again, if it did.
    pub started_over: Option<WhyAgain>,
    /// The lessons of the first runs.
    pub learned: Option<L>,
    /// The command without the arguments that do not matter, in `reduce`.
    pub shortened: Option<Shortened>,
    /// The tests that ran.
    pub tests: Vec<PastTest>,
    /// The number of questions that were answered.
    pub questions: u64,
    /// The answer, if the run did end.
    pub answer: Option<A>,
    /// How often a search gave up; each time it is given more patience.
    pub gave_up: u32,
    /// Whether folders with earlier builds misled the tests.
    pub is_misled: bool,
    /// Whether a test had another outcome when it was repeated.
    pub is_flaky: bool,
}

/// Turns tests into numbered runs of their contents, in order.
fn repeats(tests: Vec<PastTest>) -> Vec<PastTest> {
    let mut runs: HashMap<Key, u32> = HashMap::new();
    let number = |test: PastTest| {
        let runs = runs.entry(test.key()).or_default();
        *runs += 1;
        test.into_repeat(*runs - 1)
    };
    tests.into_iter().map(number).collect()
}

impl<L, A> Default for Past<L, A> {
    fn default() -> Self {
        Past {
            key: None,
            oracle: None,
            started_over: None,
            learned: None,
            shortened: None,
            tests: Vec::new(),
            questions: 0,
            answer: None,
            gave_up: 0,
            is_misled: false,
            is_flaky: false,
        }
    }
}

/// A run continues this many times after its proof contradicted its search; after that the
/// contradiction is the error of the run. Each time all tests so far serve as evidence.
const MOST_CONTRADICTIONS: u32 = 4;

/// A job's own events in its [`Past`].
pub(crate) trait TakeOwn {
    /// Takes an event that only this job has; ignores events of other jobs.
    fn take(&mut self, event: Event);
}

impl<L, A> Past<L, A> {
    /// Returns whether folders with earlier builds misled the tests.
    pub(crate) fn is_misled(&self) -> bool {
        self.is_misled
    }

    /// Forgets the findings, because the run begins again. If it does so because the test is flaky,
    /// the tests stay.
    pub(crate) fn over(self, why: WhyAgain, oracle: Key) -> Self {
        let (oracle, started_over) = (Some(oracle), Some(why));
        let is_misled = self.is_misled || why == WhyAgain::WarmFolders;
        let mut past = Past { key: self.key, oracle, started_over, is_misled, ..Past::default() };
        if why == WhyAgain::Flaky {
            // Every test so far counts as one run of its content; the rates are learned again.
            past.is_flaky = true;
            past.tests = if self.is_flaky { self.tests } else { repeats(self.tests) };
        }
        past
    }

    /// Takes note of the subject and the oracle with which the run began.
    pub(crate) fn begin(&mut self, key: Key, oracle: Key) {
        (self.key, self.oracle) = (Some(key), Some(oracle));
    }
}

impl<L, A> From<Vec<Event>> for Past<L, A>
where
    Past<L, A>: TakeOwn,
{
    fn from(events: Vec<Event>) -> Self {
        let (mut past, mut counted) = (Past::default(), HashSet::new());
        for event in events {
            match event {
                Event::StartedOver { why, oracle } => {
                    past = past.over(why, oracle);
                    counted.clear();
                }
                Event::Shortened(shortened) => past.shortened = Some(shortened),
                Event::Test(TestEvent::Committed { question, key, source, .. }) => {
                    past.questions = past.questions.max(question);
                    counted.extend((source == Source::Committed).then_some(key));
                }
                Event::Test(event) => past.tests.extend(PastTest::of(event, &counted)),
                event => past.take(event),
            }
        }
        past
    }
}

/// One of the jobs: opens its subject, learns the failure, searches, proves and answers.
pub(crate) trait Job: Sized
where
    Past<Self::Learned, Self::Answer>: TakeOwn,
{
    /// The lessons of the first runs.
    type Learned;
    /// The answer of the run.
    type Answer;
    /// The error of a run without an answer.
    type Error: EndsRun + From<io::Error>;

    /// Returns the identity of the oracle. If it changed, nothing from before an interruption
    /// holds.
    fn oracle_identity(&self) -> Result<Key, Self::Error>;

    /// Returns the journal and the watcher of the run.
    fn witnesses(&mut self) -> (&mut Journal, &mut dyn Watch);

    /// Returns whether all tests run in clean folders, even if earlier builds misled no test.
    fn is_always_clean(&self) -> bool;

    /// Carries the run out, except for the work that its past contains.
    fn attempt(
        &mut self,
        course: &Course<Self::Learned, Self::Answer>,
    ) -> Result<Self::Answer, Self::Error>;

    /// Carries the run out, and begins again if a test contradicts another. If the test is flaky,
    /// the run continues with all tests so far as evidence. If a result from before an interruption
    /// no longer holds, or if folders with earlier builds misled the tests, everything is
    /// forgotten; after the latter the run uses clean folders only.
    fn carry_out(
        &mut self,
        past: Past<Self::Learned, Self::Answer>,
        (stop, budget): (Stop, Option<Duration>),
    ) -> Result<Self::Answer, Self::Error> {
        let begun = Instant::now();
        // A budget too long for the clock is the same as no budget.
        let stop = stop.until(budget.and_then(|budget| begun.checked_add(budget)));
        let oracle = self.oracle_identity()?;
        let is_other = past.oracle.is_some_and(|before| before != oracle);
        let mut why = is_other.then_some(WhyAgain::TestChanged);
        let mut contradicted = 0;
        let mut course = Course { begun, stop, budget, oracle, past, in_vain: 0 };
        loop {
            if let Some(why) = why {
                let (journal, watch) = self.witnesses();
                let event = Event::StartedOver { why, oracle };
                journal.write(&event)?;
                watch.event(&event)?;
                course.past = course.past.over(why, oracle);
            }
            course.in_vain = self.witnesses().0.tests();
            let is_clean = self.is_always_clean() || course.past.is_misled();
            let answer = self.attempt(&course);
            why = Some(match answer.as_ref().err().and_then(EndsRun::of_lab) {
                Some(LabError::WarmDisagrees) if !is_clean => WhyAgain::WarmFolders,
                Some(LabError::OutcomeChanged) => WhyAgain::OutcomeChanged,
                Some(LabError::Flaky) if contradicted < MOST_CONTRADICTIONS => {
                    contradicted += 1;
                    // The tests of this attempt are evidence.
                    course.past = Past::from(self.witnesses().0.events()?);
                    WhyAgain::Flaky
                }
                _ => return answer,
            });
        }
    }
}

/// The state of a run when it is attempted.
pub(crate) struct Course<L, A> {
    /// The moment when the run began.
    pub(crate) begun: Instant,
    /// Stops the run.
    pub(crate) stop: Stop,
    /// The time that the run may take.
    pub(crate) budget: Option<Duration>,
    /// The identity of the oracle.
    pub(crate) oracle: Key,
    /// The results from before this attempt.
    pub(crate) past: Past<L, A>,
    /// The number of tests in earlier attempts of this process that were given up.
    pub(crate) in_vain: u64,
}

impl<L, A> Course<L, A> {
    /// Returns whether the run is about this content, as it was when the run began.
    pub(crate) fn is_about(&self, key: Key) -> bool {
        self.past.key.is_none_or(|before| before == key)
    }

    /// Begins or continues the journal of the run. `started` makes the first event from the version
    /// of the program and the oracle.
    pub(crate) fn record<'r>(
        &self,
        journal: &'r mut Journal,
        watch: &'r mut dyn Watch,
        started: impl FnOnce(String, Key) -> Event,
    ) -> io::Result<Recorder<'r>> {
        let mut recorder = Recorder::new(journal, self.past.questions, &self.past.tests, watch);
        if self.past.key.is_none() {
            recorder.write(&started(env!("CARGO_PKG_VERSION").into(), self.oracle))?;
        }
        Ok(recorder)
    }

    /// Returns how many of `max_tests` tests are left.
    pub(crate) fn tests_left(&self, max_tests: Option<u64>) -> Option<u64> {
        max_tests.map(|most| most.saturating_sub(self.in_vain))
    }
}
