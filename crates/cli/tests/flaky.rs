//! Tests that fail only sometimes. They draw from a generator whose state is in a file, and run one
//! at a time, so that every run of the program sees the same. `FLAKY_RUNS=100` tries more of them.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{World, has_git, needs};

/// The number of histories and inputs that each claim is checked with.
fn seeds() -> std::ops::RangeInclusive<u64> {
    let runs = std::env::var("FLAKY_RUNS").ok().and_then(|runs| runs.parse().ok());
    1..=runs.unwrap_or(3)
}

/// The rates of the failure in percent: where it is, and where it is not.
#[derive(Clone, Copy)]
struct Rates {
    there: u32,
    elsewhere: u32,
}

const SEVEN_OF_TEN: Rates = Rates { there: 70, elsewhere: 0 };
const BY_CHANCE: Rates = Rates { there: 100, elsewhere: 17 };

/// Writes a test that shows the failure at these rates; `is_there` decides where it is.
fn flaky(world: &World, rates: Rates, is_there: &str, seed: u64) {
    let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
    world.write("../random", state.to_string());
    let Rates { there, elsewhere } = rates;
    let state = world.beside("random");
    let state = state.display();
    world.script(
        "../flaky.sh",
        &format!(
            "s=$(cat '{state}'); s=$(( (s * 1103515245 + 12345) % 2147483648 )); echo $s > '{state}'\n\
             if {is_there}; then often={there}; else often={elsewhere}; fi\n\
             if [ $(( s / 65536 % 100 )) -lt $often ]; then echo 'error: lost update' >&2; exit 1; fi"
        ),
    );
}

/// Returns a history of 16 commits, the 10th of which brings the failure.
fn history(rates: Rates, seed: u64) -> World {
    let world = World::new();
    world.git("init -q -b main");
    let mut text = String::new();
    for number in 1..=16 {
        text.push_str(&format!("line {number}\n"));
        if number == 10 {
            text.push_str("broken\n");
        }
        world.write("file.txt", &text);
        world.commit(&format!("commit-{number}"));
        if number == 1 {
            world.git("tag good");
        }
    }
    flaky(&world, rates, "grep -q broken file.txt", seed);
    world
}

/// Returns the commits that an answer of `changes` names.
fn named(answer: &Value) -> Vec<&str> {
    let commits = answer["commits"].as_array().unwrap();
    commits.iter().map(|commit| commit["title"].as_str().unwrap()).collect()
}

#[test]
fn changes_names_the_right_commit_and_how_sure_it_is() {
    if !has_git() {
        return;
    }
    for rates in [SEVEN_OF_TEN, BY_CHANCE] {
        for seed in seeds() {
            let world = history(rates, seed);
            let line = "changes -j1 --repeat 10 --level commit good main -- ../flaky.sh";
            let answer = world.answer(line);
            assert_eq!(named(&answer), ["commit-10"], "seed {seed}: {answer}");
            assert!(answer["likely"][0]["probability"].as_f64().unwrap() >= 0.99);
            assert!(answer["learned"]["flaky"]["there"]["runs"].as_u64().unwrap() >= 10);
        }
    }
}

#[test]
fn history_names_the_right_commit() {
    if !has_git() {
        return;
    }
    for rates in [SEVEN_OF_TEN, BY_CHANCE] {
        for seed in seeds() {
            let world = history(rates, seed);
            let line = "history -j1 --repeat 10 --level commit -- ../flaky.sh";
            let answer = world.answer(line);
            let suspects = answer["outcome"]["suspects"].as_array();
            let suspects = suspects.unwrap_or_else(|| panic!("seed {seed}: {answer}"));
            assert_eq!(suspects.len(), 1, "seed {seed}");
            assert_eq!(suspects[0]["title"], "commit-10", "seed {seed}");
        }
    }
}

#[test]
fn what_is_only_likely_is_not_called_proved() {
    if !has_git() {
        return;
    }
    let world = history(SEVEN_OF_TEN, 1);
    let pages = "--markdown ../page.md --sarif ../page.sarif";
    let line = format!("changes -j1 --repeat 10 {pages} good main -- ../flaky.sh");
    let ran = world.line(&line);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("flaky: the failure shows in "), "{}", ran.stderr);
    assert!(ran.stderr.contains("repeating until 99 % sure"), "{}", ran.stderr);
    for text in [ran.stdout.clone(), world.text("../page.md")] {
        assert!(!text.to_lowercase().contains("proved"), "{text}");
        assert!(!text.contains("each change is needed"), "{text}");
        assert!(text.to_lowercase().contains("likely"), "{text}");
    }
    assert!(ran.stdout.contains("commit-10") && ran.stdout.contains(" (99"), "{}", ran.stdout);
    let sarif: Value = serde_json::from_slice(&world.read("../page.sarif")).unwrap();
    let rank = sarif["runs"][0]["results"][0]["rank"].as_f64().unwrap();
    assert!((98.0..100.0).contains(&rank), "{rank}");
}

#[test]
fn verify_repeats_until_it_agrees_or_refutes() {
    if !has_git() {
        return;
    }
    let world = history(SEVEN_OF_TEN, 2);
    let line = "changes -j1 --repeat 10 --json -q good main -- ../flaky.sh";
    let ran = world.line(line);
    world.write("../answer.json", &ran.stdout);
    let ran = world.line("verify ../answer.json");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    // Without the failure, the answer is refuted.
    flaky(&world, Rates { there: 0, elsewhere: 0 }, "true", 1);
    let ran = world.line("verify ../answer.json");
    assert_eq!(ran.code, Some(4), "{}{}", ran.stdout, ran.stderr);
}

/// Puts a test before `../flaky.sh` whose first runs are always right.
fn steady_at_first(world: &World, runs: u32, is_there: &str) {
    world.write("../count", "0");
    let count = world.beside("count");
    let (count, flaky) = (count.display(), world.beside("flaky.sh"));
    world.script(
        "../late.sh",
        &format!(
            "n=$(( $(cat '{count}') + 1 )); echo $n > '{count}'\n\
             if [ $n -gt {runs} ]; then exec '{}'; fi\n\
             if {is_there}; then echo 'error: lost update' >&2; exit 1; fi",
            flaky.display()
        ),
    );
}

#[test]
fn a_test_that_looks_steady_at_first_hardly_ever_leads_to_a_wrong_commit() {
    if !has_git() {
        return;
    }
    // With a confidence of 0.99, hardly one of 32 is wrong.
    let (mut late, mut named, mut wrong) = (0, 0, Vec::new());
    for rates in [SEVEN_OF_TEN, BY_CHANCE] {
        for seed in 1..=8 {
            for (first, line) in [
                (4, "changes -j1 --level commit good main -- ../late.sh"),
                (2, "history -j1 --level commit -- ../late.sh"),
            ] {
                let world = history(rates, seed);
                steady_at_first(&world, first, "grep -q broken file.txt");
                let ran = world.line(&line.replace(" -- ", " --json -q -- "));
                // An answer that does not claim a proof is not wrong.
                if ran.code != Some(0) {
                    continue;
                }
                named += 1;
                let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
                late += u32::from(answer["started_over"] == "flaky");
                let found = match line.starts_with("history") {
                    true => answer["outcome"]["suspects"].as_array().unwrap(),
                    false => answer["commits"].as_array().unwrap(),
                };
                let is_right = found.iter().any(|commit| commit["title"] == "commit-10");
                if !is_right {
                    wrong.push(format!("{line}, seed {seed}: {answer}"));
                }
            }
        }
    }
    assert!(wrong.len() <= 1, "{wrong:#?}");
    assert!(named >= 24, "{named} of 32 named a commit");
    assert!(late > 0);
}

#[test]
fn a_test_that_looks_steady_at_first_does_not_lose_the_failure_of_an_input() {
    for rates in [SEVEN_OF_TEN, BY_CHANCE] {
        for seed in 1..=8 {
            let world = World::new();
            let hay = (0..30).map(|it| format!("hay {it}\n")).collect::<String>();
            world.write("input.txt", format!("{hay}needle\n{hay}"));
            flaky(&world, rates, "grep -q needle input.txt", seed);
            steady_at_first(&world, 2, "grep -q needle input.txt");
            let ran = world.line("reduce -j1 --level lines input.txt -- ../late.sh {}");
            assert_eq!(ran.code, Some(0), "seed {seed}: {}", ran.stderr);
            assert_eq!(world.text("input.reduced.txt"), "needle\n", "seed {seed}");
        }
    }
}

#[test]
fn reduce_keeps_what_fails_in_half_of_the_runs() {
    for seed in seeds() {
        let world = World::new();
        let hay = |from: u32| (from..from + 25).map(|it| format!("hay {it}\n")).collect::<String>();
        world.write("input.txt", format!("{}needle one\n{}needle two\n", hay(0), hay(100)));
        let is_there = "grep -q 'needle one' input.txt && grep -q 'needle two' input.txt";
        flaky(&world, Rates { there: 50, elsewhere: 0 }, is_there, seed);
        let line = "reduce -j1 --repeat 20 --level lines --any-failure input.txt -- ../flaky.sh {}";
        let ran = world.line(line);
        assert_eq!(ran.code, Some(0), "seed {seed}: {}", ran.stderr);
        assert_eq!(world.text("input.reduced.txt"), "needle one\nneedle two\n", "seed {seed}");
        assert!(ran.stdout.contains("likely"), "{}", ran.stdout);
        assert!(!ran.stdout.contains("can be left out"), "{}", ran.stdout);
    }
}

#[test]
fn a_test_that_differs_is_refused_if_that_is_asked_for() {
    if !has_git() {
        return;
    }
    let refused = (1..=10).filter(|&seed| {
        let world = history(Rates { there: 50, elsewhere: 0 }, seed);
        let line = "changes -j1 --flaky refuse --level commit good main -- ../flaky.sh";
        let ran = world.line(line);
        ran.code == Some(2) && ran.stderr.contains("two tests of the same version differ")
    });
    assert!(refused.count() > 0);
}

#[test]
fn a_small_budget_leaves_several_commits() {
    if !has_git() {
        return;
    }
    let world = history(SEVEN_OF_TEN, 3);
    let line = "changes -j1 --repeat 10 --max-tests 4 --level commit good main -- ../flaky.sh";
    let ran = world.line(line);
    assert!(ran.stdout.contains("one of ") && ran.stdout.contains(" %; "), "{}", ran.stdout);
}

/// The failure depends on the clock: it shows in the first six tenths of each millisecond.
#[test]
fn a_test_that_depends_on_the_clock_leads_to_the_right_commit() {
    if !has_git() {
        return;
    }
    let world = history(SEVEN_OF_TEN, 1);
    world.script(
        "../clock.sh",
        "if grep -q broken file.txt && [ $(( $(date +%s%N | sed 's/^0*//') / 1000 % 10 )) -lt 6 ]\n\
         then echo 'error: too late' >&2; exit 1; fi",
    );
    let line = "changes --repeat 20 --confidence 0.9999 --level commit good main -- ../clock.sh";
    let answer = world.answer(line);
    assert_eq!(named(&answer), ["commit-10"], "{answer}");
}

/// Two threads count without a lock if the file says so; how often that loses an update depends on
/// the machine.
const RACE: &str = r#"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

static volatile long counter;
static int locked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused) {
    for (int i = 0; i < 300; i++) {
        if (locked) pthread_mutex_lock(&lock);
        long before = counter;
        if (i % 100 == 0) sched_yield();
        counter = before + 1;
        if (locked) pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(int argc, char **argv) {
    char text[4096] = "";
    FILE *file = fopen(argv[argc - 1], "r");
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    locked = strstr(text, "broken") == NULL;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(threads + i, NULL, count, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    if (counter == 600) return 0;
    fprintf(stderr, "error: lost update\n");
    return 1;
}
"#;

#[test]
fn a_data_race_leads_to_the_right_commit() {
    if !has_git() || !needs("cc") {
        return;
    }
    let world = history(SEVEN_OF_TEN, 1);
    world.write("../race.c", RACE);
    let (source, program) = (world.beside("race.c"), world.beside("race"));
    let mut compiler = std::process::Command::new("cc");
    let compiled = compiler.arg("-pthread").arg("-o").arg(&program).arg(&source).status();
    assert!(compiled.unwrap().success());
    world.script("../race.sh", &format!("exec '{}' file.txt", program.display()));
    for job in ["changes -j1 --repeat 20 --level commit", "history -j1 --repeat 20 --level commit"]
    {
        let ends = if job.starts_with("changes") { "good main " } else { "" };
        let answer = world.answer(&format!("{job} {ends}-- ../race.sh"));
        let found = match job.starts_with("changes") {
            true => &answer["commits"],
            false => &answer["outcome"]["suspects"],
        };
        let titles = found.as_array().unwrap().iter().map(|commit| &commit["title"]);
        assert!(titles.into_iter().any(|title| title == "commit-10"), "{job}: {answer}");
    }
}

#[test]
fn a_test_that_always_says_the_same_is_not_called_unsteady() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    for number in 1..=2 {
        world.write("file.txt", format!("{number}\n"));
        world.commit(&format!("commit-{number}"));
    }
    for (line, wanted) in [
        ("history --repeat 3 -- true", "the newest version does not fail"),
        ("changes --repeat 3 main~ main -- true", "`main` does not fail"),
        ("changes --repeat 3 main~ main -- false", "`main~` fails too"),
        ("changes --repeat 3 main~ main -- grep -q 2 file.txt", "the versions are swapped"),
    ] {
        let ran = world.line(line);
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(wanted), "{line}: {}", ran.stderr);
    }
}

#[test]
fn a_steady_test_is_not_refused_when_it_is_repeated() {
    let world = World::new();
    world.write("input.txt", "one\ntwo\nneedle\n");
    world
        .script("../fails.sh", "if grep -q needle \"$1\"; then echo 'error: lost' >&2; exit 1; fi");
    let line = "reduce --flaky refuse --repeat 3 --level lines input.txt -- ../fails.sh {}";
    let ran = world.line(line);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("input.reduced.txt"), "needle\n");
}

/// A race: the failure needs one line. It shows in nine of ten runs with another line, and in four
/// of ten without that.
const RARER_WITHOUT: &str = "often=40; grep -q fast \"$1\" && often=90";

/// Returns an input whose failure needs one line; the commands `often` set its rate.
fn racing(input: &str, often: &str, seed: u64) -> World {
    let world = World::new();
    world.write("in.txt", input);
    let state = world.beside("random");
    let state = state.display();
    world.write("../random", (seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33).to_string());
    world.script(
        "test.sh",
        &format!(
            "grep -q bug \"$1\" || exit 0; {often}\n\
             s=$(cat '{state}'); s=$(( (s * 1103515245 + 12345) % 2147483648 )); echo $s > '{state}'\n\
             if [ $(( s / 65536 % 100 )) -lt $often ]; then echo 'error: lost update' >&2; exit 1; fi"
        ),
    );
    world
}

#[test]
fn a_result_keeps_the_rate_that_was_asked_for() {
    for seed in seeds() {
        let world = racing("one\ntwo\nbug\nthree\nfast\nfour\n", RARER_WITHOUT, seed);
        let line = "reduce -j1 --level line --keep-rate 0.6 in.txt -- ./test.sh {}";
        let answer = world.answer(line);
        assert_eq!(world.text("in.reduced.txt").lines().collect::<Vec<_>>(), ["bug", "fast"]);
        let rerun = &answer["proof"]["rerun"]["verdict"];
        let (seen, runs) = (rerun["seen"].as_f64(), rerun["runs"].as_f64());
        assert!(seen.zip(runs).is_some_and(|(seen, runs)| seen > 0.6 * runs), "{answer}");
    }
}

#[test]
fn a_race_is_made_reliable() {
    // One line makes the failure rare, and without another line it is even rarer.
    let often = "often=30; grep -q slow \"$1\" || often=85; grep -q fast \"$1\" || often=15";
    for seed in seeds() {
        let world = racing("one\nbug\ntwo\nslow\nthree\nfast\nfour\n", often, seed);
        let answer = world.answer("reduce -j1 --level line --raise in.txt -- ./test.sh {}");
        let rate =
            |counts: &Value| counts["seen"].as_f64().unwrap() / counts["runs"].as_f64().unwrap();
        assert!(rate(&answer["learned"]["flaky"]["there"]) < 0.6, "{answer}");
        assert_eq!(world.text("in.reduced.txt").lines().collect::<Vec<_>>(), ["bug", "fast"]);
        assert!(rate(&answer["proof"]["rerun"]["verdict"]) > 0.6, "{answer}");
        // `verify` confirms the answer.
        world.write("answer.json", answer.to_string());
        assert_eq!(world.line("verify -q answer.json").code, Some(0));
    }
}

#[test]
fn an_input_that_fails_less_often_than_a_result_has_to_is_refused() {
    let world = racing("bug\nfast\n", RARER_WITHOUT, 1);
    let ran = world.line("reduce -j1 --keep-rate 0.99 in.txt -- ./test.sh {}");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("which may be less often than at a rate of 0.99"),
        "{}",
        ran.stderr
    );
    let ran = world.line("reduce --keep-rate 0.5 --flaky refuse in.txt -- ./test.sh {}");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("do not go together"), "{}", ran.stderr);
}

#[test]
fn a_rate_is_kept_of_a_test_that_is_steady_in_the_beginning() {
    let world = World::new();
    world.write("in.txt", "one\nbug\ntwo\n");
    world.script("test.sh", "! grep bug \"$1\"");
    world.answer("reduce --level line --keep-rate 0.8 in.txt -- ./test.sh {}");
    assert_eq!(world.text("in.reduced.txt").trim(), "bug");
}
