//! The searches of a run that has several, for telling.

use whodunit_exec::quote;
use whodunit_jobs::changes::{LearnedEnds, VersionSettings};
use whodunit_jobs::event::{Event, Stage};
use whodunit_run::TestEvent;

use super::{Count, draw};
use crate::report::outcomes::{OutcomeCount, Outcomes};
use crate::{output, report};

/// The searches of a run, and the number of its questions.
#[derive(Default)]
pub(super) struct Searches {
    searches: Vec<Search>,
    /// The search announced last; it counts from its first question on.
    next: Option<Search>,
    pub(super) count: Count,
    outcomes: OutcomeCount,
}

/// One of the searches of a run.
struct Search {
    stage: Stage,
    changes: u64,
    /// Questions, tests, and the number of suspects left after them.
    left: Vec<(u64, u64, u64)>,
    outcomes: Outcomes,
}

impl Searches {
    pub(super) fn take(&mut self, event: &Event) {
        self.count.take(event);
        match event {
            Event::Search { stage, changes } => {
                let start = (self.count.questions, self.count.committed, *changes);
                let (stage, changes, outcomes) = (*stage, *changes, Outcomes::default());
                self.next = Some(Search { stage, changes, left: vec![start], outcomes });
            }
            Event::StartedOver { .. } => *self = Searches::default(),
            Event::Test(TestEvent::Committed { .. }) => self.begin(),
            Event::Test(TestEvent::Improved { question, size }) => {
                if let Some(search) = self.searches.last_mut() {
                    let left = report::changes::left(search.stage, search.changes, *size);
                    search.left.push((*question, self.count.committed, left));
                }
            }
            _ => {}
        }
        if let Event::Test(event) = event {
            let outcomes = self.searches.last_mut().map(|search| &mut search.outcomes);
            self.outcomes.take(event, outcomes);
        }
    }

    /// Begins the announced search at its first question. A continued run announces its
    /// searches again; the one with the next question is then the last one, continued.
    fn begin(&mut self) {
        let Some(next) = self.next.take() else { return };
        let is_last = |last: &Search| last.stage == next.stage && last.changes == next.changes;
        if !self.searches.last().is_some_and(is_last) {
            self.searches.push(next);
        }
    }

    /// Draws how the number of suspects fell in each search.
    pub(super) fn tell(&self) -> String {
        let mut text = String::new();
        for search in &self.searches {
            let stage = report::changes::stage(search.stage, search.changes);
            text.push_str(&format!("\n{stage}"));
            text.push_str(&draw(&search.left, report::changes::suspects(search.stage)));
            text.push_str(&format!("{}\n", search.outcomes.words()));
        }
        text.push('\n');
        text
    }

    /// Returns one line for each kind of search: the outcomes of its tests.
    pub(super) fn outcomes(&self) -> String {
        let mut kinds: Vec<(&'static str, u64, Outcomes)> = Vec::new();
        for Search { stage, outcomes, .. } in &self.searches {
            let name = report::changes::name(*stage);
            match kinds.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, searches, all)) => {
                    *searches += 1;
                    all.add(outcomes);
                }
                None => kinds.push((name, 1, outcomes.clone())),
            }
        }
        let mut text = String::new();
        for (name, searches, all) in kinds.iter().filter(|(.., all)| all.tests() > 0) {
            let searches = report::counted(*searches, "search", "searches");
            text.push_str(&format!("{name} ({searches}): {}\n", all.words()));
        }
        text.push('\n');
        text
    }
}

/// Returns what the run was about.
pub(super) fn heading(
    name: &str,
    how: &VersionSettings,
    asked: &str,
    learned: Option<&LearnedEnds>,
) -> String {
    let mut rows = vec![
        ("run", name.to_owned()),
        ("in", output::inert(&quote(how.origin.as_os_str()))),
        ("asked", output::inert(asked)),
    ];
    if let Some(learned) = learned {
        rows.push(("failure", output::plain(&learned.failure)));
        rows.push(("limits", report::limits(&learned.limits).replace("limits: ", "")));
    }
    report::table(&rows)
}
