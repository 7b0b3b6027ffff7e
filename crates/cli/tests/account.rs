//! `examples/account`, the program of the AutoFlow paper, built with `ajc` and tested with JUnit.

#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::{WHODUNIT, World, needs};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/account").canonicalize().unwrap()
}

fn can_build() -> bool {
    let is_there = Command::new("ajc").arg("-version").output().is_ok();
    let jars = ["junit4", "aspectjrt"].map(|jar| format!("/usr/share/java/{jar}.jar"));
    needs("ajc and JUnit 4", is_there && jars.iter().all(|jar| Path::new(jar).exists()))
}

/// Runs one test of a version, and returns how the script ended.
fn outcome(version: &str, test: &str) -> Option<i32> {
    let example = example();
    let mut command = Command::new(example.join("test.sh"));
    command.arg(test).current_dir(example.join(version));
    command.output().unwrap().status.code()
}

#[test]
fn one_test_fails_and_only_in_the_new_version() {
    if !can_build() {
        return;
    }
    for test in ["testDebit", "testCredit", "testTransfer"] {
        assert_eq!(outcome("old", test), Some(0), "{test}");
        let fails = i32::from(test == "testTransfer");
        assert_eq!(outcome("new", test), Some(fails), "{test}");
    }
}

#[test]
fn the_fee_is_to_blame() {
    if !can_build() {
        return;
    }
    let (world, example) = (World::new(), example());
    let mut command = world.command(WHODUNIT);
    command
        .arg("changes")
        .args([example.join("old"), example.join("new")])
        .args(["--json", "-q", "-j1", "--timeout", "60s", "--"])
        .arg(example.join("test.sh"));
    let ran = world.finish(&mut command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let culprit = answer["causes"][0]["culprit"].as_array().unwrap();
    let texts: Vec<&str> =
        culprit.iter().map(|change| change["new_text"].as_str().unwrap().trim()).collect();
    assert!(texts.contains(&"money = money - FEE;"), "{texts:?}");
    assert!(culprit.iter().all(|change| change["file"] == "Account.java"), "{culprit:#?}");
    // The paper's plain delta debugging takes 25 tests; over atomic changes there are fewer.
    assert!(answer["tests"]["committed"].as_u64().unwrap() <= 16, "{}", answer["tests"]);
}
