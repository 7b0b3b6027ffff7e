//! A folder to run the program in, and the check that nothing is left behind.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// A variable of every process that a world starts, directly or indirectly.
const MARK: &str = "WHODUNIT_LIES_MARK";

/// The time after which a step counts as hanging.
const PATIENCE: Duration = Duration::from_secs(180);

/// A folder for the runs of one case.
pub(crate) struct World {
    folder: TempDir,
    program: PathBuf,
    mark: String,
}

/// The folder of a run's state and cache; runs of one home share their outcomes.
pub(crate) type Home = &'static str;

/// The observed behaviour of the program.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    /// The exit code; `None` if it was killed.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) took: Duration,
    /// Descriptions of the things that it left behind.
    pub(crate) left: Vec<String>,
}

impl Ran {
    /// Returns the answer that was printed.
    pub(crate) fn answer(&self) -> Option<Value> {
        let told: Value = serde_json::from_str(&self.stdout).ok()?;
        // An error is JSON too.
        Some(told).filter(|told| told.get("error").is_none())
    }
}

impl World {
    pub(crate) fn new(program: &Path) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let folder = tempfile::Builder::new().prefix("lies-").tempdir()?;
        fs::create_dir(folder.path().join("work"))?;
        fs::create_dir(folder.path().join("tmp"))?;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{}-{count}", std::process::id());
        Ok(World { folder, program: program.to_owned(), mark })
    }

    /// Returns the current folder of the program.
    pub(crate) fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Returns a path that the program does not know.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Keeps the folder for inspection.
    pub(crate) fn keep(self) -> PathBuf {
        self.folder.keep()
    }

    fn command(&self, home: Home, words: &[String]) -> io::Result<Command> {
        let mut command = Command::new(&self.program);
        command
            .args(words)
            .current_dir(self.work())
            .env("XDG_STATE_HOME", self.beside(home).join("state"))
            .env("XDG_CACHE_HOME", self.beside(home).join("cache"))
            .env("TMPDIR", self.beside("tmp"))
            .env("LC_ALL", "C")
            .env(MARK, &self.mark)
            .stdin(Stdio::null())
            .stdout(File::create(self.beside("stdout"))?)
            .stderr(File::create(self.beside("stderr"))?);
        Ok(command)
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, home: Home, words: &[String]) -> io::Result<Ran> {
        let child = self.command(home, words)?.spawn()?;
        self.wait(child, None)
    }

    /// Runs the program and sends it a signal after a while, if it still runs.
    pub(crate) fn run_and_signal(
        &self,
        home: Home,
        words: &[String],
        signal: (Signal, Duration),
    ) -> io::Result<Ran> {
        let child = self.command(home, words)?.spawn()?;
        self.wait(child, Some(signal))
    }

    fn wait(&self, mut child: Child, mut signal: Option<(Signal, Duration)>) -> io::Result<Ran> {
        let (begun, pid) = (Instant::now(), child.id());
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if let Some((signal, _)) = signal.take_if(|(_, at)| begun.elapsed() >= *at) {
                kill_process(Pid::from_child(&child), signal)?;
            }
            if begun.elapsed() >= PATIENCE {
                child.kill()?;
            }
            thread::sleep(Duration::from_millis(2));
        };
        let took = begun.elapsed();
        let text =
            |name| String::from_utf8_lossy(&fs::read(self.beside(name)).unwrap_or_default()).into();
        let left = self.left(pid);
        Ok(Ran { code: status.code(), stdout: text("stdout"), stderr: text("stderr"), took, left })
    }

    /// Returns the leftovers of a run; cleaning up after a kill may take a moment.
    fn left(&self, pid: u32) -> Vec<String> {
        let begun = Instant::now();
        loop {
            let mut left = self.processes();
            left.extend(folders(&self.beside("tmp"), pid));
            left.extend(folders(Path::new("/dev/shm"), pid));
            if left.is_empty() || begun.elapsed() > Duration::from_secs(30) {
                return left;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn processes(&self) -> Vec<String> {
        let mark = format!("{MARK}={}", self.mark).into_bytes();
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.parse::<u32>().is_err() {
                continue;
            }
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            if environment.split(|byte| *byte == 0).any(|variable| variable == mark) {
                let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
                found.push(format!("{name}: {}", String::from_utf8_lossy(&line)));
            }
        }
        found
    }
}

/// Returns the folders of the run of process `pid` in a scratch place.
fn folders(place: &Path, pid: u32) -> Vec<String> {
    let prefix = format!("whodunit-{pid}-");
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(&prefix)).collect()
}
