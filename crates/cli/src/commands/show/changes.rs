//! The story of a run of `changes`.

use whodunit::changes::{ChangesAnswer, ChangesSettings, LearnedEnds};
use whodunit::event::{Event, Stage};
use whodunit::oracle::quote;

use super::{Count, draw};
use crate::output;
use crate::plan;
use crate::report;

/// What a journal says, sorted for telling.
pub(super) struct Story<'a> {
    settings: &'a ChangesSettings,
    learned: Option<&'a LearnedEnds>,
    searches: Vec<Search>,
    /// The search that was told of last, until it asks.
    next: Option<Search>,
    count: Count,
    pub(super) answer: Option<&'a ChangesAnswer>,
}

/// One of the searches of a run.
struct Search {
    stage: Stage,
    changes: u64,
    /// After how many questions and tests there were how many changes left.
    left: Vec<(u64, u64, u64)>,
}

impl<'a> Story<'a> {
    /// Returns the story if the run is one of `changes`.
    pub(super) fn of(events: &'a [Event]) -> Option<Self> {
        let settings = events.iter().find_map(|event| match event {
            Event::ChangesStarted { settings, .. } => Some(&**settings),
            _ => None,
        })?;
        let mut story = Story {
            settings,
            learned: None,
            searches: Vec::new(),
            next: None,
            count: Count::default(),
            answer: None,
        };
        events.iter().for_each(|event| story.take(event));
        Some(story)
    }

    fn take(&mut self, event: &'a Event) {
        self.count.take(event);
        match event {
            Event::EndsLearned(learned) => self.learned = Some(learned),
            Event::Search { stage, changes } => {
                let start = (self.count.questions, self.count.committed, *changes);
                self.next = Some(Search { stage: *stage, changes: *changes, left: vec![start] });
            }
            Event::Committed { .. } => self.begin(),
            Event::Improved { question, size } => {
                if let Some(search) = self.searches.last_mut() {
                    let left = report::changes::left(search.stage, search.changes, *size);
                    search.left.push((*question, self.count.committed, left));
                }
            }
            Event::ChangesFinished { answer } => self.answer = Some(answer),
            _ => {}
        }
    }

    /// Takes note that a search asks. A run that goes on tells of its searches again; the one
    /// that asks next is the one that was last.
    fn begin(&mut self) {
        let Some(next) = self.next.take() else { return };
        let is_last = |last: &Search| last.stage == next.stage && last.changes == next.changes;
        if !self.searches.last().is_some_and(is_last) {
            self.searches.push(next);
        }
    }

    pub(super) fn tell(&self, name: &str) -> String {
        let mut rows = vec![
            ("run", name.to_owned()),
            ("in", quote(self.settings.how.origin.as_os_str())),
            ("asked", plan::changes::command_line(self.settings)),
        ];
        if let Some(learned) = self.learned {
            rows.push(("failure", output::plain(&learned.failure)));
            rows.push(("limits", report::limits(&learned.limits).replace("limits: ", "")));
        }
        let mut text = report::table(&rows);
        for search in &self.searches {
            let stage = report::changes::stage(search.stage, search.changes);
            text.push_str(&format!("\n{stage}"));
            text.push_str(&draw(&search.left, report::changes::suspects(search.stage)));
        }
        text.push('\n');
        text.push_str(&match self.answer {
            Some(answer) => report::changes::answer(answer) + &report::changes::run(answer),
            None => self.count.unfinished(name),
        });
        text
    }
}
