//! Which versions count: flags of `whodunit history` that choose them, and merged branches.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{World, has_git};

/// How many versions there are.
const VERSIONS: usize = 24;
/// The first version that is wrong.
const CULPRIT: usize = 9;

/// Returns a world with a repository; every third version changes `a.txt`, all change `other`.
fn history() -> World {
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..VERSIONS {
        let word = if version < CULPRIT { "fine" } else { "wrong" };
        world.write("a.txt", format!("{word} {}\n", version / 3));
        world.write("other", format!("{version}\n"));
        world.commit(&format!("commit-{version}"));
        world.git(&format!("tag v{version}"));
    }
    world.script("../test.sh", "! grep -q wrong a.txt");
    world
}

fn title(answer: &Value) -> &str {
    let suspects = answer["outcome"]["suspects"].as_array();
    let suspects = suspects.unwrap_or_else(|| panic!("{answer:#}"));
    assert_eq!(suspects.len(), 1, "{suspects:?}");
    suspects[0]["title"].as_str().unwrap()
}

#[test]
fn only_versions_that_change_a_path_count() {
    if !has_git() {
        return;
    }
    let world = history();
    let answer = world.answer("history --path a.txt -- ../test.sh");
    assert_eq!(title(&answer), "commit-9");
    assert_eq!(answer["outcome"]["good"]["title"], "commit-6");
    // The newest version counts in any case.
    assert_eq!(answer["versions"], VERSIONS / 3 + 1);
}

#[test]
fn since_and_until_bound_the_versions() {
    if !has_git() {
        return;
    }
    let world = history();
    let answer = world.answer("history --since v4 --until v14 -- ../test.sh");
    assert_eq!((title(&answer), &answer["versions"]), ("commit-9", &11.into()));
    let answer = world.answer("history --until v9 -- ../test.sh");
    assert_eq!((title(&answer), &answer["versions"]), ("commit-9", &10.into()));
}

#[test]
fn a_good_version_that_cannot_be_tested_is_like_others() {
    if !has_git() {
        return;
    }
    let world = history();
    world.script("../test.sh", "grep -qx 4 other && exit 125; ! grep -q wrong a.txt");
    assert_eq!(title(&world.answer("history --good v4 -- ../test.sh")), "commit-9");
}

#[test]
fn an_overlay_replaces_what_older_versions_have() {
    if !has_git() {
        return;
    }
    let world = history();
    world.write("tests/word", "wrong\n");
    world.script("tests/run.sh", "! grep -q \"$(cat tests/word)\" a.txt");
    world.commit("test");
    let answer = world.answer("history --overlay tests/ -- sh tests/run.sh");
    assert_eq!(title(&answer), "commit-9");
    assert_eq!(answer["back_port"]["patch"], "", "{answer:#}");
}

#[test]
fn what_a_wider_suite_says_is_part_of_the_answer() {
    if !has_git() {
        return;
    }
    let world = history();
    let line = ["history", "--json", "-q", "--also", "grep wrong a.txt || exit 7", "--"];
    let ran = world.run(line.iter().chain(&["../test.sh"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let also = &answer["forward"]["also"];
    assert_eq!(also["is_same"], false);
    assert_eq!((&also["without"], &also["with"]), (&"exits with 0".into(), &"exits with 7".into()));
}

/// Returns a world in which a branch of five commits was merged, with other commits before and
/// after; the third commit of the branch is wrong.
fn merged() -> World {
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..6 {
        world.write("main.txt", format!("{version}\n"));
        world.commit(&format!("before-{version}"));
    }
    world.git("checkout -q -b branch HEAD~3");
    for version in 0..5 {
        let word = if version < 2 { "fine" } else { "wrong" };
        world.write("branch.txt", format!("{word} {version}\n"));
        world.commit(&format!("branch-{version}"));
    }
    world.git("checkout -q main");
    world.git("merge -q --no-ff -m merge branch");
    for version in 0..6 {
        world.write("main.txt", format!("after {version}\n"));
        world.commit(&format!("after-{version}"));
    }
    world.script("../test.sh", "! cat *.txt | grep -q wrong");
    world
}

#[test]
fn the_commit_on_a_merged_branch_is_named_if_all_parents_count() {
    if !has_git() {
        return;
    }
    let world = merged();
    assert_eq!(title(&world.answer("history -- ../test.sh")), "merge");
    for pace in ["", "--linear "] {
        let answer = world.answer(&format!("history --all-parents {pace}-- ../test.sh"));
        assert_eq!(title(&answer), "branch-2");
        assert_eq!(answer["outcome"]["good"]["title"], "branch-1");
        assert_eq!(answer["outcome"]["causes"][0]["culprit"][0]["file"], "branch.txt");
        assert_eq!(answer["forward"]["proof"], "pass");
        world.write("../answer.json", answer.to_string());
        let ran = world.line("verify ../answer.json");
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_merge_whose_sides_pass_is_named_itself() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    world.write("a.txt", "one\n");
    world.commit("first");
    world.git("checkout -q -b branch");
    world.write("b.txt", "two\n");
    world.commit("branch");
    world.git("checkout -q main");
    world.write("a.txt", "three\n");
    world.commit("main");
    world.git("merge -q --no-ff -m merge branch");
    for version in 0..4 {
        world.write("other", format!("{version}\n"));
        world.commit(&format!("after-{version}"));
    }
    world.script("../test.sh", "! { test -e b.txt && grep -q three a.txt; }");
    for parents in ["", "--all-parents "] {
        let answer = world.answer(&format!("history {parents}-- ../test.sh"));
        assert_eq!(title(&answer), "merge");
    }
}

/// The repository around a folder of releases has another history.
#[test]
fn a_folder_of_releases_inside_a_checkout_is_one_of_releases() {
    if !has_git() {
        return;
    }
    let world = history();
    for (release, word) in [("app-1.4", "fine"), ("app-1.5", "wrong"), ("app-1.6", "wrong")] {
        world.write(format!("releases/{release}/a.txt"), format!("{word}\n"));
    }
    world.script("../releases.sh", "! grep -q wrong a.txt");
    let answer = world.answer("history releases -- ../releases.sh");
    assert_eq!(answer["versions"], 3, "{answer:#}");
    assert_eq!(answer["outcome"]["suspects"][0]["short_id"], "app-1.5");
    // A folder that is part of the project is not a folder of releases.
    world.commit("kept");
    let answer = world.answer("history releases -- ../releases.sh");
    assert_ne!(answer["versions"], 3, "{answer:#}");
}

/// Returns a world whose newest version fails, with a version `stable` beside its history.
/// `at_base` is the output of the program where the two parted.
fn with_stable(at_base: &str) -> World {
    let world = World::new();
    world.git("init -q -b main");
    for (title, text) in [("first", "right"), ("base", at_base)] {
        world.write("a.txt", format!("{text}\n"));
        world.write("b.txt", title);
        world.commit(title);
    }
    world.git("checkout -q -b stable");
    world.write("a.txt", "right\n");
    world.write("c.txt", "stable");
    world.commit("on-stable");
    world.git("checkout -q main");
    for title in ["bad", "later"] {
        world.write("a.txt", "wrong\n");
        world.write("d.txt", title);
        world.commit(title);
    }
    world.script("../test.sh", "! grep -q wrong a.txt");
    world
}

#[test]
fn which_version_stands_for_a_good_one_beside_the_history_is_said() {
    if !has_git() {
        return;
    }
    let world = with_stable("right");
    let answer = world.answer("history --good stable -- ../test.sh");
    assert_eq!(answer["base"]["title"], "base", "{answer:#}");
    assert_eq!(answer["outcome"]["suspects"][0]["title"], "bad");
    let text = world.line("show").stdout;
    let base = "base       the newest version does not come from stable: ";
    assert!(text.contains(base) && text.contains("\"base\" ("), "{text}");
    let answer = world.answer("history --good HEAD~2 -- ../test.sh");
    assert_eq!(answer.get("base"), None, "{answer:#}");
}

#[test]
fn a_good_version_that_was_not_tested_is_not_said_to_fail() {
    if !has_git() {
        return;
    }
    let ran = with_stable("wrong").line("history --good stable -- ../test.sh");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(!ran.stderr.contains("`stable` fails"), "{}", ran.stderr);
    for part in ["does not come from `stable`, so ", "\"base\"", "was tested instead: it fails too"]
    {
        assert!(ran.stderr.contains(part), "no `{part}`: {}", ran.stderr);
    }
}

#[test]
fn a_good_version_counts_even_if_it_changes_none_of_the_paths() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    let versions = [("a.txt", "right"), ("b.txt", "good"), ("a.txt", "wrong"), ("b.txt", "later")];
    for (name, text) in versions {
        world.write(name, format!("{text}\n"));
        world.commit(text);
    }
    world.script("../test.sh", "! grep -q wrong a.txt");
    let answer = world.answer("history --good HEAD~2 --path a.txt -- ../test.sh");
    assert_eq!(answer["outcome"]["suspects"][0]["title"], "wrong", "{answer:#}");
    assert_eq!(answer["outcome"]["good"]["title"], "good");
}
