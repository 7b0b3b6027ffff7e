//! Names, dates and ranges resolved to commits.

#![allow(clippy::unwrap_used)] // a test that cannot be set up fails either way

mod support;

use std::io::Write;
use std::process::Stdio;

use support::{Made, chain, has_git};
use whodunit_vcs::Error;
use whodunit_vcs::git::Repository;

/// Five commits on `main`, of the 2nd to the 6th; `v1` is the second, `v2` the fourth.
fn five_commits() -> Made {
    let made = Made::new();
    made.commit_numbers(5);
    made.git(["tag", "v1", "HEAD~3"]);
    made.git(["tag", "--annotate", "--message", "the second", "v2", "HEAD~1"]);
    made
}

fn title(repository: &Repository, spec: &str) -> String {
    repository.resolve(spec).unwrap_or_else(|error| panic!("{spec}: {}", chain(&error))).title
}

#[test]
fn a_revision_can_be_named_in_many_ways() {
    if !has_git() {
        return;
    }
    let made = five_commits();
    let repository = made.open();
    for packed in [false, true] {
        if packed {
            made.git(["gc", "--quiet"]);
        }
        for spec in ["HEAD", "@", "main", "heads/main", "refs/heads/main", "HEAD^0"] {
            assert_eq!(title(&repository, spec), "number 4", "{spec}");
        }
        for spec in
            ["v1", "tags/v1", "HEAD~3", "main^^^", "v2~2", "v1^{commit}", "v2^1^{}^", ":/ber 1"]
        {
            assert_eq!(title(&repository, spec), "number 1", "{spec}");
        }
        assert_eq!(title(&repository, "v2"), "number 3", "an annotated tag is its commit");
        let id = made.id("HEAD~2").to_string();
        assert_eq!(title(&repository, &id), "number 2");
        assert_eq!(title(&repository, &id[..8]), "number 2");
    }
}

#[test]
fn a_commit_says_who_made_it_and_when() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.commit("first");
    let id = made.commit("second\nline\n\nand a body");
    let commit = made.open().resolve("HEAD").unwrap();
    assert_eq!(commit.id, id);
    assert!(id.to_string().starts_with(&commit.short_id) && commit.short_id.len() >= 4);
    assert_eq!(commit.title, "second line");
    assert_eq!(commit.parents, [made.id("HEAD~1")]);
    assert_eq!(commit.tree, made.id("HEAD^{tree}"));
    assert_eq!((&*commit.author.name, &*commit.author.email), ("Ada", "ada@example.org"));
    assert_eq!(commit.author.time.to_string(), "2026-01-03 12:00:00 +0000");
    assert_eq!(commit.committed, commit.author.time);
}

#[test]
fn a_date_is_the_last_commit_until_then() {
    if !has_git() {
        return;
    }
    let made = five_commits();
    made.git(["branch", "old", "v1"]);
    let repository = made.open();
    let expected = [
        ("2026-01-04", "number 2"),
        ("2026-01-04T12:00", "number 2"),
        ("2026-01-04 11:59:59", "number 1"),
        ("2026-01-04T12:30+01:00", "number 1"),
        ("2030-01-01", "number 4"),
        ("@{2026-01-02}", "number 0"),
        ("main@{2026-01-05}", "number 3"),
        ("old@{2026-01-05}", "number 1"),
    ];
    for (spec, expected) in expected {
        assert_eq!(title(&repository, spec), expected, "{spec}");
    }
    let error = repository.resolve("2025-12-31").unwrap_err();
    assert!(matches!(error, Error::NoCommitAsOld { .. }));
    assert_eq!(
        error.to_string(),
        "no commit is as old as `2025-12-31`: the first one is of 2026-01-02 12:00:00 +0000"
    );
}

#[test]
fn a_date_goes_along_first_parents() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.commit("base");
    made.git(["checkout", "--quiet", "-b", "side"]);
    made.write("side", "1").commit("on the side");
    made.git(["checkout", "--quiet", "main"]);
    made.merge("side");
    assert_eq!(title(&made.open(), "2026-01-03"), "base");
}

#[test]
fn a_tag_named_like_a_date_comes_first() {
    if !has_git() {
        return;
    }
    let made = five_commits();
    made.git(["tag", "2026-01-04", "HEAD"]);
    assert_eq!(title(&made.open(), "2026-01-04"), "number 4");
    assert_eq!(title(&made.open(), "@{2026-01-04}"), "number 2");
}

#[test]
fn a_range_is_not_one_revision() {
    if !has_git() {
        return;
    }
    let made = five_commits();
    let repository = made.open();
    let error = repository.resolve("v1..v2").unwrap_err();
    assert_eq!(error.to_string(), "`v1..v2` is a range, not one revision");
}

#[test]
fn a_revision_that_does_not_exist_is_said_with_names_like_it() {
    if !has_git() {
        return;
    }
    let made = five_commits();
    let repository = made.open();
    let check = |spec: &str, expected: &[&str]| match repository.resolve(spec) {
        Err(error @ Error::UnknownRevision { .. }) => {
            assert_eq!(error.to_string(), format!("there is no revision `{spec}`"));
            let Error::UnknownRevision { near, .. } = error else { unreachable!() };
            assert_eq!(near, expected, "{spec}");
        }
        other => panic!("{spec}: {other:?}"),
    };
    check("mian", &["main"]);
    check("V1", &["v1", "v2"]);
    check("nothing-like-it", &[]);
    check("v3~1", &["v1", "v2"]);
    check("HEAD~17", &[]);
    check("HEAD^2", &[]);
    check("", &[]);
    check("main@{", &["main"]);
    check("\u{e9}", &[]);
    check("HEAD~1\u{e9}", &[]);
    check("HEAD^99999999999999999999", &[]);
    check(&"5".repeat(40), &[]);
    let error = repository.resolve("mian").unwrap_err();
    assert_eq!(error.hint().unwrap(), "there is `main`");
}

#[test]
fn what_is_no_commit_is_said_to_be_none() {
    if !has_git() {
        return;
    }
    let made = five_commits();
    let error = made.open().resolve("HEAD:number").unwrap_err();
    assert_eq!(error.to_string(), "`HEAD:number` is a file, not a commit");
    made.git(["tag", "tree", "HEAD^{tree}"]);
    let error = made.open().resolve("tree").unwrap_err();
    assert_eq!(error.to_string(), "`tree` is a folder, not a commit");
}

#[test]
fn an_id_that_is_too_short_is_ambiguous() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    // Among this many commits two begin with the same four digits.
    let mut script = String::new();
    for number in 0..1000 {
        let title = format!("number {number}");
        let who = "Ada <ada@example.org> 1767355200 +0000";
        script += &format!("commit refs/heads/main\ncommitter {who}\n");
        script += &format!("data {}\n{title}\n", title.len());
    }
    let mut import = made.command(&["fast-import", "--quiet"]);
    let mut import = import.stdin(Stdio::piped()).spawn().unwrap();
    import.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(import.wait().unwrap().success());

    let ids = made.git(["rev-list", "main"]);
    let mut beginnings: Vec<&str> = ids.lines().map(|id| &id[..4]).collect();
    beginnings.sort_unstable();
    let twice = beginnings.windows(2).find(|pair| pair[0] == pair[1]).unwrap()[0];
    match made.open().resolve(twice) {
        Err(error @ Error::AmbiguousRevision { .. }) => {
            assert!(error.to_string().contains("is short for several objects"));
            let Error::AmbiguousRevision { candidates, .. } = error else { unreachable!() };
            assert!(candidates.len() >= 2 && candidates.iter().all(|id| id.starts_with(twice)));
        }
        other => panic!("{other:?}"),
    }
    for id in ids.lines().take(50) {
        let commit = made.open().resolve(id).unwrap();
        assert_eq!(made.id(&commit.short_id).to_string(), id, "short ids are unique");
    }
}

#[test]
fn an_empty_repository_is_said_to_have_no_commits() {
    if !has_git() {
        return;
    }
    let error = Made::new().open().resolve("HEAD").unwrap_err();
    assert_eq!(error.to_string(), "the repository has no commits yet");
}

#[test]
fn a_folder_without_a_repository_is_said_to_be_in_none() {
    let made = Made::without_repository();
    let error = Repository::discover(made.path()).unwrap_err();
    assert!(matches!(error, Error::NoRepository { .. }), "{}", chain(&error));
    assert!(error.to_string().starts_with("not a git repository: "));
    let error = Repository::discover(&made.beside("nothing")).unwrap_err();
    assert!(matches!(error, Error::File { .. }), "{}", chain(&error));
}

#[test]
fn a_repository_is_found_from_within() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.write("a/b/c", "").commit("first");
    let repository = Repository::discover(&made.path().join("a/b")).unwrap();
    assert_eq!(title(&repository, "HEAD"), "first");
    assert_eq!(repository.work_folder(), Some(&*made.path().canonicalize().unwrap()));
}
