//! `whodunit changes` on programs in several languages: more than eighty places changed, and two
//! of them cause the failure together.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{WHODUNIT, World, needs};
use whodunit_bench::programs::{Language, Program, program, program_with};

/// Runs the program on both versions and returns the answer.
fn answer(world: &World, made: &Program, flags: &[&str]) -> Value {
    for (version, files) in [("old", &made.old), ("new", &made.new)] {
        for (name, text) in files {
            world.write(format!("{version}/{name}"), text);
        }
    }
    let mut command = world.command(WHODUNIT);
    // Beside other tests a build may take much longer than the first one.
    command.args(["changes", "old", "new", "--json", "-q", "--timeout", "60s"]);
    command.args(flags);
    if let Some(build) = made.build {
        command.args(["--build", build]);
    }
    // The builds of go are kept, as on any user's machine.
    command.env("GOCACHE", world.beside("cache").join("go"));
    let ran = world.finish(command.args(["--", "sh", "-c", made.test]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Checks that exactly both culprits are blamed, and that each part is needed.
fn both_are_found(language: Language) {
    if !language.tools().iter().all(|tool| needs(tool)) {
        return;
    }
    let made = program(language, 4);
    check_both(&made, &answer(&World::new(), &made, &[]));
}

fn check_both(made: &Program, answer: &Value) {
    let cause = &answer["causes"][0];
    let blamed = cause["culprit"].as_array().unwrap();
    let files = |change: &Value| change["file"].as_str().unwrap().to_owned();
    for culprit in &made.culprits {
        let is_meant = |change: &&Value| {
            files(change) == culprit.file && change.to_string().contains(&culprit.name)
        };
        assert!(blamed.iter().any(|change| is_meant(&change)), "{culprit:?}: {blamed:#?}");
    }
    let is_expected = |file: &String| made.culprits.iter().any(|culprit| culprit.file == *file);
    assert!(blamed.iter().map(files).all(|file| is_expected(&file)), "{blamed:#?}");
    assert_eq!(cause["proof"]["each_needed"], true, "{}", cause["proof"]);
}

#[test]
fn both_are_found_in_c() {
    both_are_found(Language::C);
}

#[test]
fn both_are_found_in_cpp() {
    both_are_found(Language::Cpp);
}

#[test]
fn both_are_found_in_python() {
    both_are_found(Language::Python);
}

#[test]
fn both_are_found_in_javascript() {
    both_are_found(Language::JavaScript);
}

#[test]
fn both_are_found_in_typescript() {
    both_are_found(Language::TypeScript);
}

#[test]
fn both_are_found_in_rust() {
    both_are_found(Language::Rust);
}

#[test]
fn both_are_found_in_go() {
    both_are_found(Language::Go);
}

#[test]
fn both_are_found_in_java() {
    both_are_found(Language::Java);
}

#[test]
fn two_chains_that_fail_only_together_are_found_in_a_large_java_program() {
    if !Language::Java.tools().iter().all(|tool| needs(tool)) {
        return;
    }
    let made = program_with(Language::Java, 4, 80);
    let lines: usize = made.new.iter().map(|(_, text)| text.lines().count()).sum();
    assert!(lines >= 5000, "{lines} lines");
    let world = World::new();
    let answer = answer(&world, &made, &["--atomic", "--phases"]);
    check_both(&made, &answer);
    // The counts of the phases, as in Figure 6 of the paper of 2008.
    let phases = &answer["causes"][0]["atomic"]["phases"];
    let count = |phase: &str, what: &str| phases[phase][what].as_u64().unwrap();
    assert!(phases["atoms"].as_u64().unwrap() > 80, "{phases:#}");
    assert!(count("chains", "left") >= 2 && count("chains", "left") < count("chains", "of"));
    assert!(count("changes", "left") >= 2, "{phases:#}");
    assert!(count("statements", "left") >= 2, "{phases:#}");
    let tests = |phase: &str| count(phase, "tests");
    let all = tests("chains") + tests("changes") + tests("statements");
    assert!(all <= 40, "{phases:#}");
}
