//! Broken histories, versions and tests of `whodunit history`.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use rustix::process::Signal;
use serde_json::Value;
use support::{Ran, World, eventually, has_git, numbered};

/// Returns a world with a repository of eight versions; `more` writes further files. The fourth
/// version is the first wrong one.
fn repository(more: impl Fn(&World, usize)) -> World {
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..8 {
        let harmless = format!("harmless {version}");
        let mut replaced = vec![(1, harmless.as_str())];
        if version >= 3 {
            replaced.push((12, "wrong"));
        }
        world.write("a.txt", numbered(20, &replaced));
        more(&world, version);
        world.commit(&format!("commit-{version}"));
        world.git(&format!("tag v{version}"));
    }
    world.script("../test.sh", "! grep -q wrong a.txt");
    world
}

/// Checks that the message says what is wrong, and what to do.
fn check(ran: &Ran, code: i32, texts: &[&str]) {
    assert_eq!(ran.code, Some(code), "{}", ran.stderr);
    for text in texts {
        let is_said = ran.stderr.contains(text) || ran.stdout.contains(text);
        assert!(is_said, "`{text}` is not in\n{}{}", ran.stdout, ran.stderr);
    }
}

fn title(answer: &Value) -> &str {
    let suspects = answer["outcome"]["suspects"].as_array();
    let suspects = suspects.unwrap_or_else(|| panic!("{}", answer["outcome"]));
    assert_eq!(suspects.len(), 1, "{suspects:?}");
    suspects[0]["title"].as_str().unwrap()
}

#[test]
fn a_newest_version_that_passes_or_cannot_be_tested_is_named() {
    if !has_git() {
        return;
    }
    let world = repository(|_, _| {});
    check(
        &world.line("history --until v2 -- ../test.sh"),
        2,
        &["the newest version (`v2`) does not fail: ", "exited with 0", "archive v2 | tar -x"],
    );
    check(&world.line("history -- true"), 2, &["the newest version does not fail: `true`"]);
    for (exit, hint) in [(125, "exit 125 says"), (127, "127 says that a program is missing")] {
        let ran = world.run(["history", "--", "sh", "-c", &format!("exit {exit}")]);
        check(
            &ran,
            2,
            &["the newest version cannot be tested: ", hint, "to see what the test saw"],
        );
    }
    check(
        &world.line("history --build false -- ../test.sh"),
        2,
        &["the newest version cannot be tested: the build exited with 1", "must build"],
    );
    assert!(world.runs().is_empty(), "what has not begun is nothing to go on with");
}

#[test]
fn what_is_typed_wrongly_is_named() {
    if !has_git() {
        return;
    }
    let world = repository(|_, _| {});
    check(&world.line("history"), 2, &["nothing to run", "whodunit history -- ./test.sh"]);
    check(
        &world.line("history --good v1 --since v0 -- ../test.sh"),
        2,
        &["--good", "cannot be used with"],
    );
    check(
        &world.line("history --overlay nope -- ../test.sh"),
        2,
        &["the newest version has no `nope` to carry back", "must be committed"],
    );
    check(&world.line("history --until nope -- ../test.sh"), 2, &["no revision `nope`", "hint: "]);
    check(
        &world.line("history --good v5 -- ../test.sh"),
        2,
        &["`v5` fails too, in the same way", "leave out --good"],
    );
    check(
        &world.line("history --protect ../nope -- ../test.sh"),
        2,
        &["nope`: No such file", "FILE:LINE"],
    );
    world.write("../places", "a.txt:x\n");
    check(&world.line("history --protect ../places -- ../test.sh"), 2, &["line 1 is no place"]);
    check(
        &world.line("history --since v7 -- ../test.sh"),
        2,
        &["there is only one version", "--since, --until and --path"],
    );
    check(&world.line("history nowhere -- ../test.sh"), 2, &["nowhere"]);
    check(
        &world.line("history --group process -- ../test.sh"),
        2,
        &["cannot do with --group process: it puts the changes of a commit", "leave it out"],
    );
    assert!(world.runs().is_empty(), "what has not begun is nothing to go on with");
}

#[test]
fn a_folder_that_belongs_to_no_repository_is_named() {
    let world = World::new();
    world.script("test.sh", "exit 1");
    check(&world.line("history -- ./test.sh"), 2, &["not a git repository: "]);
}

#[test]
fn a_history_without_a_pass_is_not_a_regression() {
    if !has_git() {
        return;
    }
    let world = repository(|_, _| {});
    world.script("../always.sh", "exit 1");
    let ran = world.line("history -j1 -- ../always.sh");
    let texts = ["not a regression within 8 versions\n", "\"commit-0\"", "fails too\n", "tried "];
    check(&ran, 5, &texts);
    assert!(!ran.stdout.contains("cut off"), "{}", ran.stdout);
    let answer = world.answer("history -- ../always.sh");
    assert_eq!(answer["outcome"]["outcome"], "not_a_regression");
    assert_eq!(answer["outcome"]["is_cut_off"], false);
    // Within bounds there may be older versions.
    let ran = world.line("history --since v4 -- ../test.sh");
    check(&ran, 5, &["not a regression within 4 versions\n", "the history is cut off there"]);
}

#[test]
fn the_first_commit_of_all_can_be_the_one_that_passes() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..5 {
        let text = if version == 0 { "fine" } else { "wrong" };
        world.write("a.txt", format!("{text}\n{version}\n"));
        world.commit(&format!("commit-{version}"));
    }
    world.script("../test.sh", "! grep -q wrong a.txt");
    assert_eq!(title(&world.answer("history -- ../test.sh")), "commit-1");
}

#[test]
fn a_shallow_clone_says_that_there_is_more() {
    if !has_git() {
        return;
    }
    let world = repository(|_, _| {});
    let from = format!("file://{}", world.path("").display());
    world.git(&format!("clone -q --depth 4 {from} ../shallow"));
    let mut command = world.command(support::WHODUNIT);
    command.args(["history", "--", "../test.sh"]).current_dir(world.beside("shallow"));
    let ran = world.finish(&mut command);
    check(&ran, 5, &["not a regression within 4 versions\n", "cut off there (a shallow clone"]);
}

#[test]
fn an_octopus_merge_is_a_version_like_others() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    world.write("a.txt", "fine\n");
    world.commit("first");
    for (branch, text) in [("one", "1"), ("two", "wrong"), ("three", "3")] {
        world.git(&format!("checkout -q -b {branch} main"));
        world.write(format!("{branch}.txt"), format!("{text}\n"));
        world.commit(branch);
    }
    world.git("checkout -q main");
    world.git("merge -q -m octopus one two three");
    for version in 0..3 {
        world.write("b.txt", format!("{version}\n"));
        world.commit(&format!("later-{version}"));
    }
    world.script("../test.sh", "! cat *.txt | grep -q wrong");
    let answer = world.answer("history -- ../test.sh");
    assert_eq!(title(&answer), "octopus");
    assert_eq!(answer["outcome"]["causes"][0]["culprit"][0]["file"], "two.txt");
    // The commit is on one of its branches.
    let answer = world.answer("history --all-parents -- ../test.sh");
    assert_eq!(title(&answer), "two");
    assert_eq!(answer["outcome"]["causes"][0]["culprit"][0]["file"], "two.txt");
}

#[test]
fn grafted_parents_are_the_parents() {
    if !has_git() {
        return;
    }
    let world = repository(|_, _| {});
    // The sixth version follows the third: those between are no longer part of the history.
    world.git("replace --graft v5 v2");
    let answer = world.answer("history -- ../test.sh");
    assert_eq!((title(&answer), &answer["versions"]), ("commit-5", &6.into()));
}

#[test]
fn a_back_port_that_cannot_be_found_is_said_after_a_bounded_effort() {
    if !has_git() {
        return;
    }
    // Another line stops the test in each version, so no back-port helps for long.
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..60 {
        let word = if version < 50 { "broken" } else { "wrong" };
        world.write("a.txt", format!("{word} {version}\n"));
        world.commit(&format!("commit-{version}"));
    }
    world.script("../test.sh", "grep -q broken a.txt && exit 9; ! grep -q wrong a.txt");
    let ran = world.line("history -j1 -- ../test.sh");
    let texts = ["nothing older can be tested", "fails\n", "untested ", "does something else"];
    check(&ran, 5, &texts);
    let answer: Value = serde_json::from_str(&world.line("show --json").stdout).unwrap();
    assert_eq!(answer["outcome"]["outcome"], "untestable", "{answer:#}");
    let smallest = answer["outcome"]["smallest"].as_str().unwrap();
    assert!(smallest.contains("-broken") && smallest.contains("+wrong"), "{smallest}");
    let tests = answer["tests"]["committed"].as_u64().unwrap();
    assert!(tests < 60, "{tests}");
}

#[test]
fn a_test_that_fails_for_reasons_of_its_own_ends_in_a_clear_answer() {
    if !has_git() {
        return;
    }
    // The file it needs does not exist, so it fails the same way in each version.
    let world = repository(|_, _| {});
    let ran = world.run(["history", "--", "sh", "-c", "cat ../missing || exit 1"]);
    check(&ran, 5, &["not a regression within 8 versions\n"]);
}

#[test]
fn versions_that_say_nothing_whatever_is_carried_back_end_in_a_clear_answer() {
    if !has_git() {
        return;
    }
    let world = repository(|_, _| {});
    let test = "test $(git -C \"$REPO\" rev-parse HEAD:a.txt) = $(git hash-object a.txt) || exit 125\n\
                exit 1";
    world.script("../newest.sh", test);
    let mut command = world.command(support::WHODUNIT);
    command.env("REPO", world.path("")).args(["history", "--", "../newest.sh"]);
    let ran = world.finish(&mut command);
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    let is_clear = ["nothing older can be tested", "not a regression within"];
    assert!(is_clear.iter().any(|text| ran.stdout.contains(text)), "{}", ran.stdout);
}

#[test]
fn a_version_that_gives_different_results_is_named() {
    if !has_git() {
        return;
    }
    let world = repository(|_, _| {});
    let log = world.beside("log");
    let test = format!("echo >>{0}; exit $(( $(wc -l <{0}) % 2 ))", log.display());
    world.script("../flaky.sh", &test);
    check(
        &world.line("history --flaky refuse -- ../flaky.sh"),
        2,
        &["two tests of the same version differ", "exited with 1", "exited with 0", "repeatable"],
    );
    assert!(world.runs().is_empty(), "what has not begun is nothing to go on with");
}

#[test]
fn a_newest_version_that_is_another_one_now_is_not_gone_on_with() {
    if !has_git() {
        return;
    }
    let world = repository(|_, _| {});
    assert_eq!(world.line("history --max-tests 2 -- ../test.sh").code, Some(3));
    world.write("b.txt", "new\n");
    world.commit("newer");
    check(
        &world.line("resume --max-tests 100"),
        2,
        &["start afresh:", "whodunit history --max-tests 100 -- ../test.sh"],
    );
}

#[test]
fn an_interruption_before_anything_is_known_leaves_nothing() {
    if !has_git() {
        return;
    }
    let world = repository(|_, _| {});
    let mark = world.beside("began");
    world.script("../slow.sh", &format!("touch {}; exec sleep 1000", mark.display()));
    let running = world.start("history --timeout 1h -- ../slow.sh");
    assert!(eventually(|| mark.exists()));
    running.signal(Signal::INT);
    let ran = running.end();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(world.runs().is_empty(), "what has not begun is nothing to go on with");
}

#[test]
fn what_a_partial_clone_lacks_is_said_with_how_to_have_it() {
    if !has_git() {
        return;
    }
    let world = repository(|_, _| ());
    world.git("config remote.origin.promisor true");
    let blob = world.git("rev-parse main~3:a.txt").trim().to_owned();
    fs::remove_file(world.path(format!(".git/objects/{}/{}", &blob[..2], &blob[2..]))).unwrap();
    let ran = world.line("history -- false");
    let texts = ["the repository is a partial clone", "hint: run git fetch --refetch --no-filter"];
    check(&ran, 1, &texts);
}

#[test]
fn a_repository_whose_branches_cannot_be_read_is_named_with_what_to_do() {
    if !has_git() {
        return;
    }
    let world = repository(|_, _| ());
    world.git("config core.repositoryFormatVersion 1");
    world.git("config extensions.refStorage reftable");
    let ran = world.line("history -- false");
    let texts = ["keeps its branches as `reftable`", "hint: use a clone that keeps them in files"];
    check(&ran, 2, &texts);
}
