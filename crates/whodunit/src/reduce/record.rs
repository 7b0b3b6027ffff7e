//! Reads back what happened in a run, and keeps candidates.

use std::fs;
use std::io;
use std::path::Path;

use whodunit_core::Verdict;
use whodunit_input::{Input, InputCandidate};
use whodunit_run::verdict::word as verdict_word;
use whodunit_run::{Key, LayOut, TestEvent};

use super::ReduceError;
use super::answer::Answer;
use super::arguments::Shortened;
use super::golden::Learned;
use crate::event::{Event, WhyAgain};
use crate::record::PastTest;

/// What the journal says about a run that was ended before its time.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// The content of the input.
    pub key: Option<Key>,
    /// The identity of the oracle.
    pub oracle: Option<Key>,
    /// Why the run began again, if it did.
    pub started_over: Option<WhyAgain>,
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

impl Past {
    /// Forgets what was found.
    pub(super) fn over(self, why: WhyAgain, oracle: Key) -> Self {
        let (oracle, started_over) = (Some(oracle), Some(why));
        Past { key: self.key, oracle, started_over, ..Past::default() }
    }
}

impl From<Vec<Event>> for Past {
    fn from(events: Vec<Event>) -> Self {
        let mut past = Past::default();
        for event in events {
            match event {
                Event::Started { key, oracle, .. } => {
                    (past.key, past.oracle) = (Some(key), Some(oracle));
                }
                Event::StartedOver { why, oracle } => past = past.over(why, oracle),
                Event::Learned(learned) => past.learned = Some(*learned),
                Event::Shortened(shortened) => past.shortened = Some(shortened),
                Event::Test(TestEvent::Committed { question, .. }) => {
                    past.questions = past.questions.max(question);
                }
                event @ Event::Test(_) => past.tests.extend(PastTest::of(event)),
                // The last belong to other jobs.
                Event::ChangesStarted { .. }
                | Event::EndsLearned(_)
                | Event::Search { .. }
                | Event::ChangesFinished { .. }
                | Event::HistoryStarted { .. }
                | Event::HistoryFinished { .. } => {}
                Event::Finished { answer } => past.answer = Some(*answer),
            }
        }
        past
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
