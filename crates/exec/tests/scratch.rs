//! Folders of runs that share a place: they stay as long as their runs live, and no longer.

#![allow(clippy::unwrap_used)] // In a test that is the message.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use whodunit_test_support::needs_that;

/// Runs a program in a namespace where no other process is visible, and ends with it.
const APART: [&str; 5] = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];

/// Another run that has its folder in the same place.
struct Owner {
    process: Child,
    folder: PathBuf,
}

impl Owner {
    /// Starts an owner, with some words before the program.
    fn start(before: &[&str], place: &Path) -> Owner {
        let words = before.iter().copied().chain([env!("CARGO_BIN_EXE_fake-oracle"), "be-owner"]);
        let words: Vec<&str> = words.collect();
        let mut process = Command::new(words[0])
            .args(&words[1..])
            .arg(place)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut folder = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut folder).unwrap();
        let folder = PathBuf::from(folder.trim_end());
        assert!(folder.exists(), "{folder:?}");
        Owner { process, folder }
    }

    /// Lets it end by itself.
    fn end(mut self) {
        drop(self.process.stdin.take());
        assert!(self.process.wait().unwrap().success());
        assert!(!self.folder.exists());
    }

    /// Kills it, which leaves its folder behind.
    fn kill(mut self) -> PathBuf {
        // The process that it was started with waits for it, so when that is gone, it is
        // gone for sure.
        let started_with = self.process.id();
        let below = format!("/proc/{started_with}/task/{started_with}/children");
        let below = fs::read_to_string(below).unwrap();
        let pid = below.trim().parse().unwrap_or(started_with as i32);
        kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
        self.process.wait().unwrap();
        self.folder
    }
}

/// Returns whether processes that do not see each other are possible here.
fn can_be_apart() -> bool {
    let tried = Command::new(APART[0]).args(&APART[1..]).arg("true").output();
    let can = tried.is_ok_and(|output| output.status.success());
    needs_that("namespaces of processes", "run the tests as root", can)
}

#[test]
fn a_living_run_keeps_its_folder_and_a_killed_one_does_not() {
    let place = tempfile::tempdir().unwrap();
    let (living, killed) = (Owner::start(&[], place.path()), Owner::start(&[], place.path()));
    let left_behind = killed.kill();
    assert!(left_behind.exists());
    Owner::start(&[], place.path()).end();
    assert!(!left_behind.exists());
    assert!(living.folder.exists());
    living.end();
}

#[test]
fn runs_that_do_not_see_each_other_keep_their_folders() {
    if !can_be_apart() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let outside = Owner::start(&[], place.path());
    let (one, other) = (Owner::start(&APART, place.path()), Owner::start(&APART, place.path()));
    Owner::start(&APART, place.path()).end();
    assert!([&outside, &one, &other].iter().all(|owner| owner.folder.exists()));
    let left_behind = one.kill();
    Owner::start(&[], place.path()).end();
    assert!(!left_behind.exists(), "although its process id is that of another process");
    other.end();
    outside.end();
}

/// Asks the program to delete a folder, as a run does that has no time for it.
fn hand_over(folder: &Path) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fake-oracle"));
    command.arg("--delete-folder-of-parent").arg(folder).status().unwrap().success()
}

#[test]
fn only_the_folder_of_a_run_is_deleted_for_another_process() {
    let place = tempfile::tempdir().unwrap();
    let of_a_run = place.path().join("whodunit-2000000000-0123456789abcdef");
    let other = place.path().join("whodunit-notes");
    for folder in [&of_a_run, &other] {
        fs::create_dir_all(folder.join("0/work")).unwrap();
    }
    assert!(hand_over(&of_a_run));
    assert!(!of_a_run.exists());
    assert!(!hand_over(&other));
    assert!(other.join("0/work").exists());
}
