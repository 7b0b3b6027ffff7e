//! Writes down what happens in a run, and reads it back.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use whodunit_core::Verdict;

use super::answer::{Answer, OtherFailure};
use super::arguments::Shortened;
use super::golden::Learned;
use super::{ReduceError, Watch};
use crate::cache::Cache;
use crate::engine::{Observer, Status};
use crate::event::{Event, verdict::word as verdict_word};
use crate::journal::Journal;
use crate::key::Key;
use crate::memory::Memory;
use crate::oracle::{Observation, Signature, Stage};
use crate::process::Ending;
use crate::subject::{Input, InputCandidate, LayOut};

/// How much of the output goes into the journal.
const OUTPUT: usize = 1024;

/// What the journal says about a run that was ended before its time.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// The content of the input.
    pub key: Option<Key>,
    /// What the first runs taught.
    pub learned: Option<Learned>,
    /// The command without the arguments that do not matter.
    pub shortened: Option<Shortened>,
    /// The tests that ran.
    pub tests: Vec<PastTest>,
    /// How many questions were answered.
    pub questions: u64,
    /// The answer, if the run came to an end after all.
    pub answer: Option<Answer>,
}

/// A test that ran.
#[derive(Clone, Debug)]
pub struct PastTest {
    key: Key,
    verdict: Verdict,
    observation: Option<Box<Observation>>,
}

impl PastTest {
    /// Remembers the test; one that was given a second chance stands in the journal twice.
    pub(super) fn recall(&self, derived_time: bool, memory: &mut Memory) {
        let seen = self.observation.as_deref();
        if memory.get(self.key).is_some() {
            return memory.settle(self.key, self.verdict, seen);
        }
        memory.add(self.key, self.verdict, seen);
        if derived_time && seen.is_some_and(Observation::ran_out_of_time) {
            memory.doubt(self.key);
        }
    }
}

impl From<Vec<Event>> for Past {
    fn from(events: Vec<Event>) -> Self {
        let mut past = Past::default();
        for event in events {
            match event {
                Event::Started { key, .. } => past.key = Some(key),
                Event::Learned(learned) => past.learned = Some(*learned),
                Event::Shortened(shortened) => past.shortened = Some(shortened),
                Event::Tested { key, verdict, observation } => {
                    past.tests.push(PastTest { key, verdict, observation });
                }
                Event::Committed { question, .. } => past.questions = past.questions.max(question),
                Event::Improved { .. } => {}
                Event::Finished { answer } => past.answer = Some(*answer),
            }
        }
        past
    }
}

/// Writes down what happens: journal, cache, kept candidates, and those who watch.
pub(super) struct Recorder<'a> {
    journal: Journal,
    watch: &'a mut dyn Watch,
    pub(super) cache: Option<Cache>,
    /// Questions up to this one are in the journal already.
    written: u64,
    /// The failures of tests that were unresolved and have not been asked about yet.
    unresolved: HashMap<Key, Signature>,
    others: Vec<OtherFailure>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(journal: Journal, past: &Past, watch: &'a mut dyn Watch) -> Self {
        let unresolved = past.tests.iter().filter_map(|test| {
            let observation = test.observation.as_deref()?;
            Some((test.key, other_failure(test.verdict, observation)?))
        });
        Recorder {
            journal,
            watch,
            cache: None,
            written: past.questions,
            unresolved: unresolved.collect(),
            others: Vec::new(),
        }
    }

    /// Writes an event and shows it to those who watch.
    pub(super) fn write(&mut self, event: &Event) -> Result<(), ReduceError> {
        self.event(event).map_err(ReduceError::Journal)
    }

    /// Writes the end of the run.
    pub(super) fn finish(&mut self, answer: &Answer) -> Result<(), ReduceError> {
        self.write(&Event::Finished { answer: Box::new(answer.clone()) })?;
        self.journal.sync().map_err(ReduceError::Journal)
    }

    /// Writes down that a doubtful verdict was settled.
    pub(super) fn settled(
        &mut self,
        key: Key,
        verdict: Verdict,
        seen: &Observation,
    ) -> Result<(), ReduceError> {
        let observation = Some(Box::new(seen.clone()));
        self.write(&Event::Tested { key, verdict, observation })
    }

    /// Prepares for the same questions to be asked again from the beginning.
    pub(super) fn rewind(&mut self) {
        self.others.clear();
    }

    /// Returns the other failures that were met, the most frequent first.
    pub(super) fn others(&self) -> Vec<OtherFailure> {
        let mut others = self.others.clone();
        others.sort_by_key(|other| std::cmp::Reverse(other.tests));
        others
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
        match event {
            Event::Tested { key, verdict, observation: Some(seen) } => {
                if let Some(signature) = other_failure(*verdict, seen) {
                    self.unresolved.insert(*key, signature);
                }
                // The journal first: what only the cache knows would not count as committed when
                // the run goes on after a sudden end.
                self.journal.write(&Event::Tested {
                    key: *key,
                    verdict: *verdict,
                    observation: Some(Box::new(seen.shortened(OUTPUT))),
                })?;
                // Time is not a property of the content.
                if let (Some(cache), false) = (&mut self.cache, seen.ran_out_of_time())
                    && cache.store(*key, seen).is_err()
                {
                    // The run can do without; what was stored before is still good.
                    self.cache = None;
                }
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

/// Keeps a candidate for inspection, in a folder that tells its number and verdict. An error
/// names the folder.
pub(super) fn keep(
    folder: &Path,
    question: u64,
    candidate: &InputCandidate,
    verdict: Verdict,
) -> io::Result<()> {
    let folder = folder.join(format!("{question:06}-{}", verdict_word(verdict)));
    match fs::create_dir_all(folder.parent().expect("a joined path has a parent"))
        .and_then(|()| fs::create_dir(&folder))
    {
        // A run that goes on asks its first questions again.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.and_then(|()| Input.lay_out(candidate, &folder)),
    }
    .map_err(|source| io::Error::new(source.kind(), ReduceError::Write { path: folder, source }))
}

/// Returns the failure that a test showed instead of ours.
fn other_failure(verdict: Verdict, seen: &Observation) -> Option<Signature> {
    let other = verdict == Verdict::Unresolved && seen.stage == Stage::Test;
    let telling = !matches!(seen.ending(), Ending::Limited(_) | Ending::Exited(0));
    (other && telling).then(|| seen.signature.clone())
}
