//! What a run of any job is: begun, interrupted, gone on with, begun again.

use std::collections::{HashMap, HashSet};
use std::io;
use std::time::{Duration, Instant};

use whodunit_run::{Key, Source, Stop, TestEvent};

use crate::answer::{Shortened, WhyAgain};
use crate::event::{Event, Watch};
use crate::journal::Journal;
use crate::lab::{EndsRun, LabError};
use crate::record::{PastTest, Recorder};

/// What the journal says about a run that was ended before its time: what the first runs taught is
/// `L`, the answer `A`.
#[derive(Clone, Debug)]
pub struct Past<L, A> {
    /// The content of what is debugged.
    pub key: Option<Key>,
    /// The identity of the oracle.
    pub oracle: Option<Key>,
    /// Why the run began again, if it did.
    pub started_over: Option<WhyAgain>,
    /// What the first runs taught.
    pub learned: Option<L>,
    /// The command without the arguments that do not matter, in `reduce`.
    pub shortened: Option<Shortened>,
    /// The tests that ran.
    pub tests: Vec<PastTest>,
    /// How many questions were answered.
    pub questions: u64,
    /// The answer, if the run came to an end after all.
    pub answer: Option<A>,
    /// How often a search was given up; each time more patience is shown.
    pub gave_up: u32,
    /// Whether folders with earlier builds misled the tests.
    pub is_misled: bool,
    /// Whether a test said something else when it was repeated.
    pub is_flaky: bool,
}

/// Takes tests for runs of their contents, in order.
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

/// A run continues this many times after its proof contradicted its search; then the contradiction is
/// the error of the run. Each time all tests so far are evidence.
const MOST_CONTRADICTIONS: u32 = 4;

/// What a job takes from its own events.
pub(crate) trait TakeOwn {
    /// Takes an event that only this job has; others are passed over.
    fn take(&mut self, event: Event);
}

impl<L, A> Past<L, A> {
    /// Returns whether folders with earlier builds misled the tests.
    pub(crate) fn is_misled(&self) -> bool {
        self.is_misled
    }

    /// Forgets what was found.
    pub(crate) fn over(self, why: WhyAgain, oracle: Key) -> Self {
        let (oracle, started_over) = (Some(oracle), Some(why));
        let is_misled = self.is_misled || why == WhyAgain::WarmFolders;
        let mut past = Past { key: self.key, oracle, started_over, is_misled, ..Past::default() };
        if why == WhyAgain::Flaky {
            // Every test so far is a run of its content; how often the failure shows is learned anew.
            past.is_flaky = true;
            past.tests = if self.is_flaky { self.tests } else { repeats(self.tests) };
        }
        past
    }

    /// Takes note of what was begun.
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
    /// What the first runs teach.
    type Learned;
    /// What comes of it.
    type Answer;
    /// Why nothing does.
    type Error: EndsRun + From<io::Error>;

    /// Returns the identity of the oracle, without which nothing from before an interruption holds.
    fn oracle_identity(&self) -> Result<Key, Self::Error>;

    /// Returns where the run is written down, and who watches it.
    fn witnesses(&mut self) -> (&mut Journal, &mut dyn Watch);

    /// Returns whether all tests run in clean folders, whatever happened before.
    fn is_always_clean(&self) -> bool;

    /// Carries the run out, as far as its past has not done so.
    fn attempt(
        &mut self,
        course: &Course<Self::Learned, Self::Answer>,
    ) -> Result<Self::Answer, Self::Error>;

    /// Carries the run out. If a test turns out not to be steady, the run goes on with all tests so far
    /// as evidence. If something that was remembered from before an interruption is no
    /// longer so, or if folders with earlier builds misled the tests, all of it is forgotten and the
    /// run begins again; after the latter in clean folders only.
    fn carry_out(
        &mut self,
        past: Past<Self::Learned, Self::Answer>,
        (stop, budget): (Stop, Option<Duration>),
    ) -> Result<Self::Answer, Self::Error> {
        let begun = Instant::now();
        // A budget that ends after the last moment of the clock is none.
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

/// How far a run has come when it is attempted.
pub(crate) struct Course<L, A> {
    /// When it began.
    pub(crate) begun: Instant,
    /// What stops it.
    pub(crate) stop: Stop,
    /// How long it may take.
    pub(crate) budget: Option<Duration>,
    /// The identity of the oracle.
    pub(crate) oracle: Key,
    /// What happened before.
    pub(crate) past: Past<L, A>,
    /// Tests of attempts that came to nothing.
    pub(crate) in_vain: u64,
}

impl<L, A> Course<L, A> {
    /// Returns whether it is about this content, as it was when it began.
    pub(crate) fn is_about(&self, key: Key) -> bool {
        self.past.key.is_none_or(|before| before == key)
    }

    /// Begins to write the run down, or goes on with it. `started` says what it is asked to do, for
    /// this version of the program and this oracle.
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

    /// Returns how many of a given number of tests are left.
    pub(crate) fn tests_left(&self, max_tests: Option<u64>) -> Option<u64> {
        max_tests.map(|most| most.saturating_sub(self.in_vain))
    }
}
