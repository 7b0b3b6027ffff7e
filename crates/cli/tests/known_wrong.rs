//! Cases in which the program is known to be wrong, with what it prints today and what would be right.
//!
//! Each `.case` file of `known_wrong/` gives the reason, then has the sections `-- setup` (a shell
//! script; the first line may name the programs it needs), `-- command`, `-- today` and `-- right`
//! (the output, standard error included; `[..]` stands for any text within a line, a line `...` for
//! any lines). A test fails if neither is printed, and also if the right one is: then the case
//! belongs among the other tests.

#![allow(clippy::unwrap_used)] // a failure of the machinery fails the test

mod support;

use std::fs;

use support::shown::{fits, root, shell};
use support::{World, needs};

/// Returns the lines of a section.
fn section(case: &str, name: &str) -> Vec<String> {
    let lines = case.lines().skip_while(|line| *line != format!("-- {name}")).skip(1);
    let lines: Vec<String> =
        lines.take_while(|line| !line.starts_with("-- ")).map(String::from).collect();
    assert!(!lines.is_empty(), "a case has a section `-- {name}`");
    lines
}

/// Runs a case and returns its output; `None` if a program that it needs is missing.
fn run(case: &str) -> Option<String> {
    let setup = section(case, "setup");
    let programs = setup[0].strip_prefix("# needs: ").unwrap_or_default().split_whitespace();
    if !programs.into_iter().all(needs) {
        return None;
    }
    let world = World::new();
    let folder = world.path("app");
    fs::create_dir(&folder).unwrap();
    let ran = world.finish(shell(&world, &folder).args(["-ec", &setup.join("\n")]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let command = format!("exec 2>&1\n{}", section(case, "command").join("\n"));
    Some(world.finish(shell(&world, &folder).args(["-c", &command])).stdout)
}

#[test]
fn what_is_known_to_be_wrong_still_is() {
    let folder = root().join("crates/cli/tests/known_wrong");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "case"));
    paths.sort();
    let mut found = String::new();
    for path in paths {
        let case = fs::read_to_string(&path).unwrap();
        let Some(printed) = run(&case) else { continue };
        let lines: Vec<&str> = printed.lines().collect();
        let (today, right) = (section(&case, "today"), section(&case, "right"));
        let wrong = match (fits(&today, &lines), fits(&right, &lines)) {
            (true, false) => continue,
            (false, true) => "is right now: make it one of the other tests and delete the file",
            (true, true) => "shows as right what is printed today",
            (false, false) => "prints something else, neither what it did nor what is right",
        };
        found.push_str(&format!("{} {wrong}:\n{printed}\n", path.display()));
    }
    assert_eq!(found, "");
}

#[test]
fn what_is_left_open_may_be_anything() {
    let shown = ["a [..] c", "...", "z"].map(String::from);
    assert!(fits(&shown, &["a b c", "z"]));
    assert!(fits(&shown, &["a  c", "x", "y", "z"]));
    assert!(!fits(&shown, &["a b d", "z"]));
    assert!(!fits(&shown, &["a b c", "z", "more"]));
    assert!(!fits(&shown[..1], &[]));
}
