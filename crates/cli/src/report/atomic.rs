//! Atomic changes as text: those of a cause, and the results of the phases.

use whodunit_jobs::atomic::{AtomAnswer, AtomicAnswer, Phase, Phases, ResponsibleBy};

use super::{counted, number, percent};
use crate::output::plain;

/// The most atomic changes of a cause that are listed.
const LISTED: usize = 10;

/// Returns the atomic changes that caused the failure.
pub(super) fn culprit(answer: &AtomicAnswer) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    for (at, atom) in answer.culprit.iter().take(LISTED).enumerate() {
        rows.push((if at == 0 { "atomic" } else { "" }, named(atom)));
    }
    if answer.culprit.len() > LISTED {
        rows.push(("", format!("and {} more", answer.culprit.len() - LISTED)));
    }
    rows
}

/// Returns warnings, and if wanted the results of the phases.
pub(super) fn phases(answer: &AtomicAnswer, are_wanted: bool) -> Vec<(&'static str, String)> {
    let phases = &answer.phases;
    let mut rows = if are_wanted { told(phases) } else { Vec::new() };
    if phases.came_back {
        rows.push(("beware", CAME_BACK.into()));
    }
    rows.extend(phases.notes.iter().map(|note| ("beware", plain(note))));
    rows
}

/// For a search in which the changes set aside had to come back.
const CAME_BACK: &str = "what the test was thought to depend on does not fail by itself, so all \
                         changes were suspected";

/// Returns an atomic change by its kind and name.
pub(crate) fn named(atom: &AtomAnswer) -> String {
    let mut text = format!("{} {}", atom.kind, plain(&atom.name));
    if let Some(old) = &atom.old_name {
        text.push_str(&format!(", before {}", plain(old)));
    }
    text.push_str(&format!(" ({})", atom.description));
    text
}

/// Returns how much each phase left of its changes.
fn told(phases: &Phases) -> Vec<(&'static str, String)> {
    let Phases { chains, changes, statements, definitions, .. } = phases;
    let with = match definitions {
        0 => String::new(),
        count => format!(", with {}", counted(*count, "definition", "definitions")),
    };
    vec![
        ("phases", responsible(phases)),
        ("", format!("chains      {}", course(chains))),
        ("", format!("changes     {}{with}", course(changes))),
        ("", format!("statements  {}", course(statements))),
    ]
}

fn course(phase: &Phase) -> String {
    let tests = counted(phase.tests, "test", "tests");
    format!("{} of {} in {tests}", number(phase.left), number(phase.of))
}

/// Returns the number of changes that a test can depend on, and how they are known.
fn responsible(phases: &Phases) -> String {
    let atoms = counted(phases.atoms, "atomic change", "atomic changes");
    let share = percent(phases.responsible, phases.atoms);
    let part = number(phases.responsible);
    match phases.responsible_by {
        ResponsibleBy::Nothing => format!("{atoms}, all of them suspected"),
        by => {
            format!("{atoms}, {part} of them responsible ({share}, {})", known(by, &phases.entries))
        }
    }
}

/// Returns how the changes that a test can depend on are known.
pub(super) fn known(by: ResponsibleBy, entries: &[String]) -> String {
    match (by, entries) {
        (ResponsibleBy::Coverage, _) => "by what was measured".into(),
        (ResponsibleBy::Nothing, _) => "nothing is known of the test".into(),
        (ResponsibleBy::Calls, [entry]) => format!("by the calls from {}", plain(entry)),
        (ResponsibleBy::Calls, [entry, rest @ ..]) => {
            format!("by the calls from {} and {} more", plain(entry), rest.len())
        }
        (ResponsibleBy::Calls, []) => "by the calls of the test".into(),
    }
}
