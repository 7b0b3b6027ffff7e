//! The time that the sandbox adds to a test that exits at once.
//!
//! Two launchers run the same program in turn, one with a sandbox and one without, so that other
//! load on the machine slows both alike. The time is from the question to the answer, as a worker
//! sees it.

use std::error::Error;
use std::fmt::Write;
use std::time::{Duration, Instant};

use whodunit_exec::process::{self, Enforced, Invocation, Launcher, NetworkAccess, Sandbox};
use whodunit_exec::scratch::{Scratch, Slot};
use whodunit_run::{Limits, Ticket};

const HEAD: &str = "# The cost of the sandbox

Two launchers run `/bin/true` in turn, 3,000 times each, one with the sandbox and one without. Times are
milliseconds from the question to the answer, as a worker sees it. Times depend on the machine and on
what else it does; both launchers suffer alike, so the last column is the one to compare. Regenerate
with `cargo run --release -p whodunit-bench -- sandbox`.

| of all tests | without | with | more |
|---|---|---|---|
";

/// Runs of the program by each launcher.
const TESTS: usize = 3000;

/// Milliseconds that the sandbox may add to a test, at the median. A real test takes several
/// milliseconds, so this much is not noticed; beyond it the report tells that the bar is missed.
const BAR: f64 = 0.3;

/// Exits at once.
const TEST: &str = "/bin/true";

pub(crate) fn measure() -> Result<String, Box<dyn Error>> {
    let scratch = Scratch::create(&["/dev/shm".into(), "/tmp".into()], 1 << 20)?;
    let slots = [scratch.slot(0)?, scratch.slot(1)?];
    let mut open = launcher(&slots[0], None)?;
    let sandbox =
        Sandbox { writes_below: slots[1].folder().into(), network: NetworkAccess::Loopback };
    let mut closed = launcher(&slots[1], Some(sandbox))?;
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..TESTS {
        times[0].push(time(&mut open, &slots[0])?);
        times[1].push(time(&mut closed, &slots[1])?);
    }
    table(closed.enforced(), times)
}

/// Returns the table in Markdown.
fn table(enforced: &Enforced, times: [Vec<Duration>; 2]) -> Result<String, Box<dyn Error>> {
    let [open, closed] = times.map(|mut times| {
        times.sort_unstable();
        times
    });
    let mut report = String::from(HEAD);
    let mut at_median = 0.0;
    for (name, share) in [("fastest", 0.0), ("quarter", 0.25), ("median", 0.5), ("9 of 10", 0.9)] {
        let at =
            |times: &[Duration]| times[(share * times.len() as f64) as usize].as_secs_f64() * 1e3;
        let (without, with) = (at(&open), at(&closed));
        let more = with - without;
        writeln!(report, "| {name} | {without:.3} | {with:.3} | {more:+.3} |")?;
        at_median = if name == "median" { more } else { at_median };
    }
    let verdict = if at_median <= BAR { "held" } else { "missed" };
    let kept: Vec<String> =
        enforced.kept.iter().map(|kept| format!("{kept:?}").to_lowercase()).collect();
    writeln!(report, "\nBar: at most {BAR} ms more at the median: {verdict}.")?;
    writeln!(report, "Kept: {}. Missing: {}.", kept.join(", "), enforced.missing.len())?;
    Ok(report)
}

fn launcher(slot: &Slot, sandbox: Option<Sandbox>) -> Result<Launcher, process::ProcessError> {
    Launcher::start(&process::Settings {
        program: "/proc/self/exe".into(),
        scratch: slot.folder().into(),
        sandbox,
        file_size: None,
    })
}

fn time(launcher: &mut Launcher, slot: &Slot) -> Result<Duration, Box<dyn Error>> {
    let invocation = Invocation {
        program: TEST.into(),
        args: Vec::new(),
        folder: slot.candidate(),
        env: Vec::new(),
        stdin: None,
    };
    let time = Duration::from_secs(10);
    let limits = Limits { time, memory: None, output: 1 << 20, processes: 100 };
    let begun = Instant::now();
    launcher.run(Ticket::next(), &invocation, &limits)?.ok_or("cancelled")?;
    Ok(begun.elapsed())
}
