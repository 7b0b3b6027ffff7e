//! Scripts of a checkout that use files beside them: each version has the script at its place.

#![allow(clippy::unwrap_used)] // a failure of the machinery fails the test

mod support;

use serde_json::Value;
use support::{World, needs};

/// Makes a history whose third commit breaks the module that a script beside it uses.
fn history_of(module: &str, texts: [&str; 2], script: &str, test: &str) -> World {
    let world = World::new();
    world.git("init -q");
    for (title, text, more) in
        [("begin", 0, "1"), ("more", 0, "2"), ("break", 1, "2"), ("even more", 1, "3")]
    {
        world.write(module, texts[text]);
        world.write("other.txt", more);
        if title != "begin" {
            world.write(script, test);
        }
        world.git("add -A");
        world.git(&format!("commit -q -m {}", title.replace(' ', "-")));
    }
    world
}

fn answer(world: &World, line: &str) -> Value {
    let ran = world.line(line);
    assert!(matches!(ran.code, Some(0 | 5)), "{line}: {}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

fn check(world: &World, command: &str) {
    let found = answer(world, &format!("history --json -q -- {command}"));
    assert_eq!(found["outcome"]["suspects"][0]["title"], "break", "{command}: {found}");
    let found = answer(world, &format!("changes HEAD~2 HEAD --json -q -- {command}"));
    assert_eq!(found["commits"][0]["title"], "break", "{command}: {found}");
    assert_eq!(world.git("status --porcelain"), "", "{command}");
}

#[test]
fn a_script_in_python_imports_what_is_beside_it() {
    if !needs("git") || !needs("python3") {
        return;
    }
    let texts = ["def half(a):\n    return a // 2\n", "def half(a):\n    return a // 3\n"];
    let test = "from lib import half\nassert half(10) == 5, 'not the half'\n";
    check(&history_of("lib.py", texts, "check.py", test), "python3 check.py");
    let world = history_of("app/lib.py", texts, "app/check.py", test);
    check(&world, "python3 app/check.py");
    // The current script is used, even if it is edited and not committed.
    world.write("app/check.py", "from lib import half\nassert half(20) == 10, 'not the half'\n");
    let found = answer(&world, "history --json -q -- python3 app/check.py");
    assert_eq!(found["outcome"]["suspects"][0]["title"], "break", "{found}");
}

#[test]
fn a_script_for_node_requires_what_is_beside_it() {
    if !needs("git") || !needs("node") {
        return;
    }
    let texts = ["exports.half = a => a / 2;\n", "exports.half = a => a / 3;\n"];
    let test =
        "const { half } = require('./lib.js');\nif (half(10) !== 5) throw new Error('no');\n";
    check(&history_of("lib.js", texts, "check.js", test), "node check.js");
}

#[test]
fn a_script_for_the_shell_finds_its_own_folder() {
    if !needs("git") {
        return;
    }
    let texts = ["right\n", "wrong\n"];
    let test = "cd \"$(dirname \"$0\")\" || exit 125\ngrep -q right lib.txt\n";
    check(&history_of("app/lib.txt", texts, "app/check.sh", test), "sh app/check.sh");
}

/// Makes a history whose third commit breaks the program itself.
fn history_of_program(name: &str) -> World {
    let world = World::new();
    world.git("init -q");
    for (title, text, more) in [
        ("begin", "print('ok')\n", "1"),
        ("more", "# It greets.\nprint('ok')\n", "2"),
        ("break", "# It greets.\nraise ValueError('broken')\n", "2"),
        ("even more", "# It greets.\nraise ValueError('broken')\n", "3"),
    ] {
        world.write(name, text);
        world.write("other.txt", more);
        world.git("add -A");
        world.git(&format!("commit -q -m {}", title.replace(' ', "-")));
    }
    world
}

#[test]
fn a_program_that_broke_is_not_taken_for_the_test() {
    if !needs("git") || !needs("python3") {
        return;
    }
    let world = history_of_program("app.py");
    for (command, title) in [
        ("history --json -q -- python3 app.py", "/outcome/suspects/0/title"),
        ("history --good HEAD~2 --json -q -- python3 app.py", "/outcome/suspects/0/title"),
        ("changes HEAD~3 HEAD --json -q -- python3 app.py", "/commits/0/title"),
    ] {
        let found = answer(&world, command);
        assert_eq!(found.pointer(title).unwrap(), "break", "{command}: {found}");
        assert_eq!(found["learned"]["own_script"], "app.py", "{command}");
        world.write("answer.json", found.to_string());
        let ran = world.line("verify answer.json");
        assert_eq!(ran.code, Some(0), "{command}: {}{}", ran.stdout, ran.stderr);
    }
    let text = world.line("history -- python3 app.py").stdout;
    assert!(text.contains("each version ran its own app.py"), "{text}");
}

/// A test that checks more than before shows a failure that was always there.
#[test]
fn a_script_that_is_called_a_test_is_the_test() {
    if !needs("git") || !needs("python3") {
        return;
    }
    let world = history_of_program("test_app.py");
    let found = answer(&world, "history --json -q -- python3 test_app.py");
    assert_eq!(found["outcome"]["outcome"], "not_a_regression", "{found}");
    let ran = world.line("changes HEAD~3 HEAD -q -- python3 test_app.py");
    assert_ne!(ran.code, Some(0), "{}", ran.stdout);
    // An edited program is the same in all versions.
    let world = history_of_program("app.py");
    world.write("app.py", "raise ValueError('edited')\n");
    let found = answer(&world, "history --json -q -- python3 app.py");
    assert_eq!(found["outcome"]["outcome"], "not_a_regression", "{found}");
}
