//! One test of a known runner in one flag: its meaning, and that a test which did not run never
//! passes.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use support::{World, needs};

/// The commits of a calculator: the sum is wrong from the third on, and the last one adds the test.
fn calculator(files: &[(&str, [&str; 5])]) -> World {
    let world = World::new();
    world.git("init -q -b main");
    for (place, title) in ["one", "two", "three", "four", "five"].into_iter().enumerate() {
        for (name, texts) in files {
            match texts[place] {
                "" => {}
                text => drop(world.write(name, text)),
            }
        }
        world.write("notes.txt", title);
        world.commit(title);
        if place == 0 {
            world.git("tag v1");
        }
    }
    world
}

fn pytest() -> World {
    let (right, wrong) =
        ("def add(a, b):\n    return a + b\n", "def add(a, b):\n    return abs(a) + abs(b)\n");
    let test = "from calc import add\n\n\ndef test_sum():\n    assert add(-1, 1) == 0\n";
    calculator(&[
        (".gitignore", ["__pycache__\n"; 5]),
        ("conftest.py", [""; 5]),
        ("calc.py", [right, right, wrong, wrong, wrong]),
        ("tests/test_calc.py", ["", "", "", "", test]),
    ])
}

#[test]
fn one_flag_leads_from_a_failing_pytest_to_the_proved_line() {
    if !needs("git") || !needs("pytest") {
        return;
    }
    let world = pytest();
    world.write("conftest.py", "");
    for line in [
        "history --pytest tests/test_calc.py::test_sum",
        "changes v1 --pytest tests/test_calc.py::test_sum",
    ] {
        let ran = world.line(line);
        assert_eq!(ran.code, Some(0), "{line}: {}{}", ran.stdout, ran.stderr);
        for part in ["\"three\" (", "calc.py:2  add\n", "\nproved     "] {
            assert!(ran.stdout.contains(part), "{line}: `{part}` is not in\n{}", ran.stdout);
        }
    }
}

#[test]
fn a_pytest_that_is_skipped_or_not_there_is_no_pass() {
    if !needs("git") || !needs("pytest") {
        return;
    }
    let world = pytest();
    let skipped = "import pytest\n\n\n@pytest.mark.skip\ndef test_skipped():\n    pass\n";
    world.write("tests/test_more.py", skipped);
    world.commit("six");
    for name in ["test_more.py::test_skipped", "test_calc.py::test_nowhere"] {
        let ran = world.line(&format!("history --pytest tests/{name}"));
        assert_eq!(ran.code, Some(2), "{name}: {}", ran.stdout);
        assert!(ran.stderr.contains("exited with 125"), "{name}: {}", ran.stderr);
    }
    let ran = world.line("history --pytest tests/nowhere.py::test_a");
    assert!(
        ran.stderr.contains("error: there is no file `tests/nowhere.py`, which --pytest names\n"),
        "{}",
        ran.stderr
    );
    let ran = world.line("history --pytest tests/test_calc.py -- true");
    assert!(ran.stderr.contains("error: two things to run"), "{}", ran.stderr);
}

#[test]
fn one_flag_runs_a_test_of_node() {
    if !needs("git") || !needs("node") {
        return;
    }
    let (right, wrong) =
        ("exports.add = (a, b) =>\n  a + b;\n", "exports.add = (a, b) =>\n  a - b;\n");
    let test = "const test = require('node:test');\nconst assert = require('node:assert');\n\
                const { add } = require('./calc');\n\
                test('adds', () => { assert.strictEqual(add(1, 2), 3); });\n\
                test('adds nothing', () => { assert.strictEqual(add(1, 0), 1); });\n\
                test('skips', { skip: true }, () => {});\n";
    let world = calculator(&[
        ("calc.js", [right, right, wrong, wrong, wrong]),
        ("calc.test.js", ["", "", "", "", test]),
    ]);
    let ran = world.run(["history", "--node-test", "calc.test.js::adds"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("culprit    calc.js:2"), "{}", ran.stdout);
    for (name, outcome) in [
        ("adds nothing", "exited with 0"),
        ("skips", "exited with 125"),
        ("no such", "exited with 125"),
    ] {
        let ran = world.run(["history", "--node-test", &format!("calc.test.js::{name}")]);
        assert_eq!(ran.code, Some(2), "{name}: {}", ran.stdout);
        assert!(ran.stderr.contains(outcome), "{name}: {}", ran.stderr);
    }
}

#[test]
fn a_test_that_looks_beside_its_real_place_finds_the_version_there() {
    if !needs("git") || !needs("node") || !needs("pytest") {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    world.write("notes.txt", "");
    for (title, sum) in [("right", "a + b"), ("cause", "a - b")] {
        world.write("lib.js", format!("module.exports.add = (a, b) => {sum};\n"));
        world.write("lib.py", format!("def add(a, b):\n    return {sum}\n"));
        world.commit(title);
    }
    world.write(
        "test/lib.test.js",
        "const test = require('node:test');\nconst assert = require('assert');\n\
         const { add } = require('../lib.js');\n\
         test('adds', () => assert.strictEqual(add(1, 2), 3));\n",
    );
    world.write(
        "test/test_lib.py",
        "import pathlib\nimport sys\n\
         sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))\n\
         sys.dont_write_bytecode = True\nimport lib\n\n\n\
         def test_add():\n    assert lib.add(1, 2) == 3\n",
    );
    let tests = ["--node-test test/lib.test.js::adds", "--pytest test/test_lib.py::test_add"];
    // First as files that no version has, then as committed files.
    for good in ["HEAD~1", "HEAD~2"] {
        for test in tests {
            let ran = world.line(&format!("changes {good} {test}"));
            assert_eq!(ran.code, Some(0), "{test}: {}{}", ran.stdout, ran.stderr);
            assert!(ran.stdout.contains("\"cause\""), "{test}: {}", ran.stdout);
        }
        world.commit("tests");
    }
}

#[test]
fn one_flag_runs_a_test_of_go() {
    if !needs("git") || !needs("go") {
        return;
    }
    let (right, wrong) = (
        "package calc\n\nfunc Add(a, b int) int {\n\treturn a + b\n}\n",
        "package calc\n\nfunc Add(a, b int) int {\n\treturn a - b\n}\n",
    );
    let test = "package calc\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\t\
                t.Fatal(\"wrong sum\")\n\t}\n}\n";
    let world = calculator(&[
        ("go.mod", ["module example.com/calc\n\ngo 1.18\n"; 5]),
        ("calc.go", [right, right, wrong, wrong, wrong]),
        ("calc_test.go", [test; 5]),
    ]);
    let ran = world.run(["changes", "v1", "--go-test", "TestAdd"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("culprit    calc.go:4"), "{}", ran.stdout);
    let ran = world.run(["changes", "v1", "--go-test", "TestNowhere"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("exited with 125"), "{}", ran.stderr);
}

#[test]
fn one_flag_runs_a_test_of_cargo_and_a_build_that_fails_is_no_failure_of_it() {
    if !needs("git") || !needs("cc") {
        return;
    }
    let manifest =
        "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";
    let source = |body: &str| {
        format!(
            "pub fn add(a: i32, b: i32) -> i32 {{\n    {body}\n}}\n\n#[cfg(test)]\nmod tests {{\n    #[test]\n    \
             fn adds() {{\n        assert_eq!(super::add(1, 2), 3);\n    }}\n}}\n"
        )
    };
    let (right, broken, wrong) = (source("a + b"), source("a +"), source("a - b"));
    let world = calculator(&[
        (".gitignore", ["target\nCargo.lock\n"; 5]),
        ("Cargo.toml", [manifest; 5]),
        ("src/lib.rs", [&right, &broken, &wrong, &wrong, &wrong]),
    ]);
    let ran = world.run(["changes", "v1", "--cargo-test", "tests::adds"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("culprit    src/lib.rs:2  add\n"), "{}", ran.stdout);
    let ran = world.run(["changes", "v1", "v1~0", "--cargo-test", "tests::nowhere"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
}
