//! The launcher and its tests seen from outside while a sandbox is on.

#![allow(clippy::unwrap_used)] // In a test that is the message.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use whodunit_exec::process::{Invocation, Launcher, NetworkAccess, Sandbox, Settings};
use whodunit_run::{Ending, Limits, Ran, Ticket};

const FAKE: &str = env!("CARGO_BIN_EXE_fake-oracle");

/// Starts a launcher with a sandbox whose tests run in a folder.
fn launcher(folder: &Path) -> Launcher {
    fs::create_dir(folder).unwrap();
    let sandbox = Sandbox { writes_below: folder.into(), network: NetworkAccess::Loopback };
    let settings = Settings {
        program: FAKE.into(),
        scratch: folder.into(),
        sandbox: Some(sandbox),
        file_size: None,
    };
    let launcher = Launcher::start(&settings).unwrap();
    assert!(launcher.enforced().missing.is_empty(), "{:?}", launcher.enforced());
    launcher
}

fn run(launcher: &mut Launcher, folder: &Path, script: &str) -> Ran {
    let invocation = Invocation {
        program: "sh".into(),
        args: vec!["-c".into(), script.into()],
        folder: folder.into(),
        env: Vec::new(),
        stdin: None,
    };
    let time = Duration::from_secs(60);
    let limits = Limits { time, memory: None, output: 1 << 20, processes: 100 };
    launcher.run(Ticket::next(), &invocation, &limits).unwrap().unwrap()
}

/// Runs a test that waits, calls `look` with its process, and lets it go.
fn while_a_test_runs<T>(launcher: &mut Launcher, folder: &Path, look: impl FnOnce(u32) -> T) -> T {
    let pipe = folder.join("go");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    thread::scope(|scope| {
        let test = scope.spawn(|| run(launcher, folder, "read word < go; exit 7"));
        // Opening the pipe waits until the test has opened it as well.
        let mut go = fs::File::options().write(true).open(&pipe).unwrap();
        let seen = look(process_in(folder));
        go.write_all(b"go\n").unwrap();
        assert_eq!(test.join().unwrap().ending, Ending::Exited(7));
        seen
    })
}

/// Returns the process whose current folder this is.
fn process_in(folder: &Path) -> u32 {
    let folder = fs::canonicalize(folder).unwrap();
    let is_there = |pid: &u32| {
        let current: Option<PathBuf> = fs::read_link(format!("/proc/{pid}/cwd")).ok();
        current.is_some_and(|current| current == folder)
    };
    let pids = fs::read_dir("/proc").unwrap().flatten();
    let mut pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.find(is_there).unwrap()
}

/// Returns a field of `/proc/PID/status`.
fn status(pid: u32, field: &str) -> String {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.unwrap().trim().to_owned()
}

#[test]
fn the_launcher_enters_the_filter_and_empties_the_bounding_set_once_for_all_tests() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("slot");
    let mut launcher = launcher(&folder);
    while_a_test_runs(&mut launcher, &folder, |test| {
        let parent: u32 = status(test, "PPid").parse().unwrap();
        for process in [parent, test] {
            assert_eq!(status(process, "Seccomp_filters"), "1");
        }
        if rustix::process::geteuid().is_root() {
            assert_eq!(u64::from_str_radix(&status(parent, "CapBnd"), 16).unwrap(), 0);
        }
        assert_eq!(u64::from_str_radix(&status(test, "CapEff"), 16).unwrap(), 0);
    });
}

#[test]
fn no_test_enters_a_namespace() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("slot");
    let mut launcher = launcher(&folder);
    let ran = run(&mut launcher, &folder, "nsenter --uts=/proc/self/ns/uts true 2>&1");
    let output = String::from_utf8(ran.output.whole().unwrap().into_owned()).unwrap();
    assert!(output.contains("Operation not permitted"), "{:?} {output}", ran.ending);
}
