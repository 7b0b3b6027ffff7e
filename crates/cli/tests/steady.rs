//! How steady a test is, and on what that depends.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::World;

/// Returns the result for a way, if it was tried.
fn way<'a>(answer: &'a Value, name: &str) -> Option<&'a Value> {
    answer["ways"].as_array().unwrap().iter().find(|way| way["way"] == name)
}

/// Returns the ways that make a difference.
fn that_matter(answer: &Value) -> Vec<&str> {
    let ways = answer["ways"].as_array().unwrap().iter();
    ways.filter(|way| way["matters"] == true).map(|way| way["way"].as_str().unwrap()).collect()
}

#[test]
fn a_steady_test_passes_or_fails_in_every_way() {
    let world = World::new();
    for (command, word) in [("true", "passes"), ("false", "fails")] {
        let ran = world.line(&format!("steady -n 2 -q --json -- {command}"));
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!((ran.code, &answer["is_steady"]), (Some(0), &true.into()), "{}", ran.stderr);
        assert!(that_matter(&answer).is_empty());
        let ran = world.line(&format!("steady -n 2 -- {command}"));
        assert!(
            ran.stdout.contains(&format!("steady     it {word} in each of ")),
            "{}",
            ran.stdout
        );
    }
    assert_eq!(world.runs(), [""; 0], "there is nothing to resume or to show");
}

#[test]
fn files_that_a_run_leaves_are_named() {
    let world = World::new();
    world.script("test.sh", "test ! -e left && touch left");
    let answer = world.answer("steady -n 10 -- ./test.sh");
    assert_eq!(that_matter(&answer), ["used_folder"], "{answer}");
    assert_eq!(way(&answer, "alone").unwrap()["seen"], 0);
    assert!(!world.path("left").exists(), "the test ran in folders of its own");
    let ran = world.line("steady -n 10 -- ./test.sh");
    assert!(ran.stdout.contains("it depends on: files that a run leaves\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("use --fresh"), "{}", ran.stdout);
}

#[test]
fn runs_that_disturb_each_other_are_named() {
    let world = World::new();
    let lock = world.beside("lock");
    let lock = lock.display();
    // It holds a lock for a while.
    world.script("test.sh", &format!("mkdir '{lock}' || exit 1; sleep 0.2; rmdir '{lock}'"));
    let answer = world.answer("steady -n 16 -j 4 -- ./test.sh");
    assert_eq!(that_matter(&answer), ["side_by_side"], "{answer}");
}

#[test]
fn the_environment_is_named_where_it_matters() {
    let world = World::new();
    for (condition, name) in [
        ("test \"$LC_ALL\" != C", "plain_locale"),
        ("test \"$PYTHONHASHSEED\" != 0", "same_hashes"),
        ("test \"$(date +%Z)\" != XXX", "other_zone"),
        ("! grep -q 00040000 /proc/self/personality", "same_addresses"),
    ] {
        world.script("test.sh", condition);
        let mut command = world.command(env!("CARGO_BIN_EXE_whodunit"));
        command.args(["steady", "-n", "8", "-q", "--json", "--", "./test.sh"]);
        let ran = world.finish(command.env("LC_ALL", "C.UTF-8").env_remove("PYTHONHASHSEED"));
        let answer: Value = serde_json::from_str(&ran.stdout).expect(&ran.stderr);
        if way(&answer, name).is_none() {
            // Containers do not let a program choose its addresses.
            assert_eq!(answer["untried"][0]["way"], "same_addresses", "{answer}");
            continue;
        }
        assert_eq!(that_matter(&answer), [name], "{answer}");
    }
}

#[test]
fn a_time_limit_that_strikes_is_said() {
    let world = World::new();
    let answer = world.answer("steady -n 2 --timeout 0.1s -- sleep 60");
    let runs: u64 = answer["ways"]
        .as_array()
        .unwrap()
        .iter()
        .map(|way| way["inconclusive"].as_u64().unwrap())
        .sum();
    assert_eq!(answer["durations"]["beyond"], runs, "{answer}");
    assert!(runs > 0);
    let ran = world.line("steady -n 2 --timeout 0.1s -- sleep 60");
    assert!(ran.stdout.contains("took longer than the limit of 0.1 s"), "{}", ran.stdout);
    assert!(ran.stdout.contains("give a longer --timeout"), "{}", ran.stdout);
}

#[test]
fn the_advice_says_how_many_runs_show_the_failure() {
    let world = World::new();
    let count = world.beside("count");
    let count = count.display();
    // Half of the runs fail, in pairs.
    world
        .script("test.sh", &format!("echo >> '{count}'; exit $(( $(wc -l < '{count}') / 2 % 2 ))"));
    let ran = world.line("steady -n 20 -j 1 -- ./test.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("steady     no: it fails in "), "{}", ran.stdout);
    assert!(ran.stdout.contains("add --repeat "), "{}", ran.stdout);
}

#[test]
fn what_cannot_be_run_is_an_error() {
    let world = World::new();
    let ran = world.line("steady -- ./missing.sh");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("cannot start `./missing.sh`"), "{}", ran.stderr);
    let ran = world.line("steady nowhere -- true");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("no file or folder `nowhere`"), "{}", ran.stderr);
}
