//! Writes the events of a run.

use std::collections::{HashMap, HashSet};
use std::io;

use whodunit_core::{Task, Verdict};
use whodunit_exec::Oracle;
use whodunit_run::judge::{Observation, Signature, Stage};
use whodunit_run::{Ending, Key, Memory, Observer, Status, TestEvent};

use crate::answer::OtherFailure;
use crate::event::{Event, Watch};
use crate::journal::Journal;

/// Bytes of the output of a test that the journal keeps.
const OUTPUT: usize = 1024;

/// A test that ran.
#[derive(Clone, Debug)]
pub struct PastTest {
    key: Key,
    verdict: Verdict,
    observation: Option<Box<Observation>>,
    /// Whether a question asked for the test, or could have asked for it.
    asked: bool,
    /// Whether a test for a question about the same content came before it.
    again: bool,
}

impl PastTest {
    /// Returns the test of an event; `None` for an event that is not a test. `counted` holds the
    /// contents that were tested for a question before this event.
    pub(crate) fn of(event: TestEvent, counted: &HashSet<Key>) -> Option<Self> {
        Some(match event {
            TestEvent::Tested { key, verdict, observation } => {
                PastTest { key, verdict, observation, asked: true, again: false }
            }
            TestEvent::Known { key, verdict, observation } => {
                let (observation, again) = (Some(observation), counted.contains(&key));
                PastTest { key, verdict, observation, asked: false, again }
            }
            TestEvent::Committed { .. } | TestEvent::Improved { .. } => return None,
        })
    }

    /// Returns the verdict on a content that no question asked for.
    pub(crate) fn known(&self) -> Option<(Key, Verdict)> {
        (!self.asked).then_some((self.key, self.verdict))
    }

    /// Makes the test the run number `nth` of its content.
    pub(crate) fn into_repeat(self, nth: u32) -> Self {
        PastTest { key: self.key.repeat(nth), asked: true, ..self }
    }

    /// Returns the content that was tested.
    pub(crate) fn key(&self) -> Key {
        self.key
    }

    /// Puts the test into the memory.
    pub(crate) fn recall(&self, oracle: &Oracle, memory: &mut Memory) {
        let seen = self.observation.as_deref();
        match (self.asked, self.again) {
            (true, _) => {}
            (false, true) => return memory.know_again(self.key, self.verdict, seen),
            (false, false) => return memory.know(self.key, self.verdict, seen),
        }
        memory.add(self.key, self.verdict, seen);
        if seen.is_some_and(|seen| oracle.is_hasty(seen)) {
            memory.doubt(self.key);
        }
    }
}

/// Writes the events of a run to its journal and its watcher.
pub(crate) struct Recorder<'a> {
    journal: &'a mut Journal,
    watch: &'a mut dyn Watch,
    /// The last question that is in the journal already.
    written: u64,
    /// The number of questions in earlier searches of the run.
    before: u64,
    /// The failures of unresolved tests that no question has asked for yet.
    unresolved: HashMap<Key, Signature>,
    others: Vec<OtherFailure>,
}

impl<'a> Recorder<'a> {
    /// Continues after the question `written` and these tests.
    pub(crate) fn new(
        journal: &'a mut Journal,
        written: u64,
        tests: &[PastTest],
        watch: &'a mut dyn Watch,
    ) -> Self {
        let unresolved = tests.iter().filter_map(|test| {
            let observation = test.observation.as_deref()?;
            Some((test.key, other_failure(test.verdict, observation)?))
        });
        Recorder {
            journal,
            watch,
            written,
            before: 0,
            unresolved: unresolved.collect(),
            others: Vec::new(),
        }
    }

    /// Writes an event of the job and shows it to the watcher.
    pub(crate) fn write(&mut self, event: &Event) -> io::Result<()> {
        self.journal.write(event)?;
        self.watch.event(event)
    }

    /// Writes the end of the run.
    pub(crate) fn finish(&mut self, end: &Event) -> io::Result<()> {
        self.write(end)?;
        self.journal.sync()
    }

    /// Makes the numbers of later questions continue after a search with `questions` questions.
    pub(crate) fn next_search(&mut self, questions: u64) {
        self.before += questions;
    }

    /// Writes down a test that no question asked for.
    pub(crate) fn known(
        &mut self,
        key: Key,
        verdict: Verdict,
        seen: &Observation,
    ) -> io::Result<()> {
        let observation = Box::new(seen.shortened(OUTPUT));
        self.event(&TestEvent::Known { key, verdict, observation })
    }

    /// Makes the next question follow the question number `questions`, whether it was asked before
    /// or not.
    pub(crate) fn go_on_after(&mut self, questions: u64) {
        self.others.clear();
        self.before = questions;
    }

    /// Returns the other failures that tests showed, the most frequent first.
    pub(crate) fn others(&self) -> Vec<OtherFailure> {
        let mut others = self.others.clone();
        others.sort_by_key(|other| std::cmp::Reverse(other.tests));
        others
    }

    /// Changes the number of a question from its search to the whole run.
    fn numbered(&self, event: &TestEvent) -> TestEvent {
        let mut event = event.clone();
        if let TestEvent::Committed { question, .. } | TestEvent::Improved { question, .. } =
            &mut event
        {
            *question += self.before;
        }
        event
    }

    fn count_other(&mut self, key: Key) {
        let Some(signature) = self.unresolved.get(&key) else { return };
        let failure = signature.kind();
        match self.others.iter_mut().find(|other| other.failure == failure) {
            Some(other) => other.tests += 1,
            None => self.others.push(OtherFailure { failure, tests: 1, key }),
        }
    }
}

impl Observer for Recorder<'_> {
    fn event(&mut self, event: &TestEvent) -> io::Result<()> {
        let event = self.numbered(event);
        let mut is_written = true;
        let mut short = None;
        match &event {
            TestEvent::Tested { key, verdict, observation: Some(seen) } => {
                if let Some(signature) = other_failure(*verdict, seen) {
                    self.unresolved.insert(*key, signature);
                }
                let observation = Some(Box::new(seen.shortened(OUTPUT)));
                short = Some(TestEvent::Tested { key: *key, verdict: *verdict, observation });
            }
            TestEvent::Committed { question, key, .. } => {
                self.count_other(*key);
                is_written = *question > self.written;
                self.written = self.written.max(*question);
            }
            TestEvent::Improved { question, .. } => is_written = *question >= self.written,
            TestEvent::Tested { .. } | TestEvent::Known { .. } => {}
        }
        let event = Event::Test(event);
        if is_written {
            let short = short.map(Event::Test);
            self.journal.write(short.as_ref().unwrap_or(&event))?;
        }
        self.watch.event(&event)
    }

    fn task(&mut self, task: Task) -> io::Result<()> {
        let (stage, changes) = (task.aim.into(), task.among as u64);
        self.write(&Event::Search { stage, changes })
    }

    fn status(&mut self, status: &Status) {
        self.watch.status(status);
    }
}

/// Returns the failure of a test that failed in another way than ours.
fn other_failure(verdict: Verdict, seen: &Observation) -> Option<Signature> {
    let other = verdict == Verdict::Unresolved && seen.stage == Stage::Test;
    // A test exits with 125 to say that it cannot decide.
    let telling = !matches!(seen.ending(), Ending::Limited(_) | Ending::Exited(0 | 125));
    (other && telling).then(|| seen.signature.clone())
}
