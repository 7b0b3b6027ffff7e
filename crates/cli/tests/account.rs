//! `examples/account`, the program of the AutoFlow paper, built with `ajc` and tested with JUnit.

#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::{WHODUNIT, World, needs};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/account").canonicalize().unwrap()
}

fn can_build() -> bool {
    let jars = ["/usr/share/java/junit4.jar", "/usr/share/java/aspectjrt.jar"];
    needs("ajc") && jars.into_iter().all(needs)
}

/// Runs one test of a version, and returns how the script ended.
fn outcome(version: &str, test: &str) -> Option<i32> {
    let example = example();
    let mut command = Command::new(example.join("test.sh"));
    command.arg(test).current_dir(example.join(version));
    command.output().unwrap().status.code()
}

#[test]
fn one_test_fails_and_only_in_the_new_version() {
    if !can_build() {
        return;
    }
    for test in ["testDebit", "testCredit", "testTransfer"] {
        assert_eq!(outcome("old", test), Some(0), "{test}");
        let fails = i32::from(test == "testTransfer");
        assert_eq!(outcome("new", test), Some(fails), "{test}");
    }
}

/// The report of the test suite in the new version.
const REPORT: &str = r#"<testsuite name="AccountTest" tests="3" failures="1">
  <testcase classname="AccountTest" name="testDebit"/>
  <testcase classname="AccountTest" name="testCredit"/>
  <testcase classname="AccountTest" name="testTransfer"><failure message="fee"/></testcase>
</testsuite>
"#;

/// Searches for the cause with some flags, and returns the answer and the blamed lines.
fn blamed(world: &World, flags: &[&str]) -> (Value, Vec<String>) {
    let example = example();
    let mut command = world.command(WHODUNIT);
    command
        .arg("changes")
        .args([example.join("old"), example.join("new")])
        .args(["--json", "-q", "-j1", "--timeout", "60s"])
        .args(flags)
        .arg("--")
        .arg(example.join("test.sh"));
    let ran = world.finish(&mut command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let culprit = answer["causes"][0]["culprit"].as_array().unwrap();
    assert!(culprit.iter().all(|change| change["file"] == "Account.java"), "{culprit:#?}");
    let texts = culprit.iter().map(|change| change["new_text"].as_str().unwrap().trim().to_owned());
    let texts = texts.collect();
    (answer, texts)
}

#[test]
fn the_fee_is_to_blame() {
    if !can_build() {
        return;
    }
    let (answer, texts) = blamed(&World::new(), &[]);
    assert_eq!(texts, ["private final double FEE = 2;", "money = money - FEE;"]);
    // The paper's plain delta debugging takes 25 tests; over atomic changes there are fewer.
    assert!(answer["tests"]["committed"].as_u64().unwrap() <= 16, "{}", answer["tests"]);
}

#[test]
fn three_phases_find_the_fee_after_seven_tests() {
    if !can_build() {
        return;
    }
    let world = World::new();
    world.write("report.xml", REPORT);
    let (answer, texts) = blamed(&world, &["--junit", "report.xml", "--phases"]);
    assert_eq!(texts, ["private final double FEE = 2;", "money = money - FEE;"]);
    let atomic = &answer["causes"][0]["atomic"];
    assert_eq!(atomic["culprit"][0]["name"], "Account.transfer(Account,double)");
    let phases = &atomic["phases"];
    assert_eq!((&phases["atoms"], &phases["responsible"]), (&16.into(), &9.into()));
    let tests = |phase: &str| phases[phase]["tests"].as_u64().unwrap();
    // And one test shows that the responsible changes fail by themselves.
    assert!(1 + tests("chains") + tests("changes") + tests("statements") <= 7, "{phases:#}");
}

#[test]
fn the_search_of_the_paper_blames_the_fee_alone_after_seven_tests() {
    if !can_build() {
        return;
    }
    let world = World::new();
    world.write("report.xml", REPORT);
    let flags = ["--atomic", "--search", "dd_plus", "--junit", "report.xml", "--phases"];
    let (answer, texts) = blamed(&world, &flags);
    assert_eq!(texts, ["private final double FEE = 2;", "money = money - FEE;"]);
    let phases = &answer["causes"][0]["atomic"]["phases"];
    let tests = |phase: &str| phases[phase]["tests"].as_u64().unwrap();
    // As many as in the paper; one of them shows that the responsible changes fail by themselves.
    assert!(1 + tests("chains") + tests("changes") + tests("statements") <= 7, "{phases:#}");
    assert_eq!(answer["causes"][0]["proof"]["each_needed"], true, "{answer:#}");
}

#[test]
fn the_changes_of_the_paper_are_listed_with_their_scores() {
    let (world, example) = (World::new(), example());
    world.write("report.xml", REPORT);
    let mut command = world.command(WHODUNIT);
    command.arg("atoms").args([example.join("old"), example.join("new")]);
    command.args(["--json", "--junit", "report.xml", "--entry", "AccountTest.testTransfer"]);
    let ran = world.finish(&mut command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let atoms = answer["atoms"].as_array().unwrap();
    let kinds: Vec<&str> = atoms.iter().map(|atom| atom["kind"].as_str().unwrap()).collect();
    assert_eq!(
        kinds.join(" "),
        "AF CM CM FI AIC AA AEA CAB ANP CPB AIC AA AEA CAB ANP CPB",
        "{atoms:#?}"
    );
    assert_eq!((&atoms[1]["score"], &atoms[7]["score"]), (&1.0.into(), &0.0.into()));
    let chains = serde_json::json!([[1, 2, 4], [11, 12, 13, 14, 15, 16]]);
    assert_eq!(answer["chains"], chains);
}

#[test]
fn the_graph_of_the_paper_is_drawn() {
    let (world, example) = (World::new(), example());
    let drawn = |form: &str| {
        let mut command = world.command(WHODUNIT);
        command.arg("atoms").args([example.join("old"), example.join("new")]).arg(form);
        let ran = world.finish(&mut command);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout
    };
    let dot = drawn("--dot");
    assert!(dot.contains("a1 [label = \"{1 AF|Account.FEE}\"];"), "{dot}");
    assert!(dot.contains("a2 -> a1;") && dot.contains("a11 -> a13;"), "{dot}");
    assert_eq!(drawn("--svg").matches("<title>").count(), 16);
}

#[test]
fn what_cannot_be_used_about_tests_is_said() {
    let (world, example) = (World::new(), example());
    let (old, new) = (example.join("old"), example.join("new"));
    world.write("good.xml", REPORT.replace("<failure message=\"fee\"/>", ""));
    world.write("other.info", "SF:/elsewhere/Other.java\nDA:3,1\nend_of_record\n");
    let cases = [
        (["--junit", "good.xml"], "none of 3 tests fails"),
        (["--coverage", "other.info"], "of another build"),
        (["--coverage", "nowhere.xml"], "cannot read"),
        (["--entry", "noSuchTest"], "there is no `noSuchTest`"),
    ];
    for (flags, said) in cases {
        let mut command = world.command(WHODUNIT);
        let ran = world.finish(command.arg("atoms").args([&old, &new]).args(flags));
        assert_eq!(ran.code, Some(2), "{flags:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{flags:?}: {}", ran.stderr);
    }
}
