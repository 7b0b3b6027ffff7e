//! A folder to work in, the program to run in it, and checks that no process or file is left
//! behind.

#![allow(dead_code, unreachable_pub)] // each file of tests uses its own part

pub mod shown;

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
pub use whodunit_test_support::{needs, needs_that};

pub const WHODUNIT: &str = env!("CARGO_BIN_EXE_whodunit");
pub const GIT_WHODUNIT: &str = env!("CARGO_BIN_EXE_git-whodunit");

/// Marks every process that a world starts, and their descendants.
const MARK: &str = "WHODUNIT_TESTS_MARK";

/// After this time something counts as never happening.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder to work in with a state and a cache of its own.
pub struct World {
    folder: TempDir,
    mark: String,
}

/// The outcome of a run of the program.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl World {
    pub fn new() -> World {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let folder = tempfile::tempdir().unwrap();
        for name in ["work", "state", "cache", "tmp"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        World { folder, mark: format!("{}-{count}", std::process::id()) }
    }

    /// Returns a path in the current folder of the program.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join("work").join(name)
    }

    /// Returns a path beside the current folder of the program.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Writes a shell script that can be executed.
    pub fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.write(name, format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn text(&self, name: impl AsRef<Path>) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// Returns the names of the files in the current folder of the program.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path("")).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into()).collect();
        names.sort();
        names
    }

    /// Returns the path of the journal of a run.
    pub fn journal(&self, run: &str) -> PathBuf {
        self.beside("state/whodunit/runs").join(format!("{run}.journal"))
    }

    /// Returns the names of all runs that have a journal.
    pub fn runs(&self) -> Vec<String> {
        let entries = fs::read_dir(self.beside("state/whodunit/runs")).into_iter().flatten();
        let names = entries.map(|entry| entry.unwrap().path());
        let mut names: Vec<String> =
            names.map(|path| path.file_stem().unwrap().to_string_lossy().into()).collect();
        names.sort();
        names
    }

    /// Prepares any program to run in this world.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.path(""))
            .env("XDG_STATE_HOME", self.beside("state"))
            .env("XDG_CACHE_HOME", self.beside("cache"))
            .env("TMPDIR", self.beside("tmp"))
            .env("LC_ALL", "C")
            .env(MARK, &self.mark)
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::null());
        command
    }

    /// Runs the program, and checks that nothing is left of it.
    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Ran {
        self.finish(self.command(WHODUNIT).args(args))
    }

    /// Like [`World::run`] with the words of a line, none of which may hold a space.
    pub fn line(&self, line: &str) -> Ran {
        self.run(line.split_whitespace())
    }

    /// Runs git in the current folder of the program, as a fixed user at a fixed time, and returns
    /// its output.
    pub fn git(&self, line: &str) -> String {
        let mut command = self.command("git");
        for role in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{role}_NAME"), "J. Doe")
                .env(format!("GIT_{role}_EMAIL"), "doe@example.com")
                .env(format!("GIT_{role}_DATE"), "2026-03-02T12:00:00Z");
        }
        let nowhere = self.beside("no-config");
        command.env("GIT_CONFIG_GLOBAL", &nowhere).env("GIT_CONFIG_SYSTEM", &nowhere);
        let ran = self.finish(command.args(line.split_whitespace()));
        assert_eq!(ran.code, Some(0), "git {line}: {}", ran.stderr);
        ran.stdout
    }

    /// Commits everything in the current folder.
    pub fn commit(&self, title: &str) {
        self.git("add -A");
        self.git(&format!("commit -q --allow-empty -m {title}"));
    }

    /// Runs a prepared command to its end.
    pub fn finish(&self, command: &mut Command) -> Ran {
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let pid = child.id();
        let output = child.wait_with_output().unwrap();
        self.check_nothing_left(pid);
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs the program with `--json` and returns the answer, which must be finished. Where
    /// `history` names no version, the exit code must tell that.
    pub fn answer(&self, line: &str) -> Value {
        let ran = self.line(&format!("{} --json -q {}", before(line), after(line)));
        let answer: Value = serde_json::from_str(&ran.stdout).expect(&ran.stderr);
        let names_none = answer["job"] == "history" && answer["outcome"]["outcome"] != "found";
        assert_eq!(ran.code, Some(if names_none { 5 } else { 0 }), "{}", ran.stderr);
        answer
    }

    /// Starts the program with its output in pipes.
    pub fn start(&self, line: &str) -> Running<'_> {
        self.start_with(line.split_whitespace())
    }

    /// Like [`World::start`] with words that may hold spaces.
    pub fn start_with<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Running<'_> {
        let mut command = self.command(WHODUNIT);
        command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stderr = Arc::default();
        let reader = read_along(child.stderr.take().unwrap(), &stderr);
        Running { world: self, child, stderr, reader: Some(reader) }
    }

    /// Checks that neither a process nor a folder of the run of process `pid` is left.
    ///
    /// After a `kill -9` the processes that clean up may need a moment, so it looks several times.
    pub fn check_nothing_left(&self, pid: u32) {
        let mut left = Vec::new();
        let gone = eventually(|| {
            left = self.processes();
            left.extend(folders(&self.beside("tmp"), pid));
            left.extend(folders(Path::new("/dev/shm"), pid));
            left.is_empty()
        });
        assert!(gone, "left behind: {left:#?}");
    }

    /// Returns the living processes of this world.
    fn processes(&self) -> Vec<String> {
        let mark = format!("{MARK}={}", self.mark);
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.parse::<u32>().is_err() {
                continue;
            }
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            if environment.split(|&byte| byte == 0).any(|variable| variable == mark.as_bytes()) {
                let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
                found.push(format!("{name}: {}", String::from_utf8_lossy(&line)));
            }
        }
        found
    }
}

fn before(line: &str) -> &str {
    line.split_once(" -- ").map_or(line, |(before, _)| before)
}

fn after(line: &str) -> String {
    line.split_once(" -- ").map_or_else(String::new, |(_, after)| format!("-- {after}"))
}

/// The program while it runs; killed if the test gives up on it.
pub struct Running<'a> {
    world: &'a World,
    pub child: Child,
    stderr: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl Running<'_> {
    /// Waits for `text` on standard error.
    pub fn wait_for(&self, text: &str) {
        let came = eventually(|| self.stderr.lock().unwrap().contains(text));
        assert!(came, "`{text}` did not come:\n{}", self.stderr.lock().unwrap());
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the end, and checks that nothing is left.
    pub fn end(self) -> Ran {
        let (world, pid) = (self.world, self.child.id());
        let ran = self.output();
        world.check_nothing_left(pid);
        ran
    }

    /// Waits for the end, while others may be running.
    pub fn output(mut self) -> Ran {
        let mut stdout = String::new();
        if let Some(mut pipe) = self.child.stdout.take() {
            pipe.read_to_string(&mut stdout).unwrap();
        }
        let status = self.child.wait().unwrap();
        self.reader.take().unwrap().join().unwrap();
        let stderr = self.stderr.lock().unwrap().clone();
        Ran { code: status.code(), stdout, stderr }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads a pipe to its end in the background, line by line.
fn read_along(pipe: ChildStderr, into: &Arc<Mutex<String>>) -> JoinHandle<()> {
    let into = into.clone();
    thread::spawn(move || {
        for line in BufReader::new(pipe).lines() {
            let mut text = into.lock().unwrap();
            text.push_str(&line.unwrap());
            text.push('\n');
        }
    })
}

/// Returns the folders that the run of process `pid` has in a scratch place.
fn folders(place: &Path, pid: u32) -> Vec<String> {
    let prefix = format!("whodunit-{pid}-");
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(&prefix)).collect()
}

/// Looks until a condition holds; returns whether it ever did.
pub fn eventually(mut is_so: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    loop {
        if is_so() {
            return true;
        }
        if begun.elapsed() > PATIENCE {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Returns whether git is available.
pub fn has_git() -> bool {
    needs("git")
}

/// Returns the version that `history` found, and the back-port.
pub fn found(answer: &Value) -> (&str, &str) {
    let outcome = &answer["outcome"];
    assert_eq!(outcome["outcome"], "found", "{answer:#}");
    let title = outcome["suspects"][0]["title"].as_str().unwrap();
    (title, answer["back_port"]["patch"].as_str().unwrap())
}

/// Returns whether file systems can be mounted in a new namespace.
pub fn can_mount() -> bool {
    let script = "mount -t tmpfs -o size=64k none /mnt";
    let tried = Command::new("unshare").args(["-m", "sh", "-c", script]).output();
    let can = tried.is_ok_and(|output| output.status.success());
    needs_that("to mount file systems", "run the tests as root", can)
}

/// Returns a text of numbered lines, some of which are replaced.
pub fn numbered(count: usize, replaced: &[(usize, &str)]) -> String {
    let line = |number| {
        let other = replaced.iter().find(|(place, _)| *place == number);
        other.map_or_else(|| format!("line number {number}\n"), |(_, text)| format!("{text}\n"))
    };
    (0..count).map(line).collect()
}
