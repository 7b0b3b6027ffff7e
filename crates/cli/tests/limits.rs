//! Each stage of a test has limits of its own, from what it took in the first runs.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::time::Duration;

use serde_json::Value;
use support::{World, needs_that};

/// Takes longer in a new folder than a test may take that takes no time at all.
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
    // Slow for what is left at the end, so that the proof needs the time, too.
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
