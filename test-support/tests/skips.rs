//! A test that lacks a need fails, unless it may be skipped; a skipped test is reported.

#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

use whodunit_test_support::{MAY_SKIP, needs_that};

/// Set for the run of this program in which [`a_test_that_lacks_something`] lacks a program.
const INNER: &str = "WHODUNIT_TESTS_INNER";

#[test]
fn a_test_that_lacks_something() {
    let inner = std::env::var_os(INNER).is_some();
    if !needs_that("an abacus", "ask a museum", !inner) {
        return;
    }
    assert!(!inner, "goes on without what it needs");
}

fn inner(may_skip: Option<&str>) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "a_test_that_lacks_something", "--test-threads=2"]).env(INNER, "1");
    match may_skip {
        Some(value) => command.env(MAY_SKIP, value),
        None => command.env_remove(MAY_SKIP),
    };
    command.output().unwrap()
}

#[test]
fn it_fails_and_says_what_to_install() {
    for value in [None, Some("0"), Some("")] {
        let ran = inner(value);
        let printed = String::from_utf8(ran.stdout).unwrap();
        assert!(!ran.status.success());
        let message = "this test needs an abacus (ask a museum); \
                       to skip such tests set WHODUNIT_TESTS_MAY_SKIP=1";
        assert!(printed.contains(message), "{printed}");
    }
}

#[test]
fn a_skip_is_seen_although_the_test_passes() {
    let ran = inner(Some("1"));
    assert!(ran.status.success());
    let expected = "skipped a_test_that_lacks_something: it needs an abacus (ask a museum)\n";
    assert_eq!(String::from_utf8(ran.stderr).unwrap(), expected);
    // The list is named after the parent of the skipping test: this process.
    let folder = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().to_path_buf();
    let list = folder.join(format!("skipped-tests-{}", std::process::id()));
    let listed = std::fs::read_to_string(&list).unwrap();
    assert_eq!(listed, "an abacus (ask a museum)\ta_test_that_lacks_something\n");
    std::fs::remove_file(list).unwrap();
}
