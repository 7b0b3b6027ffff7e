//! `whodunit history`: from a version that fails to the one that brought the failure, with no
//! other known version.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::PathBuf;

use rustix::process::Signal;
use serde_json::Value;
use support::{GIT_WHODUNIT, Ran, World, eventually, has_git, needs, numbered};

/// Fails if the word is there; it needs nothing but the text.
const TEST: &str = "! grep -q wrong a.txt";

/// How many versions there are.
const VERSIONS: usize = 24;
/// The first version that is wrong.
const CULPRIT: usize = 9;

/// Returns the text of a version; each has its own harmless line.
fn text(version: usize) -> String {
    let harmless = format!("harmless {version}");
    let mut replaced = vec![(2, harmless.as_str())];
    if version >= CULPRIT {
        replaced.push((20, "wrong"));
    }
    numbered(30, &replaced)
}

/// Returns a world with a repository; `more` writes further files of each version.
fn history(more: impl Fn(&World, usize)) -> World {
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..VERSIONS {
        world.write("a.txt", text(version));
        more(&world, version);
        world.commit(&format!("commit-{version}"));
    }
    world.script("../test.sh", TEST);
    world
}

/// Returns a world whose test is part of the last six versions only, with a file that it reads.
fn with_new_test() -> World {
    history(|world, version| {
        if version + 6 >= VERSIONS {
            world.script("probe.sh", "test -e word || exit 3; ! grep -q \"$(cat word)\" a.txt");
            world.write("word", "wrong\n");
        }
    })
}

fn titles(answer: &Value) -> Vec<String> {
    let suspects = answer["outcome"]["suspects"].as_array();
    let suspects = suspects.unwrap_or_else(|| panic!("{}", answer["outcome"]));
    suspects.iter().map(|it| it["title"].as_str().unwrap().to_owned()).collect()
}

/// Checks that the version and its line are found, and that the fix is proved.
fn check_found(answer: &Value) {
    assert_eq!(answer["ended"], "done");
    assert_eq!(answer["outcome"]["outcome"], "found");
    assert_eq!(titles(answer), [format!("commit-{CULPRIT}")]);
    assert_eq!(answer["outcome"]["good"]["title"], format!("commit-{}", CULPRIT - 1));
    let cause = &answer["outcome"]["causes"][0];
    let culprit = cause["culprit"].as_array().unwrap();
    assert_eq!(culprit.len(), 1, "{culprit:?}");
    assert_eq!((&culprit[0]["file"], &culprit[0]["new_lines"][0]), (&"a.txt".into(), &21.into()));
    assert_eq!(cause["proof"]["good_with_culprit"], "fail");
    assert_eq!(answer["forward"]["proof"], "pass");
}

/// Returns the content of an answer, without the parts that differ from run to run.
fn said(answer: &Value) -> Value {
    let mut answer = answer.clone();
    let fields = answer.as_object_mut().unwrap();
    for field in ["run", "seconds", "tests", "learned", "settings"] {
        fields.remove(field);
    }
    answer["back_port"].as_object_mut().unwrap().remove("file");
    answer["forward"].as_object_mut().unwrap().remove("file");
    answer["outcome"]["causes"][0].as_object_mut().unwrap().remove("files");
    answer
}

/// Returns everything that a run must not change.
fn repository(world: &World) -> (String, String, Vec<u8>, Vec<u8>) {
    // `git status` may write the index, so the index is read first.
    let (index, head) = (world.read(".git/index"), world.read(".git/HEAD"));
    let refs = world.git("for-each-ref") + &world.git("stash list") + &world.git("worktree list");
    (world.git("--no-optional-locks status --porcelain=v2"), refs, index, head)
}

fn parsed(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn the_version_is_found_without_a_good_one_and_the_checkout_is_left_alone() {
    if !has_git() {
        return;
    }
    let world = history(|_, _| {});
    world.write("staged.txt", "staged");
    world.git("add staged.txt");
    world.write("a.txt", "dirty");
    world.write("untracked.txt", "untracked");
    let before = repository(&world);
    let answer = world.answer("history --out ../out -- ../test.sh");
    check_found(&answer);
    assert_eq!(repository(&world), before);
    assert_eq!(world.text("a.txt"), "dirty");
    assert_eq!(answer["back_port"]["patch"], "");
    assert_eq!(answer["versions"], VERSIONS);
    // The patches have the effects that the answer claims.
    for (revision, patch, code) in [
        ("HEAD", "fix", 0),
        ("HEAD", "", 1),
        (&*format!("HEAD~{}", VERSIONS - CULPRIT), "culprit", 1),
    ] {
        let copy = tempfile::tempdir().unwrap();
        let apply = if patch.is_empty() {
            String::new()
        } else {
            format!("git apply {} &&", world.beside(&format!("out/{patch}.patch")).display())
        };
        let script = format!(
            "cd {} && git -C {} archive {revision} | tar -x && {apply} sh {}",
            copy.path().display(),
            world.path("").display(),
            world.beside("test.sh").display()
        );
        let ran = world.finish(world.command("sh").args(["-c", &script]));
        assert_eq!(ran.code, Some(code), "{revision} {patch}: {}", ran.stderr);
    }
}

#[test]
fn the_answer_as_text_names_the_version_its_line_and_the_fix() {
    if !has_git() {
        return;
    }
    let world = history(|_, _| {});
    let ran = world.line("history -j1 -- ../test.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for text in [
        "\"commit-9\" (J. Doe, 2026-03-02), 14 back of 24 versions\n",
        "\"commit-8\" (J. Doe, 2026-03-02) passes\n",
        "culprit    a.txt:21\n",
        "+ culprit: fails",
        "− fix: passes; each change is needed\n",
        "fix        the newest version with it passes: 2 changed lines in 1 file\n",
        "history-work-1.patches/fix.patch\n",
        "(it explains the failure; it is not a repair)\n",
        "+wrong\n",
        "whodunit show history-work-1\n",
    ] {
        assert!(ran.stdout.contains(text), "`{text}` is not in\n{}", ran.stdout);
    }
    for text in ["looking for a version that passes: 24 versions\n", "1 version back: fails"] {
        assert!(ran.stderr.contains(text), "`{text}` is not in\n{}", ran.stderr);
    }
    let shown = world.line("show").stdout;
    for text in ["asked      whodunit history -- ../test.sh\n", "result\n", "3  fails\n"] {
        assert!(shown.contains(text), "`{text}` is not in\n{shown}");
    }
    let json: Value = serde_json::from_str(&world.line("show --json").stdout).unwrap();
    check_found(&json);
    let listed = world.line("show --list").stdout;
    assert!(listed.starts_with("history-work-1  finished"), "{listed}");
    let again = world.line("resume history-work-1");
    assert!(again.stderr.contains("finished already"), "{}", again.stderr);
}

#[test]
fn git_knows_the_command() {
    if !has_git() {
        return;
    }
    let world = history(|_, _| {});
    let mut command = world.command(GIT_WHODUNIT);
    let ran = world.finish(command.args(["history", "--json", "-q", "--", "../test.sh"]));
    check_found(&parsed(&ran));
}

#[test]
fn what_a_test_needs_that_only_the_newest_versions_have_is_carried_back_and_named() {
    if !has_git() {
        return;
    }
    let world = with_new_test();
    let ran = world.run(["history", "-j1", "--", "sh", "-c", "./probe.sh"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for text in
        ["back-port  3 changed lines in 2 files", "history-work-1.patches/back-port.patch (on "]
    {
        assert!(ran.stdout.contains(text), "`{text}` is not in\n{}", ran.stdout);
    }
    let shown = world.line("show").stdout;
    assert!(shown.contains("what the test needs: 3 changed lines in 2 files, out of"), "{shown}");
    let answer: Value = serde_json::from_str(&world.line("show --json").stdout).unwrap();
    check_found(&answer);
    let patch = answer["back_port"]["patch"].as_str().unwrap();
    assert!(patch.contains("b/probe.sh\n") && patch.contains("+wrong\n"), "{patch}");
    assert!(!patch.contains("harmless"), "{patch}");
    let page = world.line("report --out -").stdout;
    for text in ["The way through the versions", "aria-label=\"sizes of patches\"", "back: "] {
        assert!(page.contains(text), "`{text}` is not in\n{page}");
    }
}

#[test]
fn an_overlay_spares_the_search_for_what_the_test_needs() {
    if !has_git() {
        return;
    }
    let world = with_new_test();
    let line = ["--json", "-q", "--overlay", "probe.sh", "--overlay", "word", "--", "sh", "-c"];
    let ran = world.run(["history"].iter().chain(&line).chain(&["./probe.sh"]));
    let answer = parsed(&ran);
    check_found(&answer);
    assert_eq!(answer["searches"], 0);
    assert_eq!(answer["back_port"]["patch"], "");
}

#[test]
fn a_good_version_bounds_the_walk() {
    if !has_git() {
        return;
    }
    let world = history(|_, _| {});
    let good = world.git(&format!("rev-parse HEAD~{}", VERSIONS - CULPRIT));
    let answer = world.answer(&format!("history --good {} -- ../test.sh", good.trim()));
    check_found(&answer);
    assert_eq!(answer["versions"], VERSIONS - CULPRIT + 1);
}

#[test]
fn all_ways_and_any_number_of_workers_give_the_same_answer() {
    if !has_git() {
        return;
    }
    let world = with_new_test();
    let run = |flags: &[&str]| {
        let end = ["--json", "-q", "--", "sh", "-c", "./probe.sh"];
        parsed(&world.run(["history"].iter().chain(flags).chain(&end)))
    };
    let (one, eight) = (run(&["-j1"]), run(&["-j8"]));
    check_found(&one);
    assert_eq!(said(&one), said(&eight));
    assert_eq!(one["tests"]["committed"], eight["tests"]["committed"]);
    let linear = run(&["--linear"]);
    check_found(&linear);
    assert!(linear["steps"].as_array().unwrap().len() > one["steps"].as_array().unwrap().len());
    for search in ["halving", "halving_flat"] {
        check_found(&run(&["--search", search]));
    }
}

#[test]
fn a_wider_suite_says_what_else_the_fix_changes() {
    if !has_git() {
        return;
    }
    let world = history(|_, _| {});
    let also = "! grep -q wrong a.txt";
    let ran = world.run(["history", "--also", also, "--", "../test.sh"]);
    assert!(ran.stdout.contains("also       it exits with 1 without the fix"), "{}", ran.stdout);
    let ran = world.run(["history", "--also", "true", "--", "../test.sh"]);
    assert!(ran.stdout.contains("the same without the fix and with it"), "{}", ran.stdout);
}

#[test]
fn a_folder_of_releases_is_a_history() {
    let world = World::new();
    for version in 1..=12 {
        let wrong: &[(usize, &str)] = if version >= 5 { &[(9, "wrong")] } else { &[] };
        world.write(format!("releases/app-1.{version}/a.txt"), numbered(20, wrong));
        world.write(format!("releases/app-1.{version}/version"), format!("1.{version}\n"));
    }
    world.script("test.sh", TEST);
    let answer = world.answer("history releases -- ./test.sh");
    assert_eq!(answer["outcome"]["outcome"], "found");
    let suspect = answer["outcome"]["suspects"][0]["short_id"].as_str().unwrap();
    assert!(suspect.contains("1.5"), "{suspect}");
    let culprit = &answer["outcome"]["causes"][0]["culprit"];
    assert_eq!((culprit.as_array().unwrap().len(), &culprit[0]["file"]), (1, &"a.txt".into()));
    assert!(world.runs().contains(&"history-releases-1".into()), "{:?}", world.runs());
}

/// Runs a script for the shell in the current folder of the program.
fn shell(world: &World, script: &str) {
    let ran = world.finish(world.command("sh").args(["-ec", script]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// Checks that the fifth of eight versions is found, and that the proof can be replayed.
fn check_fifth(world: &World, answer: &Value) {
    world.write("answer.json", answer.to_string());
    let ran = world.line("verify answer.json");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(titles(answer), ["version 5"]);
    assert_eq!(answer["outcome"]["causes"][0]["culprit"][0]["file"], "a.txt");
    assert_eq!(answer["forward"]["proof"], "pass");
}

#[test]
fn a_history_of_subversion_is_walked_by_its_address() {
    if !needs("svn") || !needs("svnadmin") {
        return;
    }
    let world = World::new();
    world.script("test.sh", TEST);
    let script = "svnadmin create ../store; svn -q checkout file://$(realpath ../store) ../copy\n\
                  cd ../copy\n\
                  for version in 1 2 3 4 5 6 7 8; do\n\
                  seq 20 >a.txt; echo $version >version\n\
                  if [ $version -ge 5 ]; then echo wrong >>a.txt; fi\n\
                  svn -q add --force a.txt version; svn -q commit -m \"version $version\"\n\
                  done";
    shell(&world, script);
    let address = format!("file://{}", world.beside("store").display());
    check_fifth(&world, &world.answer(&format!("history {address} -- ./test.sh")));
}

#[test]
fn a_history_of_cvs_is_walked_by_its_root_and_module() {
    if !needs("cvs") {
        return;
    }
    let world = World::new();
    world.script("test.sh", TEST);
    let script = "root=:local:$(realpath ..)/store; cvs -Q -d $root init; mkdir ../store/app\n\
                  cd ..; cvs -Q -d $root checkout -d copy app; cd copy\n\
                  for version in 1 2 3 4 5 6 7 8; do\n\
                  seq 20 >a.txt; echo $version >version\n\
                  if [ $version -ge 5 ]; then echo wrong >>a.txt; fi\n\
                  cvs -Q add a.txt version || true; cvs -Q commit -m \"version $version\"\n\
                  done";
    shell(&world, script);
    let place = format!(":local:{}#app", world.beside("store").display());
    check_fifth(&world, &world.answer(&format!("history {place} -- ./test.sh")));
    // All commits were made within seconds, each with a message of its own.
    let ran =
        world.line(&format!("history {place} --cvs-window 5m --cvs-any-author -q -- ./test.sh"));
    assert!(ran.stderr.contains("one version"), "{}", ran.stderr);
}

/// Returns a world whose tests wait after the number of tests in the file `trouble`, as long as
/// it is there, with the path of that file and of the file that counts the tests.
fn troubled() -> (World, PathBuf, PathBuf) {
    let world = with_new_test();
    let (mark, log) = (world.beside("trouble"), world.beside("log"));
    let script = format!(
        "echo >>{1}; if [ -e {0} ] && [ $(wc -l <{1}) -gt $(cat {0}) ]; then exec sleep 1000; fi\n\
         ./probe.sh",
        mark.display(),
        log.display()
    );
    world.script("../outer.sh", &script);
    (world, mark, log)
}

#[test]
fn after_an_interruption_or_a_kill_the_run_goes_on_to_the_same_answer() {
    if !has_git() {
        return;
    }
    let (world, mark, log) = troubled();
    let line = "history -j1 --timeout 1h --json -- ../outer.sh";
    let whole = parsed(&world.line(line));
    check_found(&whole);
    // On the way back, and in the middle of the search for what the test needs.
    for (tests, signal) in
        [(5, Signal::INT), (9, Signal::INT), (5, Signal::KILL), (9, Signal::KILL)]
    {
        fs::write(&mark, tests.to_string()).unwrap();
        fs::remove_file(&log).unwrap();
        let running = world.start(line);
        let count = || fs::read_to_string(&log).map_or(0, |log| log.lines().count());
        assert!(eventually(|| count() > tests));
        running.signal(signal);
        let ran = running.end();
        if signal == Signal::INT {
            assert_eq!(ran.code, Some(130), "{}", ran.stderr);
            assert!(ran.stderr.contains("to continue: whodunit resume"), "{}", ran.stderr);
        } else {
            let shown = world.line("show").stdout;
            assert!(shown.contains("to continue: whodunit resume"), "{shown}");
        }
        if (tests, signal) == (5, Signal::INT) {
            let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
            assert_eq!(answer["ended"], "stopped");
            assert_eq!(answer["outcome"]["outcome"], "unfinished");
            assert_eq!(answer["outcome"]["oldest"]["title"], "commit-20");
        }
        fs::remove_file(&mark).unwrap();
        let resumed = parsed(&world.line("resume --json -q"));
        assert_eq!(said(&resumed), said(&whole));
        assert_eq!(resumed["tests"]["committed"], whole["tests"]["committed"]);
    }
}

#[test]
fn a_budget_ends_the_walk_and_it_goes_on_later() {
    if !has_git() {
        return;
    }
    let world = history(|_, _| {});
    let ran = world.line("history --max-tests 3 -- ../test.sh");
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    for text in ["none yet, because the number of tests is used up", "fails, as far as is known"] {
        assert!(ran.stdout.contains(text), "`{text}` is not in\n{}", ran.stdout);
    }
    check_found(&parsed(&world.line("resume --max-tests 1000 --json -q")));
}

#[test]
fn what_warm_folders_say_is_overturned_by_the_proof() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    for number in 0..12 {
        let word = if number < 5 { "fine" } else { "wrong" };
        world.write("a.txt", format!("{word}\n{number}\n"));
        world.commit(&format!("commit-{number}"));
    }
    // From its fourth test on a folder makes everything fail.
    world.script("../test.sh", "echo >>count; test $(wc -l <count) -lt 4 && ! grep -q wrong a.txt");
    let answer = world.answer("history -j1 -- ../test.sh");
    assert_eq!(answer["started_over"], "warm_folders", "{answer:#}");
    assert_eq!(answer["outcome"]["suspects"][0]["title"], "commit-5", "{answer:#}");
}
