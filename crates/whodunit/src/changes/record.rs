//! Reads the events of a run of `changes` back.

use whodunit_run::Ended;

use crate::answer::{ChangesAnswer, LearnedEnds};
use crate::event::Event;
use crate::job::{Past, TakeOwn};

/// The journal of an interrupted run of `changes`, read back.
pub type ChangesPast = Past<LearnedEnds, ChangesAnswer>;

impl TakeOwn for ChangesPast {
    fn take(&mut self, event: Event) {
        match event {
            Event::ChangesStarted { key, oracle, .. } => self.begin(key, oracle),
            Event::EndsLearned(learned) => self.learned = Some(*learned),
            Event::ChangesFinished { answer } => {
                self.gave_up += u32::from(answer.ended == Ended::GaveUp);
                self.answer = Some(*answer);
            }
            // The other events happen again, or belong to other jobs.
            _ => {}
        }
    }
}
