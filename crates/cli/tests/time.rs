//! Budgets and stops: how many tests run, and how soon a run ends when it has to.

#![allow(clippy::unwrap_used)] // a failure of the machinery fails the test

mod support;

use std::fs::{self, File};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;
use support::{Ran, World, eventually, has_git, numbered};

/// How late a run may end: much later than it normally does, and much sooner than its work would
/// take.
const LATE: Duration = Duration::from_secs(40);

/// The same where all work is ours. Without a stop, setting up takes several times as long in an
/// unoptimised build.
const SOON: Duration = Duration::from_secs(8);

fn parsed(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// Returns a world with a history of ten versions, the fifth of which brought the failure, and with
/// a test that counts its runs.
fn counting() -> World {
    let world = World::new();
    world.git("init -q -b main");
    for number in 0..10 {
        let word = if number < 5 { "fine" } else { "wrong" };
        world.write("a.txt", format!("{word}\n{number}\n"));
        world.commit(&format!("commit-{number}"));
    }
    let count = world.beside("count").display().to_string();
    world.script("../test.sh", &format!("echo >>'{count}'; ! grep -q wrong a.txt"));
    world
}

#[test]
fn every_test_but_the_first_runs_and_the_proof_counts() {
    if !has_git() {
        return;
    }
    for most in 1..8 {
        for (job, first_runs) in [("history", 2), ("changes HEAD~9 HEAD", 4)] {
            let world = counting();
            let count = world.beside("count");
            let line = format!("{job} -j1 --max-tests {most} -q --json -- ../test.sh");
            let answer = parsed(&world.line(&line));
            let committed = answer["tests"]["committed"].as_u64().unwrap();
            assert!(committed <= most, "{answer:#}");
            let ran = fs::read_to_string(&count).unwrap().lines().count() as u64;
            let proofs = ran - first_runs - committed;
            if answer["ended"] == "out_of_tests" {
                assert_eq!(committed, most, "{answer:#}");
            }
            // Both patches where they were found, both on the given versions, the fix on the
            // newest; and each of them four more times, because the test may be one that fails only
            // sometimes.
            assert!(proofs <= 25, "{proofs} with {most} of {job}");
            assert_eq!(answer["tests"]["proof"], proofs, "with {most} of {job}");
        }
    }
}

#[test]
fn a_budget_holds_for_the_first_runs_and_for_the_proof() {
    let world = World::new();
    world.write("in.txt", "good\nbad\n".repeat(50));
    world.script("slow.sh", "sleep 1; grep -q bad \"$1\"");
    let begun = Instant::now();
    let ran = world.line("reduce in.txt -j1 --budget 4s -q --json --fail-exit 0 -- ./slow.sh {}");
    assert!(begun.elapsed() < LATE, "{:?}", begun.elapsed());
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert_eq!(parsed(&ran)["ended"], "out_of_time");
    let ran = world.line("reduce in.txt -j1 --budget 500ms --fail-exit 0 -- ./slow.sh {}");
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("the time was up before anything was found"), "{}", ran.stderr);
}

#[test]
fn a_launcher_that_somebody_stopped_is_not_waited_for() {
    let world = World::new();
    world.write("in.txt", "good\nbad\n".repeat(50));
    let stops =
        "test $(wc -c <\"$1\") -lt 450 && kill -STOP $PPID && sleep 100; grep -q bad \"$1\"";
    world.script("stop.sh", stops);
    let begun = Instant::now();
    let ran = world.line("reduce in.txt -j1 --budget 3s -q --json --fail-exit 0 -- ./stop.sh {}");
    assert!(begun.elapsed() < LATE, "{:?}", begun.elapsed());
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
}

#[test]
fn a_budget_beyond_the_end_of_time_is_none() {
    let world = World::new();
    world.write("in.txt", "a\nbad\n");
    let line =
        "reduce in.txt -j1 -q --budget 18446744073709551615s --fail-exit 0 -- grep -q bad {}";
    let ran = world.line(line);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// Reduces a text with a budget of two seconds.
fn reduce_in_time(name: &str, text: &str) {
    let world = World::new();
    world.write(name, text);
    let line = format!("reduce {name} -j2 --budget 2s -q --fail-exit 0 -o out -- grep -q bad {{}}");
    let begun = Instant::now();
    let ran = world.line(&line);
    assert!(begun.elapsed() < LATE, "{:?}", begun.elapsed());
    assert!(matches!(ran.code, Some(0 | 3)), "{}", ran.stderr);
}

#[test]
fn a_budget_is_heeded_in_deep_nesting() {
    const DEEP: usize = 200_000;
    reduce_in_time("deep.json", &format!("{}{}bad", "[".repeat(DEEP), "]".repeat(DEEP)));
}

#[test]
fn a_budget_is_heeded_in_text_that_the_parser_gets_lost_in() {
    const LONG: usize = 20_000;
    reduce_in_time("lost.py", &format!("{}{}\nbad\n", "/*".repeat(LONG), "*/".repeat(LONG)));
}

#[test]
fn a_budget_is_heeded_where_every_byte_is_a_piece_of_the_result() {
    const DEEP: usize = 100_000;
    // The name tells nothing about its language.
    reduce_in_time("deep.data", &format!("{}{}bad", "(".repeat(DEEP), ")".repeat(DEEP)));
}

#[test]
fn a_pipe_is_no_input() {
    let world = World::new();
    let pipe = world.path("in.txt");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let ran = world.line("reduce in.txt -- grep bad {}");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("it is not a regular file"), "{}", ran.stderr);
}

/// Checks that a run ends soon after its time and soon after a signal, at any moment: with a test
/// that never ends it is setting up, or in its first runs.
fn setting_up_ends_soon(world: &World, line: &str) {
    world.script("../never.sh", "sleep 1000");
    let begun = Instant::now();
    let ran = world.line(&line.replace(" -- ", " --budget 1s -- "));
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("the time was up before anything was found"), "{}", ran.stderr);
    assert_eq!(world.runs().len(), 0, "nothing is there to go on with");

    let running = world.start(line);
    assert!(eventually(|| !world.runs().is_empty()), "the run begins");
    let begun = Instant::now();
    running.signal(Signal::INT);
    let ran = running.end();
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(ran.stderr.contains("stopped before anything was found"), "{}", ran.stderr);
    assert_eq!(world.runs().len(), 0, "nothing is there to go on with");
}

/// Makes a file that takes long to read and takes no space.
fn write_long(world: &World, name: &str) {
    let path = world.write(name, "");
    File::options().write(true).open(path).unwrap().set_len(300 << 20).unwrap();
}

#[test]
fn a_stop_is_heeded_while_versions_are_read() {
    let world = World::new();
    for (version, word) in [("1.0", "fine"), ("1.1", "wrong")] {
        world.write(format!("releases/{version}/a.txt"), word);
        write_long(&world, &format!("releases/{version}/long"));
    }
    setting_up_ends_soon(&world, "changes releases/1.0 releases/1.1 -- ../never.sh");
    setting_up_ends_soon(&world, "history releases -- ../never.sh");
}

#[test]
fn a_stop_is_heeded_while_versions_are_compared() {
    let world = World::new();
    // Each file has another name, and each function another line.
    for (folder, most) in [("old", 1), ("new", 7)] {
        for file in 0..400 {
            let function = |number: usize| {
                format!("def f{file}_{number}(a):\n    return a + {}\n", number + number % most)
            };
            let text: String = (0..200).map(function).collect();
            world.write(format!("{folder}/{folder}-{file}.py"), text);
        }
    }
    setting_up_ends_soon(&world, "changes old new -- ../never.sh");
}

#[test]
fn a_stop_is_heeded_while_an_input_is_cut() {
    let world = World::new();
    let line = |number: usize| format!("int f{number}() {{ return (1 + {number}) * 2; }}\n");
    world.write("a.c", (0..400_000).map(line).collect::<String>());
    setting_up_ends_soon(&world, "reduce a.c -- ../never.sh {}");
    write_long(&world, "long");
    setting_up_ends_soon(&world, "reduce long -- ../never.sh {}");
}

#[test]
fn a_stop_is_heeded_while_a_history_is_fetched() {
    for (client, address) in [("svn", "svn://localhost/project"), ("cvs", ":local:/none#project")] {
        let world = World::new();
        world.script("../never.sh", "exit 1");
        let asked = world.beside("asked");
        world.script(
            &format!("bin/{client}"),
            &format!("echo >'{}'; exec sleep 1000", asked.display()),
        );
        let path = format!("{}:{}", world.path("bin").display(), std::env::var("PATH").unwrap());
        let arguments = ["history", address, "--budget", "2s", "--", "../never.sh"];
        let begun = Instant::now();
        let ran = world.finish(world.command(support::WHODUNIT).env("PATH", path).args(arguments));
        assert!(asked.exists(), "{}", ran.stderr);
        assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
        assert_eq!(ran.code, Some(3), "{}", ran.stderr);
        assert!(ran.stderr.contains("the time was up before anything was found"), "{}", ran.stderr);
    }
}

/// A test that never ends in one chosen run.
struct Halting<'w> {
    world: &'w World,
}

impl Halting<'_> {
    /// Writes the test, which otherwise does the same as `test`.
    fn new<'w>(world: &'w World, test: &str) -> Halting<'w> {
        let [count, at, reached] =
            ["count", "at", "reached"].map(|name| world.beside(name).display().to_string());
        world.script(
            "../test.sh",
            &format!(
                "echo >>'{count}'\n\
                 if [ $(wc -l <'{count}') = \"$(cat '{at}')\" ]; then echo >'{reached}'; sleep 1000; fi\n\
                 {test}"
            ),
        );
        Halting { world }
    }

    /// Makes the run with this number never end.
    fn at(&self, number: usize) {
        for name in ["count", "reached"] {
            let _ = fs::remove_file(self.world.beside(name));
        }
        fs::write(self.world.beside("at"), number.to_string()).unwrap();
    }

    /// Returns how often the test ran.
    fn count(&self) -> usize {
        fs::read_to_string(self.world.beside("count")).unwrap().lines().count()
    }
}

/// The budget of a run that has one.
const BUDGET: Duration = Duration::from_secs(3);

/// The most tests of a run that are stopped; every second one, if there are more.
const MOST_STOPS: usize = 24;

/// Stops a run in each of its tests, and checks that it ends soon and continues to the same answer;
/// in some of them its time is up. Returns the aims of the searches that were stopped.
fn every_test_can_be_stopped(world: &World, line: &str, test: &str) -> Vec<String> {
    let halting = Halting::new(world, test);
    let json = format!("{} --json -j1 --timeout 1h -- {}", before(line), after(line));
    halting.at(0);
    let whole = parsed(&world.line(&json));
    assert_eq!(whole["ended"], "done", "{whole:#}");
    let mut stages = Vec::new();
    let tests = halting.count();
    for (place, number) in (1..=tests).step_by(tests.div_ceil(MOST_STOPS)).enumerate() {
        halting.at(number);
        let has_budget = place % 5 == 4;
        let budget = format!(" --budget {}s -- ", BUDGET.as_secs());
        let budget = if has_budget { &budget } else { " -- " };
        let running = world.start(&json.replace(" -- ", budget));
        let begun = if has_budget {
            // On a busy machine the time may be up before that test.
            Instant::now() + BUDGET
        } else {
            assert!(eventually(|| world.beside("reached").exists()), "test {number} is run");
            let begun = Instant::now();
            running.signal(Signal::INT);
            begun
        };
        let ran = running.end();
        assert!(begun.elapsed() < SOON, "{:?} after test {number}", begun.elapsed());
        let (code, ended) = if has_budget { (3, "out_of_time") } else { (130, "stopped") };
        assert_eq!(ran.code, Some(code), "test {number}: {}", ran.stderr);
        let answer = parsed(&ran);
        match answer["error"]["message"].as_str() {
            Some(error) => assert!(error.contains("before anything was found"), "{error}"),
            None => assert_eq!(answer["ended"], ended, "test {number}"),
        }
        let stage = ran.stderr.lines().rfind(|line| line.starts_with("looking for"));
        stages.extend(stage.map(|line| line.split(':').next().unwrap().to_owned()));
        if ran.stderr.contains("whodunit resume") {
            halting.at(0);
            let resumed = parsed(&world.line("resume --budget 10m --json -q"));
            assert_eq!(said(&resumed), said(&whole), "after test {number}");
        }
    }
    stages.dedup();
    stages
}

fn before(line: &str) -> &str {
    line.split(" -- ").next().unwrap()
}

fn after(line: &str) -> &str {
    line.split(" -- ").nth(1).unwrap()
}

/// Returns the statements of an answer about the cause.
fn said(answer: &Value) -> [Value; 5] {
    let mut causes = match &answer["outcome"]["causes"] {
        Value::Null => answer["causes"].clone(),
        causes => causes.clone(),
    };
    for cause in causes.as_array_mut().into_iter().flatten() {
        cause.as_object_mut().unwrap().remove("files");
    }
    [
        answer["ended"].clone(),
        causes,
        answer["back_port"]["patch"].clone(),
        answer["forward"]["patch"].clone(),
        answer["size"].clone(),
    ]
}

#[test]
fn reduce_can_be_stopped_in_every_test() {
    let world = World::new();
    world.write("a.txt", numbered(12, &[(3, "wrong"), (9, "bad")]));
    let test = "grep -q wrong \"$1\" && grep -q bad \"$1\"";
    every_test_can_be_stopped(&world, "reduce a.txt --fail-exit 0 -o out -- ../test.sh {}", test);
}

#[test]
fn changes_can_be_stopped_in_every_test() {
    let world = World::new();
    for (folder, replaced) in [("old", &[][..]), ("new", &[(2, "x"), (9, "wrong"), (15, "y")])] {
        world.write(format!("{folder}/a.txt"), numbered(20, replaced));
    }
    let line = "changes old new -- ../test.sh";
    let stages = every_test_can_be_stopped(&world, line, "! grep -q wrong a.txt");
    for stage in ["the smallest part of them that is needed", "the smallest fix"] {
        assert!(stages.iter().any(|it| it.contains(stage)), "{stages:?}");
    }
}

#[test]
fn history_can_be_stopped_in_every_test() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    for number in 0..12 {
        let (word, harmless) = (if number < 5 { "fine" } else { "wrong" }, format!("no {number}"));
        // The fix does not fit the newest version as it is.
        let beside = if number < 8 { "beside" } else { "other" };
        world.write("a.txt", numbered(20, &[(2, &harmless), (10, word), (11, beside)]));
        if number > 6 {
            world.write("word", "wrong\n");
        }
        world.commit(&format!("commit-{number}"));
    }
    let test = "test -e word || exit 125; ! grep -q \"$(cat word)\" a.txt";
    let stages = every_test_can_be_stopped(&world, "history -- ../test.sh", test);
    for stage in
        ["a version that passes", "the next version can be tested", "is needed", "the fix fits"]
    {
        assert!(stages.iter().any(|it| it.contains(stage)), "{stages:?}");
    }
}

#[test]
fn a_steady_test_that_takes_longer_without_a_piece_is_not_called_unsteady() {
    let world = World::new();
    world.write("in.txt", "aa\nbb\ndd\nff\n");
    // The limit is at least two seconds, so a test without `bb` exceeds it, but still fails.
    world.script("t.sh", "grep -q dd in.txt || exit 1\ngrep -q bb in.txt || sleep 3\nexit 0");
    let answer = world.answer("reduce in.txt -j2 --level lines --test ./t.sh");
    assert_eq!(answer["ended"], "done", "{answer:#}");
    assert_eq!(answer["learned"]["flaky"], serde_json::Value::Null);
    assert_eq!(world.text("in.reduced.txt"), "dd\n");
    world.write("answer.json", answer.to_string());
    let verified = world.line("verify answer.json");
    assert_eq!(verified.code, Some(0), "{}", verified.stderr);
}
