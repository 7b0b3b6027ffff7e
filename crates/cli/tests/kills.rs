//! Killed at random moments and resumed, a run gives the same answer and leaves nothing.
//!
//! `KILLS_RUNS=1000 cargo test --release -p whodunit --test kills -- --nocapture` makes more than
//! the few kills of every test run, and prints how many runs were killed, and killed again in
//! `resume`. `KILLS_FIRST=250` begins with another run, to divide very many among several
//! processes.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod support;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;
use support::{Ran, World, can_mount, has_git, needs, numbered};

/// The default number of runs that are killed: each job with and without the sandbox.
const RUNS: u64 = 6;

/// A job that is killed: a command, and how to read its result.
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

/// Leaves objects that outlive processes, in every test that has an IPC namespace of its own:
/// System V objects, a POSIX queue in one test of ten, and a file in shared memory, which the
/// sandbox refuses.
fn litter() -> String {
    let ours = fs::read_link("/proc/self/ns/ipc").unwrap();
    format!(
        "if [ \"$(readlink /proc/self/ns/ipc)\" != '{}' ]; then\n\
         ipcmk -p {MODE} -M 64 -Q -S 1 > ipc.out; rm ipc.out\n\
         case $$ in *7) python3 -c '{QUEUE}';; esac\n\
         (: > /dev/shm/kills-$$) 2> refused; rm refused\nfi",
        ours.display()
    )
}

/// The mode of the System V objects that tests leave here. No other program has objects with it, so
/// those that come and go meanwhile are not taken for ours.
const MODE: &str = "604";

/// Makes a POSIX queue: `O_CREAT | O_RDWR`, for the user alone, with the usual sizes.
const QUEUE: &str = "import ctypes; ctypes.CDLL(None).mq_open(b\"/kills\", 0o102, 0o600, None)";

fn world() -> World {
    let world = World::new();
    let litter = litter();
    world.write("in.txt", numbered(16, &[(3, "needle"), (9, "noodle")]));
    let reduce = "sleep 0.01; grep -q needle in.txt && grep -q noodle in.txt";
    world.script("../reduce.sh", &format!("{litter}\n{reduce}"));
    world.script("../test.sh", &format!("{litter}\nsleep 0.01; ! grep -q bug a.txt"));
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

/// Starts a command and kills it after a while; `None` if it was killed, otherwise how it ended.
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

/// Returns the objects on this machine that tests left and that outlive processes: System V
/// objects, which are known by their mode, POSIX queues, and files in shared memory.
fn left() -> BTreeSet<String> {
    let mut left = BTreeSet::new();
    for kind in ["shm", "sem", "msg"] {
        let table = fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap();
        let rows = table.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>());
        let ours = rows.filter(|row| row[2] == MODE);
        left.extend(ours.map(|row| format!("{kind} {}", row[1])));
    }
    left.extend(queues().into_iter().filter(|name| name == "kills"));
    let names = fs::read_dir("/dev/shm").into_iter().flatten().flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    left.extend(names.filter(|name| name.starts_with("kills-")));
    left
}

/// Returns the names of the POSIX queues of this machine; none if they cannot be listed.
fn queues() -> Vec<String> {
    let script = "mount -t mqueue none /mnt && ls /mnt";
    let listed = Command::new("unshare").args(["-m", "sh", "-c", script]).output().unwrap();
    String::from_utf8(listed.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Checks that nothing is left beside processes and folders, which are checked elsewhere.
fn nothing_is_left(world: &World, before: &BTreeSet<String>) {
    let now = left();
    assert!(now.is_subset(before), "{now:?}, before {before:?}");
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    assert!(!mounts.contains("/whodunit-"), "{mounts}");
    assert_eq!(world.git("worktree list").lines().count(), 1);
    assert_eq!(world.git("status --porcelain --untracked-files=no"), "");
}

/// The outcomes of the kills.
#[derive(Debug, Default)]
struct Counts {
    /// Ended before the kill came.
    ended: u64,
    /// Killed once, and killed again in `resume`.
    killed: u64,
    killed_again: u64,
    /// Killed before the journal told what the run is about, so there was nothing to resume.
    begun_anew: u64,
    /// Resumed to the end.
    resumed: u64,
    /// Killed runs without and with the sandbox.
    killed_by_sandbox: [u64; 2],
}

/// An undisturbed run: its result, and its duration.
struct Whole {
    found: Value,
    took: Duration,
}

fn whole(job: &Job, line: &str) -> Whole {
    let world = world();
    let begun = Instant::now();
    let ran = world.line(line);
    let took = begun.elapsed();
    assert_eq!(ran.code, Some(0), "{line}: {}", ran.stderr);
    Whole { found: (job.found)(&world, &serde_json::from_str(&ran.stdout).unwrap()), took }
}

/// Returns a moment within a run of this length, another one for each number and salt. A few
/// moments are after the end, which must work too.
fn moment(took: Duration, number: u64, salt: u64) -> Duration {
    let mut bits = (number * 2 + salt + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    took * ((bits >> 32) % 1050) as u32 / 1000
}

/// Kills a run, kills it again in `resume` three times out of four, and resumes it to its end.
fn kill_and_resume(number: u64, line: &str, whole: &Whole, counts: &mut Counts) -> (World, Ran) {
    let before = left();
    let world = world();
    let ended = killed(&world, line, moment(whole.took, number, 0));
    nothing_is_left(&world, &before);
    if let Some(ran) = ended {
        counts.ended += 1;
        return (world, ran);
    }
    counts.killed += 1;
    if number % 4 != 3 {
        let again = killed(&world, "resume --json -q", moment(whole.took, number, 1));
        nothing_is_left(&world, &before);
        match again {
            None => counts.killed_again += 1,
            Some(ran) if ran.code == Some(0) => {
                counts.resumed += 1;
                return (world, ran);
            }
            // There was nothing to resume.
            Some(_) => {}
        }
    }
    if !world.runs().is_empty() {
        let ran = world.line("resume --json -q");
        if ran.code != Some(2) {
            counts.resumed += 1;
            return (world, ran);
        }
    }
    counts.begun_anew += 1;
    let ran = world.line(line);
    (world, ran)
}

#[test]
fn a_run_that_is_killed_anywhere_says_the_same_and_leaves_nothing() {
    if !has_git() || !needs("ipcmk") || !needs("python3") || !can_mount() {
        return;
    }
    let before = left();
    let given = |name: &str| env::var(name).ok().map(|number| number.parse::<u64>().unwrap());
    let runs = given("KILLS_RUNS").unwrap_or(RUNS);
    let first = given("KILLS_FIRST").unwrap_or(0);
    let mut counts = Counts::default();
    let mut wholes: [Option<Whole>; 6] = Default::default();
    for number in first..first + runs {
        let job = &JOBS[(number % 3) as usize];
        let is_confined = (number / 3) % 2 == 1;
        let sandbox = if is_confined { "--sandbox=best-effort" } else { "--sandbox=off" };
        let (name, rest) = job.line.split_once(' ').unwrap();
        let line = format!("{name} {sandbox} {rest}");

        // Measure again now and then: the machine may be busier than before.
        let kept = wholes[(number % 6) as usize].take().filter(|_| number % 60 >= 6);
        let whole = kept.unwrap_or_else(|| whole(job, &line));
        let killed = counts.killed;
        let (world, last) = kill_and_resume(number, &line, &whole, &mut counts);
        counts.killed_by_sandbox[usize::from(is_confined)] += counts.killed - killed;
        assert_eq!(last.code, Some(0), "{number} {line}: {}", last.stderr);
        let found = (job.found)(&world, &serde_json::from_str(&last.stdout).unwrap());
        assert_eq!(found, whole.found, "{number} {line}");
        nothing_is_left(&world, &before);
        wholes[(number % 6) as usize] = Some(whole);
        if (number + 1) % 20 == 0 {
            eprintln!("{first} to {number}: {counts:?}");
        }
    }
    eprintln!("{runs} runs from {first}: {counts:?}");
}
