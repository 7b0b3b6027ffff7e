//! What a proof rests on: tests of this run, never what an earlier run found.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use support::World;

/// An input of which two words are needed, by a test that imports what decides.
fn importing_world() -> World {
    let world = World::new();
    world.write("in.txt", support::numbered(20, &[(3, "BUG"), (11, "12")]));
    world.write(
        "check.py",
        "import sys, parser_\nsys.exit(parser_.fails(open(sys.argv[1]).read()))\n",
    );
    world.write("parser_.py", "def fails(text): return 'BUG' in text and '12' in text\n");
    world
}

#[test]
fn a_module_that_changed_between_two_runs_is_noticed() {
    let world = importing_world();
    let line = "reduce in.txt -- python3 check.py {}";
    world.answer(line);
    assert_eq!(world.text("in.reduced.txt").len(), "BUG12".len());
    world.write("parser_.py", "def fails(text): return 'BUG' in text\n");
    let answer = world.answer(line);
    assert_eq!(world.text("in.reduced.txt"), "BUG");
    assert_eq!(answer["proof"]["level"], "bytes");
}

#[test]
fn a_program_that_the_script_calls_is_noticed() {
    let world = World::new();
    world.write("in.txt", "alpha beta\n");
    let called = world.beside("called");
    for wanted in ["alpha", "beta"] {
        world.script("../called", &format!("grep -q {wanted} $1"));
        world.script("t.sh", &format!("{} in.txt", called.display()));
        world.answer("reduce in.txt --test ./t.sh");
        assert_eq!(world.text("in.reduced.txt"), wanted);
    }
}

#[test]
fn a_variable_that_changed_between_two_runs_is_noticed() {
    let world = World::new();
    world.write("in.txt", "alpha beta\n");
    world.script("t.sh", "grep -q \"$WANTED\" in.txt");
    for wanted in ["alpha", "beta"] {
        let mut command = world.command(support::WHODUNIT);
        command.args(["reduce", "in.txt", "--test", "./t.sh"]);
        let ran = world.finish(command.env("WANTED", wanted));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(world.text("in.reduced.txt"), wanted);
    }
}

#[test]
fn changes_notice_what_their_test_calls() {
    let world = World::new();
    world.write("old/x", "one\ntwo\nthree\nfour\n");
    world.write("new/x", "one\nTWO\nTHREE\nfour\n");
    let called = world.beside("called");
    world.script("t.sh", &format!("{} x", called.display()));
    let line = "changes old new -- ./t.sh";
    for (test, lines) in
        [("! { grep -q TWO $1 && grep -q THREE $1; }", 2), ("! grep -q THREE $1", 1)]
    {
        world.script("../called", test);
        let answer = world.answer(line);
        assert_eq!(answer["causes"][0]["size"]["lines"], lines, "{answer:#}");
        assert_eq!(answer["causes"][0]["proof"]["each_needed"], true);
    }
}
