//! What the sandbox adds to a test that exits at once.
//!
//! Two launchers run the same program in turn, one with a sandbox and one without, so that whatever
//! else the machine is doing slows both alike. The time is from the question to the answer, as a worker
//! sees it.

use std::error::Error;
use std::fmt::Write;
use std::time::{Duration, Instant};

use whodunit_exec::process::{self, Invocation, Launcher, NetworkAccess, Sandbox};
use whodunit_exec::scratch::{Scratch, Slot};
use whodunit_run::{Limits, Ticket};

/// How often each launcher runs the program.
const TESTS: usize = 3000;

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
    let mut report = String::new();
    let enforced = closed.enforced();
    writeln!(report, "enforced: {:?}, missing: {:?}", enforced.kept, enforced.missing)?;
    let [open, closed] = times.map(|mut times| {
        times.sort_unstable();
        times
    });
    for (name, share) in [("fastest", 0.0), ("quarter", 0.25), ("median", 0.5), ("9 of 10", 0.9)] {
        let at =
            |times: &[Duration]| times[(share * times.len() as f64) as usize].as_secs_f64() * 1e3;
        let (without, with) = (at(&open), at(&closed));
        let more = with - without;
        writeln!(report, "{name:<8} {without:.3} ms without, {with:.3} ms with: {more:+.3} ms")?;
    }
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
