//! Writes down what happens in a run.

use std::collections::HashMap;
use std::io;

use whodunit_core::Verdict;

use crate::engine::{Observer, Status};
use crate::event::Event;
use crate::journal::Journal;
use crate::key::Key;
use crate::memory::Memory;
use crate::oracle::{Observation, Oracle, Signature, Stage};
use crate::process::Ending;
use crate::reduce::OtherFailure;

/// How much of the output goes into the journal.
const OUTPUT: usize = 1024;

/// A test that ran.
#[derive(Clone, Debug)]
pub struct PastTest {
    key: Key,
    verdict: Verdict,
    observation: Option<Box<Observation>>,
}

impl PastTest {
    pub(crate) fn new(key: Key, verdict: Verdict, observation: Option<Box<Observation>>) -> Self {
        PastTest { key, verdict, observation }
    }

    /// Remembers the test; one that was given a second chance stands in the journal twice.
    pub(crate) fn recall(&self, oracle: &Oracle, memory: &mut Memory) {
        let seen = self.observation.as_deref();
        if memory.get(self.key).is_some() {
            return memory.settle(self.key, self.verdict, seen);
        }
        memory.add(self.key, self.verdict, seen);
        if seen.is_some_and(|seen| oracle.is_hasty(seen)) {
            memory.doubt(self.key);
        }
    }
}

/// Writes down what happens: in the journal, and to those who watch.
pub(crate) struct Recorder<'a> {
    journal: Journal,
    watch: &'a mut dyn Observer,
    /// Questions up to this one are in the journal already.
    written: u64,
    /// Questions of earlier searches of the same run.
    before: u64,
    /// The failures of tests that were unresolved and have not been asked about yet.
    unresolved: HashMap<Key, Signature>,
    others: Vec<OtherFailure>,
}

impl<'a> Recorder<'a> {
    /// Goes on after so many questions and these tests.
    pub(crate) fn new(
        journal: Journal,
        written: u64,
        tests: &[PastTest],
        watch: &'a mut dyn Observer,
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

    /// Forgets the tests so far: they turned out to be wrong.
    pub(crate) fn forget(&mut self) {
        self.unresolved.clear();
    }

    /// Writes an event and shows it to those who watch.
    pub(crate) fn write(&mut self, event: &Event) -> io::Result<()> {
        self.event(event)
    }

    /// Writes the end of the run.
    pub(crate) fn finish(&mut self, end: &Event) -> io::Result<()> {
        self.write(end)?;
        self.journal.sync()
    }

    /// Counts the questions of the next search from here on.
    pub(crate) fn next_search(&mut self, questions: u64) {
        self.before += questions;
    }

    /// Writes down that a doubtful verdict was settled.
    pub(crate) fn settled(
        &mut self,
        key: Key,
        verdict: Verdict,
        seen: &Observation,
    ) -> io::Result<()> {
        let observation = Some(Box::new(seen.clone()));
        self.write(&Event::Tested { key, verdict, observation })
    }

    /// Prepares for the same questions to be asked again from the beginning.
    pub(crate) fn rewind(&mut self) {
        self.others.clear();
    }

    /// Returns the other failures that were met, the most frequent first.
    pub(crate) fn others(&self) -> Vec<OtherFailure> {
        let mut others = self.others.clone();
        others.sort_by_key(|other| std::cmp::Reverse(other.tests));
        others
    }

    /// Counts a question from the beginning of the run.
    fn numbered(&self, event: &Event) -> Event {
        let mut event = event.clone();
        if let Event::Committed { question, .. } | Event::Improved { question, .. } = &mut event {
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
    fn event(&mut self, event: &Event) -> io::Result<()> {
        let event = &self.numbered(event);
        match event {
            Event::Tested { key, verdict, observation: Some(seen) } => {
                if let Some(signature) = other_failure(*verdict, seen) {
                    self.unresolved.insert(*key, signature);
                }
                self.journal.write(&Event::Tested {
                    key: *key,
                    verdict: *verdict,
                    observation: Some(Box::new(seen.shortened(OUTPUT))),
                })?;
            }
            Event::Committed { question, key, .. } => {
                self.count_other(*key);
                if *question > self.written {
                    self.written = *question;
                    self.journal.write(event)?;
                }
            }
            Event::Improved { question, .. } if *question < self.written => {}
            _ => self.journal.write(event)?,
        }
        self.watch.event(event)
    }

    fn status(&mut self, status: &Status) {
        self.watch.status(status);
    }
}

/// Returns the failure that a test showed instead of ours.
fn other_failure(verdict: Verdict, seen: &Observation) -> Option<Signature> {
    let other = verdict == Verdict::Unresolved && seen.stage == Stage::Test;
    // With 125 tests say that they cannot tell.
    let telling = !matches!(seen.ending(), Ending::Limited(_) | Ending::Exited(0 | 125));
    (other && telling).then(|| seen.signature.clone())
}
