//! The costs of atomic changes: finding them, their needs, and those that a test reaches, on a
//! large program in Java. Other processes on the machine make all times longer, so the processor
//! time is shown beside them.

mod generate;

use std::error::Error;
use std::fmt::Write;
use std::time::{Duration, Instant};

use whodunit_jobs::atoms::{Atoms, CallGraph};
use whodunit_jobs::versions::{Level, decompose};

use crate::cpu;

/// Seconds that all of it may take.
const ALL: f64 = 10.0;

/// Measures, and reports a missed bar.
pub(crate) fn measure() -> Result<String, Box<dyn Error>> {
    let program = generate::Program::generate();
    let parts = decompose(&program.good, &program.bad, Level::Line)?;
    let start = Clock::start()?;
    let atoms = Atoms::of(&parts)?;
    let found = start.passed()?;
    let graph = CallGraph::of(&atoms);
    let entries = graph.entries(generate::TEST);
    let responsible = graph.responsible(&entries);
    let walked = start.passed()?;
    let mut report = format!("{program}\n");
    let mut line = |name: &str, value: f64, bar: Option<f64>| match bar {
        Some(bar) => {
            let mark = if value <= bar { "" } else { ", missed" };
            writeln!(report, "  {name:<46} {value:>10.3}  (bar: {bar}{mark})")
        }
        None => writeln!(report, "  {name:<46} {value:>10.3}"),
    };
    line("s for atoms and prerequisites", found.0.as_secs_f64(), None)?;
    line("  processor s, all threads", found.1.as_secs_f64(), None)?;
    line("s with the call graph and a test", walked.0.as_secs_f64(), Some(ALL))?;
    line("  processor s, all threads", walked.1.as_secs_f64(), None)?;
    let needs: usize = (0..atoms.len()).map(|atom| atoms.prerequisites(atom).len()).sum();
    writeln!(
        report,
        "  {} atomic changes with {needs} prerequisites, {} responsible for one test of {}",
        atoms.len(),
        responsible.len(),
        program.tests
    )?;
    Ok(report)
}

/// Time on the wall and of the processor.
struct Clock {
    wall: Instant,
    processor: Duration,
}

impl Clock {
    fn start() -> Result<Self, Box<dyn Error>> {
        Ok(Clock { wall: Instant::now(), processor: cpu::of_process(std::process::id())? })
    }

    fn passed(&self) -> Result<(Duration, Duration), Box<dyn Error>> {
        let processor = cpu::of_process(std::process::id())?;
        Ok((self.wall.elapsed(), processor.saturating_sub(self.processor)))
    }
}
