//! What the journal says about a run of `changes`.

use super::answer::ChangesAnswer;
use super::ends::LearnedEnds;
use crate::engine::Ended;
use crate::event::Event;
use crate::key::Key;
use crate::record::PastTest;

/// What the journal says about a run that was ended before its time.
#[derive(Clone, Debug, Default)]
pub struct ChangesPast {
    /// The content of the versions.
    pub key: Option<Key>,
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

impl From<Vec<Event>> for ChangesPast {
    fn from(events: Vec<Event>) -> Self {
        let mut past = ChangesPast::default();
        for event in events {
            match event {
                Event::ChangesStarted { key, .. } => past.key = Some(key),
                Event::EndsLearned(learned) => past.learned = Some(*learned),
                Event::Tested { key, verdict, observation } => {
                    past.tests.push(PastTest::new(key, verdict, observation));
                }
                Event::Committed { question, .. } => past.questions = past.questions.max(question),
                Event::ChangesFinished { answer } => {
                    past.gave_up += u32::from(answer.ended == Ended::GaveUp);
                    past.answer = Some(*answer);
                }
                // The rest is told again, or belongs to other jobs.
                Event::Search { .. }
                | Event::Improved { .. }
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
