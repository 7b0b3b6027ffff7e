//! The work for text that is all nesting grows in proportion to the text.
//!
//! Work is measured as processor time of this thread, which other programs on the machine hardly
//! change, for a text and for one four times as long. In proportion means four times as much; the
//! limit is six times, and quadratic work would take sixteen times as much.

#![allow(clippy::unwrap_used)] // a failure of the machinery fails the test

use std::sync::Arc;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use whodunit_core::{Answer, Search, Step, Verdict};
use whodunit_input::{Input, InputFile, Ladder, LadderSettings, Languages, Snapshot};
use whodunit_run::Subject;

/// Questions asked about each text; enough for every kind of pass to have its turn.
const QUESTIONS: usize = 40;

/// Work below this is not compared: other things weigh more than the text then.
const LITTLE: Duration = Duration::from_millis(100);

fn busy() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap()
}

/// Returns how long it takes to ask the first questions about a text that must keep `bad`.
fn work(name: &str, text: &str) -> Duration {
    let begun = busy();
    let file = InputFile { name: name.into(), bytes: text.as_bytes().into(), mode: 0o644 };
    let settings = LadderSettings::new(Languages::ByFile);
    let mut ladder = Ladder::new(&Arc::new(Snapshot::new(vec![file])), settings);
    for _ in 0..QUESTIONS {
        let Step::Ask(candidate) = ladder.step() else { break };
        let verdict = Input.foretell(&candidate).unwrap_or_else(|| {
            let files = candidate.snapshot();
            let mut files = files.files().iter();
            let fails = files.any(|file| file.bytes.windows(3).any(|word| word == b"bad"));
            if fails { Verdict::Fail } else { Verdict::Pass }
        });
        ladder.learn(&Answer::from(verdict));
    }
    drop(ladder);
    busy() - begun
}

fn check(name: &str, count: usize, text: impl Fn(usize) -> String) {
    let (short, long) = (work(name, &text(count)), work(name, &text(4 * count)));
    assert!(
        long <= 6 * short.max(LITTLE),
        "{name}: {short:?}, and {long:?} for four times the text"
    );
}

#[test]
fn brackets_that_hold_brackets() {
    check("a.json", 50_000, |count| format!("{}{}bad", "[".repeat(count), "]".repeat(count)));
    check("a.txt", 20_000, |count| format!("{}bad{}", "(".repeat(count), ")".repeat(count)));
}

#[test]
fn brackets_without_partners() {
    check("a.json", 50_000, |count| format!("{}bad", "[".repeat(count)));
    check("b.json", 20_000, |count| format!("{}bad", "]".repeat(count)));
}

#[test]
fn elements_that_hold_elements() {
    check("a.html", 3_000, |count| format!("{}bad", "<div>".repeat(count)));
    check("a.xml", 3_000, |count| format!("{}bad{}", "<a>".repeat(count), "</a>".repeat(count)));
}

#[test]
fn blocks_that_hold_blocks() {
    check("a.c", 10_000, |count| {
        format!("void f() {{{}bad();{}}}", "{".repeat(count), "}".repeat(count))
    });
    check("a.conf", 3_000, |count| {
        format!("{}bad\n{}", "x {\n".repeat(count), "}\n".repeat(count))
    });
}
