//! What the journal says about a run of `changes`.

use whodunit_run::Ended;

use crate::answer::{ChangesAnswer, LearnedEnds};
use crate::event::Event;
use crate::job::{Past, TakeOwn};

/// What the journal says about a run of `changes` that was ended before its time.
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
            // The rest is told again, or belongs to other jobs.
            _ => {}
        }
    }
}
