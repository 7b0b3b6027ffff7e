//! The figures of *Iterative Delta Debugging* as histories, and the results of `git bisect`
//! beside them.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use support::{World, found, has_git};

/// Loads the files that versions break and mend, and checks one value.
const CHECK: &str = ". ./first.sh\n. ./second.sh\n. ./value.sh\n\
                     if [ \"$value\" != 6 ]; then\n    echo wrong\n    exit 1\nfi\n";

#[test]
fn four_versions_of_which_the_first_passes_with_both_patches() {
    if !has_git() {
        return;
    }
    // Figures 1 and 2: version 3 needs patch a, version 2 needs b as well, version 1 passes then.
    let world = World::new();
    world.git("init -q -b main");
    let version = |first: &str, second: &str, value: &str| {
        world.write("check.sh", CHECK);
        world.write("first.sh", first);
        world.write("second.sh", second);
        world.write("value.sh", value);
    };
    let (broken, mended) = ("exit 3\n", "first=1\n");
    version(broken, "exit 4\n", "value=6\n");
    world.commit("one");
    version(broken, "exit 4\n", "value=7\n");
    world.commit("two");
    version(broken, "second=1\n", "value=7\n");
    world.commit("three");
    version(mended, "second=1\n", "value=7\n");
    world.commit("four");
    for pace in ["", "--linear "] {
        let answer = world.answer(&format!("history {pace}-- sh ./check.sh"));
        let (title, back_port) = found(&answer);
        assert_eq!(title, "two");
        assert!(back_port.contains("+first=1") && back_port.contains("+second=1"), "{back_port}");
        assert!(!back_port.contains("value"), "{back_port}");
        let fix = answer["forward"]["patch"].as_str().unwrap();
        assert!(fix.contains("-value=7") && fix.contains("+value=6"), "{fix}");
        assert_eq!(answer["forward"]["proof"], "pass");
    }
}

#[test]
fn a_function_and_its_call_are_both_gone_in_the_end() {
    if !has_git() {
        return;
    }
    // Figure 6: the function can only be removed after its call.
    let world = World::new();
    world.git("init -q -b main");
    let library = "work() {\n    echo 6\n}\n";
    world.write("lib.sh", library);
    world.commit("good");
    let library = library.replace('6', "7");
    world.write("lib.sh", &library);
    world.commit("bad");
    world.write("lib.sh", format!("{library}\nfoo() {{\n    x=42\n    echo $x >trace\n}}\nfoo\n"));
    world.write("expected.txt", "6\n");
    world.commit("tip");
    let check = ". ./lib.sh\nread -r wanted <expected.txt || exit 9\n\
                 [ \"$(work)\" = \"$wanted\" ] || { echo wrong; exit 1; }\n";
    fs::write(world.beside("check.sh"), check).unwrap();
    let answer = world.answer("history -- sh ../check.sh");
    let (title, back_port) = found(&answer);
    assert_eq!(title, "bad");
    assert!(back_port.contains("expected.txt") && !back_port.contains("foo"), "{back_port}");
}

#[test]
fn what_a_pass_needs_is_not_cut_away() {
    if !has_git() {
        return;
    }
    // Figure 7: the test fails without the line that runs the program, too.
    let world = World::new();
    world.git("init -q -b main");
    let tests = "other() {\n    true\n}\n";
    world.write("tests.sh", tests);
    world.write("program.sh", "run_test() {\n    echo 1\n}\n");
    world.commit("good");
    world.write("program.sh", "run_test() {\n    echo 0\n}\n");
    world.commit("bad");
    world.write("notes.txt", "nothing\n");
    world.commit("between");
    let added = "\ntest1() {\n    result=0\n    result=$(run_test)\n    [ \"$result\" != 0 ]\n}\n";
    world.write("tests.sh", format!("{tests}{added}"));
    world.commit("tip");
    let check = "#!/bin/sh\n. ./program.sh\n. ./tests.sh\n\
                 command -v test1 >/dev/null || exit 9\ntest1 || { echo wrong; exit 1; }\n";
    fs::write(world.beside("check.sh"), check).unwrap();
    let answer = world.answer("history -- sh ../check.sh");
    let (title, back_port) = found(&answer);
    assert_eq!(title, "bad");
    assert!(back_port.contains("+    result=$(run_test)"), "{back_port}");
}

#[test]
fn where_all_can_be_tested_the_answer_is_that_of_git_bisect() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    let (count, cause) = (60, 23);
    for number in 0..count {
        let value = if number < cause { 6 } else { 7 };
        world.write("value.txt", format!("{value}\n"));
        world.write("other.txt", format!("{number}\n"));
        world.commit(&format!("commit-{number}"));
    }
    let script = "#!/bin/sh\n[ \"$(cat value.txt)\" = 6 ] || { echo wrong; exit 1; }\n";
    fs::write(world.beside("check.sh"), script).unwrap();
    let answer = world.answer("history --level commit -- sh ../check.sh");
    let (title, _) = found(&answer);
    assert_eq!(title, format!("commit-{cause}"));
    let root = world.git("rev-list --max-parents=0 HEAD");
    world.git(&format!("bisect start HEAD {}", root.trim()));
    let script = world.beside("check.sh");
    let bisected = world.git(&format!("bisect run sh {}", script.display()));
    let steps = bisected.matches("Bisecting:").count() as u64;
    world.git("bisect reset");
    let id = answer["outcome"]["suspects"][0]["id"].as_str().unwrap();
    assert!(bisected.contains(&format!("{id} is the first bad commit")), "{bisected}");
    let walk = answer["steps"].as_array().unwrap().len() as u64;
    let distance = f64::from(count - 1 - cause).log2().ceil() as u64;
    assert!(walk <= steps + distance + 2, "{walk} steps; git {steps}, distance {distance}");
}

#[test]
fn what_a_new_test_reads_is_carried_with_it() {
    if !has_git() {
        return;
    }
    // Figure 7 from the other side: without the word the test fails in the same way.
    let world = World::new();
    world.git("init -q -b main");
    for number in 0..24 {
        let word = if number < 9 { "fine" } else { "wrong" };
        world.write("a.txt", format!("{word}\n"));
        world.write("other.txt", format!("{number}\n"));
        if number >= 18 {
            world.write("check/test.sh", "! grep -q \"$(cat check/word)\" a.txt\n");
            world.write("check/word", "wrong\n");
        }
        world.commit(&format!("commit-{number}"));
    }
    let check = "test -e check/test.sh || exit 9\n. ./check/test.sh\n";
    fs::write(world.beside("check.sh"), check).unwrap();
    let answer = world.answer("history -- sh ../check.sh");
    let (title, back_port) = found(&answer);
    assert_eq!(title, "commit-9");
    assert!(back_port.contains("check/word"), "{back_port}");
}

#[test]
fn a_cause_among_versions_that_cannot_be_tested_is_a_range_or_found() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    for number in 0..8 {
        let word = if number < 3 { "fine" } else { "wrong" };
        world.write("a.txt", format!("{word}\nharmless {number}\n"));
        world.commit(&format!("commit-{number}"));
    }
    let check = "grep -q 'harmless [34]$' a.txt && exit 125\n! grep -q wrong a.txt\n";
    fs::write(world.beside("check.sh"), check).unwrap();
    let answer = world.answer("history -- sh ../check.sh");
    let outcome = &answer["outcome"];
    assert_eq!(outcome["outcome"], "found", "{answer:#}");
    let titles: Vec<&str> = outcome["suspects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["title"].as_str().unwrap())
        .collect();
    assert!(titles.contains(&"commit-3"), "{titles:?}");
    assert_eq!(outcome["causes"][0]["culprit"][0]["new_text"], "wrong", "{answer:#}");
}
