//! The made-up programs build, and only their new versions fail.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::Command;

use whodunit_bench::programs::{File, Language, Program, program};
use whodunit_test_support::needs;

fn has_tools(language: Language) -> bool {
    language.tools().iter().all(|tool| needs(tool))
}

/// Builds and tests a version, and returns how the test ended.
fn outcome(made: &Program, files: &[File]) -> Option<i32> {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    let run = |line: &str, place: &Path| {
        let ran = Command::new("sh").args(["-c", line]).current_dir(place).output().unwrap();
        (ran.status.code(), String::from_utf8_lossy(&ran.stderr).into_owned())
    };
    if let Some(build) = made.build {
        let (code, said) = run(build, folder.path());
        assert_eq!(code, Some(0), "{build}: {said}");
    }
    run(made.test, folder.path()).0
}

#[test]
fn old_versions_pass_and_new_ones_fail() {
    for language in Language::ALL.into_iter().filter(|language| has_tools(*language)) {
        for seed in 1..=2 {
            let made = program(language, seed);
            assert_eq!(outcome(&made, &made.old), Some(0), "{language:?} {seed}");
            assert_eq!(outcome(&made, &made.new), Some(3), "{language:?} {seed}");
        }
    }
}
