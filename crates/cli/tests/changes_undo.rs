//! `whodunit changes`: what has to be taken back is found next to the bad version, and what the tests
//! of both ends run is looked at first.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{World, needs};

/// Runs the program and returns the answer.
fn answer(world: &World, jobs: &str, test: &[&str]) -> Value {
    let args = ["changes", "--json", "-q", "-j", jobs, "old", "new", "--"];
    let ran = world.run(args.iter().chain(test));
    assert!(matches!(ran.code, Some(0 | 3)), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

fn lines(changes: &Value) -> Vec<(String, Option<u64>)> {
    let place = |it: &Value| (it["file"].as_str().unwrap().into(), it["new_lines"][0].as_u64());
    changes.as_array().unwrap().iter().map(place).collect()
}

/// Makes two versions of a function that counts up to a limit. In the new one each of ten lines and more
/// is needed to get to the wrong result, and one line less mends it.
fn chain(world: &World) {
    world.write("old/app.py", "def total(items):\n    return sum(items)\n");
    let mut text = String::from("def total(items):\n    step0 = 1\n");
    for number in 1..10 {
        text.push_str(&format!("    step{number} = step{} + 1\n", number - 1));
    }
    text.push_str(
        "    result = sum(items)\n    if step9 > 5:\n        result += 1\n    return result\n",
    );
    world.write("new/app.py", &text);
    world.write(
        "test.py",
        "import app\ntotal = app.total([1, 2])\nassert total == 3, f'total is {total}'\n",
    );
}

#[test]
fn a_large_culprit_comes_with_the_few_lines_to_take_back() {
    if !needs("python3") {
        return;
    }
    let world = World::new();
    chain(&world);
    let script = world.path("test.py");
    let test = ["env", "PYTHONPATH=.", "python3", "-B", script.to_str().unwrap()];
    let alone = answer(&world, "1", &test);
    let cause = &alone["causes"][0];
    assert!(cause["culprit"].as_array().unwrap().len() > 10, "{cause}");
    let fix = lines(&cause["fix"]);
    assert!(!fix.is_empty() && fix.len() <= 3, "{fix:?}");
    assert_eq!(cause["proof"]["bad_without_fix"], "pass");
    let together = answer(&world, "4", &test);
    let [one, other] = [&alone, &together].map(|it| &it["causes"][0]);
    assert_eq!((&one["culprit"], &one["fix"]), (&other["culprit"], &other["fix"]));
    assert_eq!(together["tests"]["committed"], alone["tests"]["committed"]);
    let told = world.run(["show"]).stdout;
    assert!(told.contains("undo       app.py:"), "{told}");
    assert!(told.contains("it passes without this"), "{told}");
}

/// Returns the lines that ran in functions at the bad end, by the journal of the last run.
fn called(world: &World) -> Vec<Value> {
    let ran = world.run(["show", "--events"]);
    let events = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let learned = events.into_iter().find(|event| event["event"] == "ends_learned").unwrap();
    learned["evidence"]["ran_in_bad"].as_array().cloned().unwrap_or_default()
}

#[test]
fn the_lines_that_python_runs_are_noted_and_nothing_else_changes() {
    if !needs("python3") {
        return;
    }
    let world = World::new();
    let old = "import sys\n\ndef used(x):\n    return x\n\ndef unused(x):\n    return x\n";
    let new = "import sys\n\ndef used(x):\n    return x + 1\n\ndef unused(x):\n    return x + 1\n";
    world.write("old/app.py", old);
    world.write("new/app.py", new);
    world.write("old/test.py", "import app\nassert app.used(1) == 1, 'wrong'\n");
    world.write("new/test.py", "import app\nassert app.used(1) == 1, 'wrong'\n");
    // With and without a path of its own, as tests of projects have it.
    let test = ["env", "PYTHONPATH=.", "python3", "-B", "test.py"];
    for test in [&test[2..], &test[..]] {
        let answer = answer(&world, "1", test);
        assert_eq!(lines(&answer["causes"][0]["culprit"]), [("app.py".to_owned(), Some(4))]);
        let noted = called(&world);
        assert_eq!(noted.len(), 1, "{noted:?}");
        assert_eq!(noted[0]["called"], serde_json::json!([[4, 4]]));
    }
}

#[test]
fn the_lines_that_node_runs_are_noted() {
    if !needs("node") {
        return;
    }
    let world = World::new();
    let text = |more: &str| {
        format!(
            "exports.used = x => {{\n  return x{more};\n}};\nexports.unused = x => {{\n  return x{more};\n}};\n"
        )
    };
    world.write("old/app.js", text(""));
    world.write("new/app.js", text(" + 1"));
    for version in ["old", "new"] {
        let test =
            "const app = require('./app.js');\nif (app.used(1) !== 1) throw new Error('wrong');\n";
        world.write(format!("{version}/test.js"), test);
    }
    let answer = answer(&world, "1", &["node", "test.js"]);
    assert_eq!(lines(&answer["causes"][0]["culprit"]), [("app.js".to_owned(), Some(2))]);
    let noted = called(&world);
    assert_eq!(noted.len(), 1, "{noted:?}");
    assert!(noted[0]["called"].to_string().contains('2'), "{noted:?}");
    assert!(!noted[0]["called"].to_string().contains('5'), "{noted:?}");
}
