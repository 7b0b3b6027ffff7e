//! The evidence of a proof: tests of this run, never results of an earlier run.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use support::World;

/// An input of which two words are needed, with a test that imports the deciding module.
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

/// Starts a run and kills it after this many tests.
fn killed_after(world: &World, line: &str, tests: usize) {
    let log = world.beside("log");
    let count = || std::fs::read_to_string(&log).unwrap_or_default().lines().count();
    let running = world.start(line);
    assert!(support::eventually(|| count() >= tests));
    running.signal(rustix::process::Signal::KILL);
    running.end();
}

/// A world with a test that calls something and counts its runs.
fn calling_world(called: &str) -> World {
    let world = World::new();
    world.script("../called", called);
    let (log, called) = (world.beside("log"), world.beside("called"));
    world.script("t.sh", &format!("echo >> {}; {}", log.display(), called.display()));
    world
}

#[test]
fn a_resumed_run_whose_outcomes_changed_starts_again() {
    let world = calling_world("grep -q alpha in.txt && grep -q beta in.txt");
    world.write("in.txt", support::numbered(40, &[(3, "alpha"), (31, "beta")]));
    killed_after(&world, "reduce in.txt --test ./t.sh -j1", 30);
    world.script("../called", "grep -q beta in.txt");
    let answer = world.answer("resume");
    assert_eq!(world.text("in.reduced.txt"), "beta");
    assert_eq!(answer["started_over"], "outcome_changed");
    assert_eq!(answer["proof"]["level"], "bytes");
}

#[test]
fn a_resumed_run_whose_test_changed_starts_again() {
    let world = World::new();
    let log = world.beside("log");
    let script = |wanted: &str| format!("echo >> {}; grep -q {wanted} in.txt", log.display());
    world.script("t.sh", &script("alpha"));
    world.write("in.txt", support::numbered(40, &[(3, "alpha"), (31, "beta")]));
    killed_after(&world, "reduce in.txt --test ./t.sh -j1", 10);
    world.script("t.sh", &script("beta"));
    let answer = world.answer("resume");
    assert_eq!(world.text("in.reduced.txt"), "beta");
    assert_eq!(answer["started_over"], "test_changed");
}

#[test]
fn changes_that_were_resumed_claim_what_is_so_now() {
    let text = |marks: &[(usize, &str)]| support::numbered(40, marks);
    let world = calling_world("! { grep -q WRONG x && grep -q BAD x; }");
    world.write("old/x", text(&[]));
    let marks: Vec<(usize, &str)> =
        (0..12).map(|it| (it * 3, if it == 4 { "WRONG" } else { "BAD" })).collect();
    world.write("new/x", text(&marks));
    killed_after(&world, "changes old new -j1 -- ./t.sh", 9);
    world.script("../called", "! grep -q WRONG x");
    let answer = world.answer("resume");
    let cause = &answer["causes"][0];
    assert_eq!(cause["size"]["lines"], 1, "{answer:#}");
    assert_eq!(cause["proof"]["each_needed"], true);
}

#[test]
fn a_result_that_does_not_fail_again_is_written_and_not_proved() {
    let world = World::new();
    world.write("in.txt", support::numbered(20, &[(3, "needle")]));
    let count = world.beside("count");
    // From its twelfth run on it never fails.
    let script = "echo >> COUNT; [ $(wc -l < COUNT) -lt 12 ] && grep -q needle in.txt";
    world.script("t.sh", &script.replace("COUNT", &count.display().to_string()));
    let ran = world.line("reduce in.txt --test ./t.sh -j1");
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    assert!(ran.stdout.contains("not proved "), "{}", ran.stdout);
    assert!(ran.stdout.contains("the test is not repeatable"), "{}", ran.stdout);
    let answer: serde_json::Value =
        serde_json::from_str(&world.line("show --json").stdout).unwrap();
    assert_eq!(answer["ended"], "gave_up");
    assert!(world.text("in.reduced.txt").contains("needle"));
}

#[test]
fn what_is_done_is_proved_or_was_not_asked_for() {
    let world = World::new();
    world.write("in.txt", support::numbered(30, &[(3, "BUG"), (11, "12")]));
    world.write("in.json", r#"{"a": [1, 2, {"BUG": 12}], "b": "other", "c": [true, "12"]}"#);
    world.script("t.sh", "cat in.* | grep -q BUG && cat in.* | grep -q 12");
    for input in ["in.txt", "in.json"] {
        for (flags, is_claimed) in [
            ("", true),
            ("--level lines", true),
            ("--level tokens", true),
            ("--certify dirty", false),
            ("--certify none", false),
        ] {
            let answer = world.answer(&format!("reduce {input} {flags} --test ./t.sh"));
            assert_eq!(answer["ended"], "done", "{input} {flags}");
            let level = &answer["proof"]["level"];
            assert_eq!(!level.is_null(), is_claimed, "{input} {flags}: {level}");
        }
    }
}

#[test]
fn an_input_that_is_run_is_still_a_program_when_the_answer_is_verified() {
    let world = World::new();
    world.script("s.sh", "echo a\nexit 3");
    world.script("t.sh", "./s.sh; [ $? = 3 ]");
    let answer = world.answer("reduce s.sh --test ./t.sh");
    assert_eq!(answer["ended"], "done", "{answer:#}");
    world.write("answer.json", answer.to_string());
    let verified = world.line("verify answer.json");
    assert_eq!(verified.code, Some(0), "{}", verified.stderr);
}
