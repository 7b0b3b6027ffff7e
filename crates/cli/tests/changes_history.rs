//! Histories with merges, commits that cannot be tested apart, subfolders; and what is known of
//! earlier runs.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{WHODUNIT, World, has_git, numbered};

fn text(replaced: &[(usize, &str)]) -> String {
    numbered(40, replaced)
}

/// Returns a world with a merge whose sides pass each by itself and fail together: the second
/// commit of each is to blame.
fn merge() -> World {
    let world = World::new();
    world.git("init -q -b main");
    world.write("a.txt", text(&[]));
    world.write("b.txt", text(&[]));
    world.commit("first");
    world.git("tag v1");
    world.git("checkout -q -b side");
    for (title, replaced) in [
        ("side-1", &[(3, "harmless")][..]),
        ("side-2", &[(3, "harmless"), (17, "broken")]),
        ("side-3", &[(3, "harmless"), (17, "broken"), (30, "harmless")]),
    ] {
        world.write("b.txt", text(replaced));
        world.commit(title);
    }
    world.git("checkout -q main");
    for (title, replaced) in [
        ("main-1", &[(5, "harmless")][..]),
        ("main-2", &[(5, "harmless"), (20, "wrong")]),
        ("main-3", &[(5, "harmless"), (20, "wrong"), (33, "harmless")]),
    ] {
        world.write("a.txt", text(replaced));
        world.commit(title);
    }
    world.git("merge -q --no-ff -m merged side");
    world.commit("last");
    world.git("tag v2");
    let test = "if grep -q wrong a.txt && grep -q broken b.txt; then exit 1; fi";
    world.script("../test.sh", test);
    world
}

#[test]
fn both_sides_of_a_merge_that_fails_are_named() {
    if !has_git() {
        return;
    }
    let world = merge();
    let pages = "--sarif ../x.sarif --markdown ../x.md";
    let answer = world.answer(&format!("changes v1 v2 {pages} -- ../test.sh"));
    assert_eq!(answer["commits"][0]["title"], "merged");
    let cause = &answer["causes"][0];
    let culprit = &cause["culprit"];
    assert_eq!(culprit.as_array().unwrap().len(), 1);
    assert_eq!((&culprit[0]["file"], &culprit[0]["new_lines"][0]), (&"b.txt".into(), &18.into()));
    let side = world.git("rev-parse side~1");
    assert!(side.starts_with(culprit[0]["commit"].as_str().unwrap()), "{culprit}");
    let partners = cause["partners"].as_array().unwrap();
    assert_eq!(partners.len(), 1);
    assert_eq!(partners[0]["commit"]["title"], "main-2");
    let changes = partners[0]["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!((&changes[0]["file"], &changes[0]["new_lines"][0]), (&"a.txt".into(), &21.into()));
    // The good version has neither, so the culprit alone does nothing to it.
    assert_eq!(cause["proof"]["given_good_with_culprit"], "pass");
    let words = world.line("show").stdout;
    assert!(words.contains("\"main-2\" (J. Doe, 2026-03-02), on the other side of the merge\n"));
    assert!(words.contains("           a.txt:21\n"), "{words}");
    let page = std::fs::read_to_string(world.beside("x.md")).unwrap();
    assert!(page.contains("it fails together with the other side") && page.contains("`a.txt:21`"));
    let sarif = std::fs::read_to_string(world.beside("x.sarif")).unwrap();
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let related = &sarif["runs"][0]["results"][0]["relatedLocations"][0];
    assert_eq!(related["physicalLocation"]["artifactLocation"]["uri"], "a.txt");
    assert_eq!(related["physicalLocation"]["region"]["startLine"], 21);
    assert!(related["message"]["text"].as_str().unwrap().contains("\"main-2\""), "{related}");
}

/// Returns a world with three commits after the good one that cannot be tested apart; the second
/// of them brings the wrong line.
fn inseparable() -> World {
    let world = World::new();
    world.git("init -q -b main");
    let mut replaced = Vec::new();
    for (number, line) in [None, Some((3, "unfinished")), Some((12, "wrong")), Some((3, "done"))]
        .into_iter()
        .enumerate()
    {
        replaced.retain(|(place, _)| line.is_none_or(|(other, _)| other != *place));
        replaced.extend(line);
        world.write("a.txt", text(&replaced));
        world.write(format!("more-{number}.txt"), text(&[]));
        world.commit(&format!("commit-{number}"));
    }
    world.script("../test.sh", "grep -q unfinished a.txt && exit 125; ! grep -q wrong a.txt");
    world
}

#[test]
fn changes_are_grouped_by_the_commit_they_came_with() {
    if !has_git() {
        return;
    }
    let world = inseparable();
    let answer = world.answer("changes HEAD~3 HEAD --group process -- ../test.sh");
    assert_eq!(answer["group"], "process");
    assert_eq!(answer["commits"].as_array().unwrap().len(), 3);
    let culprit = &answer["causes"][0]["culprit"];
    assert_eq!(culprit.as_array().unwrap().len(), 1, "{culprit}");
    assert_eq!(culprit[0]["new_lines"][0], 13);
    let commit = world.git("rev-parse HEAD~1");
    assert!(commit.starts_with(culprit[0]["commit"].as_str().unwrap()), "{culprit}");
}

#[test]
fn without_a_history_changes_are_grouped_by_location_and_that_is_said() {
    let world = World::new();
    world.write("old/a.txt", text(&[]));
    world.write("new/a.txt", text(&[(3, "harmless"), (12, "wrong")]));
    world.script("test.sh", "! grep -q wrong a.txt");
    let ran = world.line("changes old new --group process -- ./test.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let said = "there is no history between the versions, so changes were grouped by location\n";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    let answer = world.answer("changes old new --group process -- ./test.sh");
    assert_eq!(
        (&answer["group"], &answer["settings"]["group"]),
        (&"location".into(), &"process".into())
    );
}

#[test]
fn from_a_subfolder_the_test_runs_at_the_top_as_with_git_bisect_run() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    for (number, line) in ["fine", "wrong", "wrong"].iter().enumerate() {
        world.write("sub/a.txt", text(&[(3, line), (5 + number, "harmless")]));
        world.commit(&format!("commit-{number}"));
    }
    let log = world.beside("log");
    let script = format!("ls >>{}\n! grep -q wrong sub/a.txt", log.display());
    world.script("../test.sh", &script);
    let mut command = world.command(WHODUNIT);
    let args = ["changes", "HEAD~2", "--json", "-q", "--", "../../test.sh"];
    let ran = world.finish(command.args(args).current_dir(world.path("sub")));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["commits"][0]["title"], "commit-1");
    assert_eq!(answer["causes"][0]["culprit"][0]["file"], "sub/a.txt");
    let bisect = format!(
        "git bisect start HEAD HEAD~2 && git bisect run sh {}",
        world.beside("test.sh").display()
    );
    let mut command = world.command("sh");
    let ran = world.finish(command.args(["-c", &bisect]).current_dir(world.path("sub")));
    let commit = answer["commits"][0]["id"].as_str().unwrap();
    assert!(ran.stdout.contains(&format!("{commit} is the first bad commit")), "{}", ran.stdout);
    let seen = std::fs::read_to_string(log).unwrap();
    assert!(seen.lines().all(|line| line == "sub"), "{seen}");
}

#[test]
fn what_a_warm_folder_misled_is_asked_again_in_clean_ones() {
    let world = World::new();
    world.write("old/a.txt", text(&[]));
    world.write("new/a.txt", text(&[(3, "harmless"), (12, "wrong"), (30, "harmless")]));
    // From its sixth test on a folder says that everything fails.
    let test = "echo >>count; test $(wc -l <count) -lt 6 && ! grep -q wrong a.txt";
    world.script("test.sh", test);
    let answer = world.answer("changes old new -j1 -- ./test.sh");
    assert_eq!(answer["warm_disagreed"], true);
    let culprit = &answer["causes"][0]["culprit"];
    assert_eq!(culprit.as_array().unwrap().len(), 1, "{culprit}");
    assert_eq!(culprit[0]["new_lines"][0], 13);
}
