//! The same answer for any number of workers, and from a journal that was cut off at any
//! place.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use support::{WHODUNIT, World, needs, numbered};
use whodunit_bench::programs::{Language, program};

/// A job with its arguments, in a world with its subject.
struct Job {
    world: World,
    args: Vec<String>,
}

impl Job {
    fn new(world: World, args: &[&str]) -> Self {
        Job { world, args: args.iter().map(|&arg| arg.to_owned()).collect() }
    }

    /// Runs the job with this many workers.
    fn answer(&self, jobs: &str) -> Value {
        let mut command = self.world.command(WHODUNIT);
        command.args([&self.args[0], "--json", "-q", "--timeout", "60s", "-j", jobs]);
        let ran = self.world.finish(command.args(&self.args[1..]));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        serde_json::from_str(&ran.stdout).unwrap()
    }

    fn journal(&self) -> PathBuf {
        self.world.journal(&self.world.runs()[0])
    }

    fn forget(&self) {
        fs::remove_dir_all(self.world.beside("state/whodunit")).unwrap();
    }

    /// Cuts the journal of the last run off at `cuts` places, and resumes from each.
    fn is_the_same_from_any_cut(&self, whole: &Value, cuts: usize) {
        let journal = self.journal();
        let bytes = fs::read(&journal).unwrap();
        // Without its first lines there is nothing to resume.
        let lines = |count| bytes.split_inclusive(|&it| it == b'\n').take(count).flatten().count();
        let first = lines(2);
        let mut seed = 7_usize;
        for _ in 0..cuts {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            let cut = first + (seed >> 20) % (bytes.len() - first);
            fs::write(&journal, &bytes[..cut]).unwrap();
            let resumed = self.world.answer("resume");
            assert_eq!(said(&resumed), said(whole), "cut at {cut} of {}", bytes.len());
        }
    }
}

/// Returns the content of an answer, without the parts that differ from run to run.
fn said(answer: &Value) -> Value {
    let mut answer = answer.clone();
    let fields = answer.as_object_mut().unwrap();
    for field in ["run", "seconds", "learned", "settings"] {
        fields.remove(field);
    }
    for cause in fields.get_mut("causes").and_then(Value::as_array_mut).into_iter().flatten() {
        cause.as_object_mut().unwrap().remove("files");
    }
    let tests = fields.get_mut("tests").unwrap().as_object_mut().unwrap();
    // The tests that run ahead, and those that the proof has to repeat, depend on both.
    tests.remove("wasted");
    tests.remove("proof");
    answer
}

fn check(job: &Job, cuts: usize) {
    let whole = job.answer("1");
    job.is_the_same_from_any_cut(&whole, cuts);
    for jobs in ["2", "8"] {
        job.forget();
        assert_eq!(said(&job.answer(jobs)), said(&whole), "{jobs} jobs");
    }
    job.is_the_same_from_any_cut(&whole, cuts);
}

#[test]
fn a_program_whose_halves_do_not_run() {
    if !needs("python3") {
        return;
    }
    let made = program(Language::Python, 4);
    let world = World::new();
    for (version, files) in [("old", &made.old), ("new", &made.new)] {
        for (name, text) in files {
            world.write(format!("{version}/{name}"), text);
        }
    }
    check(&Job::new(world, &["changes", "old", "new", "--", "sh", "-c", made.test]), 2);
}

#[test]
fn a_text_of_which_little_is_needed() {
    let world = World::new();
    world.write("in.txt", numbered(120, &[(3, "alpha"), (50, "beta {"), (77, "gamma }")]));
    world.script("t.sh", "grep -q alpha in.txt && grep -q { in.txt && grep -q gamma in.txt");
    check(&Job::new(world, &["reduce", "in.txt", "--test", "./t.sh"]), 3);
}

#[test]
fn an_input_whose_halves_are_another_failure() {
    let world = World::new();
    let list: Vec<String> = (0..40).map(|it| format!("{{\"n\": {it}, \"m\": [{it}]}}")).collect();
    world.write("in.json", format!("[{}]", list.join(",\n")));
    let test = "import json, sys\n\
                data = json.load(open('in.json'))\n\
                sys.exit(not any(it.get('n') == 31 and it['m'] for it in data))\n";
    world.write("../test.py", test);
    let path = world.beside("test.py");
    world.script("t.sh", &format!("python3 {} 2>&1", path.display()));
    check(&Job::new(world, &["reduce", "in.json", "--test", "./t.sh"]), 3);
}
