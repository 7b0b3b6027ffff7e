//! The doubts of `whodunit history`: passes and failures with another reason, tests that lack their
//! surroundings, and its answer when it gives up.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::process::Command;

use serde_json::Value;
use support::{World, found, has_git, needs};

fn python() -> bool {
    needs("python3")
}

/// Returns an empty repository.
fn repository() -> World {
    let world = World::new();
    world.git("init -q -b main");
    world
}

/// Commits a few versions with irrelevant changes.
fn harmless(world: &World, titles: &[&str]) {
    for title in titles {
        world.write("notes.txt", title);
        world.commit(title);
    }
}

const SHOP: &str = "def total(prices):\n    result = 0\n    for price in prices:\n        \
                    result += price\n    return result\n";

/// Returns a history whose culprit also adds a large module that the newest test imports; `asserts`
/// is the body of the test that fails.
fn imported(asserts: &str) -> World {
    let world = repository();
    let head = "import unittest\n\nfrom pkg.shop import total\n";
    let old = "\n\nclass Shop(unittest.TestCase):\n    def test_empty(self):\n        \
               self.assertEqual(total([]), 0)\n";
    world.write("pkg/__init__.py", "");
    world.write("tests/__init__.py", "");
    world.write("pkg/shop.py", SHOP);
    world.write("tests/test_shop.py", format!("{head}{old}"));
    let util = |more: &str| -> String {
        (0..40).map(|i| format!("def helper_{i}(x):\n    return x * {i}{more}\n\n\n")).collect()
    };
    world.write("pkg/util.py", util(""));
    world.commit("first");
    harmless(&world, &["one", "two", "three"]);
    let features =
        (0..60).map(|i| format!("def feature_{i}(x):\n    y = x + {i}\n    return y\n\n\n"));
    let features: String = features.collect();
    let summary = "def summary(prices):\n    return 'sum %d' % total(prices)\n";
    world.write("pkg/report.py", format!("from pkg.shop import total\n\n\n{features}{summary}"));
    world.write("pkg/util.py", util(" + 0"));
    world.write("pkg/shop.py", SHOP.replace("in prices:", "in prices[1:]:"));
    world.commit("cause");
    harmless(&world, &["four", "five", "six"]);
    let import = "from pkg.report import summary\n";
    let new = "\n    def test_summary(self):\n        self.assertEqual(summary([]), 'sum 0')\n";
    let failing = format!("\n    def test_two(self):\n        {asserts}\n");
    world.write("tests/test_shop.py", format!("{head}{import}{old}{new}{failing}"));
    world.commit("tested");
    world
}

/// Checks that the version with the cause is found, and returns the back-port.
fn check_cause(world: &World, line: &str) -> (String, Value) {
    let answer = world.answer(line);
    let (title, back_port) = found(&answer);
    assert_eq!(title, "cause", "{answer:#}");
    let culprit = &answer["outcome"]["causes"][0]["culprit"];
    assert_eq!(culprit[0]["file"], "pkg/shop.py", "{answer:#}");
    (back_port.to_owned(), answer)
}

#[test]
fn an_import_that_the_test_does_not_need_is_left_out() {
    if !has_git() || !python() {
        return;
    }
    let world = imported("self.assertEqual(total([1, 2]), 3)");
    for flags in ["", "--linear", "-j3"] {
        let line = format!("history {flags} -- python3 -B -m unittest tests.test_shop");
        let (back_port, answer) = check_cause(&world, &line);
        assert!(back_port.contains("+    def test_two(self):"), "{back_port}");
        assert!(!back_port.contains("import summary"), "{back_port}");
        let size = answer["back_port"]["size"]["lines"].as_u64().unwrap();
        assert!(size <= 4, "{size} lines: {back_port}");
    }
}

#[test]
fn what_the_test_needs_is_carried_back_without_the_cause() {
    if !has_git() || !python() {
        return;
    }
    let world = imported("self.assertEqual(summary([1, 2]), 'sum 3')");
    let line = "history -- python3 -B -m unittest tests.test_shop";
    let (back_port, _) = check_cause(&world, line);
    assert!(back_port.contains("+def summary(prices):"), "{back_port}");
    assert!(!back_port.contains("prices[1:]"), "{back_port}");
}

#[test]
fn a_failure_that_lasts_to_the_oldest_version_is_doubted() {
    if !has_git() {
        return;
    }
    let world = repository();
    let part = |lines: &str| format!("# part\n\nhelper() {{\n{lines}}}\n");
    world.write("lib/part.sh", part("    exit 9\n"));
    let program = |word: &str| format!("run() {{\n    echo {word}\n}}\n");
    world.write("program.sh", program("yes"));
    world.commit("good");
    harmless(&world, &["one", "two"]);
    world.write("program.sh", program("no"));
    world.commit("bad");
    harmless(&world, &["three", "four"]);
    world.write("lib/part.sh", part("    said=never\n    said=$(run)\n    [ \"$said\" = yes ]\n"));
    world.commit("helped");
    harmless(&world, &["five"]);
    let check = ". ./program.sh\n. ./lib/part.sh\nhelper || { echo wrong; exit 1; }\n";
    fs::write(world.beside("check.sh"), check).unwrap();
    // Without the line that runs the program, every version fails.
    for search in ["closure", "ddmin"] {
        let answer = world.answer(&format!("history --search {search} -- sh ../check.sh"));
        let (title, back_port) = found(&answer);
        assert_eq!(title, "bad", "{search}: {answer:#}");
        assert!(back_port.contains("+    said=$(run)"), "{search}: {back_port}");
    }
}

#[test]
fn a_test_that_was_changed_is_not_taken_for_a_regression() {
    if !has_git() {
        return;
    }
    let world = repository();
    world.write("a.txt", "seven\n");
    world.script("tests/check.sh", "grep -q seven a.txt || { echo wrong; exit 1; }");
    world.commit("first");
    harmless(&world, &["one", "two"]);
    world.script("tests/check.sh", "grep -q eight a.txt || { echo wrong; exit 1; }");
    world.commit("changed");
    let ran = world.run(["history", "--", "sh", "-c", "sh tests/check.sh"]);
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    for text in [
        "answer     not a regression within 4 versions\n",
        "\"two\" (J. Doe, 2026-03-02) passes with its own test, which is not that of the newest version\n",
    ] {
        assert!(ran.stdout.contains(text), "`{text}` is not in\n{}", ran.stdout);
    }
}

/// Returns a history of text that is wrong from the third version on.
fn wrong_text() -> World {
    let world = repository();
    world.write(".gitignore", "deps/\n");
    for (title, word) in [
        ("first", "right"),
        ("good", "right"),
        ("bad", "wrong"),
        ("one", "wrong"),
        ("two", "wrong"),
    ] {
        world.write("a.txt", format!("{word}\n"));
        harmless(&world, &[title]);
    }
    world
}

#[test]
fn a_script_outside_is_taken_along_whatever_runs_it() {
    if !has_git() {
        return;
    }
    let world = wrong_text();
    fs::write(world.beside("t.sh"), "! grep -q wrong a.txt\n").unwrap();
    fs::create_dir(world.path("venv")).unwrap();
    std::os::unix::fs::symlink("/bin/sh", world.path("venv/sh")).unwrap();
    let grep = Command::new("sh").args(["-c", "command -v grep"]).output().unwrap();
    let grep = String::from_utf8(grep.stdout).unwrap();
    fs::copy(grep.trim(), world.beside("look")).unwrap();
    fs::write(world.beside("words"), "right\n").unwrap();
    for command in [
        "/bin/sh ../t.sh",
        "./venv/sh ../t.sh",
        "sh -e ../t.sh",
        "env A=1 sh ../t.sh",
        "../look -q right a.txt",
        "grep -q -f ../words a.txt",
    ] {
        let answer = world.answer(&format!("history -- {command}"));
        assert_eq!(found(&answer).0, "bad", "{command}");
    }
}

#[test]
fn a_test_that_always_fails_lacks_something_which_is_named_and_can_be_linked_in() {
    if !has_git() {
        return;
    }
    let world = wrong_text();
    world.write("deps/lib.sh", "check() { ! grep -q wrong a.txt; }\n");
    fs::write(world.beside("t.sh"), ". ./deps/lib.sh; check || exit 1\n").unwrap();
    fs::write(world.beside("u.sh"), "exec 2>&1; test -e deps || { echo no deps; exit 1; }\n")
        .unwrap();
    let ran = world.line("history -- sh ../u.sh");
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    for text in [
        "answer     not a regression within 5 versions\n",
        "beware     a test that fails in every version, the first one included, mostly lacks something",
        "it prints  no deps\n",
        "lacks      deps of your checkout; to have it: --with deps\n",
    ] {
        assert!(ran.stdout.contains(text), "`{text}` is not in\n{}", ran.stdout);
    }
    let before = world.git("--no-optional-locks status --porcelain=v2 --ignored");
    for flags in ["", "--fresh", "--sandbox", "-j3"] {
        let answer = world.answer(&format!("history {flags} --with deps -- sh ../t.sh"));
        assert_eq!(found(&answer).0, "bad", "{flags}");
        assert_eq!(answer["back_port"]["patch"], "");
    }
    let answer = world.answer("changes --with deps HEAD~3 HEAD -- sh ../t.sh");
    assert_eq!(answer["commits"][0]["title"], "bad", "{answer:#}");
    // A file from outside gets its name at the top.
    fs::create_dir(world.beside("outside")).unwrap();
    fs::rename(world.path("deps"), world.beside("outside/deps")).unwrap();
    let answer = world.answer("history --with ../outside/deps -- sh ../t.sh");
    assert_eq!(found(&answer).0, "bad");
    fs::rename(world.beside("outside/deps"), world.path("deps")).unwrap();
    assert_eq!(world.text("deps/lib.sh"), "check() { ! grep -q wrong a.txt; }\n");
    assert_eq!(world.git("--no-optional-locks status --porcelain=v2 --ignored"), before);
    let ran = world.line("history --with gone -- sh ../t.sh");
    assert_eq!(ran.code, Some(2));
    for text in
        ["there is no `gone` to link into every version\n", "hint: --with takes what is there"]
    {
        assert!(ran.stderr.contains(text), "`{text}` is not in\n{}", ran.stderr);
    }
}

#[test]
fn a_failure_that_was_seen_with_the_back_port_only_is_said_to_be() {
    if !has_git() {
        return;
    }
    let world = wrong_text();
    world.write("helper.txt", "\n");
    world.commit("helper");
    let test = "exec 2>&1; test -e helper.txt || exit 125; echo no deps; exit 1\n";
    fs::write(world.beside("u.sh"), test).unwrap();
    let ran = world.line("history -- sh ../u.sh");
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    for text in [
        "answer     not a regression within 6 versions, unless the back-port is the cause\n",
        " with the back-port fails too\n",
        "beware     that the first version fails was seen with the back-port. If the back-port only lets the test",
        "it prints  no deps\n",
    ] {
        assert!(ran.stdout.contains(text), "`{text}` is not in\n{}", ran.stdout);
    }
}

#[test]
fn a_fix_that_cannot_be_carried_to_the_newest_version_is_given_up_aloud() {
    if !has_git() {
        return;
    }
    let world = repository();
    world.write("a.txt", "first\nright\nlast\n");
    world.commit("good");
    // No version has the line of the version before.
    for number in 0..16 {
        world.write("a.txt", format!("first\nwrong {number}\nlast\n"));
        world.commit(&format!("wrong-{number}"));
    }
    fs::write(world.beside("t.sh"), "! grep -q wrong a.txt\n").unwrap();
    let ran = world.line("history -j1 -- sh ../t.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let text = "fix        none for the newest version: given up after making it fit 12 times";
    assert!(ran.stdout.contains("\"wrong-0\"") && ran.stdout.contains(text), "{}", ran.stdout);
    let shown = world.line("show").stdout;
    assert!(shown.contains("the fix does not fit"), "{shown}");
    assert!(!shown.contains("what is carried back does not fit"), "{shown}");
    let answer: Value = serde_json::from_str(&world.line("show --json").stdout).unwrap();
    assert_eq!((&answer["unported"], &answer["forward"]), (&12.into(), &Value::Null));
}

#[test]
fn a_cause_that_was_carried_over_another_failure_is_found_by_what_passes_as_it_is() {
    if !has_git() || !python() {
        return;
    }
    let world = repository();
    let calc = |square: &str, cube: &str| {
        format!("def square(x):\n    return {square}\n\n\ndef cube(x):\n    return {cube}\n")
    };
    world.write("calc.py", calc("x * x", "x * x * x"));
    world.commit("first");
    harmless(&world, &["one", "two", "three", "four", "five", "six"]);
    world.write("calc.py", calc("x * x", "x * x + x"));
    world.commit("another");
    harmless(&world, &["seven"]);
    world.write("calc.py", calc("x + x", "x * x + x"));
    world.commit("cause");
    harmless(&world, &["eight", "nine"]);
    // The test is not a file of the repository, so it is the same for all versions.
    let test = "import sys\nsys.path.insert(0, '.')\nsys.dont_write_bytecode = True\nimport calc\n\
                if calc.square(6) != 36:\n    sys.exit('error: the square is wrong')\n\
                if calc.cube(2) != 8:\n    sys.exit('error: cubes are broken')\n";
    world.write("../t.py", test);
    let answer = world.answer("history -- python3 ../t.py");
    assert_eq!(found(&answer), ("cause", ""), "{answer:#}");
    let culprit = &answer["outcome"]["causes"][0]["culprit"];
    assert_eq!(culprit[0]["new_text"], "    return x + x", "{culprit:#}");
    assert_eq!(culprit[1], Value::Null);
}

#[test]
fn a_fix_of_something_else_is_told() {
    if !has_git() {
        return;
    }
    let world = repository();
    let commit = |name: &str, file: &str, text: &str| {
        world.write(file, text);
        world.commit(name);
    };
    for (name, file, text) in [
        ("first", "a", "ok\n"),
        ("other", "b", "ok\n"),
        ("cause", "b", "BUG\n"),
        ("one", "u", "1\n"),
        ("another", "a", "BUG\n"),
        ("mended", "b", "ok\n"),
        ("two", "u", "2\n"),
    ] {
        commit(name, file, text);
    }
    world.script("../t.sh", "cat a b | grep -q BUG && { echo 'error: bug'; exit 1; }; exit 0");
    let answer = world.answer("history -- ../t.sh");
    assert_eq!(found(&answer).0, "cause", "{answer:#}");
    assert_eq!(answer["forward"]["is_elsewhere"], true, "{answer:#}");
    let said = world.line("show").stdout;
    assert!(said.contains("the fix changes other files than the culprit"), "{said}");
}

#[test]
fn with_paths_a_version_is_not_blamed_for_what_others_changed() {
    if !has_git() {
        return;
    }
    let world = repository();
    for number in 0..10 {
        world.write("a.txt", format!("{}\n", number / 3));
        let text = if number < 4 { "ok" } else { "BUG" };
        world.write("sub/b", format!("{text}\n{number}\n"));
        world.commit(&format!("c{number}"));
    }
    world.script("../t.sh", "grep -q BUG sub/b && { echo 'error: wrong'; exit 1; }; exit 0");
    for (path, commit) in [("a.txt", false), ("sub", true)] {
        let answer = world.answer(&format!("history --path {path} -- ../t.sh"));
        let change = &answer["outcome"]["causes"][0]["culprit"][0];
        assert_eq!(change["file"], "sub/b", "{answer:#}");
        assert_eq!(!change["commit"].is_null(), commit, "{path}: {change:#}");
        let said = world.line("show").stdout;
        assert_eq!(said.contains("that changes other files may have done it"), !commit, "{said}");
    }
}

/// Returns a program: `sign` is `-` with the bug, which shows only if `scale` is 2.
fn computes(sign: &str, scale: u8) -> String {
    format!(
        "def compute(a, b):\n    r = a {sign} b\n    r = scale(r)\n    return r\n\n\n\
         def scale(x):\n    return x * {scale}\n"
    )
}

const TOTAL: &str = "def ident(x):\n    return x\n\n\ndef total(l):\n    t = 0\n    for x in l:\n        \
                     t += x\n    return t\n";

const MAKE: &str = "\n\ndef make(n):\n    return [compute(k, 1) for k in range(n)]\n";

#[test]
fn a_cause_beside_what_the_test_needs_stays_where_it_is() {
    if !has_git() || !python() {
        return;
    }
    let world = repository();
    world.write("app.py", computes("+", 1));
    world.write("util.py", "def ident(x):\n    return x\n");
    world.commit("first");
    harmless(&world, &["one"]);
    world.write("app.py", computes("+", 2));
    world.commit("harmless");
    world.write("app.py", computes("-", 2));
    world.write("util.py", TOTAL);
    world.commit("cause");
    harmless(&world, &["two"]);
    let test = "import sys\nsys.path.insert(0, '.')\nimport app, util\n\
                l = [app.compute(k, 1) for k in range(3)]\nutil.total(l)\n\
                assert l[0] != -2, 'first is wrong'\n";
    world.write("tests/test_sum.py", test);
    world.commit("tested");
    for flags in ["", "--linear", "-j3"] {
        let answer = world.answer(&format!("history {flags} -- python3 -B tests/test_sum.py"));
        let (title, back_port) = found(&answer);
        assert_eq!(title, "cause", "{flags}: {answer:#}");
        assert!(!back_port.contains("a - b"), "{flags}: {back_port}");
    }
}

#[test]
fn of_a_file_that_is_carried_only_the_functions_are_that_were_needed() {
    if !has_git() || !python() {
        return;
    }
    let world = repository();
    world.write("app.py", computes("+", 2));
    world.write("util.py", "def ident(x):\n    return x\n");
    world.commit("first");
    harmless(&world, &["one"]);
    world.write("app.py", computes("-", 2));
    world.write("util.py", TOTAL);
    world.commit("cause");
    harmless(&world, &["two", "three"]);
    world.write("app.py", computes("-", 2) + MAKE);
    world.commit("made");
    harmless(&world, &["four"]);
    let test = "import sys\nsys.path.insert(0, '.')\nimport app, util\n\
                assert util.total(app.make(3)) > 0, 'not positive'\n";
    world.write("tests/test_sum.py", test);
    world.commit("tested");
    let answer = world.answer("history -- python3 -B tests/test_sum.py");
    let (title, back_port) = found(&answer);
    assert_eq!(title, "cause", "{answer:#}");
    assert!(!back_port.contains("a - b"), "{back_port}");
}

#[test]
fn versions_that_were_not_tested_are_not_said_to_fail() {
    if !has_git() {
        return;
    }
    let script = "grep -q bad b.txt && { echo 'error: bad'; exit 1; }\nexit 0\n";
    // The strides of a walk skip the versions that pass.
    let history = |count: usize| {
        let world = repository();
        for number in 0..count {
            let is_good = [2, 3, 4, count - 3].contains(&number);
            world.write("b.txt", if is_good { "fine\n" } else { "bad\n" });
            world.write("notes.txt", format!("{number}\n"));
            world.commit(&format!("commit-{number}"));
        }
        fs::write(world.beside("t.sh"), script).unwrap();
        world
    };
    let answer = history(9).answer("history -- sh ../t.sh");
    assert_eq!(found(&answer).0, "commit-7", "{answer:#}");
    let world = history(40);
    let ran = world.line("history -- sh ../t.sh");
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    for text in [
        "answer     not a regression within 40 versions, as far as they were tested\n",
        "seen       7 versions of 40 fail; the others were skipped or cannot be tested (--linear skips none)\n",
    ] {
        assert!(ran.stdout.contains(text), "`{text}` is not in\n{}", ran.stdout);
    }
    let answer: Value = serde_json::from_str(&world.line("show --json").stdout).unwrap();
    assert_eq!(answer["outcome"]["failing"], 7, "{answer:#}");
}
