//! Panics: defects of whodunit itself. The library keeps what was found; here they are put into
//! words when everything else is done, on whatever thread they were.

use std::env;
use std::panic::{self, PanicHookInfo};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use whodunit::event::Event;
use whodunit_exec::quote;
use whodunit_run::TestEvent;

use crate::output::{self, ERROR, HINT};

/// Makes tests of this file possible: `committed:N` panics at the Nth question that is answered,
/// `learned` when the failure was learned, `search:STAGE` when such a search begins, `proof` when the
/// first test of a proof ran. Not for users.
const PROVOKE: &str = "WHODUNIT_PROVOKE_PANIC";

/// The first panic.
static SEEN: OnceLock<Defect> = OnceLock::new();

/// The run at hand.
static RUN: OnceLock<Run> = OnceLock::new();

struct Defect {
    message: String,
    place: String,
}

struct Run {
    name: String,
    folder: PathBuf,
}

/// Takes note of panics instead of printing them at once: there may be progress on the screen.
pub(crate) fn listen() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let _ = SEEN.set(Defect::of(info));
        if env::var_os("RUST_BACKTRACE").is_some() {
            print(info);
        }
    }));
}

/// Takes note of the run whose journal is to be named, and of the folder of journals.
pub(crate) fn is_about(name: &str, folder: PathBuf) {
    let _ = RUN.set(Run { name: name.into(), folder });
}

/// Returns whether something has panicked.
pub(crate) fn was_seen() -> bool {
    SEEN.get().is_some()
}

/// Says what has panicked, if anything has, and what can be done.
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
    if let Some(Run { name, folder }) = RUN.get() {
        let run = quote(name.as_ref());
        text.push_str(&format!(
            "\n      the journal of the run is `{run}` in {}: it helps too, and nothing in it is \
             lost\n      to go on from there with another version: whodunit resume {run}",
            output::plain(&folder.to_string_lossy()),
        ));
    }
    output::note(&text);
}

/// Panics if a test asks for it at this event.
pub(crate) fn provoke(event: &Event) {
    static WANTED: OnceLock<Option<String>> = OnceLock::new();
    let wanted = WANTED.get_or_init(|| env::var(PROVOKE).ok());
    let Some(wanted) = wanted else { return };
    static LEARNED: AtomicBool = AtomicBool::new(false);
    let happens = match event {
        Event::Search { stage, .. } => *wanted == format!("search:{stage:?}").to_lowercase(),
        Event::Test(TestEvent::Known { .. }) => {
            wanted == "proof" && LEARNED.load(Ordering::Relaxed)
        }
        Event::Test(TestEvent::Committed { question, .. }) => {
            *wanted == format!("committed:{question}")
        }
        Event::Learned(_) | Event::EndsLearned(_) => {
            LEARNED.store(true, Ordering::Relaxed);
            wanted == "learned"
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
