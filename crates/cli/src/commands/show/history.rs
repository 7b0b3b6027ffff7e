//! The story of a run of `history`.

use whodunit::changes::LearnedEnds;
use whodunit::event::Event;
use whodunit::history::{HistoryAnswer, HistorySettings};

use super::searches::Searches;
use crate::{plan, report};

/// What a journal says, sorted for telling.
pub(super) struct Story<'a> {
    settings: &'a HistorySettings,
    learned: Option<&'a LearnedEnds>,
    searches: Searches,
    pub(super) answer: Option<&'a HistoryAnswer>,
}

impl<'a> Story<'a> {
    /// Returns the story if the run is one of `history`.
    pub(super) fn of(events: &'a [Event]) -> Option<Self> {
        let settings = events.iter().find_map(|event| match event {
            Event::HistoryStarted { settings, .. } => Some(&**settings),
            _ => None,
        })?;
        let searches = Searches::default();
        let mut story = Story { settings, learned: None, searches, answer: None };
        for event in events {
            story.searches.take(event);
            match event {
                Event::EndsLearned(learned) => story.learned = Some(learned),
                Event::HistoryFinished { answer } => story.answer = Some(answer),
                _ => {}
            }
        }
        Some(story)
    }

    pub(super) fn tell(&self, name: &str) -> String {
        let asked = plan::history::command_line(self.settings);
        let mut text = super::searches::heading(name, &self.settings.how, asked, self.learned);
        match self.answer {
            Some(answer) => {
                text.push_str(&report::history::steps(answer));
                text.push_str(&report::history::answer(answer));
                text.push_str(&report::history::run(answer));
            }
            None => {
                text.push_str(&self.searches.tell());
                text.push_str(&self.searches.count.unfinished(name));
            }
        }
        text
    }
}
