//! The commits between two.

#![allow(clippy::unwrap_used)] // a test that cannot be set up fails either way

mod support;

use std::collections::BTreeSet;
use std::io::Write;
use std::process::Stdio;

use support::{Made, has_git, titles};
use whodunit_vcs::git::History;

fn history(made: &Made, good: &str, bad: &str) -> History {
    made.open().history(made.id(good), made.id(bad)).unwrap()
}

fn path(history: &History) -> Vec<&str> {
    titles(history.path.iter().map(|place| &history.commits[*place]))
}

/// Draws a history: each commit with its parents.
fn draw(history: &History) -> Vec<String> {
    let title = |place: &usize| history.commits[*place].title.clone();
    let line = |(place, parents): (usize, &Vec<usize>)| {
        let parents: Vec<String> = parents.iter().map(title).collect();
        format!("{} < {}", title(&place), parents.join(" "))
    };
    history.parents.iter().enumerate().map(line).collect()
}

/// A branch with two commits that is merged, and a later commit.
///
/// ```text
/// base ── one ───── merge ── last
///    └── left ── right ┘
/// ```
fn merged() -> Made {
    let made = Made::new();
    made.write("base", "").commit("base");
    made.git(["checkout", "--quiet", "-b", "side"]);
    made.write("left", "").commit("left");
    made.git(["checkout", "--quiet", "main"]);
    made.write("one", "").commit("one");
    made.git(["checkout", "--quiet", "side"]);
    made.write("right", "").commit("right");
    made.git(["checkout", "--quiet", "main"]);
    made.merge("side");
    made.write("last", "").commit("last");
    made
}

#[test]
fn a_line_of_commits_is_a_chain() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.commit_numbers(5);
    let history = history(&made, "HEAD~3", "HEAD");
    assert_eq!(titles(&history.commits), ["number 2", "number 3", "number 4"]);
    assert_eq!(history.parents, [vec![], vec![0], vec![1]]);
    assert_eq!(history.path, [0, 1, 2]);
    assert!(!history.is_cut_off);
}

#[test]
fn a_merge_has_all_its_commits_but_one_chain() {
    if !has_git() {
        return;
    }
    let made = merged();
    let history = history(&made, "main~3", "main");
    let merge = "Merge branch 'side'";
    let expected = [
        "left < ".to_owned(),
        "one < ".to_owned(),
        "right < left".to_owned(),
        format!("{merge} < one right"),
        format!("last < {merge}"),
    ];
    assert_eq!(draw(&history), expected);
    assert_eq!(path(&history), ["one", merge, "last"]);
}

#[test]
fn what_the_good_commit_has_is_no_part_of_it() {
    if !has_git() {
        return;
    }
    let made = merged();
    let from_side = history(&made, "side", "main");
    assert_eq!(titles(&from_side.commits), ["one", "Merge branch 'side'", "last"]);
    // `one` does not come from `side`.
    assert_eq!(path(&from_side), ["Merge branch 'side'", "last"]);
    let backwards = history(&made, "main", "side");
    assert_eq!(backwards.commits, []);
    assert_eq!(backwards.path, [0_usize; 0]);
    assert_eq!(history(&made, "main", "main").commits, []);
}

#[test]
fn branches_that_parted_have_a_common_commit() {
    if !has_git() {
        return;
    }
    let made = merged();
    made.git(["checkout", "--quiet", "--orphan", "other"]);
    made.commit("unrelated");
    let repository = made.open();
    let [one, side, main, base, other] =
        ["main~2", "side", "main", "main~3", "other"].map(|spec| made.id(spec));
    assert_eq!(repository.merge_base(one, side).unwrap(), Some(base));
    assert_eq!(repository.merge_base(main, side).unwrap(), Some(side));
    assert_eq!(repository.merge_base(main, other).unwrap(), None);
    assert!(repository.is_ancestor(side, main).unwrap());
    assert!(repository.is_ancestor(main, main).unwrap());
    assert!(!repository.is_ancestor(main, side).unwrap());
    assert!(!repository.is_ancestor(one, side).unwrap());
    assert_eq!(titles(&history(&made, "main", "other").commits), ["unrelated"]);
}

#[test]
fn histories_are_those_that_git_lists_whatever_the_dates() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    // Commits with parents and dates from a small fixed sequence of numbers.
    let mut number = 12_345_u64;
    let mut next = |below: u64| {
        number =
            number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) % below
    };
    let count = 120;
    let mut script = String::new();
    for place in 1..=count {
        let date = 1_700_000_000 + next(1_000_000);
        script += &format!("commit refs/heads/c{place}\nmark :{place}\n");
        script += &format!("committer Ada <ada@example.org> {date} +0000\ndata 0\n");
        let parents: BTreeSet<u64> = (0..next(3)).map(|_| place - 1 - next(place.min(6))).collect();
        let parents: Vec<u64> = parents.into_iter().rev().filter(|parent| *parent > 0).collect();
        for (order, parent) in parents.iter().enumerate() {
            script += &format!("{} :{parent}\n", if order == 0 { "from" } else { "merge" });
        }
    }
    let mut import = made.command(&["fast-import", "--quiet"]);
    let mut import = import.stdin(Stdio::piped()).spawn().unwrap();
    import.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(import.wait().unwrap().success());

    compare_with_git(&made);
    made.git(["gc", "--quiet"]);
    made.git(["commit-graph", "write", "--reachable"]);
    compare_with_git(&made);
}

fn compare_with_git(made: &Made) {
    let repository = made.open();
    for (good, bad) in [(60, 120), (80, 119), (100, 118), (3, 117), (116, 90), (50, 110)] {
        let (good, bad) = (format!("c{good}"), format!("c{bad}"));
        let range = format!("{good}..{bad}");
        let history = repository.history(made.id(&good), made.id(&bad)).unwrap();
        let ours: BTreeSet<String> =
            history.commits.iter().map(|commit| commit.id.to_string()).collect();
        let listed = made.git(["rev-list", &range]);
        assert_eq!(ours, listed.lines().map(String::from).collect(), "{range}");
        for (place, parents) in history.parents.iter().enumerate() {
            assert!(parents.iter().all(|parent| *parent < place), "parents come first");
        }
        let base = made.try_git(&["merge-base", "--is-ancestor", &good, &bad]);
        let is_ancestor = repository.is_ancestor(made.id(&good), made.id(&bad)).unwrap();
        assert_eq!(is_ancestor, base.status.success(), "{range}");
        let mut parent = made.id(&good);
        for &place in &history.path {
            let commit = &history.commits[place];
            assert!(commit.parents.contains(&parent), "{range}: a way from parent to child");
            parent = commit.id;
        }
        assert_eq!(parent == made.id(&bad), is_ancestor, "{range}: it leads to the bad commit");
        let chain: Vec<String> =
            history.path.iter().map(|place| history.commits[*place].id.to_string()).collect();
        let listed = made.git(["rev-list", "--first-parent", "--reverse", &range]);
        let first_parents: Vec<&str> = listed.lines().collect();
        // A root has no parent.
        let begin =
            first_parents.first().map(|first| made.try_git(&["rev-parse", &format!("{first}^")]));
        let begin = begin.map(|begin| String::from_utf8_lossy(&begin.stdout).trim().to_owned());
        if begin.is_some_and(|begin| begin == made.id(&good).to_string()) {
            assert_eq!(chain, first_parents, "{range}: along first parents where they lead there");
        }
    }
}
