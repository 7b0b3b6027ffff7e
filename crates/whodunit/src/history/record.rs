//! Reads the events of a run of `history` back.

use whodunit_run::Ended;

use crate::answer::{HistoryAnswer, LearnedEnds};
use crate::event::Event;
use crate::job::{Past, TakeOwn};

/// The journal of an interrupted run of `history`, read back.
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
            // The other events happen again, or belong to other jobs.
            _ => {}
        }
    }
}
