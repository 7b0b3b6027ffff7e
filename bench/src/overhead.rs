//! How much whodunit adds to a test that exits at once.
//!
//! The test runs thousands of times on candidates of 100 KB, one at a time. After each it runs once
//! more by a bare spawn and wait in the same process, so that whatever else the machine is doing
//! slows both alike. Own CPU is the time of this process and of the launcher, without the tests,
//! less what the bare spawns take.

use std::error::Error;
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use whodunit::core::searches::Certify;
use whodunit::engine::{Budget, Engine, Stop};
use whodunit::local::{Feeding, Local};
use whodunit::memory::Memory;
use whodunit::oracle::{self, Oracle, Rule};
use whodunit::process::{self, Launcher, Limits, Ticket};
use whodunit::scratch::Scratch;
use whodunit::subject::{
    Granularity, Input, InputCandidate, InputFile, Ladder, LadderSettings, Protection, Snapshot,
};
use whodunit::worker::{Tested, Worker, WorkerError};

const BYTES: usize = 100_000;
const LINE: usize = 25;
const ROUNDS: usize = 3;
/// Exits at once and says that the failure is not there.
const TEST: &str = "/bin/false";

struct Measured {
    tests: u64,
    wall: Duration,
    cpu: Duration,
}

impl Measured {
    fn rate(&self) -> f64 {
        self.tests as f64 / self.wall.as_secs_f64()
    }

    fn cpu_ms(&self) -> f64 {
        self.cpu.as_secs_f64() * 1000.0 / self.tests as f64
    }
}

pub(crate) fn measure() -> Result<String, Box<dyn Error>> {
    let mut report = String::new();
    for round in 1..=ROUNDS {
        let (ours, bare) = side_by_side()?;
        let (share, own) = (ours.rate() / bare.rate(), ours.cpu_ms() - bare.cpu_ms());
        writeln!(
            report,
            "round {round}: {} tests, {:.0}/s against {:.0}/s bare: {:.0} % (bar: 65 %); CPU a test \
             {:.3} ms, bare {:.3} ms, own {own:.3} ms (bar: 0.15 ms)",
            ours.tests,
            ours.rate(),
            bare.rate(),
            share * 100.0,
            ours.cpu_ms(),
            bare.cpu_ms(),
        )?;
    }
    Ok(report)
}

/// A worker that runs each test once more by a bare spawn and wait.
struct Twice {
    worker: Local<Input>,
    bare: Measured,
}

impl Worker<InputCandidate> for Twice {
    fn test(
        &mut self,
        ticket: Ticket,
        candidate: &InputCandidate,
    ) -> Result<Option<Tested>, WorkerError> {
        let (start, cpu) = (Instant::now(), thread_cpu());
        let bare = Command::new(TEST).spawn().and_then(|mut child| child.wait());
        bare.map_err(|source| WorkerError::LayOut { folder: TEST.into(), source })?;
        self.bare.tests += 1;
        self.bare.cpu += thread_cpu() - cpu;
        self.bare.wall += start.elapsed();
        self.worker.test(ticket, candidate)
    }
}

fn thread_cpu() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

fn side_by_side() -> Result<(Measured, Measured), Box<dyn Error>> {
    let scratch = Scratch::create(&["/dev/shm".into(), std::env::temp_dir()], 1 << 24)?;
    let slot = scratch.slot(0)?;
    let settings = process::Settings {
        program: "/proc/self/exe".into(),
        scratch: slot.folder().into(),
        sandbox: None,
        file_size: None,
    };
    let oracle = Oracle {
        gates: vec![],
        command: oracle::Command::typed(
            &[TEST.into(), "{}".into()],
            Path::new("/"),
            OsString::new().as_os_str(),
        )?,
        limits: Limits {
            time: Duration::from_secs(10),
            memory: Some(1 << 30),
            output: 1 << 20,
            processes: 100,
        },
        derived_time: false,
        variables: vec![],
    };
    let name = PathBuf::from("input.txt");
    let feeding = Feeding { names: vec![name.clone()], stdin: false };
    let launcher = Launcher::start(&settings)?;
    let mut worker = Local::new(Input, launcher, slot, feeding, oracle.clone());
    worker.instruct(&Arc::new(oracle), &Arc::new(Rule::Script));
    // No two lines are alike, so that no two candidates are.
    let text: String =
        (0..BYTES / LINE).map(|line| format!("{line:0width$}\n", width = LINE - 1)).collect();
    let text = text.into_bytes();
    let snapshot = Snapshot::new(vec![InputFile { name, bytes: text.into(), mode: 0o644 }]);
    let ladder = LadderSettings {
        finest: Granularity::Lines,
        protection: Protection::new(&[])?,
        certify: Certify::Full,
    };
    let ladder = Ladder::new(&Arc::new(snapshot), ladder);
    let engine = Engine {
        subject: &Input,
        memory: &mut Memory::default(),
        budget: Budget::default(),
        stop: Stop::default(),
        observer: &mut (),
        keep: &mut |_, _, _| Ok(()),
    };
    let nothing = Measured { tests: 0, wall: Duration::ZERO, cpu: Duration::ZERO };
    let mut twice = Twice { worker, bare: nothing };
    let (start, cpu) = (Instant::now(), own_cpu()?);
    let outcome = engine.run(ladder, vec![&mut twice])?;
    let ours = Measured {
        tests: outcome.tally.committed,
        wall: start.elapsed() - twice.bare.wall,
        cpu: (own_cpu()? - cpu).saturating_sub(twice.bare.cpu),
    };
    Ok((ours, twice.bare))
}

/// Returns the CPU time of this process's threads and of its launchers.
fn own_cpu() -> Result<Duration, Box<dyn Error>> {
    let me = std::process::id();
    let mut total = Duration::ZERO;
    for task in fs::read_dir("/proc/self/task")? {
        total += on_cpu(&task?.path()).unwrap_or_default();
    }
    for process in fs::read_dir("/proc")?.flatten() {
        let stat = fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        if stat.contains("(test-launcher)") && stat.contains(&format!(") S {me} ")) {
            total += on_cpu(&process.path()).unwrap_or_default();
        }
    }
    Ok(total)
}

/// Returns the time that a thread spent on a processor; `None` if it has ended.
fn on_cpu(task: &Path) -> Option<Duration> {
    let text = fs::read_to_string(task.join("schedstat")).ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
