//! Panics, which are defects of whodunit itself. The library keeps the results so far; here panics
//! are reported after everything else is done, whatever thread they were on.

use std::env;
use std::panic::{self, PanicHookInfo};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use whodunit_exec::quote;
use whodunit_jobs::event::Event;
use whodunit_jobs::journal::Runs;
use whodunit_run::{Ended, TestEvent};

use crate::output::{self, ERROR, HINT};

/// Lets tests provoke a panic: `setup` panics before the run begins, `committed:N` at the Nth
/// answered question, `learned` when the failure was learned, `search:STAGE` when such a search
/// begins, `proof` when the first test of a proof ran, `report` before the answer is printed. Not
/// for users.
const PROVOKE: &str = "WHODUNIT_PROVOKE_PANIC";

/// The first panic.
static SEEN: OnceLock<Defect> = OnceLock::new();

/// The current run.
static RUN: OnceLock<Run> = OnceLock::new();

/// Whether the journal of the run tells what the run is about.
static IS_BEGUN: AtomicBool = AtomicBool::new(false);

/// Whether the journal of the run holds an answer.
static IS_ANSWERED: AtomicBool = AtomicBool::new(false);

struct Defect {
    message: String,
    place: String,
}

struct Run {
    name: String,
    runs: Runs,
}

/// Records panics instead of printing them at once: there may be progress on the screen.
pub(crate) fn listen() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let _ = SEEN.set(Defect::of(info));
        if env::var_os("RUST_BACKTRACE").is_some() {
            print(info);
        }
    }));
}

/// Sets the run whose journal a report of a panic names, the folder of journals, and whether the
/// run was begun before.
pub(crate) fn is_about(name: &str, runs: Runs, is_begun: bool) {
    let _ = RUN.set(Run { name: name.into(), runs });
    IS_BEGUN.store(is_begun, Ordering::Relaxed);
    assert!(!is_wanted("setup"), "provoked");
}

/// Notes how far the run has come, and panics if a test asks for it at this event.
pub(crate) fn note(event: &Event) {
    match event {
        Event::Started { .. } | Event::ChangesStarted { .. } | Event::HistoryStarted { .. } => {
            IS_BEGUN.store(true, Ordering::Relaxed);
        }
        Event::Finished { answer } => is_answered(answer.ended),
        Event::ChangesFinished { answer } => is_answered(answer.ended),
        Event::HistoryFinished { answer } => is_answered(answer.ended),
        _ => {}
    }
    provoke(event);
}

/// Notes that there is an answer, unless a panic ended the run: then a resumed run finds more.
fn is_answered(ended: Ended) {
    IS_ANSWERED.store(ended != Ended::Defect, Ordering::Relaxed);
}

/// Panics if a test asks for it just before the answer is printed.
pub(crate) fn reports() {
    assert!(!is_wanted("report"), "provoked");
}

/// Returns whether something has panicked.
pub(crate) fn was_seen() -> bool {
    SEEN.get().is_some()
}

/// Reports the first panic, if there was one, and what to do about it.
pub(crate) fn say() {
    let Some(Defect { message, place }) = SEEN.get() else { return };
    let mut text = format!(
        "{ERROR}error:{ERROR:#} whodunit stopped because of a defect of its own: {}\n  \
         at: {place} in whodunit {}\n\
         {HINT}hint:{HINT:#} please report this to those who maintain whodunit, with these lines, \
         the command and, if you may, the input",
        output::plain(message),
        env!("CARGO_PKG_VERSION"),
    );
    if let Some(run) = RUN.get() {
        text.push_str(&what_is_left(run));
    }
    output::note(&text);
}

/// Returns what remains of the run and how to continue it. Deletes the journal of a run that has
/// not begun, because it does not even tell what the run is about.
fn what_is_left(Run { name, runs }: &Run) -> String {
    let run = quote(name.as_ref());
    if !IS_BEGUN.load(Ordering::Relaxed) {
        let _ = runs.discard(name);
        return "\n      nothing was tested yet, so there is nothing to go on with".into();
    }
    let folder = output::plain(&runs.folder().to_string_lossy());
    let journal =
        format!("\n      the journal of the run is `{run}` in {folder}: it helps too, and ");
    match IS_ANSWERED.load(Ordering::Relaxed) {
        true => format!("{journal}holds the answer\n      to see it: whodunit show --json {run}"),
        false => format!(
            "{journal}nothing in it is lost\n      to go on from there with another version: \
             whodunit resume {run}"
        ),
    }
}

/// Returns whether a test asks for a panic at this place.
fn is_wanted(place: &str) -> bool {
    static WANTED: OnceLock<Option<String>> = OnceLock::new();
    WANTED.get_or_init(|| env::var(PROVOKE).ok()).as_deref() == Some(place)
}

/// Panics if a test asks for it at this event.
fn provoke(event: &Event) {
    static LEARNED: AtomicBool = AtomicBool::new(false);
    let happens = match event {
        Event::Search { stage, .. } => is_wanted(&format!("search:{stage:?}").to_lowercase()),
        Event::Test(TestEvent::Known { .. }) => {
            is_wanted("proof") && LEARNED.load(Ordering::Relaxed)
        }
        Event::Test(TestEvent::Committed { question, .. }) => {
            is_wanted(&format!("committed:{question}"))
        }
        Event::Learned(_) | Event::EndsLearned(_) => {
            LEARNED.store(true, Ordering::Relaxed);
            is_wanted("learned")
        }
        _ => false,
    };
    assert!(!happens, "provoked");
}

impl Defect {
    fn of(info: &PanicHookInfo<'_>) -> Self {
        let place = info.location().map_or_else(|| "?".into(), ToString::to_string);
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Defect { message: text.unwrap_or("no message").into(), place }
    }
}
