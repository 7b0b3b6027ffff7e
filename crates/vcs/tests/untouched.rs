//! Reading leaves a repository as it is.

#![allow(clippy::unwrap_used)] // a test that cannot be set up fails either way

mod support;

use std::fs;
use std::os::unix::fs::symlink;

use support::{Made, has_git};

/// Reads everything there is to read.
fn read_all(made: &Made) {
    let repository = made.open();
    let (head, first) =
        (repository.resolve("HEAD").unwrap(), repository.resolve("2026-01-02").unwrap());
    repository.resolve("no-such-name").unwrap_err();
    for commit in repository.history(first.id, head.id).unwrap().commits {
        for file in repository.list(commit.id).unwrap().files {
            file.content.read().unwrap();
        }
    }
    repository.merge_base(first.id, head.id).unwrap();
    whodunit_vcs::list(made.path()).unwrap();
}

#[test]
fn a_dirty_checkout_stays_dirty_in_the_same_way() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.write("staged", "1").write("changed", "1").write("deleted", "1").write("both", "1");
    made.commit("first");
    made.commit_numbers(4);
    made.git(["gc", "--quiet"]);
    made.git(["tag", "v1"]);
    made.write("stashed", "1").git(["stash", "--quiet", "--include-untracked"]);
    made.write("staged", "2").write("both", "2").git(["add", "--all"]);
    made.write("changed", "2").write("both", "3").write("new", "1").write(".gitignore", "ignored");
    made.write("ignored", "1");
    fs::remove_file(made.path().join("deleted")).unwrap();
    symlink("nowhere", made.path().join("dangling")).unwrap();

    let before = made.fingerprint();
    assert!(before.1.contains("MM both") && before.1.contains(" D deleted"), "{}", before.1);
    read_all(&made);
    assert!(before == made.fingerprint(), "something was touched");
}

#[test]
fn a_merge_in_progress_and_a_lock_are_no_hindrance() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.commit_numbers(2);
    made.git(["checkout", "--quiet", "-b", "side", "HEAD~1"]);
    made.write("number", "other").commit("other");
    made.git(["checkout", "--quiet", "main"]);
    assert!(!made.try_git(&["merge", "side"]).status.success(), "a conflict");
    fs::write(made.path().join(".git/index.lock"), "").unwrap();
    fs::write(made.path().join(".git/packed-refs.lock"), "").unwrap();
    let before = made.fingerprint();
    read_all(&made);
    assert!(before == made.fingerprint(), "something was touched");
}
