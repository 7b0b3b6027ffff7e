//! What the journal says about a run of `changes`.

use whodunit_run::{Ended, Key, TestEvent};

use super::answer::ChangesAnswer;
use super::ends::LearnedEnds;
use crate::event::{Event, WhyAgain};
use crate::record::PastTest;

/// What the journal says about a run that was ended before its time.
#[derive(Clone, Debug, Default)]
pub struct ChangesPast {
    /// The content of the versions.
    pub key: Option<Key>,
    /// The identity of the oracle.
    pub oracle: Option<Key>,
    /// Why the run began again, if it did.
    pub started_over: Option<WhyAgain>,
    /// What the first runs taught.
    pub learned: Option<LearnedEnds>,
    /// The tests that ran.
    pub tests: Vec<PastTest>,
    /// How many questions were answered.
    pub questions: u64,
    /// The answer, if the run came to an end after all.
    pub answer: Option<ChangesAnswer>,
    /// How often a search was given up; each time more patience is shown.
    pub gave_up: u32,
}

impl ChangesPast {
    /// Returns whether folders with earlier builds misled the tests.
    pub(super) fn is_misled(&self) -> bool {
        self.started_over == Some(WhyAgain::WarmFolders)
    }

    /// Forgets what was found.
    pub(super) fn over(self, why: WhyAgain, oracle: Key) -> Self {
        let (oracle, started_over) = (Some(oracle), Some(why));
        ChangesPast { key: self.key, oracle, started_over, ..ChangesPast::default() }
    }
}

impl From<Vec<Event>> for ChangesPast {
    fn from(events: Vec<Event>) -> Self {
        let mut past = ChangesPast::default();
        for event in events {
            match event {
                Event::ChangesStarted { key, oracle, .. } => {
                    (past.key, past.oracle) = (Some(key), Some(oracle));
                }
                Event::StartedOver { why, oracle } => past = past.over(why, oracle),
                Event::EndsLearned(learned) => past.learned = Some(*learned),
                Event::Test(TestEvent::Committed { question, .. }) => {
                    past.questions = past.questions.max(question);
                }
                event @ Event::Test(_) => past.tests.extend(PastTest::of(event)),
                Event::ChangesFinished { answer } => {
                    past.gave_up += u32::from(answer.ended == Ended::GaveUp);
                    past.answer = Some(*answer);
                }
                // The rest is told again, or belongs to other jobs.
                Event::Search { .. }
                | Event::Started { .. }
                | Event::Learned(_)
                | Event::Shortened(_)
                | Event::HistoryStarted { .. }
                | Event::HistoryFinished { .. }
                | Event::Finished { .. } => {}
            }
        }
        past
    }
}
