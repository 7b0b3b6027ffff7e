//! `whodunit changes` on `examples/ledger`, a project in C that is built with `make`.

#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{WHODUNIT, World, needs};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ledger").canonicalize().unwrap()
}

fn can_build() -> bool {
    needs("make") && needs("cc")
}

/// Runs the program on both versions, with short builds, and returns the answer.
fn answer(world: &World, options: &[&str]) -> Value {
    let example = example();
    let mut command = world.command(WHODUNIT);
    command
        .arg("changes")
        .args([example.join("good"), example.join("bad")])
        .args(["--json", "-q"])
        .args(options)
        .arg("--")
        .arg(example.join("test.sh"))
        .envs([("YEARS", "1"), ("CFLAGS", "-O0")]);
    let ran = world.finish(&mut command);
    assert!(matches!(ran.code, Some(0 | 3)), "{:?} {}", ran.code, ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Returns the share of inconclusive tests among the tests that decided.
fn unresolved(answer: &Value) -> f64 {
    let count = |name: &str| answer["tests"][name].as_f64().unwrap();
    count("unresolved") / count("committed")
}

#[test]
fn the_search_of_1999_finds_the_cause_with_groups_and_what_builds_complain_about() {
    if !can_build() {
        return;
    }
    let options = ["--search", "dd_plus", "--level", "hunk", "--group", "location,lexical"];
    let answer = answer(&World::new(), &options);
    assert!(answer["size"]["changes"].as_u64().unwrap() >= 60, "{}", answer["size"]);
    let culprit = answer["causes"][0]["culprit"].as_array().unwrap();
    let files: Vec<&str> = culprit.iter().map(|it| it["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["src/convert.c", "src/money.c", "src/money.h"]);
    assert_eq!(answer["ended"], "done");
    assert!(answer["tests"]["committed"].as_u64().unwrap() <= 24, "{}", answer["tests"]);
}

#[test]
fn the_cause_is_found_with_few_tests_of_what_cannot_be_built() {
    if !can_build() {
        return;
    }
    let answer = answer(&World::new(), &["-j1"]);
    let cause = &answer["causes"][0];
    let places: Vec<(&str, u64)> = cause["culprit"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["file"].as_str().unwrap(), it["new_lines"][0].as_u64().unwrap()))
        .collect();
    let definition = (40..44).map(|line| ("src/money.c", line));
    let mut expected = vec![("src/convert.c", 11)];
    expected.extend(definition.chain([("src/money.h", 19)]));
    assert_eq!(places, expected, "{cause}");
    assert!(unresolved(&answer) < 0.1, "{}", answer["tests"]);
    assert!(answer["tests"]["committed"].as_u64().unwrap() <= 24, "{}", answer["tests"]);
}
