//! The costs of structure on large files: the time until the first question, the memory, and the
//! time for each candidate before its test.
//!
//! The oracle is a function that searches for needed lines, and its time is not counted. With one
//! needed line the candidates soon are small; with one in every twenty functions they stay large.
//! All times are those of the processor, so other load on the machine does not matter.

mod files;

use std::error::Error;
use std::fmt::Write;
use std::process::Command;
use std::time::Duration;

use whodunit_jobs::core::{Search, Step, Verdict};

use crate::input::{content, settings, snapshot};
use crate::{cpu, memory};
use files::{Kind, NEEDED, Needed};
use whodunit_input::{Input, Ladder, Languages};
use whodunit_run::{LayOut, Subject};

/// The command that measures one file in a process of its own; this program calls it, not people.
pub(crate) const ONE_FILE: &str = "structure-of-one-file";

/// Own time is averaged over this many questions.
const QUESTIONS: u32 = 300;

/// A file to be measured, with its bars.
struct Case {
    name: &'static str,
    kind: Kind,
    bytes: usize,
    needed: Needed,
    /// The most seconds until the first question.
    first: Option<f64>,
    /// The most milliseconds of own time per candidate.
    own: Option<f64>,
}

/// The most memory until and including the first question, as a multiple of the file.
const MEMORY: f64 = 40.0;

const CASES: [Case; 6] = [
    Case {
        name: "175 KB of C, one line",
        kind: Kind::C,
        bytes: 175_000,
        needed: Needed::One,
        first: None,
        own: Some(0.3),
    },
    Case {
        name: "175 KB of C, many lines",
        kind: Kind::C,
        bytes: 175_000,
        needed: Needed::Many,
        first: None,
        own: Some(0.3),
    },
    Case {
        name: "500 KB of C, one line",
        kind: Kind::C,
        bytes: 500_000,
        needed: Needed::One,
        first: Some(1.0),
        own: None,
    },
    Case {
        name: "1 MB of C, one line",
        kind: Kind::C,
        bytes: 1_000_000,
        needed: Needed::One,
        first: None,
        own: Some(2.0),
    },
    Case {
        name: "1 MB of C, many lines",
        kind: Kind::C,
        bytes: 1_000_000,
        needed: Needed::Many,
        first: None,
        own: Some(2.0),
    },
    Case {
        name: "2 MB of JSON, one line",
        kind: Kind::Json,
        bytes: 2_000_000,
        needed: Needed::One,
        first: Some(1.0),
        own: None,
    },
];

/// Measures each case in a process of its own, because memory never shrinks.
pub(crate) fn measure() -> Result<String, Box<dyn Error>> {
    let mut report = String::new();
    for case in &CASES {
        let mut command = Command::new(std::env::current_exe()?);
        let output = command.arg(ONE_FILE).arg(case.name).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        report.push_str(&String::from_utf8(output.stdout)?);
    }
    Ok(report)
}

/// Measures the case of this name.
pub(crate) fn measure_one(name: Option<&str>) -> Result<String, Box<dyn Error>> {
    let case = CASES.iter().find(|case| Some(case.name) == name);
    case.ok_or("no such case")?.measure()
}

/// The parts of the own time.
#[derive(Default)]
struct Spent {
    step: Duration,
    foretell: Duration,
    key: Duration,
    lay_out: Duration,
    /// Between an answer and the next question; sometimes the next pass is prepared in it.
    learn: Duration,
    /// The longest time between an answer and the next question.
    pause: Duration,
}

impl Spent {
    fn all(&self) -> Duration {
        self.step + self.foretell + self.key + self.lay_out + self.learn
    }
}

impl Case {
    fn measure(&self) -> Result<String, Box<dyn Error>> {
        let text = self.kind.text(self.bytes, self.needed);
        let needed = text.matches(NEEDED).count();
        let base = snapshot(&format!("input.{}", self.kind.ending()), &text);
        drop(text);
        let start = cpu::of_thread();
        let mut ladder = Ladder::new(&base, settings(Languages::ByFile));
        let mut step = ladder.step();
        let first = cpu::of_thread() - start;
        let grown = memory::peak()?;

        let folder = tempfile::tempdir_in("/dev/shm")?;
        let (mut spent, mut asked, mut bytes) = (Spent::default(), 0, 0);
        while let Step::Ask(candidate) = step {
            let foretold = timed(&mut spent.foretell, || Input.foretell(&candidate));
            let verdict = match foretold {
                Some(verdict) => verdict,
                None => {
                    timed(&mut spent.key, || Input.key(&candidate));
                    timed(&mut spent.lay_out, || Input.lay_out(&candidate, folder.path()))?;
                    let left = content(&candidate);
                    bytes += left.len();
                    let left = String::from_utf8_lossy(&left);
                    let is_there = left.matches(NEEDED).count() == needed;
                    if is_there { Verdict::Fail } else { Verdict::Pass }
                }
            };
            asked += 1;
            let before = spent.learn;
            timed(&mut spent.learn, || ladder.learn(&verdict.into()));
            spent.pause = spent.pause.max(spent.learn - before);
            if asked == QUESTIONS {
                break;
            }
            step = timed(&mut spent.step, || ladder.step());
        }
        let per_candidate = |time: Duration| time.as_secs_f64() * 1000.0 / f64::from(asked);
        let mut report = String::new();
        writeln!(report, "{}", self.name)?;
        let mut line = |name: &str, value: f64, bar: Option<f64>| match bar {
            Some(bar) => {
                let mark = if value <= bar { "" } else { ", missed" };
                writeln!(report, "  {name:<34} {value:>8.3}  (bar: {bar}{mark})")
            }
            None => writeln!(report, "  {name:<34} {value:>8.3}"),
        };
        line("s until the first question", first.as_secs_f64(), self.first)?;
        let times = |bytes: u64| bytes as f64 / base.len() as f64;
        line("memory by then, times the file", times(grown), None)?;
        line("memory, times the file", times(memory::peak()?), self.first.map(|_| MEMORY))?;
        line("own ms a candidate", per_candidate(spent.all()), self.own)?;
        line("  step", per_candidate(spent.step), None)?;
        line("  foretell", per_candidate(spent.foretell), None)?;
        line("  key", per_candidate(spent.key), None)?;
        line("  lay out", per_candidate(spent.lay_out), None)?;
        line("  learn", per_candidate(spent.learn), None)?;
        line("longest pause for learning, ms", spent.pause.as_secs_f64() * 1000.0, None)?;
        line("candidates", f64::from(asked), None)?;
        line("KB a candidate", bytes as f64 / 1000.0 / f64::from(asked), None)?;
        Ok(report)
    }
}

/// Does something and adds the time that it took.
fn timed<T>(spent: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = cpu::of_thread();
    let result = work();
    *spent += cpu::of_thread() - start;
    result
}
