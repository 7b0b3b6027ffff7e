//! `whodunit changes`: it asks first about the changes that the first runs point at, so that few
//! tests are needed.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::time::SystemTime;

use serde_json::Value;
use support::{World, needs_that, numbered};

/// Runs the program and returns the answer; it must be finished.
fn answer(world: &World, jobs: &str) -> Value {
    let args = ["changes", "--json", "-q", "-j", jobs, "old", "new", "--", "./test.sh"];
    let ran = world.run(args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Asserts where the culprit is and how many tests that takes at most, with one job and with
/// four.
fn check(world: &World, expected: &[(&str, u64)], most: u64) {
    let alone = answer(world, "1");
    let culprit = alone["causes"][0]["culprit"].as_array().unwrap();
    let place = |it: &Value| {
        (it["file"].as_str().unwrap().to_owned(), it["new_lines"][0].as_u64().unwrap())
    };
    let found: Vec<(String, u64)> = culprit.iter().map(place).collect();
    let expected: Vec<(String, u64)> =
        expected.iter().map(|(file, line)| ((*file).to_owned(), *line)).collect();
    assert_eq!(found, expected);
    let tests = alone["tests"]["committed"].as_u64().unwrap();
    assert!(tests <= most, "{tests} tests");
    let together = answer(world, "4");
    assert_eq!(together["causes"][0]["culprit"], alone["causes"][0]["culprit"]);
    assert_eq!(together["tests"]["committed"], tests);
}

/// Whether the file system records when files are read.
fn notes_reading(world: &World) -> bool {
    let path = world.write("read", "text");
    let times = fs::FileTimes::new().set_accessed(SystemTime::UNIX_EPOCH);
    fs::File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
    fs::read(&path).unwrap();
    let noted = fs::metadata(&path).unwrap().accessed().unwrap() != SystemTime::UNIX_EPOCH;
    fs::remove_file(&path).unwrap();
    needs_that("times of reading", "mount the folder without noatime", noted)
}

#[test]
fn files_that_the_test_does_not_read_go_with_one_test() {
    let world = World::new();
    if !notes_reading(&world) {
        return;
    }
    for number in 0..64 {
        let name = format!("{number}.txt");
        world.write(format!("old/{name}"), numbered(40, &[]));
        let wrong: Vec<(usize, &str)> = (0..40).step_by(5).map(|line| (line, "wrong")).collect();
        world.write(format!("new/{name}"), numbered(40, &wrong));
    }
    world.script("test.sh", "! sed -n 11p 37.txt | grep -q wrong");
    // Eight lines are left after one test, of which it takes three to find one; one for the fix.
    check(&world, &[("37.txt", 11)], 6);
}

#[test]
fn a_file_that_is_only_looked_for_is_found_though_nobody_reads_it() {
    let world = World::new();
    for number in 0..20 {
        world.write(format!("old/{number}.txt"), numbered(5, &[]));
        world.write(format!("new/{number}.txt"), numbered(5, &[(2, "other")]));
    }
    world.write("new/marker", "there");
    world.script("test.sh", "cat 3.txt; ! test -e marker");
    let answer = answer(&world, "1");
    let culprit = &answer["causes"][0]["culprit"];
    assert_eq!((culprit[0]["file"].as_str(), culprit[1].is_null()), (Some("marker"), true));
}

#[test]
fn what_brings_the_words_of_the_failure_is_asked_about_with_its_partners() {
    let world = World::new();
    let body = |number: usize, text: &str| {
        let lines = (0..20).map(|line| format!("int v{number}_{line} = {text};\n"));
        lines.collect::<String>()
    };
    for number in 0..30 {
        world.write(format!("old/f{number}.c"), body(number, "1"));
        world.write(format!("new/f{number}.c"), body(number, "2"));
    }
    world.write("old/text.c", "int text(void) {\n  return 0;\n}\n");
    let fresh = "int complain(void) {\n  return puts(\"platypus\");\n}\n";
    world.write("new/text.c", format!("int text(void) {{\n  return 0;\n}}\n{fresh}"));
    world.write("old/use.c", "int use(void) {\n  return text();\n}\n");
    world.write("new/use.c", "int use(void) {\n  return complain();\n}\n");
    world.script(
        "test.sh",
        "cat *.c > /dev/null\nif grep -q complain use.c; then\n\
         grep -q 'int complain' text.c || exit 125\n\
         grep -o platypus text.c && exit 1\nexit 125\nfi\nexit 0",
    );
    let answer = answer(&world, "1");
    let culprit = answer["causes"][0]["culprit"].as_array().unwrap();
    let files: Vec<&str> = culprit.iter().map(|it| it["file"].as_str().unwrap()).collect();
    assert!(files.contains(&"text.c") && files.contains(&"use.c"), "{files:?}");
    assert!(files.iter().all(|file| ["text.c", "use.c"].contains(file)), "{files:?}");
    let tests = answer["tests"]["committed"].as_u64().unwrap();
    assert!(tests <= 12, "{tests} tests");
}

#[test]
fn comments_and_layout_go_with_one_test() {
    let world = World::new();
    let old: String =
        (0..40).map(|line| format!("# about {line}\nx{line} = f({line}, 'a')\n")).collect();
    let new: String = (0..40)
        .map(|line| {
            let number = if line == 23 { 99 } else { line };
            format!("# more about {line}\nx{line} = f({number}, \"a\")\n\n")
        })
        .collect();
    world.write("old/a.py", old);
    world.write("new/a.py", new);
    world.script("test.sh", "! grep -q 99 a.py");
    check(&world, &[("a.py", 71)], 2);
}

#[test]
fn few_changes_are_searched_line_by_line_at_once() {
    let world = World::new();
    world.write("old/package.json", "{\n  \"name\": \"n\",\n  \"version\": \"1\"\n}\n");
    world.write(
        "new/package.json",
        "{\n  \"name\": \"n\",\n  \"type\": \"module\",\n  \"exports\": \"bad\",\n  \"version\": \"2\"\n}\n",
    );
    world.write("old/readme", numbered(9, &[]));
    world.write("new/readme", numbered(9, &[(1, "a"), (4, "b"), (7, "c")]));
    world.script("test.sh", "cat readme package.json > /dev/null; ! grep -q bad package.json");
    check(&world, &[("package.json", 4)], 6);
}
