//! `whodunit changes`: from two versions to the changes that caused the failure.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use serde_json::Value;
use support::{GIT_WHODUNIT, Ran, WHODUNIT, World, has_git, needs, numbered};

/// Fails if and only if both words are there.
const TEST: &str = "if grep -q wrong a.txt && grep -q broken b.txt; then echo boom; exit 1; fi";

/// Returns a world with two folders that differ in four lines, two of which fail together.
fn folders() -> World {
    let world = World::new();
    world.write("old/a.txt", numbered(30, &[]));
    world.write("old/b.txt", numbered(30, &[]));
    world.write("new/a.txt", numbered(30, &[(3, "harmless"), (17, "wrong")]));
    world.write("new/b.txt", numbered(30, &[(4, "broken"), (25, "harmless too")]));
    world.script("test.sh", TEST);
    world
}

/// Returns a world with a repository of nine commits, the fifth of which is to blame, and with a
/// checkout that has changes, some of them in the index.
fn history() -> World {
    let world = World::new();
    world.git("init -q -b main");
    world.write("a.txt", numbered(60, &[]));
    world.commit("first");
    world.git("tag v1");
    for number in 1..=8 {
        let mut replaced: Vec<(usize, &str)> = (0..number).map(|it| (it, "harmless")).collect();
        if number >= 4 {
            replaced.extend([(30, "wrong"), (40, "harmless"), (50, "harmless")]);
        }
        world.write("a.txt", numbered(60, &replaced));
        world.commit(&format!("commit-{number}"));
    }
    world.git("tag v2");
    world.write("staged.txt", "staged");
    world.git("add staged.txt");
    world.write("a.txt", "dirty");
    world.write("untracked.txt", "untracked");
    fs::write(world.beside("test.sh"), "#!/bin/sh\n! grep -q wrong a.txt\n").unwrap();
    make_executable(&world.beside("test.sh"));
    world
}

fn make_executable(path: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Returns everything that a run must not change.
fn repository(world: &World) -> (String, String, Vec<u8>, Vec<u8>) {
    // `git status` may write the index, so the index is read first.
    let (index, head) = (world.read(".git/index"), world.read(".git/HEAD"));
    let refs = world.git("for-each-ref") + &world.git("stash list") + &world.git("worktree list");
    (world.git("--no-optional-locks status --porcelain=v2"), refs, index, head)
}

fn places(answer: &Value) -> Vec<(String, u64)> {
    let culprit = answer["causes"][0]["culprit"].as_array().unwrap();
    let place = |change: &Value| {
        (change["file"].as_str().unwrap().to_owned(), change["new_lines"][0].as_u64().unwrap())
    };
    culprit.iter().map(place).collect()
}

/// Runs the program and returns the answer; it must be finished.
fn answer(world: &World, args: &[&str]) -> Value {
    let ran = world.run(["changes", "--json", "-q"].iter().chain(args));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Applies a patch to a copy of a folder and returns how the test ends there.
fn patched(world: &World, folder: &str, patch: &str) -> Option<i32> {
    let copy = tempfile::tempdir().unwrap();
    let run = |program: &str, args: &[&str]| -> Ran {
        world.finish(world.command(program).args(args).current_dir(copy.path()))
    };
    let source = world.path(folder).join(".");
    assert_eq!(run("cp", &["-a", source.to_str().unwrap(), "."]).code, Some(0));
    let applied = run("git", &["apply", patch]);
    assert_eq!(applied.code, Some(0), "{}", applied.stderr);
    run("sh", &[world.path("test.sh").to_str().unwrap()]).code
}

#[test]
fn interacting_lines_of_two_folders_are_found_and_both_patches_do_what_they_say() {
    let world = folders();
    let answer = answer(&world, &["old", "new", "--out", "out", "--", "./test.sh"]);
    assert_eq!(places(&answer), [("a.txt".into(), 18), ("b.txt".into(), 5)]);
    assert_eq!(answer["commits"], Value::Array(Vec::new()));
    assert_eq!(answer["size"]["changes"], 4);
    let proof = &answer["causes"][0]["proof"];
    assert_eq!(
        (&proof["good_with_culprit"], &proof["bad_without_fix"]),
        (&"fail".into(), &"pass".into())
    );
    assert_eq!(proof["each_needed"], true);
    if has_git() {
        let patch = |name: &str| world.path("out").join(name).to_str().unwrap().to_owned();
        assert_eq!(patched(&world, "old", &patch("culprit.patch")), Some(1));
        assert_eq!(patched(&world, "new", &patch("fix.patch")), Some(0));
    }
}

#[test]
fn the_commit_and_its_line_are_found_and_the_repository_is_left_alone() {
    if !has_git() {
        return;
    }
    let world = history();
    let before = repository(&world);
    let answer = answer(&world, &["v1", "v2", "--", "../test.sh"]);
    assert_eq!(repository(&world), before);
    assert_eq!(world.text("a.txt"), "dirty");
    assert_eq!(answer["commits"][0]["title"], "commit-4");
    assert_eq!(answer["commits"][0]["author"], "J. Doe");
    assert_eq!(answer["commits"].as_array().unwrap().len(), 1);
    assert_eq!(answer["commits_between"], 8);
    assert_eq!(places(&answer), [("a.txt".into(), 31)]);
    let commit = world.git("rev-parse HEAD~4");
    assert_eq!(answer["commits"][0]["id"], commit.trim());
    assert_eq!(answer["causes"][0]["culprit"][0]["commit"], answer["commits"][0]["short_id"]);
}

#[test]
fn ranges_one_revision_and_git_whodunit_mean_the_same() {
    if !has_git() {
        return;
    }
    let world = history();
    for args in [&["v1..v2"][..], &["v1"], &["v1", "HEAD"]] {
        let args: Vec<&str> = args.iter().copied().chain(["--", "../test.sh"]).collect();
        assert_eq!(answer(&world, &args)["commits"][0]["title"], "commit-4", "{args:?}");
    }
    let program = std::path::Path::new(GIT_WHODUNIT).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut git = world.command("git");
    git.env("PATH", format!("{}:{path}", program.display()));
    let ran = world.finish(git.args(["whodunit", "changes", "v1", "v2", "--", "../test.sh"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("\"commit-4\" (J. Doe, 2026-03-02), one of 8\n"), "{}", ran.stdout);
}

#[test]
fn the_answer_names_commit_place_proof_and_patches() {
    if !has_git() {
        return;
    }
    let world = history();
    let ran = world.line("changes v1 v2 -- ../test.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for line in [
        "culprit    a.txt:31\n",
        "size       1 of 4 changed lines (4 hunks in 1 file)\n",
        "fails; ",
        " − fix: passes; each change is needed\n",
        "culprit.patch (on ",
        "fix.patch (on ",
        "\n-line number 30\n+wrong\n",
        "run        to see more: whodunit show changes-v2-1\n",
    ] {
        assert!(ran.stdout.contains(line), "{line} in\n{}", ran.stdout);
    }
    assert!(!ran.stdout.contains('\x1b'));
    assert!(ran.stderr.contains("looking for the commit: 8 commits\n"), "{}", ran.stderr);
    let shown = world.line("show").stdout;
    assert!(shown.contains("whodunit changes v1 v2 -- ../test.sh"), "{shown}");
    assert!(shown.contains("culprit    a.txt:31\n"), "{shown}");
    assert!(world.line("show --list").stdout.contains("changes-v2-1  finished"));
    assert_eq!(world.line("report --out ../page.html").code, Some(0));
    let page = fs::read_to_string(world.beside("page.html")).unwrap();
    for text in ["<h1>whodunit changes: v1 to v2</h1>", "the commit: tests 1 to", "<strong>4 → 1<"]
    {
        assert!(page.contains(text), "{text} in\n{page}");
    }
}

#[test]
fn a_script_for_git_bisect_run_gives_the_same_commit_with_at_most_one_test_more() {
    if !has_git() {
        return;
    }
    let world = history();
    let log = world.beside("log");
    let counting = format!("#!/bin/sh\necho >>{}\n! grep -q wrong a.txt\n", log.display());
    fs::write(world.beside("counting.sh"), counting).unwrap();
    make_executable(&world.beside("counting.sh"));
    world.git("checkout -q -f v2");
    world.git("bisect start v2 v1");
    let script = world.beside("counting.sh");
    let bisected = world.git(&format!("bisect run {}", script.display()));
    world.git("bisect reset");
    let tests_of_git = fs::read_to_string(&log).unwrap().lines().count() as u64;
    let answer = answer(&world, &["v1", "v2", "--level", "commit", "-j1", "--", "../counting.sh"]);
    let commit = answer["commits"][0]["id"].as_str().unwrap();
    assert!(bisected.contains(&format!("{commit} is the first bad commit")), "{bisected}");
    let tests = answer["tests"]["committed"].as_u64().unwrap();
    assert!(tests <= tests_of_git + 1, "{tests} and {tests_of_git}");
}

#[test]
fn a_commit_without_its_changes_is_proved_in_clean_folders_as_well() {
    if !has_git() {
        return;
    }
    let world = history();
    // In a folder where an earlier test failed, the commit before the culprit fails as well.
    let test = "if grep -q wrong a.txt; then touch was-wrong; exit 1; fi\n\
                [ ! -e was-wrong ] || [ $(grep -c harmless a.txt) -ne 3 ]";
    let args = ["v1", "v2", "--level", "commit", "-j1", "--", "../test.sh"];
    // Each of the two claims is run four times.
    assert_eq!(answer(&world, &args)["tests"]["proof"], 8);
    world.script("../test.sh", test);
    let answer = answer(&world, &args);
    assert_eq!(answer["commits"][0]["title"], "commit-4", "{answer:#}");
    assert_eq!(answer["started_over"], "warm_folders");
    assert_eq!(answer["ends"], serde_json::json!({"good": "pass", "bad": "fail"}));
    let shown = world.line("show").stdout;
    let [good, bad] = ["good", "bad"].map(|end| answer["compared"][end].as_str().unwrap());
    assert!(shown.contains(&format!("proved     {good} passes; {bad} fails\n")), "{shown}");
    world.write("../answer.json", answer.to_string());
    let ran = world.line("verify ../answer.json");
    let text = format!("the proof holds:\n  {good}: passes\n  {bad}: fails\nnot checked: ");
    assert!(ran.stdout.starts_with(&text), "{}", ran.stdout);
    // What the answer says of the commits is what is replayed.
    let mut later = answer.clone();
    later["compared"]["commits"]["good"] = world.git("rev-parse HEAD~4").trim().into();
    world.write("../answer.json", later.to_string());
    let ran = world.line("verify --trust ../answer.json");
    assert_eq!(ran.code, Some(4), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("fails (the answer says that it passes)\n"), "{}", ran.stdout);
}

#[test]
fn one_job_and_eight_give_the_same_answer() {
    let world = folders();
    let mut answers: Vec<Value> =
        ["-j1", "-j8"].map(|jobs| answer(&world, &["old", "new", jobs, "--", "./test.sh"])).into();
    let first = answers.remove(0);
    assert_eq!(first["causes"][0]["culprit"], answers[0]["causes"][0]["culprit"]);
    assert_eq!(first["causes"][0]["fix_patch"], answers[0]["causes"][0]["fix_patch"]);
    assert_eq!(first["tests"]["committed"], answers[0]["tests"]["committed"]);
    assert_eq!(first["tests"]["cached"], answers[0]["tests"]["cached"]);
}

#[test]
fn archives_are_versions_too() {
    let world = folders();
    if !needs("tar") {
        return;
    }
    let mut tar = world.command("tar");
    let packed = world.finish(tar.args(["-czf", "new.tar.gz", "-C", "new", "a.txt", "b.txt"]));
    assert_eq!(packed.code, Some(0), "{}", packed.stderr);
    let answer = answer(&world, &["old", "new.tar.gz", "--", "./test.sh"]);
    assert_eq!(places(&answer), [("a.txt".into(), 18), ("b.txt".into(), 5)]);
}

#[test]
fn every_change_is_a_result_of_sarif_with_its_lines_and_partners() {
    let world = folders();
    let args =
        ["changes", "old", "new", "--sarif", "x.sarif", "--markdown", "x.md", "--", "./test.sh"];
    assert_eq!(world.run(args).code, Some(0));
    let sarif: Value = serde_json::from_str(&world.text("x.sarif")).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "whodunit");
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    let rule = &run["tool"]["driver"]["rules"][0]["id"];
    for result in results {
        assert_eq!(result["ruleId"], *rule);
        assert!(result["message"]["text"].as_str().unwrap().contains("exits with 1"), "{result}");
    }
    let location = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "a.txt");
    assert_eq!(location["region"]["startLine"], 18);
    assert_eq!(location["region"]["endLine"], 18);
    let partner = &results[0]["relatedLocations"][0]["physicalLocation"];
    assert_eq!(partner["artifactLocation"]["uri"], "b.txt");
    let page = world.text("x.md");
    for text in ["| `a.txt:18` |", "```diff\n", "+wrong\n", "whodunit changes old new -- ./test.sh"]
    {
        assert!(page.contains(text), "{text} in\n{page}");
    }
}

#[test]
fn a_run_that_is_killed_goes_on_to_the_same_answer() {
    let world = folders();
    let whole = answer(&world, &["old", "new", "-j1", "--", "./test.sh"]);
    // The sixth test, which is the second after the first runs, kills its grandparent.
    let log = world.beside("log");
    let text = format!(
        "echo >>{0}; if [ $(wc -l <{0}) = 6 ]; then kill -9 $(cat {1}); sleep 5; fi\n{TEST}",
        log.display(),
        world.beside("pid").display()
    );
    world.script("test.sh", &text);
    let mut shell = world.command("sh");
    let pid = world.beside("pid");
    let line =
        format!("echo $$ >{}; exec {WHODUNIT} changes old new -j1 -q -- ./test.sh", pid.display());
    let ran = world.finish(shell.args(["-c", &line]));
    assert_eq!(ran.code, None, "{}", ran.stderr);
    let resumed = world.line("resume --json -q");
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    let resumed: Value = serde_json::from_str(&resumed.stdout).unwrap();
    assert_eq!(resumed["causes"][0]["culprit"], whole["causes"][0]["culprit"]);
    assert_eq!(resumed["causes"][0]["fix_patch"], whole["causes"][0]["fix_patch"]);
    let tests = fs::read_to_string(&log).unwrap().lines().count() as u64;
    let needed = whole["tests"]["committed"].as_u64().unwrap();
    let proof = resumed["tests"]["proof"].as_u64().unwrap();
    // Four first runs, and the lost one.
    assert!(tests <= needed + proof + 5, "{tests} for {needed} and {proof}");
}

#[test]
fn a_budget_keeps_the_best_so_far_and_resume_goes_on() {
    let world = folders();
    let ran = world.line("changes old new --max-tests 1 -q --json -- ./test.sh");
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let cut: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(cut["ended"], "out_of_tests");
    let resumed = world.line("resume --max-tests 1000 --json -q");
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    let resumed: Value = serde_json::from_str(&resumed.stdout).unwrap();
    assert_eq!(places(&resumed), [("a.txt".into(), 18), ("b.txt".into(), 5)]);
    let bands = || world.line("report --out -").stdout.matches("<title>the changes: test").count();
    let after_two_runs = bands();
    let whole = world.line("changes old new -q -- ./test.sh");
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
    assert_eq!(after_two_runs, bands(), "a search that goes on is the same search");
}

#[test]
fn every_cause_is_found_if_all_are_asked_for() {
    let world = folders();
    world.script("test.sh", "if grep -q wrong a.txt || grep -q broken b.txt; then exit 1; fi");
    let answer = answer(&world, &["old", "new", "--all", "--", "./test.sh"]);
    let causes = answer["causes"].as_array().unwrap();
    assert_eq!(causes.len(), 2);
    for (cause, file) in causes.iter().zip(["a.txt", "b.txt"]) {
        assert_eq!(cause["culprit"].as_array().unwrap().len(), 1);
        assert!(
            ["a.txt", "b.txt"].contains(&cause["culprit"][0]["file"].as_str().unwrap()),
            "{file}"
        );
    }
    assert_ne!(causes[0]["culprit"], causes[1]["culprit"]);
}

#[test]
fn each_level_can_be_asked_for() {
    let world = folders();
    for level in ["directory", "file", "item", "hunk", "line", "token"] {
        let answer = answer(&world, &["old", "new", "--level", level, "--", "./test.sh"]);
        assert_eq!(answer["settings"]["level"], level);
        assert_eq!(answer["causes"][0]["proof"]["good_with_culprit"], "fail", "{level}");
    }
}

#[test]
fn where_colours_are_seen_the_patch_has_them() {
    let world = folders();
    let mut command = world.command(WHODUNIT);
    command.env("CLICOLOR_FORCE", "1").args(["changes", "old", "new", "-q", "--", "./test.sh"]);
    let quiet = world.finish(&mut command);
    assert_eq!((quiet.code, quiet.stdout.as_str()), (Some(0), ""));
    let mut command = world.command(WHODUNIT);
    command.env("CLICOLOR_FORCE", "1").args(["show"]);
    let shown = world.finish(&mut command).stdout;
    assert!(shown.contains("\u{1b}[32m+wrong\u{1b}[0m\n"), "{shown}");
    assert!(shown.contains("\u{1b}[31m-line number 17\u{1b}[0m\n"), "{shown}");
}
