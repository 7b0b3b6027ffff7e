//! The time that whodunit adds to a test that exits at once.
//!
//! The test runs thousands of times on candidates of 100 KB, one at a time. After each test the
//! same process runs it once more by a bare spawn and wait, so that other load on the machine slows
//! both alike. Own CPU is the time of this process and of the launcher, without the tests, less the
//! time of the bare spawns.

use std::error::Error;
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use whodunit_exec::local::{Feeding, Local};
use whodunit_exec::process::{self, Launcher};
use whodunit_exec::scratch::Scratch;
use whodunit_exec::{Oracle, WorkerError};
use whodunit_input::{
    Granularity, Input, InputCandidate, InputFile, Ladder, LadderSettings, Languages, Snapshot,
};
use whodunit_run::judge::Rule;
use whodunit_run::{Engine, Limits, Memory, Stop, Tested, Ticket, Worker};

use crate::cpu;

const BYTES: usize = 100_000;
const LINE: usize = 25;
const BATCH: usize = 100;
/// Exits at once, and so reports that the failure is absent.
const TEST: &str = "/bin/false";

/// The times of a batch of tests, and of their bare spawns.
struct Batch {
    wall: f64,
    bare_wall: f64,
    /// CPU of this process without the bare spawns.
    main: f64,
    launcher: f64,
    bare: f64,
}

impl Batch {
    fn share(&self) -> f64 {
        self.bare_wall / self.wall
    }

    fn own(&self) -> f64 {
        self.main + self.launcher - self.bare
    }
}

pub(crate) fn measure() -> Result<String, Box<dyn Error>> {
    let batches = side_by_side()?;
    let mut report = String::new();
    writeln!(report, "{} batches of {BATCH} tests on {BYTES} bytes", batches.len())?;
    let mut line = |name: &str, bar: &str, value: fn(&Batch) -> f64| -> std::fmt::Result {
        let mut values: Vec<f64> = batches.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        let at = |part: usize| values[(values.len() - 1) * part / 4];
        let (low, median, high) = (at(1), at(2), at(3));
        writeln!(report, "{name:<34} {median:>7.3}  ({low:.3} to {high:.3}) {bar}")
    };
    line("rate, as part of the bare rate", "bar: 0.65", Batch::share)?;
    line("ms a test", "", |batch| batch.wall)?;
    line("ms a bare spawn and wait", "", |batch| batch.bare_wall)?;
    line("CPU ms a test, this process", "", |batch| batch.main)?;
    line("CPU ms a test, launcher", "", |batch| batch.launcher)?;
    line("CPU ms a bare spawn and wait", "", |batch| batch.bare)?;
    line("own CPU ms a test", "bar: 0.15", Batch::own)?;
    // The bar was set on a machine where a spawn and wait took 0.54 ms.
    line("own CPU, as part of a bare spawn", "bar: 0.28", |batch| batch.own() / batch.bare_wall)?;
    writeln!(report, "(medians of the batches, middle half in brackets)")?;
    Ok(report)
}

/// The time used up to some moment.
#[derive(Clone, Copy)]
struct Used {
    wall: Duration,
    bare_wall: Duration,
    main: Duration,
    launcher: Duration,
    bare: Duration,
}

impl Used {
    /// Returns the time used since `before`, in milliseconds per test.
    fn since(&self, before: &Used) -> Batch {
        let ms = |value: fn(&Used) -> Duration| {
            (value(self) - value(before)).as_secs_f64() * 1000.0 / BATCH as f64
        };
        let (bare_wall, bare) = (ms(|used| used.bare_wall), ms(|used| used.bare));
        Batch {
            wall: ms(|used| used.wall) - bare_wall,
            main: ms(|used| used.main) - bare,
            launcher: ms(|used| used.launcher),
            bare_wall,
            bare,
        }
    }
}

/// A worker that runs each test once more by a bare spawn and wait.
struct Twice {
    worker: Local<Input>,
    launcher: PathBuf,
    start: Instant,
    tests: usize,
    bare_wall: Duration,
    bare: Duration,
    used: Vec<Used>,
}

impl Twice {
    fn take_stock(&mut self) {
        self.used.push(Used {
            wall: self.start.elapsed(),
            bare_wall: self.bare_wall,
            main: cpu::of_thread(),
            launcher: on_cpu(&self.launcher).unwrap_or_default(),
            bare: self.bare,
        });
    }
}

impl Worker<InputCandidate> for Twice {
    type Error = WorkerError;

    fn test(
        &mut self,
        ticket: Ticket,
        candidate: &InputCandidate,
    ) -> Result<Option<Tested>, WorkerError> {
        if self.tests.is_multiple_of(BATCH) {
            self.take_stock();
        }
        self.tests += 1;
        let (start, cpu) = (Instant::now(), cpu::of_thread());
        let bare = Command::new(TEST).spawn().and_then(|mut child| child.wait());
        bare.map_err(|source| WorkerError::LayOut { folder: TEST.into(), source })?;
        self.bare += cpu::of_thread() - cpu;
        self.bare_wall += start.elapsed();
        self.worker.test(ticket, candidate)
    }
}

fn side_by_side() -> Result<Vec<Batch>, Box<dyn Error>> {
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
        configure: None,
        build: None,
        command: whodunit_exec::Command::typed(
            &[TEST.into(), "{}".into()],
            Path::new("/"),
            OsString::new().as_os_str(),
        )?,
        limits: Limits {
            time: Duration::from_secs(10),
            memory: Some(1 << 30),
            output: 1 << 20,
            processes: 100,
        }
        .into(),
        derived_time: false,
        variables: vec![],
        confined: false,
    };
    let name = PathBuf::from("input.txt");
    let feeding = Feeding { names: vec![name.clone()], files: vec![name.clone()], stdin: false };
    let launcher = Launcher::start(&settings)?;
    let mut worker = Local::new(Input, launcher, slot, feeding, oracle.clone());
    worker.instruct(&Arc::new(oracle), &Arc::new(Rule::Script));
    // All lines differ, so that all candidates differ.
    let text: String =
        (0..BYTES / LINE).map(|line| format!("{line:0width$}\n", width = LINE - 1)).collect();
    let text = text.into_bytes();
    let snapshot = Snapshot::new(vec![InputFile { name, bytes: text.into(), mode: 0o644 }]);
    let finest = Granularity::Lines;
    let ladder = LadderSettings { finest, ..LadderSettings::new(Languages::None) };
    let ladder = Ladder::new(&Arc::new(snapshot), ladder);
    let engine = Engine {
        subject: &Input,
        memory: &mut Memory::default(),
        max_tests: None,
        stop: Stop::default(),
        observer: &mut (),
        keep: &mut |_, _, _| Ok(()),
    };
    let mut twice = Twice {
        worker,
        launcher: launcher_process()?,
        start: Instant::now(),
        tests: 0,
        bare_wall: Duration::ZERO,
        bare: Duration::ZERO,
        used: Vec::new(),
    };
    engine.run(ladder, vec![&mut twice])?;
    Ok(twice.used.windows(2).map(|pair| pair[1].since(&pair[0])).collect())
}

/// Returns the folder in `/proc` of this process's launcher.
fn launcher_process() -> Result<PathBuf, Box<dyn Error>> {
    let mine = std::process::id().to_string();
    for process in fs::read_dir("/proc")?.flatten() {
        let stat = fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        // The parent follows after the name and the state.
        let rest = stat.split_once("(test-launcher) ").map(|(_, rest)| rest);
        if rest.and_then(|rest| rest.split(' ').nth(1)) == Some(&mine) {
            return Ok(process.path());
        }
    }
    Err("no launcher".into())
}

/// Returns the time that a thread spent on a processor; `None` if it has ended.
fn on_cpu(task: &Path) -> Option<Duration> {
    let text = fs::read_to_string(task.join("schedstat")).ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
