//! The course of a run of `changes` or `history`.

use whodunit_jobs::changes::{ChangesAnswer, ChangesSettings, LearnedEnds, VersionSettings};
use whodunit_jobs::event::Event;
use whodunit_jobs::history::{HistoryAnswer, HistorySettings};
use whodunit_run::Ended;

use super::pretty;
use super::searches::{Searches, heading};
use crate::pages::View;
use crate::plan;
use crate::report::{changes, history};
use crate::trouble::Trouble;

/// The content of a journal, sorted for telling.
pub(super) struct Story<'a> {
    asked: Asked<'a>,
    learned: Option<&'a LearnedEnds>,
    searches: Searches,
    answer: Option<Answered<'a>>,
}

/// The settings of the run.
enum Asked<'a> {
    Changes(&'a ChangesSettings),
    History(&'a HistorySettings),
}

/// The answer of the run.
enum Answered<'a> {
    Changes(&'a ChangesAnswer),
    History(&'a HistoryAnswer),
}

impl<'a> Story<'a> {
    /// Returns the story if the run is one of these.
    pub(super) fn of(events: &'a [Event]) -> Option<Self> {
        let asked = events.iter().find_map(|event| match event {
            Event::ChangesStarted { settings, .. } => Some(Asked::Changes(settings)),
            Event::HistoryStarted { settings, .. } => Some(Asked::History(settings)),
            _ => None,
        })?;
        let searches = Searches::default();
        let mut story = Story { asked, learned: None, searches, answer: None };
        for event in events {
            story.searches.take(event);
            match event {
                Event::EndsLearned(learned) => story.learned = Some(learned),
                Event::ChangesFinished { answer } => {
                    story.answer = Some(Answered::Changes(answer));
                }
                Event::HistoryFinished { answer } => {
                    story.answer = Some(Answered::History(answer));
                }
                _ => {}
            }
        }
        Some(story)
    }

    pub(super) fn tell(&self, name: &str) -> String {
        let mut text = heading(name, self.asked.how(), &self.asked.command_line(), self.learned);
        // The steps of an answer of `history` tell more than its searches.
        if let Some(Answered::History(answer)) = &self.answer {
            text.push_str(&history::steps(answer));
            text.push_str(&self.searches.outcomes());
        } else {
            text.push_str(&self.searches.tell());
        }
        text.push_str(&match &self.answer {
            Some(answer) => answer.tell(),
            None => self.searches.count.unfinished(name),
        });
        text
    }

    /// Returns the answer as JSON, if there is one.
    pub(super) fn json(&self) -> Option<Result<String, Trouble>> {
        self.answer.as_ref().map(|answer| match answer {
            Answered::Changes(answer) => pretty(answer),
            Answered::History(answer) => pretty(answer),
        })
    }

    /// Returns the answer as pages show it, if there is one.
    pub(super) fn view(&self) -> Option<View<'a>> {
        self.answer.as_ref().map(|answer| match answer {
            Answered::Changes(answer) => (*answer).into(),
            Answered::History(answer) => (*answer).into(),
        })
    }
}

impl Asked<'_> {
    fn how(&self) -> &VersionSettings {
        match self {
            Asked::Changes(settings) => &settings.how,
            Asked::History(settings) => &settings.how,
        }
    }

    fn command_line(&self) -> String {
        match self {
            Asked::Changes(settings) => plan::changes::command_line(settings),
            Asked::History(settings) => plan::history::command_line(settings),
        }
    }
}

/// Returns how to see more of a run, if it can be continued; all the rest is shown already.
fn unless_done(ended: Ended, run: String) -> String {
    if ended == Ended::Done { String::new() } else { run }
}

impl Answered<'_> {
    fn tell(&self) -> String {
        match self {
            Answered::Changes(answer) => {
                changes::answer(answer, true) + &unless_done(answer.ended, changes::run(answer))
            }
            Answered::History(answer) => {
                history::answer(answer) + &unless_done(answer.ended, history::run(answer))
            }
        }
    }
}
