//! What the journal says about a run of `history`.

use whodunit_run::Ended;

use crate::answer::{HistoryAnswer, LearnedEnds};
use crate::event::Event;
use crate::job::{Past, TakeOwn};

/// What the journal says about a run of `history` that was ended before its time.
pub type HistoryPast = Past<LearnedEnds, HistoryAnswer>;

impl TakeOwn for HistoryPast {
    fn take(&mut self, event: Event) {
        match event {
            Event::HistoryStarted { key, oracle, .. } => self.begin(key, oracle),
            Event::EndsLearned(learned) => self.learned = Some(*learned),
            Event::HistoryFinished { answer } => {
                self.gave_up += u32::from(answer.ended == Ended::GaveUp);
                self.answer = Some(*answer);
            }
            // The rest is told again, or belongs to other jobs.
            _ => {}
        }
    }
}
