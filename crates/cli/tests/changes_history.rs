//! Histories with merges, commits that cannot be tested apart, and subfolders; and knowledge of
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
fn a_commit_of_a_side_that_left_an_untestable_commit_is_named_and_not_the_merge() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    world.write("main.txt", "1\n");
    world.commit("first");
    world.git("tag v1");
    world.write("unfinished", "");
    world.commit("begun");
    world.git("checkout -q -b side");
    world.git("rm -q unfinished");
    world.write("side.txt", "broken\n");
    world.commit("side-1");
    world.write("more.txt", "more\n");
    world.commit("side-2");
    world.git("checkout -q main");
    world.git("rm -q unfinished");
    world.write("main.txt", "1\n2\n");
    world.commit("finished");
    world.git("merge -q --no-ff -m merged side");
    world.git("tag v2");
    let test = "[ ! -e unfinished ] || exit 125; if grep -q broken side.txt; then exit 1; fi";
    world.script("../test.sh", test);
    let answer = world.answer("changes v1 v2 -- ../test.sh");
    let titles: Vec<_> =
        answer["commits"].as_array().unwrap().iter().map(|it| it["title"].clone()).collect();
    assert_eq!(titles, ["begun", "side-1"], "these two cannot be told apart");
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
    assert_eq!(partners[0]["each_needed"], true);
    assert_eq!(partners[0]["ends"], serde_json::json!({"good": "pass", "bad": "fail"}));
    let changes = partners[0]["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!((&changes[0]["file"], &changes[0]["new_lines"][0]), (&"a.txt".into(), &21.into()));
    // The good version has neither, so the culprit alone changes nothing about its outcome.
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

/// Checks that `verify` refutes an answer after something in it was changed, and says why.
fn check_refuted(world: &World, answer: &Value, doctored: &[(&str, Value)], why: &str) {
    let mut answer = answer.clone();
    for (place, value) in doctored {
        *answer.pointer_mut(place).unwrap() = value.clone();
    }
    world.write("../doctored.json", answer.to_string());
    let ran = world.line("verify ../doctored.json --trust --sandbox=off");
    assert_eq!(ran.code, Some(4), "{doctored:?}: {}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(why), "{doctored:?}: {}", ran.stdout);
}

#[test]
fn verify_replays_what_is_said_of_the_other_side_of_a_merge() {
    if !has_git() {
        return;
    }
    let world = merge();
    // The partner changes more than necessary.
    world.git("checkout -q -b more main~4");
    world.write("a.txt", text(&[(5, "harmless"), (20, "wrong"), (24, "harmless")]));
    world.commit("more-2");
    world.git("merge -q --no-ff -m more-merged side");
    let answer = world.answer("changes v1 more -- ../test.sh");
    let partner = &answer["causes"][0]["partners"][0];
    assert_eq!(partner["commit"]["title"], "more-2", "{answer:#}");
    world.write("../answer.json", answer.to_string());
    let ran = world.line("verify ../answer.json");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let [before, with] =
        ["more~2", "more~1"].map(|it| world.git(&format!("rev-parse --short {it}")));
    let (before, with) = (before.trim(), with.trim());
    for line in [
        format!("  {before} + culprit: passes\n"),
        format!("  {with} + culprit: fails\n"),
        format!("  {before} + culprit + needed changes of {with}: fails\n"),
        format!("  {before} + culprit + needed changes of {with} without a.txt:21: passes\n"),
    ] {
        assert!(ran.stdout.contains(&line), "`{line}` is not in\n{}", ran.stdout);
    }
    let other = world.answer("changes v1 v2 -- ../test.sh");
    let place = |name: &str| format!("/causes/0/partners/0/{name}");
    let (ends, commit) = (place("ends/bad"), place("commit"));
    check_refuted(
        &world,
        &answer,
        &[(&ends, "pass".into())],
        "fails (the answer says that it passes)",
    );
    let named = other.pointer(&commit).unwrap().clone();
    check_refuted(&world, &answer, &[("/commits/0", named.clone())], "`commits[0].id` is ");
    let innocent = "innocent".into();
    check_refuted(&world, &answer, &[("/commits/0/title", innocent)], "`commits[0].title` is ");
    check_refuted(&world, &answer, &[(&commit, named)], "`causes[0].partners` is ");
    let mut more = partner["changes"].clone();
    let mut harmless = more[0].clone();
    (harmless["old_lines"], harmless["new_lines"]) = ([25, 25].into(), [25, 25].into());
    (harmless["old_text"], harmless["new_text"]) = ("line number 24".into(), "harmless".into());
    more.as_array_mut().unwrap().push(harmless);
    let changes = place("changes");
    let why = "without a.txt:25: fails (the answer says that it does not fail)";
    check_refuted(&world, &answer, &[(&changes, more.clone())], why);
    more[1]["new_text"] = "something else".into();
    check_refuted(&world, &answer, &[(&changes, more)], "`causes[0].partners[0].changes` is ");
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
    // From its fifth test on a folder makes everything fail.
    let test = "echo >>count; test $(wc -l <count) -lt 5 && ! grep -q wrong a.txt";
    world.script("test.sh", test);
    let answer = world.answer("changes old new -j1 -- ./test.sh");
    assert_eq!(answer["started_over"], "warm_folders");
    let culprit = &answer["causes"][0]["culprit"];
    assert_eq!(culprit.as_array().unwrap().len(), 1, "{culprit}");
    assert_eq!(culprit[0]["new_lines"][0], 13);
}

/// Returns a world whose side branch begins with a bug, then merges main, and is merged.
///
/// ```text
/// first ── main-1 ── main-2 ────── merged
///    └─ bug ── side-2 ─┴ catch-up ─┘
/// ```
fn caught_up() -> World {
    let world = World::new();
    world.git("init -q -b main");
    for name in ["a.txt", "b.txt", "c.txt"] {
        world.write(name, text(&[]));
    }
    world.commit("first");
    world.git("tag v1");
    world.git("checkout -q -b side");
    world.write("b.txt", text(&[(4, "harmless"), (17, "broken")]));
    world.commit("bug");
    world.write("b.txt", text(&[(4, "harmless"), (17, "broken"), (30, "harmless")]));
    world.commit("side-2");
    world.git("checkout -q main");
    world.write("a.txt", numbered(300, &[]).replace("line", "other"));
    world.commit("main-1");
    world.git("checkout -q side");
    world.git("merge -q --no-ff -m catch-up main");
    world.git("checkout -q main");
    world.write("c.txt", text(&[(9, "harmless")]));
    world.commit("main-2");
    world.git("merge -q --no-ff -m merged side");
    world.script("../test.sh", "! grep -q broken b.txt");
    world
}

#[test]
fn a_commit_of_a_side_that_caught_up_is_compared_with_its_parent() {
    if !has_git() {
        return;
    }
    let world = caught_up();
    let answer = world.answer("changes v1 HEAD -- ../test.sh");
    assert_eq!(answer["commits"][0]["title"], "bug");
    assert_eq!(answer["compared"]["commits"]["good"], world.git("rev-parse v1").trim());
    assert_eq!(answer["size"]["files"], 1);
    let culprit = answer["causes"][0]["culprit"].as_array().unwrap();
    assert_eq!((culprit.len(), &culprit[0]["file"]), (1, &"b.txt".into()));
    // The newest version comes from the side by a second parent.
    world.script("../test.sh", "! grep -q harmless c.txt");
    let answer = world.answer("changes side HEAD -- ../test.sh");
    assert_eq!(answer["commits"][0]["title"], "main-2");
    assert_eq!(answer["compared"]["commits"]["good"], world.git("rev-parse HEAD~2").trim());
}

/// Returns a world with a stable branch that the newest version does not descend from. At the
/// commit where they parted the first line of `b.txt` is `line`.
fn stable(line: &str) -> World {
    let world = World::new();
    world.git("init -q -b main");
    world.write("a.txt", text(&[]));
    world.write("b.txt", text(&[(0, line)]));
    world.commit("parted");
    world.git("checkout -q -b stable");
    world.write("a.txt", text(&[(3, "stable")]));
    world.write("b.txt", text(&[]));
    world.commit("release");
    world.git("checkout -q main");
    for (title, replaced) in [
        ("main-1", &[(20, "harmless")][..]),
        ("bug", &[(20, "harmless"), (30, "wrong")]),
        ("main-3", &[(20, "harmless"), (30, "wrong"), (35, "harmless")]),
    ] {
        world.write("a.txt", text(replaced));
        world.commit(title);
    }
    world.script("../test.sh", "! grep -q wrong a.txt b.txt");
    world
}

#[test]
fn versions_that_parted_are_searched_from_where_they_did() {
    if !has_git() {
        return;
    }
    let world = stable("harmless");
    let answer = world.answer("changes stable main -- ../test.sh");
    assert_eq!(answer["commits"][0]["title"], "bug");
    assert_eq!(answer["commits_between"], 3);
    let base = &answer["base"];
    assert_eq!((&base["commit"]["title"], &base["verdict"]), (&"parted".into(), &"pass".into()));
    let culprit = answer["causes"][0]["culprit"].as_array().unwrap();
    assert_eq!((culprit.len(), &culprit[0]["new_text"]), (1, &"wrong".into()));
    let said = world.line("show").stdout;
    assert!(said.contains("\nbase       main does not come from stable; they parted"), "{said}");
    world.write("../answer.json", answer.to_string());
    let ran = world.line("verify ../answer.json");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(", where the versions parted: passes\n"), "{}", ran.stdout);
    let why = "where the versions parted: passes (the answer says that it fails)";
    check_refuted(&world, &answer, &[("/base/verdict", "fail".into())], why);
    let why = "`base.commit.";
    let other = answer["commits"][0].clone();
    check_refuted(&world, &answer, &[("/base/commit", other)], why);
    // Where one version descends from the other the answer has no base.
    assert_eq!(world.answer("changes main~3 main -- ../test.sh")["base"], Value::Null);
}

#[test]
fn a_failure_that_is_older_than_where_versions_parted_is_said_to_be() {
    if !has_git() {
        return;
    }
    let world = stable("wrong");
    let answer = world.answer("changes stable main --all -- ../test.sh");
    assert_eq!(answer["base"]["verdict"], "fail");
    assert_eq!(answer["commits"].as_array().unwrap().len(), 0);
    assert_eq!(answer["causes"].as_array().unwrap().len(), 2);
    let said = world.line("show").stdout;
    assert!(said.contains("which fails too: stable has something since then"), "{said}");
}
