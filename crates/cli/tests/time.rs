//! Budgets and stops: how many tests run, and how soon a run ends when it is told to.

#![allow(clippy::unwrap_used)] // a failure of the machinery fails the test

mod support;

use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{Ran, World, has_git};

/// How late a run may end: much later than it does, and much sooner than its work would.
const LATE: Duration = Duration::from_secs(40);

fn parsed(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// Returns a world with a history of ten versions, the fifth of which broke it, and with a test
/// that counts how often it is run.
fn counting() -> World {
    let world = World::new();
    world.git("init -q -b main");
    for number in 0..10 {
        let word = if number < 5 { "fine" } else { "wrong" };
        world.write("a.txt", format!("{word}\n{number}\n"));
        world.commit(&format!("commit-{number}"));
    }
    let count = world.beside("count").display().to_string();
    world.script("../test.sh", &format!("echo >>'{count}'; ! grep -q wrong a.txt"));
    world
}

#[test]
fn every_test_but_the_first_runs_and_the_proof_counts() {
    if !has_git() {
        return;
    }
    for most in 0..8 {
        for (job, first_runs) in [("history", 2), ("changes HEAD~9 HEAD", 4)] {
            let world = counting();
            let count = world.beside("count");
            let line = format!("{job} -j1 --max-tests {most} -q --json -- ../test.sh");
            let answer = parsed(&world.line(&line));
            let committed = answer["tests"]["committed"].as_u64().unwrap();
            assert!(committed <= most, "{answer:#}");
            let ran = fs::read_to_string(&count).unwrap().lines().count() as u64;
            let proofs = ran - first_runs - committed;
            if answer["ended"] == "out_of_tests" {
                assert_eq!(committed, most, "{answer:#}");
            }
            // Both patches where they were found, both on the given versions, the fix on the newest.
            assert!(proofs <= 5, "{proofs} with {most} of {job}");
        }
    }
}

#[test]
fn a_budget_holds_for_the_first_runs_and_for_the_proof() {
    let world = World::new();
    world.write("in.txt", "good\nbad\n".repeat(50));
    world.script("slow.sh", "sleep 1; grep -q bad \"$1\"");
    let begun = Instant::now();
    let ran = world.line("reduce in.txt -j1 --budget 4s -q --json --fail-exit 0 -- ./slow.sh {}");
    assert!(begun.elapsed() < LATE, "{:?}", begun.elapsed());
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert_eq!(parsed(&ran)["ended"], "out_of_time");
    let ran = world.line("reduce in.txt -j1 --budget 500ms --fail-exit 0 -- ./slow.sh {}");
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("the time was up before anything was found"), "{}", ran.stderr);
}

#[test]
fn a_launcher_that_somebody_stopped_is_not_waited_for() {
    let world = World::new();
    world.write("in.txt", "good\nbad\n".repeat(50));
    let stops =
        "test $(wc -c <\"$1\") -lt 450 && kill -STOP $PPID && sleep 100; grep -q bad \"$1\"";
    world.script("stop.sh", stops);
    let begun = Instant::now();
    let ran = world.line("reduce in.txt -j1 --budget 3s -q --json --fail-exit 0 -- ./stop.sh {}");
    assert!(begun.elapsed() < LATE, "{:?}", begun.elapsed());
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
}

/// Reduces a text with a budget of two seconds.
fn reduce_in_time(name: &str, text: &str) {
    let world = World::new();
    world.write(name, text);
    let line = format!("reduce {name} -j2 --budget 2s -q --fail-exit 0 -o out -- grep -q bad {{}}");
    let begun = Instant::now();
    let ran = world.line(&line);
    assert!(begun.elapsed() < LATE, "{:?}", begun.elapsed());
    assert!(matches!(ran.code, Some(0 | 3)), "{}", ran.stderr);
}

#[test]
fn a_budget_is_heeded_in_deep_nesting() {
    const DEEP: usize = 200_000;
    reduce_in_time("deep.json", &format!("{}{}bad", "[".repeat(DEEP), "]".repeat(DEEP)));
}

#[test]
fn a_budget_is_heeded_in_text_that_the_parser_gets_lost_in() {
    const LONG: usize = 20_000;
    reduce_in_time("lost.py", &format!("{}{}\nbad\n", "/*".repeat(LONG), "*/".repeat(LONG)));
}

#[test]
fn a_pipe_is_no_input() {
    let world = World::new();
    let pipe = world.path("in.txt");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let ran = world.line("reduce in.txt -- grep bad {}");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("it is not a regular file"), "{}", ran.stderr);
}
