//! Tests that another program killed or held up: they give no verdict, and nothing waits for ever.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod support;

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;
use support::{World, numbered};

/// A script that counts its runs, and then does something.
fn counting(world: &World, then: &str) {
    let count = world.beside("count");
    let text = format!(
        "n=$(cat {0} 2>/dev/null || echo 0); n=$((n + 1)); echo $n > {0}\n{then}",
        count.display()
    );
    world.script("t.sh", &text);
}

#[test]
fn a_test_that_is_killed_now_and_then_changes_nothing() {
    let world = World::new();
    world.write("in.txt", numbered(20, &[(3, "needle"), (9, "noodle")]));
    let test = "grep -q needle in.txt && grep -q noodle in.txt";
    world.script("t.sh", test);
    let undisturbed = world.answer("reduce in.txt -j1 --level lines --test ./t.sh");
    let expected = world.text("in.reduced.txt");
    counting(&world, &format!("[ $((n % 5)) = 0 ] && kill -9 $$\n{test}"));
    let answer = world.answer("reduce in.txt -j1 --level lines --test ./t.sh");
    assert_eq!(world.text("in.reduced.txt"), expected);
    assert_eq!(answer["proof"]["levels"], undisturbed["proof"]["levels"]);
    let others = answer["others"].to_string();
    assert!(!others.contains("SIGKILL"), "{others}");
}

#[test]
fn nothing_is_proved_by_tests_that_were_killed() {
    let world = World::new();
    world.write("in.txt", "keep\nneedle\n");
    let test = "grep -q needle in.txt || exit 1\ngrep -q keep in.txt || kill -9 $$";
    world.script("t.sh", test);
    let ran = world.line("reduce in.txt --level lines --json -q --test ./t.sh");
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["ended"], "gave_up", "{answer:#}");
    assert_eq!(answer["proof"]["levels"], Value::Array(vec![]), "{answer:#}");
}

#[test]
fn a_kill_that_is_the_failure_we_are_after_is_taken_as_it_is() {
    let world = World::new();
    world.write("in.txt", numbered(6, &[(3, "needle")]));
    counting(&world, "grep -q needle \"$1\" && kill -9 $$\nexit 0");
    let answer = world.answer("reduce in.txt -j1 --level lines --fail-signal KILL -- ./t.sh {}");
    assert_eq!(world.text("in.reduced.txt"), "needle\n");
    assert_eq!(answer["ended"], "done");
}

#[test]
fn a_stopped_launcher_is_replaced_and_the_question_asked_again() {
    let world = World::new();
    world.write("in.txt", numbered(6, &[(3, "needle")]));
    counting(&world, "[ $n = 4 ] && kill -STOP $PPID && sleep 100\ngrep -q needle in.txt");
    let begun = Instant::now();
    let answer = world.answer("reduce in.txt -j1 --level lines --timeout 20s --test ./t.sh");
    assert_eq!(world.text("in.reduced.txt"), "needle\n");
    assert_eq!(answer["ended"], "done");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn a_launcher_that_is_stopped_each_time_is_an_error() {
    let world = World::new();
    world.write("in.txt", numbered(6, &[(3, "needle")]));
    world.script("t.sh", "kill -STOP $PPID; sleep 100");
    let ran = world.line("reduce in.txt -j1 --timeout 20s -q --test ./t.sh");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("the launcher process was stopped"), "{}", ran.stderr);
}

/// How long the program may take to end after the first signal.
const PROMISED: Duration = Duration::from_secs(1);

/// How many attempts must be late before the promise counts as broken: a busy machine may lose a
/// second, but not each time.
const TRIES: usize = 4;

/// The moments of the signal: a name, flags, and a script that calls `mark` then.
const MOMENTS: &[(&str, &str, &str)] = &[
    ("a first run", "-j1", "mark; sleep 100"),
    ("a first run, confined", "-j2 --sandbox=best-effort", "mark; sleep 100"),
    ("a stopped launcher", "-j1", "kill -STOP $PPID; mark; sleep 100"),
    ("deaf tests with daemons", "-j2", "trap '' TERM INT; (setsid sleep 100 &); mark; sleep 100"),
    // Another process deletes them after the program has ended.
    ("very many files", "-j1", "seq 50000 | xargs touch; mark; sleep 100"),
    ("a later test", "-j2", "[ $(wc -l < in.txt) = 60 ] && exit 0; mark; sleep 100"),
];

#[test]
fn the_first_signal_is_heeded_within_a_second() {
    for (name, flags, script) in MOMENTS {
        let took =
            (0..TRIES).map(|_| until_it_ends(name, flags, script)).find(|took| *took < PROMISED);
        assert!(took.is_some(), "{name}");
    }
}

/// Sends a signal when the script has reached its mark, and returns how long the program lives
/// after it.
fn until_it_ends(name: &str, flags: &str, script: &str) -> Duration {
    let world = World::new();
    world.write("in.txt", numbered(60, &[(3, "needle")]));
    // The output of tests is read while they run, and a file outside cannot be made in the sandbox;
    // hence a pipe.
    let ready = world.beside("ready");
    assert!(std::process::Command::new("mkfifo").arg(&ready).status().unwrap().success());
    let mark = format!("mark() {{ read word < {}; }}", ready.display());
    world.script("t.sh", &format!("{mark}\n{script}"));
    let running = world.start(&format!("reduce in.txt {flags} --timeout 60s --test ./t.sh"));
    // Opening a pipe waits for its other end.
    let opened = fs::File::options().write(true).open(&ready).unwrap();
    let pid = running.child.id();
    let begun = Instant::now();
    running.signal(Signal::TERM);
    let ran = running.output();
    let took = begun.elapsed();
    drop(opened);
    world.check_nothing_left(pid);
    assert_eq!(ran.code, Some(130), "{name}: {}", ran.stderr);
    took
}

#[test]
fn a_test_that_stops_itself_for_ever_is_ended() {
    let world = World::new();
    world.write("in.txt", numbered(8, &[(3, "needle")]));
    world.script("t.sh", "[ $(wc -l < in.txt) = 8 ] || kill -STOP $$\ngrep -q needle in.txt");
    let line = "reduce in.txt -j1 --level lines --timeout 1s --max-tests 1 --json -q";
    let ran = world.line(&format!("{line} --test ./t.sh"));
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
}

#[test]
fn a_pipe_is_no_journal() {
    let world = World::new();
    let runs = world.beside("state/whodunit/runs");
    fs::create_dir_all(&runs).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(runs.join("x-1.journal")).status();
    assert!(pipe.unwrap().success());
    for line in ["resume x-1", "show x-1", "show --list"] {
        let ran = world.line(line);
        assert!(ran.code == Some(1) || line == "show --list", "{line}: {:?}", ran.code);
    }
}
