//! Killed at random moments and resumed, a run gives the same answer and leaves nothing.
//!
//! `KILLS_RUNS=1000` asks for more than the few kills of every test run.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod support;

use std::env;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;
use support::{Ran, World, has_git, numbered};

/// How many runs are killed if nobody says: each job with and without the sandbox.
const RUNS: u64 = 6;

/// What is killed: a command, and how to tell what it found.
struct Job {
    line: &'static str,
    found: fn(&World, &Value) -> Value,
}

const JOBS: [Job; 3] = [
    Job {
        line: "reduce in.txt --level lines -j2 --json -q --test ../reduce.sh",
        found: |world, answer| {
            let result = answer["files"][0]["path"].as_str().unwrap();
            Value::from(fs::read_to_string(world.path(result)).unwrap())
        },
    },
    Job {
        line: "changes HEAD~6 HEAD -j2 --json -q -- ../test.sh",
        found: |_, answer| answer["causes"][0]["culprit_patch"].clone(),
    },
    Job {
        line: "history -j2 --json -q -- ../test.sh",
        found: |_, answer| answer["outcome"]["suspects"][0]["id"].clone(),
    },
];

fn world() -> World {
    let world = World::new();
    world.write("in.txt", numbered(16, &[(3, "needle"), (9, "noodle")]));
    world.script("../reduce.sh", "sleep 0.01; grep -q needle in.txt && grep -q noodle in.txt");
    world.script("../test.sh", "sleep 0.01; ! grep -q bug a.txt");
    world.git("init -q -b main");
    for version in 0..8 {
        let wrong: &[(usize, &str)] = if version >= 4 { &[(9, "bug")] } else { &[] };
        let mut text = numbered(20, wrong);
        text.push_str(&format!("version {version}\n"));
        world.write("a.txt", text);
        world.git("add a.txt");
        world.git(&format!("commit -q -m c{version}"));
    }
    world
}

/// Starts a command and kills it after a while; `None` if it was killed, else how it ended.
fn killed(world: &World, line: &str, after: Duration) -> Option<Ran> {
    let mut running = world.start(line);
    let begun = Instant::now();
    while begun.elapsed() < after {
        if running.child.try_wait().unwrap().is_some() {
            return Some(running.end());
        }
        thread::sleep(Duration::from_millis(1));
    }
    running.signal(Signal::KILL);
    let ran = running.end();
    ran.code.is_some().then_some(ran)
}

/// Makes sure that nothing is left that processes and folders do not show.
fn nothing_is_left(world: &World) {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    assert!(!mounts.contains("/whodunit-"), "{mounts}");
    assert_eq!(world.git("worktree list").lines().count(), 1);
    assert_eq!(world.git("status --porcelain --untracked-files=no"), "");
}

#[test]
fn a_run_that_is_killed_anywhere_says_the_same_and_leaves_nothing() {
    if !has_git() {
        return;
    }
    let runs = env::var("KILLS_RUNS").map_or(RUNS, |runs| runs.parse().unwrap());
    for number in 0..runs {
        let job = &JOBS[(number % 3) as usize];
        let is_confined = (number / 3) % 2 == 1;
        let sandbox = if is_confined { "--sandbox=best-effort" } else { "--sandbox=off" };
        let (name, rest) = job.line.split_once(' ').unwrap();
        let line = format!("{name} {sandbox} {rest}");

        let whole = world();
        let begun = Instant::now();
        let ran = whole.line(&line);
        let took = begun.elapsed();
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.stderr);
        let expected = (job.found)(&whole, &serde_json::from_str(&ran.stdout).unwrap());

        // Spread over the run, another moment for each number.
        let share = |salt: u64| ((number * 7 + salt) * 37 % 100) as u32;
        let world = world();
        let mut ended = killed(&world, &line, took * share(0) / 100);
        nothing_is_left(&world);
        if ended.is_none() && number % 2 == 0 {
            let again = killed(&world, "resume --json -q", took * share(3) / 100);
            // There may have been nothing to go on with yet.
            ended = again.filter(|ran| ran.code == Some(0));
            nothing_is_left(&world);
        }
        let last = ended.unwrap_or_else(|| match world.runs().is_empty() {
            true => world.line(&line),
            false => match world.line("resume --json -q") {
                // Killed before the journal said what the run is about.
                ran if ran.code == Some(2) => world.line(&line),
                ran => ran,
            },
        });
        assert_eq!(last.code, Some(0), "{number} {line}: {}", last.stderr);
        let found = (job.found)(&world, &serde_json::from_str(&last.stdout).unwrap());
        assert_eq!(found, expected, "{number} {line}");
        nothing_is_left(&world);
    }
}
