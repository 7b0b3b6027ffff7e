//! The steps around a test: scripts, builds, hints, and ends of all kinds.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use whodunit_core::Verdict;
use whodunit_exec::process::{Launcher, Settings};
use whodunit_exec::scratch::Scratch;
use whodunit_exec::warm::{Between, Warm, WarmSettings};
use whodunit_exec::{Command, Oracle, WorkerError};
use whodunit_run::Key;
use whodunit_run::judge::{Rule, Stage};
use whodunit_run::{
    Ending, FileChange, LayOutOver, Limit, Size, Subject, Ticket, TreeFile, Worker,
};

use crate::world::{FAKE, Versions, World, oracle, path, shell, version};

#[test]
fn after_a_test_that_was_cut_short_the_folder_is_new() {
    let versions = || vec![version(&[("a", "1")])];
    let mut slow = oracle(shell(": >half-written; sleep 100"));
    slow.limits.test.time = Duration::from_secs(2);
    let marker = |between: Between| {
        let mut world = World::with(slow.clone(), between, versions());
        let seen = world.see(0);
        assert_eq!(seen.ending(), Ending::Limited(Limit::Time));
        world.worker.instruct(&Arc::new(oracle(shell("true"))), &Arc::new(Rule::Script));
        world.test(0);
        world.path("half-written").exists()
    };
    assert!(!marker(Between::Keep));
    assert!(marker(Between::Clean(shell("true"))), "there is a command to clean it with");
}

#[test]
fn after_a_test_that_was_cancelled_the_folder_is_new() {
    let versions = vec![version(&[("a", "1")])];
    let mut world = World::new("touch half-written; sleep 100", versions);
    let (cancel, ticket) = (world.worker.canceller(), Ticket::next());
    let marker = world.path("half-written");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while !marker.exists() {
                std::thread::sleep(Duration::from_millis(2));
            }
            cancel(ticket);
        });
        assert!(world.worker.test(ticket, &0).unwrap().is_none());
    });
    world.worker.instruct(&Arc::new(oracle(shell("true"))), &Arc::new(Rule::Script));
    world.test(0);
    assert_eq!(world.files(), ["a: 1"]);
}

#[test]
fn a_folder_can_be_cleaned_or_discarded_between_tests() {
    let files = || vec![version(&[("a", "1")]), version(&[("a", "2")])];
    let counting = "echo x >> log; echo y >> kept; exit 0";
    let log = |between: Between, name: &str| {
        let mut world = World::with(oracle(shell(counting)), between, files());
        (0..3).for_each(|round| assert_eq!(world.test(round % 2), Verdict::Pass));
        fs::read_to_string(world.path(name)).unwrap().lines().count()
    };
    assert_eq!(log(Between::Keep, "log"), 3);
    assert_eq!(log(Between::Discard, "log"), 1);
    let clean = || Between::Clean(shell("rm log a"));
    assert_eq!((log(clean(), "log"), log(clean(), "kept")), (1, 3));
    let failing = || Between::Clean(shell("exit 3"));
    assert_eq!(log(failing(), "kept"), 1, "what cannot be cleaned is made again");
}

#[test]
fn a_new_folder_can_be_asked_for() {
    let mut world = World::new("echo x >> log", vec![version(&[("a", "1")])]);
    world.test(0);
    world.worker.discard();
    world.test(0);
    assert_eq!(world.files(), ["a: 1", "log: x\n"]);
}

#[test]
fn temporary_files_do_not_stay() {
    let mut world = World::new("ls -A $TMPDIR; touch $TMPDIR/x; exit 1", vec![version(&[])]);
    for _ in 0..2 {
        assert_eq!(world.see(0).output.text(), "");
    }
}

#[test]
fn the_script_is_the_one_of_the_beginning() {
    let origin = tempfile::tempdir().unwrap();
    let script = origin.path().join("check.sh");
    fs::write(&script, "#!/bin/sh\ncat a; rm \"$0\"; exit \"$1\"\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    for words in [&["./check.sh", "3"][..], &["sh", "check.sh", "3"][..]] {
        fs::write(&script, "#!/bin/sh\ncat a; rm \"$0\"; exit \"$1\"\n").unwrap();
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let command = Command::in_tree(&words, origin.path(), &path()).unwrap();
        fs::write(&script, "#!/bin/sh\nexit 0\n").unwrap();
        let versions = vec![version(&[("a", "1")]), version(&[("a", "2"), ("check.sh", "old")])];
        let mut world = World::with(oracle(command), Between::Keep, versions);
        for (candidate, text) in [(0, "1"), (1, "2"), (0, "1")] {
            let seen = world.see(candidate);
            assert_eq!((seen.ending(), seen.output.text().as_str()), (Ending::Exited(3), text));
        }
        assert_eq!(world.files(), ["a: 1"]);
    }
}

#[test]
fn a_full_disk_is_an_error_and_no_verdict() {
    struct Full(Versions);
    impl Subject for Full {
        type Candidate = usize;
        fn key(&self, candidate: &usize) -> Key {
            self.0.key(candidate)
        }
        fn size(&self, candidate: &usize) -> Size {
            self.0.size(candidate)
        }
    }
    impl LayOutOver for Full {
        fn each_file(
            &self,
            _candidate: &usize,
            _found: &mut dyn FnMut(TreeFile) -> io::Result<()>,
        ) -> io::Result<()> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn file(&self, candidate: &usize, path: &[u8]) -> io::Result<Option<TreeFile>> {
            self.0.file(candidate, path)
        }
        fn differences(&self, from: &usize, to: &usize) -> io::Result<Vec<FileChange>> {
            self.0.differences(from, to)
        }
    }
    let place = tempfile::tempdir().unwrap();
    let scratch = Scratch::create(&[place.path().into()], 0).unwrap();
    let slot = scratch.slot(0).unwrap();
    let settings = Settings {
        program: FAKE.into(),
        scratch: slot.folder().into(),
        sandbox: None,
        file_size: None,
    };
    let launcher = Launcher::start(&settings).unwrap();
    let subject = Full(Versions(vec![version(&[])]));
    let warm = WarmSettings { between: Between::Keep, hint: None, build_cache: None };
    let mut worker = Warm::new(subject, launcher, slot, warm, oracle(shell("true")));
    let error = worker.test(Ticket::next(), &0).unwrap_err();
    let WorkerError::LayOut { source, .. } = error else { panic!("{error}") };
    assert_eq!(source.kind(), io::ErrorKind::StorageFull);
}

#[test]
fn a_test_that_cannot_go_on_stops_the_run() {
    let mut world = World::new("echo no such thing; exit 127", vec![version(&[])]);
    let error = world.try_test(0).unwrap_err();
    let said = error.to_string();
    assert!(said.starts_with("`sh -c") && said.contains("exits with 127"), "{said}");
    let WorkerError::Stopped { seen, .. } = error else { panic!("{error}") };
    assert_eq!(seen.output.text(), "no such thing\n");
}

#[test]
fn what_does_not_build_is_unresolved_and_says_why() {
    let build = shell("cat a; echo 'a.c:3:1: error: ‘limit’ undeclared' >&2; exit $(cat a)");
    let test = Oracle { build: Some(build), ..oracle(shell("echo tested; exit 1")) };
    let versions = vec![version(&[("a", "2")]), version(&[("a", "0")])];
    let mut world = World::with(test, Between::Keep, versions);
    let tested = world.try_test(0).unwrap().unwrap();
    assert_eq!(tested.verdict, Verdict::Unresolved);
    let seen = tested.observation.unwrap();
    assert_eq!((seen.stage, &seen.built), (Stage::Build, &None));
    assert_eq!(seen.mentions[0].names, ["limit"]);

    let tested = world.try_test(1).unwrap().unwrap();
    assert_eq!(tested.verdict, Verdict::Fail);
    let seen = tested.observation.unwrap();
    assert_eq!((seen.stage, seen.output.text().as_str()), (Stage::Test, "tested\n"));
    assert!(seen.built.unwrap().output.text().contains("limit"), "it is kept apart");
}

#[test]
fn a_gate_comes_before_the_build() {
    let build = Some(shell("echo built >> log"));
    let test = Oracle { gates: vec![shell("test -f a")], build, ..oracle(shell("true")) };
    let versions = vec![version(&[("b", "")]), version(&[("a", "")])];
    let mut world = World::with(test, Between::Keep, versions);
    assert_eq!(world.see(0).stage, Stage::Gate);
    assert!(!world.path("log").exists());
    assert_eq!(world.test(1), Verdict::Pass);
}

#[test]
fn files_are_mentioned_as_the_candidate_has_them() {
    let test = oracle(shell("echo \"$PWD/src/a.py:3: error: bad\"; exit 125"));
    let hint = Some(shell("sed -n 's/.*\\(bad\\)/\\1/p'; echo b.c:7"));
    let settings = WarmSettings { between: Between::Keep, hint, build_cache: None };
    let mut world = World::set_up(test, settings, vec![version(&[])]);
    let seen = world.see(0);
    let said: Vec<_> = seen.mentions.iter().map(|it| (it.file.clone(), it.line)).collect();
    let place = |file: &str, line| (Some(file.into()), Some(line));
    assert_eq!(said, [(None, None), place("b.c", 7), place("src/a.py", 3)]);
    assert_eq!(seen.mentions[0].names, ["bad"]);
}

#[test]
fn nothing_is_left_of_a_run() {
    let place = tempfile::tempdir().unwrap();
    let outside = place.path().join("outside");
    fs::create_dir(&outside).unwrap();
    let versions = vec![version(&[("a", "1"), ("@link", outside.to_str().unwrap())])];
    let mut world = World::new("mkdir -p x/y; echo z > link/kept; chmod 0 x", versions);
    world.test(0);
    let World { place: run, worker, scratch, .. } = world;
    drop((worker, scratch));
    assert_eq!(fs::read_dir(run.path()).unwrap().count(), 0);
    assert!(outside.join("kept").exists(), "links are not followed");
}
