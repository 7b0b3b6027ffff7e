//! The story of a run of `changes`.

use whodunit::changes::{ChangesAnswer, ChangesSettings, LearnedEnds};
use whodunit::event::Event;

use super::searches::Searches;
use crate::{plan, report};

/// What a journal says, sorted for telling.
pub(super) struct Story<'a> {
    settings: &'a ChangesSettings,
    learned: Option<&'a LearnedEnds>,
    searches: Searches,
    pub(super) answer: Option<&'a ChangesAnswer>,
}

impl<'a> Story<'a> {
    /// Returns the story if the run is one of `changes`.
    pub(super) fn of(events: &'a [Event]) -> Option<Self> {
        let settings = events.iter().find_map(|event| match event {
            Event::ChangesStarted { settings, .. } => Some(&**settings),
            _ => None,
        })?;
        let searches = Searches::default();
        let mut story = Story { settings, learned: None, searches, answer: None };
        for event in events {
            story.searches.take(event);
            match event {
                Event::EndsLearned(learned) => story.learned = Some(learned),
                Event::ChangesFinished { answer } => story.answer = Some(answer),
                _ => {}
            }
        }
        Some(story)
    }

    pub(super) fn tell(&self, name: &str) -> String {
        let asked = plan::changes::command_line(self.settings);
        let mut text = super::searches::heading(name, &self.settings.how, asked, self.learned);
        text.push_str(&self.searches.tell());
        text.push_str(&match self.answer {
            Some(answer) => report::changes::answer(answer, true) + &report::changes::run(answer),
            None => self.searches.count.unfinished(name),
        });
        text
    }
}
