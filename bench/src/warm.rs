//! The time that warm folders save: the same tests of `examples/ledger` with incremental builds,
//! and with a new folder for each test.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{cpu, session};

/// How many times faster incremental builds should be.
const BAR: f64 = 3.0;

/// Tests of one run. Both runs ask the same questions, so they differ only in their builds.
const TESTS: &str = "8";

/// Measures both ways, and reports a missed bar.
pub(crate) fn measure() -> Result<String, Box<dyn Error>> {
    let (warm, fresh) = (spent(&[])?, spent(&["--fresh"])?);
    let ratio = fresh.as_secs_f64() / warm.as_secs_f64();
    let mark = if ratio >= BAR { "" } else { ", missed" };
    Ok(format!(
        "{TESTS} tests of examples/ledger, processor seconds\n  incremental builds {:>8.2}\n  \
         new folders        {:>8.2}\n  ratio              {ratio:>8.2}  (bar: {BAR}{mark})\n",
        warm.as_secs_f64(),
        fresh.as_secs_f64(),
    ))
}

/// Returns the processor time of a run with all its builds.
fn spent(options: &[&str]) -> Result<Duration, Box<dyn Error>> {
    let example = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/ledger"));
    let example = fs::canonicalize(example)?;
    let folder = tempfile::tempdir()?;
    let before = cpu::of_children()?;
    let status = Command::new(session::whodunit(None)?)
        .arg("changes")
        .args([example.join("good"), example.join("bad")])
        .args(["-q", "-j1", "--max-tests", TESTS])
        .args(options)
        .arg("--")
        .arg(example.join("test.sh"))
        .env_remove("CFLAGS")
        .env_remove("YEARS")
        .env("XDG_CACHE_HOME", folder.path().join("cache"))
        .env("XDG_STATE_HOME", folder.path().join("state"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()?;
    match status.code() {
        // 3: the requested number of tests was used up.
        Some(0 | 3) => Ok(cpu::of_children()? - before),
        code => Err(format!("whodunit ended with {code:?}").into()),
    }
}
