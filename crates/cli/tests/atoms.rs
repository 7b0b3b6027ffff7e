//! Coverage of the failing test, for `changes --coverage` and `atoms --coverage`. The coverage
//! files are those that coverage.py 7.17 wrote about the program below, shortened to the relevant
//! parts.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{Ran, WHODUNIT, World};

const OLD: &str = "\
def fee(amount):
    return 0


def never(amount):
    return amount


def report(amount):
    if amount > 1000:
        kind = \"large\"
    else:
        kind = \"small\"
    return kind


class Account:
    def __init__(self, money):
        self.money = money

    def pay(self, amount):
        if amount < 0:
            raise ValueError(amount)
        self.money -= amount + fee(amount)

    def unused(self):
        return self.money
";

const TEST: &str = "\
import bank

account = bank.Account(100)
account.pay(10)
bank.report(10)
assert account.money == 90, account.money
";

const LCOV: &str = "\
SF:bank.py
DA:1,1\nDA:2,1\nDA:3,0\nDA:4,1\nDA:7,1\nDA:8,0\nDA:11,1\nDA:12,1\nDA:13,0\nDA:15,1\nDA:16,1\nDA:19,1
DA:20,1\nDA:21,1\nDA:23,1\nDA:24,1\nDA:25,0\nDA:28,1\nDA:30,1\nDA:31,0
end_of_record
SF:test_bank.py
DA:1,1\nDA:3,1\nDA:4,1\nDA:5,1\nDA:6,1
end_of_record
";

const JSON: &str = r#"{"meta": {"format": 3, "version": "7.17.2"}, "files": {"bank.py": {
"executed_lines": [1, 2, 4, 7, 11, 12, 15, 16, 19, 20, 21, 23, 24, 28, 30],
"missing_lines": [3, 8, 13, 25, 31], "excluded_lines": []}}}"#;

/// Returns a folder with both versions: only one of the changed functions makes the test fail, and
/// of the others no changed line is run.
fn world() -> World {
    let new = OLD
        .replace("    return 0\n", "    if amount > 100:\n        return 1\n    return 2\n")
        .replace("    return amount\n", "    return amount + 1\n")
        .replace("\"large\"", "\"very large\"")
        .replace(
            "raise ValueError(amount)",
            "raise ValueError(\n                \"negative\",\n                amount)",
        )
        .replace("return self.money", "return -self.money");
    let world = World::new();
    for (version, text) in [("old", OLD), ("new", &new)] {
        world.write(format!("{version}/bank.py"), text);
        world.write(format!("{version}/test_bank.py"), TEST);
    }
    world.write("cov.info", LCOV);
    world.write("cov.json", JSON);
    world
}

fn atoms(world: &World, flags: &[&str]) -> Ran {
    let mut command = world.command(WHODUNIT);
    world.finish(command.args(["atoms", "old", "new"]).args(flags))
}

#[test]
fn functions_whose_body_never_ran_are_set_aside() {
    let world = world();
    for coverage in ["cov.info", "cov.json"] {
        let ran = atoms(&world, &["--json", "--coverage", coverage]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        let all = answer["atoms"].as_array().unwrap();
        let names = |wanted: bool| -> Vec<&str> {
            let atoms = all.iter().filter(|atom| atom["responsible"] == wanted);
            atoms.map(|atom| atom["name"].as_str().unwrap()).collect()
        };
        assert_eq!(names(true), ["fee"], "{coverage}");
        assert_eq!(names(false), ["Account.pay", "Account.unused", "never", "report"]);
        assert_eq!(answer["notes"], serde_json::json!([]));
    }
}

#[test]
fn lines_that_never_ran_are_not_asked_about() {
    let world = world();
    let mut command = world.command(WHODUNIT);
    command.args(["changes", "old", "new", "--json", "-q", "-j1", "--coverage", "cov.json"]);
    let ran = world.finish(command.args(["--", "python3", "test_bank.py"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let phases = &answer["causes"][0]["atomic"]["phases"];
    assert_eq!((&phases["responsible"], &phases["came_back"]), (&1.into(), &false.into()));
    assert_eq!(answer["causes"][0]["atomic"]["culprit"][0]["name"], "fee");
    assert!(answer["tests"]["committed"].as_u64().unwrap() <= 4, "{}", answer["tests"]);
}

#[test]
fn coverage_of_something_else_does_not_change_the_answer() {
    let world = world();
    // The line that caused it is marked as not run, and other such errors.
    let stale = LCOV.replace("DA:2,1\nDA:3,0\nDA:4,1", "DA:2,0\nDA:3,0\nDA:4,0");
    let moved = LCOV.replace("DA:31,0", "DA:320,1");
    let cases = [("stale", stale, "does not fail by itself"), ("moved", moved, "another version?")];
    for (name, text, said) in cases {
        world.write(name, &text);
        let mut command = world.command(WHODUNIT);
        command.args(["changes", "old", "new", "-j1", "--coverage", name]);
        let ran = world.finish(command.args(["--", "python3", "test_bank.py"]));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("culprit    bank.py:2-4  fee"), "{name}: {}", ran.stdout);
        assert!(ran.stdout.contains(said), "{name}: {}", ran.stdout);
    }
}

#[test]
fn coverage_that_says_nothing_is_refused() {
    let world = world();
    world.write("idle", LCOV.replace(",1\n", ",0\n").replace("19,1", "19,0"));
    let ran = atoms(&world, &["--coverage", "idle"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("nothing of the bad version was executed"), "{}", ran.stderr);
    // With coverage, an entry of the test makes no sense.
    let ran = atoms(&world, &["--coverage", "cov.info", "--entry", "fee"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
}

/// Both versions of a program with three tests: one of a changed function, one of an unchanged one,
/// and one that is new.
fn suite() -> World {
    let world = World::new();
    let code = "def fee(amount):\n    return 0\n\n\ndef rate(amount):\n    return amount\n";
    let test = |name: &str, of: &str, value: u32| {
        format!("def test_{name}():\n    assert bank.{of}(10) == {value}\n\n\n")
    };
    let old = format!("import bank\n\n\n{}{}", test("fee", "fee", 0), test("rate", "rate", 10));
    let new = format!("{}{}", old.replace("== 0", "== 1"), test("both", "fee", 1));
    let run = "\nfor name in sorted(dir()):\n    if name.startswith(\"test_\"):\n        \
               globals()[name]()\n";
    world.write("old/bank.py", code);
    world.write("new/bank.py", code.replace("return 0", "return 1"));
    world.write("old/tests/test_bank.py", old + run);
    world.write("new/tests/test_bank.py", new + run);
    world
}

fn affected(answer: &Value) -> Vec<(&str, Vec<&str>)> {
    let kinds: Vec<&str> =
        answer["atoms"].as_array().unwrap().iter().map(|it| it["kind"].as_str().unwrap()).collect();
    let kinds = |test: &Value| {
        let numbers = test["changes"].as_array().unwrap().iter();
        numbers.map(|number| kinds[number.as_u64().unwrap() as usize - 1]).collect()
    };
    let tests = answer["tests"].as_array().unwrap().iter();
    tests.map(|test| (test["name"].as_str().unwrap(), kinds(test))).collect()
}

#[test]
fn each_test_is_listed_with_the_changes_that_can_affect_it() {
    let world = suite();
    let answer = world.line("atoms old new --tests --json").stdout;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let expected = [
        ("test_both", vec!["AFN", "CFN", "CFN"]),
        ("test_fee", vec!["CFN", "CFN"]),
        ("test_rate", vec![]),
    ];
    let mut found = affected(&answer);
    found.iter_mut().for_each(|(_, kinds)| kinds.sort_unstable());
    assert_eq!(found, expected);
    let text = world.line("atoms old new --tests").stdout;
    assert!(text.contains("tests      2 of 3 tests can be affected (67 %)\n"), "{text}");
    assert!(text.contains("  test_fee (tests/test_bank.py)   "), "{text}");
    // Measured coverage counts more than calls in the source.
    world.write("lcov/test_fee.info", "SF:bank.py\nDA:5,1\nDA:6,1\nDA:2,0\nend_of_record\n");
    world.write("lcov/test_rate.info", "SF:bank.py\nDA:2,1\nDA:6,0\nend_of_record\n");
    let answer = world.line("atoms old new --tests --test-coverage lcov --json").stdout;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(affected(&answer), [("test_fee", vec![]), ("test_rate", vec!["CFN"])]);
}

#[test]
fn the_tests_of_the_old_version_are_run_on_the_new_one() {
    let world = suite();
    let answer = world.line("atoms old new --tests --old-tests --json").stdout;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(affected(&answer), [("test_fee", vec!["CFN"]), ("test_rate", vec![])]);
    let test = "-- env PYTHONPATH=. python3 tests/test_bank.py";
    let ran = world.line(&format!("changes old new -q {test}"));
    assert!(ran.stderr.contains("does not fail"), "{}", ran.stderr);
    let answer = world.answer(&format!("changes old new --old-tests {test}"));
    let culprit = answer["causes"][0]["culprit"].as_array().unwrap();
    assert_eq!((culprit.len(), &culprit[0]["file"]), (1, &"bank.py".into()));
    // The answer can be replayed, and keeps the flags of its run.
    world.write("answer.json", answer.to_string());
    let verified = world.line("verify answer.json");
    assert_eq!(verified.code, Some(0), "{}{}", verified.stdout, verified.stderr);
    let shown = world.line("show").stdout;
    assert!(shown.contains("whodunit changes --old-tests old new"), "{shown}");
}

#[test]
fn changes_of_each_kind_are_counted_for_each_pair_of_versions() {
    let world = World::new();
    world.write("one/a.py", "def f():\n    return 1\n");
    world.write("two/a.py", "def f():\n    return 2\n\n\ndef g():\n    return 3\n");
    world.write("three/a.py", "def g():\n    return 4\n");
    let table = "kind  one..two  two..three\nAFN          1           0\nCFN          2           2\n\
                 DFN          0           1\nall          3           3\n";
    assert_eq!(world.line("atoms one two three --kinds").stdout, table);
    let json: Value =
        serde_json::from_str(&world.line("atoms one two three --kinds --json").stdout).unwrap();
    assert_eq!((&json[0]["kinds"]["AFN"], &json[1]["kinds"]["DFN"]), (&1.into(), &1.into()));
    let svg = world.line("atoms one two three --kinds --svg").stdout;
    assert_eq!(svg.matches("<title>").count(), 4, "{svg}");
    assert!(svg.contains("<title>CFN: 2</title>") && svg.contains(">two..three</text>"), "{svg}");
    let ran = world.line("atoms one two three");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("more than two versions"), "{}", ran.stderr);
}
