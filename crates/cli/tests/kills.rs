//! Killed at random moments and resumed, a run gives the same answer and leaves nothing.
//!
//! `KILLS_RUNS=1000` asks for more than the few kills of every test run.

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

/// Leaves objects that outlive processes, in every test that has an IPC namespace of its own: System V
/// ones, a POSIX queue in one test of ten, and a file in shared memory, which the sandbox refuses.
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

/// The mode of System V objects that tests leave here. Nobody else has such objects, so those of other
/// programs that come and go meanwhile are not taken for ours.
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

/// Returns what tests have left on this machine that outlives processes: System V objects, which are
/// known by their mode, POSIX queues, and files in shared memory.
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

/// Makes sure that nothing is left that processes and folders do not show.
fn nothing_is_left(world: &World, before: &BTreeSet<String>) {
    let now = left();
    assert!(now.is_subset(before), "{now:?}, before {before:?}");
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    assert!(!mounts.contains("/whodunit-"), "{mounts}");
    assert_eq!(world.git("worktree list").lines().count(), 1);
    assert_eq!(world.git("status --porcelain --untracked-files=no"), "");
}

#[test]
fn a_run_that_is_killed_anywhere_says_the_same_and_leaves_nothing() {
    if !has_git() || !needs("ipcmk") || !needs("python3") || !can_mount() {
        return;
    }
    let before = left();
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
        nothing_is_left(&world, &before);
        if ended.is_none() && number % 4 != 3 {
            let again = killed(&world, "resume --json -q", took * share(3) / 100);
            // There may have been nothing to go on with yet.
            ended = again.filter(|ran| ran.code == Some(0));
            nothing_is_left(&world, &before);
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
        nothing_is_left(&world, &before);
    }
}
