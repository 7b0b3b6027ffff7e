//! Each stage of a test has limits of its own, derived from its first runs.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::time::Duration;

use serde_json::Value;
use support::{World, needs, needs_that};

/// In a new folder this takes longer than the limit of a test that takes nearly no time.
const BUILD: &str = "test -e built || sleep 2.3; touch built";

fn versions() -> World {
    let world = World::new();
    world.write("old/a.txt", "right\n");
    world.write("new/a.txt", "wrong\n");
    world.script("test.sh", "! grep wrong a.txt");
    world
}

fn seconds(limits: &Value, stage: &str) -> f64 {
    let time = &limits[stage]["time"];
    let whole = Duration::from_secs(time["secs"].as_u64().unwrap());
    (whole + Duration::from_nanos(time["nanos"].as_u64().unwrap())).as_secs_f64()
}

#[test]
fn a_build_may_take_longer_than_the_test() {
    let world = versions();
    let args = ["changes", "old", "new", "--json", "-j1", "--build", BUILD, "--", "./test.sh"];
    let ran = world.run(args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains(" for each build"), "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let limits = &answer["learned"]["limits"];
    assert!(seconds(limits, "build") >= 23.0 && seconds(limits, "test") < 23.0, "{limits}");
    assert_eq!(answer["causes"][0]["proof"]["good_with_culprit"], "fail");
    world.write("answer.json", &ran.stdout);
    let ran = world.line("verify answer.json");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn a_given_time_is_that_of_the_test() {
    let world = versions();
    let args = ["changes", "old", "new", "--json", "-j1", "--build", BUILD, "--timeout", "2s"];
    let ran = world.run(args.into_iter().chain(["--", "./test.sh"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let limits = &answer["learned"]["limits"];
    assert_eq!(seconds(limits, "test"), 2.0);
    assert!(seconds(limits, "build") > 20.0, "{limits}");
}

#[test]
fn a_gate_may_take_longer_than_the_test() {
    let world = World::new();
    world.write("in.txt", "one\nwrong\n");
    world.script("test.sh", "! grep wrong $1");
    // Slow for the final result too, so that the proof needs the time.
    let gate = "case $(wc -c < {}) in 10 | 6 | 5) sleep 2.3;; esac";
    let args = ["reduce", "in.txt", "--json", "-j1", "--gate", gate, "--", "./test.sh", "{}"];
    let ran = world.run(args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let limits = &answer["learned"]["limits"];
    assert!(seconds(limits, "gate") >= 23.0 && seconds(limits, "test") < 23.0, "{limits}");
    assert_eq!(world.text("in.reduced.txt").trim(), "wrong");
}

#[test]
fn a_wider_suite_may_take_longer_than_the_test() {
    let world = World::new();
    world.git("init -q -b main");
    for (number, word) in ["right", "wrong", "wrong"].into_iter().enumerate() {
        world.write("a.txt", word);
        world.write("b.txt", number.to_string());
        world.commit(&format!("commit-{number}"));
    }
    let args = ["history", "--json", "-j1", "--also", "sleep 2.3; echo all good"];
    let ran = world.run(args.into_iter().chain(["--", "sh", "-c", "! grep -q wrong a.txt"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["forward"]["also"]["with"], "exits with 0", "{}", answer["forward"]);
}

#[test]
fn files_in_memory_count_as_memory() {
    let is_memory = fs::read_to_string("/proc/mounts").unwrap().contains(" /dev/shm tmpfs ");
    if !needs_that("/dev/shm in memory", "mount -t tmpfs none /dev/shm", is_memory) {
        return;
    }
    let world = World::new();
    world.write("in.txt", "a\nb\n");
    world
        .script("t.sh", "sleep 0.2; for n in 1 2 3; do head -c 60M /dev/zero > $n; done; sleep 60");
    let ran = world.line("reduce in.txt --memory 100M --timeout 50s --test ./t.sh");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("used too much memory"), "{}", ran.stderr);
}

#[test]
fn files_in_memory_of_the_first_runs_count_for_the_limit_of_later_ones() {
    let is_memory = fs::read_to_string("/proc/mounts").unwrap().contains(" /dev/shm tmpfs ");
    if !needs_that("/dev/shm in memory", "mount -t tmpfs none /dev/shm", is_memory) {
        return;
    }
    let world = World::new();
    world.write("in.txt", "foo\nb\n");
    // Like a build that deletes its output in the end.
    world.script("t.sh", "head -c 200M /dev/zero > big; sleep 0.5; rm big; grep -q foo in.txt");
    assert_eq!(world.line("reduce in.txt -j1 --max-tests 1 --test ./t.sh").code, Some(3));
    let answer: Value = serde_json::from_str(&world.line("show --json").stdout).unwrap();
    let memory = answer["learned"]["limits"]["test"]["memory"].as_u64().unwrap();
    assert!(memory > 8 * (150 << 20), "{}", answer["learned"]["limits"]);
}

/// Ways to take memory that is in no process: a name, a flag, and a Python statement.
const SHARED: &[(&str, &str, &str)] = &[
    ("a descriptor", "--sandbox=off", "fill(os.memfd_create('x'))"),
    ("a descriptor, confined", "--sandbox=best-effort", "fill(os.memfd_create('x'))"),
    ("/dev/shm", "--sandbox=off", "fill(unlinked('/dev/shm/whodunit-test-%d' % os.getpid()))"),
    ("a file without a name", "--sandbox=off", "fill(unlinked('x'))"),
    ("pages that processes share", "--sandbox=off", "fill(mmap.mmap(-1, SIZE))"),
    ("System V, confined", "--sandbox=best-effort", "segments()"),
];

/// Takes 1.5 GB in steps and holds them. The test that is to be ended does not read its input.
const TAKE: &str = r#"
import ctypes, mmap, os, signal
SIZE, STEP = 1500 << 20, 10 << 20
def unlinked(path):
    file = os.open(path, os.O_CREAT | os.O_RDWR)
    os.unlink(path)
    return file
def fill(file):
    for _ in range(0, SIZE, STEP):
        file.write(bytes(STEP)) if hasattr(file, 'write') else os.write(file, bytes(STEP))
    hold.append(file)
def segments():
    c = ctypes.CDLL(None)
    c.shmat.restype = ctypes.c_void_p
    for _ in range(0, SIZE, STEP):
        at = c.shmat(c.shmget(0, STEP, 0o1600), None, 0)
        ctypes.memset(at, 1, STEP)
        c.shmdt(ctypes.c_void_p(at))
hold = []
"#;

#[test]
fn memory_that_no_process_maps_counts_as_memory() {
    if !needs("python3") {
        return;
    }
    for (name, flag, take) in SHARED {
        let world = World::new();
        world.write("in.txt", "a\nb\n");
        world.write("../take.py", format!("{TAKE}{take}\nsignal.pause()\n"));
        let script = world.beside("take.py");
        let args = ["reduce", "in.txt", "--memory", "300M", "--timeout", "50s", flag];
        let ran = world.run(args.into_iter().chain(["--", "python3", script.to_str().unwrap()]));
        assert_eq!(ran.code, Some(2), "{name}: {}", ran.stderr);
        assert!(ran.stderr.contains("used too much memory"), "{name}: {}", ran.stderr);
    }
}

#[test]
fn threads_count_as_processes() {
    if !needs("python3") {
        return;
    }
    let world = World::new();
    world.write("in.txt", "a\nb\n");
    let start = "threading.Thread(target=signal.pause, daemon=True).start()";
    let text = format!("import signal, threading\nfor _ in range(900): {start}\nsignal.pause()\n");
    world.write("../threads.py", text);
    let script = world.beside("threads.py");
    let args = ["reduce", "in.txt", "--max-processes", "200", "--timeout", "50s", "--", "python3"];
    let ran = world.run(args.into_iter().chain([script.to_str().unwrap()]));
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("too many processes"), "{}", ran.stderr);
}

#[test]
fn a_test_has_no_more_files_open_than_the_manual_says() {
    let world = World::new();
    world.write("in.txt", "a\nb\n");
    world.script(
        "t.sh",
        "[ $(ulimit -Hn) -le 16384 ] && [ $(ulimit -n) -le 16384 ] && grep -q a in.txt",
    );
    let ran = world.line("reduce in.txt -q --test ./t.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}
