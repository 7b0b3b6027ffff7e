//! Sentences of answers that claim no more than tests of the run showed.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod support;

use support::{World, has_git};

/// Returns a repository whose commits each set one file.
fn history(commits: &[(&str, &str, &str)]) -> World {
    let world = World::new();
    world.git("init -q -b main");
    for (title, file, text) in commits {
        world.write(file, text);
        world.commit(title);
    }
    world
}

/// Returns the output of a run for people.
fn words(world: &World, line: &str) -> String {
    let ran = world.line(line);
    ran.stdout + &ran.stderr
}

#[test]
fn a_stale_build_is_not_taken_for_a_flaky_test() {
    if !has_git() {
        return;
    }
    // The build does not notice that the limit changed, because the source is older than
    // the product.
    let world = World::new();
    world.git("init -q -b main");
    world.script("build.sh", "[ -e built ] || cp limit built");
    for (number, limit) in [10, 10, 10, 3, 3, 3].into_iter().enumerate() {
        world.write("limit", format!("{limit}\n"));
        world.write("note", format!("{number}\n"));
        world.commit(&format!("number-{number}"));
    }
    world.script("../test.sh", "[ $(cat built) -ge 5 ] || { echo 'limit too small'; exit 1; }");
    for jobs in ["-j1", "-j8"] {
        let line = format!("changes HEAD~5 {jobs} --build ./build.sh -- ../test.sh");
        let answer = world.answer(&line);
        assert_eq!(answer["started_over"], "warm_folders", "{answer:#}");
        assert_eq!(answer["commits"][0]["title"], "number-3");
        assert_eq!(answer["causes"][0]["culprit"][0]["file"], "limit");
    }
}

#[test]
fn versions_that_paths_leave_out_are_not_said_to_fail() {
    if !has_git() {
        return;
    }
    let world = history(&[
        ("first", "conf", "a=0\n"),
        ("break", "conf", "a=1\n"),
        ("one", "note", "1\n"),
        ("two", "note", "2\n"),
    ]);
    world.script("../test.sh", "! grep a=1 conf");
    let answer = world.answer("history --path note -- ../test.sh");
    assert_eq!(answer["outcome"]["is_cut_off"], true, "{answer:#}");
    let words = words(&world, "history --path note -- ../test.sh");
    assert!(words.contains("older versions that were not looked at"), "{words}");
    assert!(!words.contains("the first one included"), "{words}");
}

#[test]
fn a_fix_that_does_not_fit_the_bad_version_was_not_tested_there() {
    if !has_git() {
        return;
    }
    let world =
        history(&[("first", "f", "a\nb"), ("newline", "f", "a\nb\n"), ("more", "f", "a\nb\nc")]);
    world.script("../test.sh", "[ $(wc -l < f) -lt 2 ] || { echo 'two lines'; exit 1; }");
    let answer = world.answer("changes HEAD~2 -- ../test.sh");
    assert!(answer["causes"][0]["proof"]["given_bad_without_fix"].is_null(), "{answer:#}");
    let words = words(&world, "changes HEAD~2 -- ../test.sh");
    assert!(words.contains("nothing was tested"), "{words}");
}

#[test]
fn the_fix_of_a_culprit_and_the_one_for_the_newest_version_are_two_files() {
    if !has_git() {
        return;
    }
    let world =
        history(&[("first", "f", "a\nb"), ("newline", "f", "a\nb\n"), ("more", "f", "a\nb\nc")]);
    world.script("../test.sh", "[ $(wc -l < f) -lt 2 ] || { echo 'two lines'; exit 1; }");
    let answer = world.answer("history -- ../test.sh");
    let cause = &answer["outcome"]["causes"][0];
    let written = world.text(cause["files"]["fix"].as_str().unwrap());
    assert_eq!(written, cause["fix_patch"].as_str().unwrap());
    let carried = world.text(answer["forward"]["file"].as_str().unwrap());
    assert_eq!(carried, answer["forward"]["patch"].as_str().unwrap());
}

#[test]
fn changes_of_a_run_that_was_cut_short_are_not_said_to_be_needed() {
    if !has_git() {
        return;
    }
    let world = history(&[
        ("first", "conf", "a=0\n"),
        ("one", "note", "1\n"),
        ("break", "conf", "a=1\n"),
        ("two", "note", "2\n"),
        ("three", "note", "3\n"),
    ]);
    world.script("../test.sh", "! grep a=1 conf");
    let words = words(&world, "changes --max-tests 1 HEAD~4 -- ../test.sh");
    assert!(words.contains("which of them are needed is not known"), "{words}");
}

#[test]
fn a_cause_in_another_commit_is_not_passed_over_in_silence() {
    if !has_git() {
        return;
    }
    let world = history(&[
        ("first", "conf", "a=0\n1\n2\n3\nb=0\n"),
        ("a", "conf", "a=1\n1\n2\n3\nb=0\n"),
        ("note", "note", "1\n"),
        ("b", "conf", "a=1\n1\n2\n3\nb=1\n"),
    ]);
    world.script("../test.sh", "! grep -e a=1 -e b=1 conf >seen || { echo wrong; exit 1; }");
    let words = words(&world, "changes --all HEAD~3 -- ../test.sh");
    assert!(words.contains("fails without it too, so something else does it as well"), "{words}");
}

#[test]
fn no_byte_can_be_left_out_of_a_character_either() {
    let world = World::new();
    world.write("in.txt", "hello é world\n");
    let test =
        r#"LC_ALL=C grep -q "$(printf '\251')" $1 || exit 0; echo 'error: half of it'; exit 3"#;
    world.script("test.sh", test);
    for search in ["", "--search ddmin"] {
        let text = words(&world, &format!("reduce in.txt {search} -- ./test.sh {{}}"));
        assert_eq!(std::fs::read(world.path("in.reduced.txt")).unwrap(), [0xa9], "{text}");
        assert!(text.contains("no byte"), "{text}");
    }
}
