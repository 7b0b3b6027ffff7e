//! A git history as a row of versions.

#![allow(clippy::unwrap_used)] // a test that cannot be set up fails either way

mod support;

use std::fs;

use support::{Made, chain, check, has_git};
use whodunit_vcs::git::{Commits, Repository};
use whodunit_vcs::{Beginning, Error, Lineage, Span};

fn since(spec: &str) -> Span {
    Span { since: Some(spec.to_owned()), ..Span::default() }
}

fn until(spec: &str) -> Span {
    Span { until: Some(spec.to_owned()), ..Span::default() }
}

fn of_paths(paths: &[&str]) -> Span {
    let paths = paths.iter().map(|path| path.as_bytes().to_vec()).collect();
    Span { paths, ..Span::default() }
}

fn titles(lineage: &dyn Lineage) -> Vec<String> {
    let title = |place| lineage.revision(place).unwrap().title().to_owned();
    (0..lineage.len()).map(title).collect()
}

fn ids(commits: &Commits) -> Vec<String> {
    (0..commits.len()).map(|place| commits.id(place).to_string()).collect()
}

fn listed<const N: usize>(made: &Made, arguments: [&str; N]) -> Vec<String> {
    made.git(arguments).lines().map(String::from).collect()
}

/// A file `a` and a file `b` in a folder, changed alternately; `b` on a branch that is
/// merged.
fn merged() -> Made {
    let made = Made::new();
    made.write("a", "1").write("in/b", "1").commit("base");
    made.git(["checkout", "--quiet", "-b", "side"]);
    made.write("in/b", "2").commit("b on the side");
    made.write("c", "").commit("c on the side");
    made.git(["checkout", "--quiet", "main"]);
    made.write("a", "2").commit("a");
    made.merge("side");
    made.write("a", "3").commit("a again");
    made
}

#[test]
fn a_row_goes_from_the_newest_commit_to_the_root() {
    if !has_git() {
        return;
    }
    let made = merged();
    let row = made.open().lineage(&Span::default()).unwrap();
    assert_eq!(titles(&row), ["a again", "Merge branch 'side'", "a", "base"]);
    assert_eq!(row.beginning(), Beginning::Root);
    check(&row.list(2).unwrap(), &["- a: 2", "- in/b: 1"]);
    let revision = row.revision(0).unwrap();
    assert_eq!(revision.author, "Ada");
    assert_eq!(revision.time.unwrap().to_string(), "2026-01-07 12:00:00 +0000");
    assert_eq!(revision.message, "a again\n");
    assert!(revision.id.starts_with(&revision.short_id));
}

#[test]
fn bounds_are_revisions_or_dates() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.commit_numbers(6);
    let row = |span: &Span| made.open().lineage(span).unwrap();
    let both = Span {
        since: Some("HEAD~3".to_owned()),
        until: Some("HEAD~1".to_owned()),
        ..of_paths(&[])
    };
    let between = row(&both);
    assert_eq!(titles(&between), ["number 4", "number 3", "number 2"]);
    assert_eq!(between.beginning(), Beginning::Bound);
    // The first commit is of 2 January.
    assert_eq!(titles(&row(&since("2026-01-05"))), ["number 5", "number 4", "number 3"]);
    assert_eq!(titles(&row(&since("2026-01-05T13:00"))), ["number 5", "number 4"]);
    assert_eq!(titles(&row(&until("2026-01-03"))), ["number 1", "number 0"]);
    assert_eq!(row(&since("2025-01-01")).beginning(), Beginning::Root);
    assert_eq!(row(&since("HEAD~5")).beginning(), Beginning::Root);
}

#[test]
fn a_bound_beside_the_row_ends_it_where_the_two_parted() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.commit_numbers(4);
    made.git(["checkout", "--quiet", "-b", "release", "HEAD~2"]);
    made.write("release", "").commit("release");
    made.git(["checkout", "--quiet", "main"]);
    let row = made.open().lineage(&since("release")).unwrap();
    assert_eq!(titles(&row), ["number 3", "number 2", "number 1"]);
    assert_eq!(row.beginning(), Beginning::Bound);
    assert!(row.has_stand_in());
    for spec in ["HEAD~2", "HEAD~3", "2026-01-03"] {
        assert!(!made.open().lineage(&since(spec)).unwrap().has_stand_in(), "{spec}");
    }
    assert!(!made.open().lineage(&Span::default()).unwrap().has_stand_in());
}

#[test]
fn paths_leave_the_revision_that_was_asked_for() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    for (name, title) in [("a", "first"), ("b", "asked for"), ("a", "changed"), ("b", "newest")] {
        made.write(name, title).commit(title);
    }
    let of_a = |spec: &str| Span { since: Some(spec.to_owned()), ..of_paths(&["a"]) };
    let row = made.open().lineage(&of_a("HEAD~2")).unwrap();
    assert_eq!(titles(&row), ["newest", "changed", "asked for"]);
    // A date requests no particular revision.
    let row = made.open().lineage(&of_a("2026-01-03")).unwrap();
    assert_eq!(titles(&row), ["newest", "changed"]);
}

#[test]
fn bounds_that_leave_nothing_are_an_error() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.commit_numbers(2);
    let lineage = |span: &Span| made.open().lineage(span);
    assert!(matches!(lineage(&since("2027-01-01")), Err(Error::NoVersions)));
    assert!(matches!(lineage(&until("nothing")), Err(Error::UnknownRevision { .. })));
    assert!(matches!(lineage(&since("nothing")), Err(Error::UnknownRevision { .. })));
    let backwards = Span { since: Some("HEAD".to_owned()), ..until("HEAD~1") };
    assert_eq!(titles(&lineage(&backwards).unwrap()), ["number 0"]);
}

#[test]
fn paths_leave_the_commits_that_git_leaves_and_the_newest() {
    if !has_git() {
        return;
    }
    let made = merged();
    let repository = made.open();
    for path in ["a", "in", "in/b", "c", "nowhere", "a/b"] {
        let tip = made.git(["rev-parse", "HEAD"]).trim().to_owned();
        let with_tip = |mut listed: Vec<String>| {
            if listed.first() != Some(&tip) {
                listed.insert(0, tip.clone());
            }
            listed
        };
        let row = repository.lineage(&of_paths(&[path])).unwrap();
        let theirs = listed(&made, ["rev-list", "--first-parent", "HEAD", "--", path]);
        assert_eq!(ids(&row), with_tip(theirs), "{path}");
    }
    let row = repository.lineage(&of_paths(&["./in/", "c"])).unwrap();
    assert_eq!(titles(&row), ["a again", "Merge branch 'side'", "base"]);
}

#[test]
fn the_end_of_a_shallow_repository_is_no_root() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.commit_numbers(6);
    let place = made.beside("clone");
    let url = format!("file://{}", made.path().display());
    made.git(["clone", "--quiet", "--depth=3", &url, place.to_str().unwrap()]);
    let repository = Repository::discover(&place).unwrap();
    let row = repository.lineage(&Span::default()).unwrap();
    assert_eq!(titles(&row), ["number 5", "number 4", "number 3"]);
    assert_eq!(row.beginning(), Beginning::CutOff);
    let row = repository.lineage(&of_paths(&["number"])).unwrap();
    assert_eq!(row.len(), 3);
    let within = repository.lineage(&since("HEAD~1")).unwrap();
    assert_eq!(within.beginning(), Beginning::Bound);
    let error = repository.lineage(&since("HEAD~4")).unwrap_err();
    assert!(matches!(error, Error::Shallow { .. }), "{}", chain(&error));
}

/// Compares rows and histories with the output of git for the same repository.
fn compare_with_git(made: &Made) {
    let repository = made.open();
    let first = repository.lineage(&Span::default()).unwrap();
    assert_eq!(ids(&first), listed(made, ["rev-list", "--first-parent", "HEAD"]));
    let base = repository.merge_base(made.id("main"), made.id("old")).unwrap();
    let theirs = String::from_utf8(made.try_git(&["merge-base", "main", "old"]).stdout).unwrap();
    assert_eq!(base.map(|id| id.to_string()).unwrap_or_default(), theirs.trim());
}

/// An old history without a connection to the present one.
fn two_histories() -> Made {
    let made = Made::new();
    made.write("old", "1").commit("old 1");
    made.write("old", "2").commit("old 2");
    made.git(["branch", "old"]);
    made.git(["checkout", "--quiet", "--orphan", "new"]);
    made.commit_numbers(3);
    made.git(["branch", "--force", "main", "new"]);
    made.git(["checkout", "--quiet", "main"]);
    made
}

#[test]
fn replaced_commits_are_walked_as_git_does() {
    if !has_git() {
        return;
    }
    let made = two_histories();
    compare_with_git(&made);
    made.git(["commit-graph", "write", "--reachable"]);
    made.git(["replace", "--graft", "main~2", "old"]);
    compare_with_git(&made);
    let row = made.open().lineage(&Span::default()).unwrap();
    assert_eq!(titles(&row), ["number 2", "number 1", "number 0", "old 2", "old 1"]);
    check(&row.list(3).unwrap(), &["- old: 2"]);
    assert!(made.open().is_ancestor(made.id("old"), made.id("main")).unwrap());
}

#[test]
fn grafts_are_walked_as_git_does() {
    if !has_git() {
        return;
    }
    let made = two_histories();
    made.git(["commit-graph", "write", "--reachable"]);
    let grafts = format!("{} {}\n{}\n", made.id("main~1"), made.id("old"), made.id("old"));
    fs::create_dir_all(made.path().join(".git/info")).unwrap();
    fs::write(made.path().join(".git/info/grafts"), grafts).unwrap();
    compare_with_git(&made);
    let row = made.open().lineage(&Span::default()).unwrap();
    assert_eq!(titles(&row), ["number 2", "number 1", "old 2"]);
    assert_eq!(row.beginning(), Beginning::Root);
}

#[test]
fn a_merge_of_many_branches_is_one_commit_of_the_row() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.write("base", "").commit("base");
    for name in ["one", "two", "three"] {
        made.git(["checkout", "--quiet", "-b", name, "main"]);
        made.write(name, "").commit(name);
    }
    made.git(["checkout", "--quiet", "main"]);
    made.git(["merge", "--quiet", "--no-ff", "--message", "octopus", "one", "two", "three"]);
    let repository = made.open();
    assert_eq!(repository.resolve("HEAD").unwrap().parents.len(), 4);
    let row = repository.lineage(&Span::default()).unwrap();
    assert_eq!(titles(&row), ["octopus", "base"]);
    check(&row.list(0).unwrap(), &["- base: ", "- one: ", "- three: ", "- two: "]);
}
