//! The costs of large versions: the time until the first test starts, the memory, and the time to
//! lay out a candidate that differs from the last one in few files.
//!
//! The first two are measured on the program itself, from its start. Other load on the machine
//! makes all times longer, so the processor time is shown beside them.

mod generate;
mod laying;

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::{cpu, memory, session};
use generate::Versions;

/// The most seconds until the first test starts.
const FIRST_TEST: f64 = 5.0;
/// The most milliseconds for laying out a candidate that differs in a few files.
const LAYING_OUT: f64 = 20.0;
/// The most gigabytes of memory.
const MEMORY: f64 = 1.0;

/// The interval between checks of a process that runs: short against the measured times.
const LOOK: Duration = Duration::from_millis(5);

/// Measures, and reports missed bars.
pub(crate) fn measure() -> Result<String, Box<dyn Error>> {
    let versions = Versions::generate();
    let first = first_test(&versions)?;
    let laid_out = laying::measure(&versions)?;
    let mut report = format!("{versions}\n");
    let mut line = |name: &str, value: f64, bar: Option<f64>| match bar {
        Some(bar) => {
            let mark = if value <= bar { "" } else { ", missed" };
            writeln!(report, "  {name:<46} {value:>8.3}  (bar: {bar}{mark})")
        }
        None => writeln!(report, "  {name:<46} {value:>8.3}"),
    };
    line("s until the first test starts", first.wall.as_secs_f64(), Some(FIRST_TEST))?;
    line("  processor s by then, all threads", first.processor.as_secs_f64(), None)?;
    line("GB of memory", first.memory as f64 / 1e9, Some(MEMORY))?;
    line("ms for laying out 20 other files, and `true`", laid_out.wall, Some(LAYING_OUT))?;
    line("  processor ms", laid_out.processor, None)?;
    Ok(report)
}

/// The measurements of the program.
struct FirstTest {
    wall: Duration,
    processor: Duration,
    memory: u64,
}

/// Runs the program until its search has begun.
fn first_test(versions: &Versions) -> Result<FirstTest, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    versions.write(&at("good"), &at("bad"))?;
    fs::create_dir(at("tmp"))?;
    let mark = at("started");
    let test = format!("[ -e '{0}' ] || : > '{0}'; {1}", mark.display(), versions.test());
    let start = SystemTime::now();
    let mut program = Command::new(session::whodunit(None)?)
        .args(["changes", "good", "bad", "-q", "--json", "--max-tests", "1", "--"])
        .args(["sh", "-c", &test])
        .current_dir(folder.path())
        .env("TMPDIR", at("tmp"))
        .env("XDG_CACHE_HOME", at("cache"))
        .env("XDG_STATE_HOME", at("state"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()?;
    let seen = watch(&mut program, &mark)?;
    // 3: the requested number of tests was used up.
    match program.wait()?.code() {
        Some(0 | 3) => {}
        code => return Err(format!("whodunit ended with {code:?}").into()),
    }
    let wall = fs::metadata(&mark)?.modified()?.duration_since(start)?;
    Ok(FirstTest { wall, ..seen })
}

/// Looks at a process until it ends.
fn watch(program: &mut Child, mark: &Path) -> Result<FirstTest, Box<dyn Error>> {
    let mut seen = FirstTest { wall: Duration::ZERO, processor: Duration::ZERO, memory: 0 };
    while program.try_wait()?.is_none() {
        // The process may end between these lines; then the earlier value counts.
        seen.memory = memory::peak_of(program.id()).unwrap_or(seen.memory);
        if !mark.exists() {
            seen.processor = cpu::of_process(program.id()).unwrap_or(seen.processor);
        }
        thread::sleep(LOOK);
    }
    Ok(seen)
}
