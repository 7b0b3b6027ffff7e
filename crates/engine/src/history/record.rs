//! What the journal says about a run of `history`.

use super::answer::HistoryAnswer;
use crate::changes::LearnedEnds;
use crate::engine::Ended;
use crate::event::Event;
use crate::key::Key;
use crate::record::PastTest;

/// What the journal says about a run that was ended before its time.
#[derive(Clone, Debug, Default)]
pub struct HistoryPast {
    /// The name of the newest version.
    pub key: Option<Key>,
    /// What the first runs taught.
    pub learned: Option<LearnedEnds>,
    /// The tests that ran.
    pub tests: Vec<PastTest>,
    /// How many questions were answered.
    pub questions: u64,
    /// The answer, if the run came to an end after all.
    pub answer: Option<HistoryAnswer>,
    /// How often a search was given up; each time more patience is shown.
    pub gave_up: u32,
}

impl From<Vec<Event>> for HistoryPast {
    fn from(events: Vec<Event>) -> Self {
        let mut past = HistoryPast::default();
        for event in events {
            match event {
                Event::HistoryStarted { key, .. } => past.key = Some(key),
                Event::EndsLearned(learned) => past.learned = Some(*learned),
                Event::Tested { key, verdict, observation } => {
                    past.tests.push(PastTest::new(key, verdict, observation));
                }
                Event::Committed { question, .. } => past.questions = past.questions.max(question),
                Event::HistoryFinished { answer } => {
                    past.gave_up += u32::from(answer.ended == Ended::GaveUp);
                    past.answer = Some(*answer);
                }
                // The rest is told again, or belongs to other jobs.
                _ => {}
            }
        }
        past
    }
}
