//! `whodunit history` with a test that older versions do not have. It was added to a file of tests
//! that they do have, so their runners find nothing to run and report success.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::process::Command;

use serde_json::Value;
use support::{World, found, has_git, needs, needs_that};

/// A project with one function that is right at first and wrong later.
struct Project {
    /// The file with the function, and the function with its operator.
    source: (&'static str, fn(&str) -> String),
    /// The file of tests, and its text without the new test and with it.
    tests: (&'static str, String, String),
    /// Files that never change.
    rest: Vec<(&'static str, &'static str)>,
}

/// Whether the new test is in the newest commit, or only in the checkout.
#[derive(Clone, Copy, PartialEq)]
enum Test {
    Committed,
    InTheCheckout,
}

impl Project {
    /// Makes a history: `good`, `between`, `bad`, two harmless versions, and `tested` if the new
    /// test is committed.
    fn history(&self, test: Test) -> World {
        let world = World::new();
        world.git("init -q -b main");
        let (source, text) = self.source;
        let (tests, without, with) = &self.tests;
        self.rest.iter().for_each(|(name, text)| drop(world.write(name, text)));
        world.write(tests, without);
        for (title, sign) in
            [("good", "+"), ("between", "+"), ("bad", "-"), ("one", "-"), ("two", "-")]
        {
            world.write(source, text(sign));
            world.write("notes.txt", title);
            world.commit(title);
        }
        world.write(tests, with);
        if test == Test::Committed {
            world.commit("tested");
        }
        world
    }

    /// Checks that the version is found that made the function wrong.
    fn check(&self, test: Test, flags: &[&str], command: &[&str]) -> Value {
        let world = self.history(test);
        let before = world.git("--no-optional-locks status --porcelain=v2");
        let words = ["history", "--json", "-q"].iter().chain(flags).chain(&["--"]).chain(command);
        let ran = world.run(words);
        assert_eq!(ran.code, Some(0), "{command:?}: {}", ran.stderr);
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(found(&answer).0, "bad", "{command:?}: {answer:#}");
        assert_eq!(answer["outcome"]["good"]["title"], "between");
        let cause = &answer["outcome"]["causes"][0];
        assert_eq!(cause["culprit"][0]["file"], self.source.0, "{answer:#}");
        assert_eq!(cause["proof"]["good_with_culprit"], "fail");
        assert_eq!(answer["forward"]["proof"], "pass", "{answer:#}");
        let tests = answer["tests"]["committed"].as_u64().unwrap();
        assert!(tests <= 16, "{tests} tests");
        assert_eq!(world.git("--no-optional-locks status --porcelain=v2"), before);
        answer
    }
}

/// Returns whether a program works with these arguments.
fn can(remedy: &str, program: &str, args: &[&str]) -> bool {
    let ran = Command::new(program).args(args).output();
    let can = ran.is_ok_and(|ran| ran.status.success());
    needs_that(&format!("`{program} {}`", args.join(" ")), remedy, can)
}

fn python(new: &str) -> Project {
    let old = "import unittest\nimport calc\n\n\nclass Calc(unittest.TestCase):\n    \
               def test_old(self):\n        self.assertEqual(calc.name(), 'calc')\n";
    Project {
        source: ("calc.py", |sign| {
            format!("def name():\n    return 'calc'\n\n\ndef add(a, b):\n    return a {sign} b\n")
        }),
        tests: ("tests/test_calc.py", old.into(), format!("{old}{new}")),
        rest: vec![("tests/__init__.py", "")],
    }
}

const METHOD: &str = "\n    def test_add(self):\n        self.assertEqual(calc.add(2, 2), 4)\n";
const FUNCTION: &str = "\n\ndef test_add():\n    assert calc.add(2, 2) == 4\n";

#[test]
fn a_new_test_of_unittest_travels_back() {
    if !has_git() || !needs("python3") {
        return;
    }
    let project = python(METHOD);
    let all = ["python3", "-B", "-m", "unittest"];
    for (test, more) in [
        (Test::Committed, &["tests.test_calc"][..]),
        (Test::Committed, &["tests.test_calc.Calc.test_add"]),
        (Test::Committed, &["-k", "test_add"]),
        (Test::InTheCheckout, &["discover"]),
        (Test::InTheCheckout, &["tests.test_calc"]),
    ] {
        project.check(test, &[], &[&all, more].concat());
    }
}

#[test]
fn a_new_test_of_pytest_travels_back() {
    if !has_git() || !can("pip install pytest", "python3", &["-m", "pytest", "--version"]) {
        return;
    }
    let project = python(FUNCTION);
    let all = ["python3", "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"];
    for (test, more) in [
        (Test::Committed, &[][..]),
        (Test::Committed, &["tests/test_calc.py"]),
        (Test::Committed, &["tests/test_calc.py::test_add"]),
        (Test::InTheCheckout, &["-k", "test_add"]),
    ] {
        project.check(test, &[], &[&all, more].concat());
    }
}

#[test]
fn a_new_test_of_node_travels_back() {
    if !has_git() || !can("install Node.js 18 or later", "node", &["--test", "--version"]) {
        return;
    }
    let old = "const test = require('node:test');\nconst assert = require('node:assert');\n\
               const calc = require('../calc.js');\n\n\
               test('old', () => {\n  assert.equal(calc.name(), 'calc');\n});\n";
    let new = "\ntest('adds', () => {\n  assert.equal(calc.add(2, 2), 4);\n});\n";
    let project = Project {
        source: ("calc.js", |sign| {
            format!("exports.name = () => 'calc';\n\nexports.add = (a, b) => a {sign} b;\n")
        }),
        tests: ("test/calc.test.js", old.into(), format!("{old}{new}")),
        rest: Vec::new(),
    };
    project.check(Test::Committed, &[], &["node", "--test", "test/calc.test.js"]);
    let pattern = ["node", "--test", "--test-name-pattern", "adds", "test/"];
    project.check(Test::InTheCheckout, &[], &pattern);
}

#[test]
fn a_new_test_of_cargo_travels_back() {
    if !has_git() || !needs("cargo") {
        return;
    }
    let manifest =
        "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";
    let lock = "version = 3\n\n[[package]]\nname = \"calc\"\nversion = \"0.1.0\"\n";
    let old = "use calc::*;\n\n#[test]\nfn old() {\n    assert_eq!(name(), \"calc\");\n}\n";
    let new = "\n#[test]\nfn adds() {\n    assert_eq!(add(2, 2), 4);\n}\n";
    let project = Project {
        source: ("src/lib.rs", |sign| {
            format!(
                "pub fn name() -> &'static str {{\n    \"calc\"\n}}\n\n\
                 pub fn add(a: i32, b: i32) -> i32 {{\n    a {sign} b\n}}\n"
            )
        }),
        tests: ("tests/calc.rs", old.into(), format!("{old}{new}")),
        rest: vec![("Cargo.toml", manifest), ("Cargo.lock", lock)],
    };
    let run = ["cargo", "test", "-q", "--offline"];
    project.check(Test::Committed, &[], &[&run[..], &["adds"]].concat());
    project.check(Test::InTheCheckout, &[], &[&run[..], &["--test", "calc"]].concat());
}

/// Returns a Rust library with its tests in the same file, from the operator and the new test.
fn in_one_file(sign: &str, new: &str) -> String {
    format!(
        "pub fn add(a: i32, b: i32) -> i32 {{\n    a {sign} b\n}}\n\n#[cfg(test)]\nmod tests {{\n    \
         use super::*;\n\n    #[test]\n    fn nothing() {{\n        assert_eq!(add(0, 0), 0);\n    \
         }}\n{new}}}\n"
    )
}

#[test]
fn a_new_test_inside_the_file_it_tests_travels_back_without_the_rest() {
    if !has_git() || !needs("cargo") {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    world.write("Cargo.toml", "[package]\nname = \"calc\"\nversion = \"0.1.0\"\n\n[workspace]\n");
    world.write("Cargo.lock", "version = 3\n\n[[package]]\nname = \"calc\"\nversion = \"0.1.0\"\n");
    for (title, sign) in [("good", "+"), ("bad", "-"), ("one", "-"), ("two", "-")] {
        world.write("src/lib.rs", in_one_file(sign, ""));
        world.write("notes.txt", title);
        world.commit(title);
    }
    let new = "\n    #[test]\n    fn adds() {\n        assert_eq!(add(2, 2), 4);\n    }\n";
    world.write("src/lib.rs", in_one_file("-", new));
    world.commit("tested");
    for command in ["cargo test -q --offline adds", "cargo test -q --offline"] {
        let answer = world.answer(&format!("history -- {command}"));
        let (title, back_port) = found(&answer);
        assert_eq!(title, "bad", "{answer:#}");
        assert!(back_port.contains("+    fn adds()"), "{back_port}");
        assert_eq!(answer["forward"]["proof"], "pass");
    }
}

#[test]
fn a_new_test_of_go_travels_back() {
    if !has_git() || !needs("go") {
        return;
    }
    let old = "package calc\n\nimport \"testing\"\n\nfunc TestOld(t *testing.T) {\n\tif Name() != \
               \"calc\" {\n\t\tt.Fatal(\"name\")\n\t}\n}\n";
    let new = "\nfunc TestAdd(t *testing.T) {\n\tif got := Add(2, 2); got != 4 {\n\t\tt.Fatalf(\"2 \
               + 2 = %d\", got)\n\t}\n}\n";
    let project = Project {
        source: ("calc.go", |sign| {
            format!(
                "package calc\n\nfunc Name() string {{\n\treturn \"calc\"\n}}\n\n\
                 func Add(a, b int) int {{\n\treturn a {sign} b\n}}\n"
            )
        }),
        tests: ("calc_test.go", old.into(), format!("{old}{new}")),
        rest: vec![("go.mod", "module example.com/calc\n\ngo 1.18\n")],
    };
    project.check(Test::Committed, &[], &["go", "test", "-run", "TestAdd", "./..."]);
    project.check(Test::InTheCheckout, &[], &["go", "test", "./..."]);
}

#[test]
fn a_new_test_of_junit_travels_back() {
    let jars = "/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar";
    if !has_git() || !needs("/usr/share/java/junit4.jar") || !needs("javac") {
        return;
    }
    let test = |more: &str| {
        format!(
            "import static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;\n\n\
             public class CalcTest {{\n    @Test\n    public void old() {{\n        \
             assertEquals(\"calc\", Calc.name());\n    }}\n{more}}}\n"
        )
    };
    let new =
        "\n    @Test\n    public void adds() {\n        assertEquals(4, Calc.add(2, 2));\n    }\n";
    let project = Project {
        source: ("src/Calc.java", |sign| {
            format!(
                "public class Calc {{\n    static String name() {{\n        return \"calc\";\n    \
                 }}\n\n    static int add(int a, int b) {{\n        return a {sign} b;\n    }}\n}}\n"
            )
        }),
        tests: ("test/CalcTest.java", test(""), test(new)),
        rest: Vec::new(),
    };
    let build = format!("javac -cp {jars} -d out src/*.java test/*.java");
    let run = format!("out:{jars}");
    let command = ["java", "-cp", &run, "org.junit.runner.JUnitCore", "CalcTest"];
    project.check(Test::Committed, &["--build", &build], &command);
    project.check(Test::InTheCheckout, &["--build", &build], &command);
}

/// Returns a world with these commits: each has a title and files that it writes, or removes if
/// they have no text.
fn written(commits: &[(&str, &[(&str, &str)])]) -> World {
    let world = World::new();
    world.git("init -q -b main");
    for (title, files) in commits {
        for (name, text) in *files {
            match text.is_empty() {
                true => fs::remove_file(world.path(name)).unwrap(),
                false => _ = world.write(name, text),
            }
        }
        world.commit(title);
    }
    world
}

const GOOD: &str = "def f(x):\n    return x + 1\n";
const BUG: &str = "def f(x):\n    return x + 2\n";
const BROKEN: &str = "def f(x:\n    return x + 2\n";

/// Returns a test of Python with these statements.
fn unit_test(imports: &str, statements: &str) -> String {
    format!(
        "{imports}\nclass T(unittest.TestCase):\n    def test_it(self):\n        {statements}\n"
    )
}

/// Checks that the answer names one commit, and that it is verified.
fn check_bug(world: &World, test: &str) {
    let answer = world.answer(&format!("history -j2 --budget 60s -- {test}"));
    let outcome = &answer["outcome"];
    assert_eq!(outcome["suspects"].as_array().map(Vec::len), Some(1), "{test}: {outcome:#}");
    assert_eq!(outcome["suspects"][0]["title"], "bug", "{test}: {outcome:#}");
    world.write("../answer.json", answer.to_string());
    let ran = world.line("verify ../answer.json");
    assert_eq!(ran.code, Some(0), "{test}: {}{}", ran.stdout, ran.stderr);
}

#[test]
fn the_newest_test_decides_below_versions_that_had_to_be_mended() {
    if !has_git() || !needs("python3") {
        return;
    }
    let early = unit_test("import unittest, core", "self.assertTrue(core)");
    let late = unit_test("import unittest, core", "self.assertEqual(core.f(2), 3)");
    let world = written(&[
        ("first", &[("core.py", GOOD), ("test_core.py", &early)]),
        ("bug", &[("core.py", BUG)]),
        ("note", &[("note", "1")]),
        ("test", &[("test_core.py", &late)]),
        ("broken", &[("core.py", BROKEN)]),
        ("more", &[("note", "2")]),
        ("still", &[("note", "3")]),
        ("mended", &[("core.py", BUG)]),
    ]);
    for test in ["", "test_core", "-k test_it"] {
        check_bug(&world, &format!("python3 -B -m unittest {test}"));
    }
}

#[test]
fn a_test_that_needs_something_new_is_doubted_with_an_older_one() {
    if !has_git() || !needs("python3") {
        return;
    }
    let early = unit_test("import unittest, core", "self.assertTrue(core)");
    let late = unit_test("import unittest, core", "self.assertEqual(core.f(2), 3)");
    let renamed = late.replace("core.f", "core.g");
    let [g_bug, g_broken] = [BUG, BROKEN].map(|text| text.replace("def f", "def g"));
    let world = written(&[
        ("first", &[("core.py", GOOD), ("test_core.py", &early)]),
        ("bug", &[("core.py", BUG)]),
        ("note", &[("note", "1")]),
        ("broken", &[("core.py", BROKEN)]),
        ("test", &[("test_core.py", &late)]),
        ("rename", &[("core.py", &g_broken), ("test_core.py", &renamed)]),
        ("mended", &[("core.py", &g_bug)]),
    ]);
    check_bug(&world, "python3 -B -m unittest test_core");
}

#[test]
fn a_test_that_changed_with_what_it_calls_is_not_doubted_for_ever() {
    if !has_git() || !needs("python3") {
        return;
    }
    let plain = unit_test("import unittest, core", "self.assertEqual(core.f(2), 3)");
    let shown = plain.replace("core.f(2), 3", "core.show(core.f(2)), 'v:3'");
    let show = format!("{BUG}\ndef show(v):\n    return 'v:' + str(v)\n");
    let world = written(&[
        ("first", &[("core.py", GOOD), ("test_core.py", &plain)]),
        ("bug", &[("core.py", BUG)]),
        ("show", &[("core.py", &show), ("test_core.py", &shown)]),
    ]);
    check_bug(&world, "python3 -B -m unittest test_core");
    let moved = plain.replace("import unittest, core", "import unittest\nimport main as core");
    let world = written(&[
        ("first", &[("core.py", GOOD), ("test_core.py", &plain)]),
        ("note", &[("note", "1")]),
        ("bug", &[("core.py", BUG)]),
        ("more", &[("note", "2")]),
        ("moved", &[("core.py", ""), ("main.py", BUG), ("test_core.py", &moved)]),
    ]);
    check_bug(&world, "python3 -B -m unittest test_core");
}

/// A program that adds, or with the bug subtracts.
fn adds(sign: &str) -> String {
    format!("def f(a, b):\n    return a {sign} b\n")
}

/// The test came while the program could not be read, so that an empty file of its name was the
/// smallest with which the version before it said anything.
#[test]
fn half_of_a_new_file_of_tests_is_no_pass() {
    if !has_git() || !needs("python3") {
        return;
    }
    let plain = "import sys\nsys.path.insert(0, \".\")\nimport app\ndef test():\n    \
                 assert app.f(1, 2) > 0, \"not positive\"\ntest()\n";
    let case = unit_test("import app, unittest", "self.assertGreater(app.f(1, 2), 0)");
    let shell = "python3 -B -c 'import app; assert app.f(1, 2) > 0, \"not positive\"' || exit 1\n";
    for (name, test, command) in [
        ("tests/test_sum.py", plain, &["python3", "-B", "-m", "tests.test_sum"][..]),
        ("tests/test_sum.py", &case, &["python3", "-B", "-m", "unittest", "tests.test_sum"]),
        (
            "tests/test_sum.py",
            &case,
            &["python3", "-B", "-m", "unittest", "tests.test_sum.T.test_it"],
        ),
        ("tests/sum.sh", shell, &["sh", "-c", ". ./tests/sum.sh"]),
    ] {
        let broken = format!("def broken(:\n{}", adds("-"));
        let world = written(&[
            ("first", &[("app.py", &adds("+"))]),
            ("second", &[("note", "0")]),
            ("bug", &[("app.py", &adds("-"))]),
            ("one", &[("note", "1")]),
            ("two", &[("note", "2")]),
            ("three", &[("note", "3")]),
            ("broken", &[("app.py", &broken)]),
            ("test", &[(name, test)]),
            ("mended", &[("app.py", &adds("-"))]),
            ("last", &[("note", "4")]),
        ]);
        let words = ["history", "--json", "-q", "-j2", "--"].iter().chain(command);
        let ran = world.run(words);
        assert_eq!(ran.code, Some(0), "{command:?}: {}", ran.stderr);
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(found(&answer).0, "bug", "{command:?}: {answer:#}");
        assert_eq!(answer["outcome"]["causes"][0]["culprit"][0]["file"], "app.py", "{answer:#}");
    }
}

/// A comment of the script names a file that looks like one of the test.
#[test]
fn a_file_that_makes_no_difference_is_not_carried_back() {
    if !has_git() {
        return;
    }
    let world = written(&[
        ("first", &[("f.c", "int f(){return 1;}\n"), ("test.c", "/* old */\nint x;\n")]),
        ("good", &[("f.c", "int f(){return 1;}\n/* z */\n")]),
        ("bug", &[("f.c", "int f(){return 2;}\n"), ("test.c", "/* new */\nint y;\n")]),
        ("last", &[("note", "1")]),
    ]);
    let script =
        "# Not test.c.\ngrep -q 'return 2' f.c && { echo 'error: two'; exit 1; }\nexit 0\n";
    world.write("../t.sh", script);
    let answer = world.answer("history -- sh ../t.sh");
    assert_eq!(found(&answer), ("bug", ""), "{answer:#}");
    let culprit = answer["outcome"]["causes"][0]["culprit"].as_array().unwrap();
    assert!(culprit.iter().all(|change| change["file"] == "f.c"), "{culprit:#?}");
}

/// A function without which the newest test cannot run came with the failure, so nothing tells whether
/// the failure is older.
#[test]
fn a_failure_that_begins_with_what_the_newest_test_calls_is_not_called_old() {
    if !has_git() || !needs("python3") {
        return;
    }
    let late = unit_test("import unittest, core", "self.assertEqual(core.f(2), 3)");
    let before = "def g(x):\n    return x\n";
    let begun = format!("{before}\n\n{BUG}");
    let world = written(&[
        ("first", &[("core.py", before)]),
        ("second", &[("note", "1")]),
        ("begun", &[("core.py", &begun)]),
        ("third", &[("note", "2")]),
        ("test", &[("test_core.py", &late)]),
    ]);
    let test = "python3 -B -m unittest test_core";
    let answer = world.answer(&format!("history -- {test}"));
    let begins = &answer["outcome"]["begins"];
    assert_eq!(begins["failing"]["title"], "begun", "{answer:#}");
    assert_eq!(begins["before"]["title"], "second", "{answer:#}");
    world.write("../answer.json", answer.to_string());
    let ran = world.line("verify ../answer.json");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let text = world.line(&format!("history -- {test}")).stdout;
    for words in
        ["unless the back-port is the cause\n", " fails with the newest test, and before it "]
    {
        assert!(text.contains(words), "`{words}` is not in\n{text}");
    }
}
