//! Configure, build, test: three stages with an outcome each, and their reports.

#![allow(clippy::unwrap_used)]

mod support;

use rustix::process::Signal;
use serde_json::Value;
use support::{World, eventually, has_git, numbered};
use whodunit_jobs::syntax::language::Language;
use whodunit_jobs::syntax::parse;

/// A history whose newest version can be configured and built. The one before it does not build,
/// and the two before that cannot be configured. The second version is wrong.
fn history() -> World {
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..6 {
        world.write("configure.sh", if version < 4 { "echo no cc; exit 1\n" } else { "true\n" });
        world.write("build.sh", if version < 5 { "echo no ld; exit 1\n" } else { "true\n" });
        world.write("value", if version == 0 { "6\n" } else { "7\n" });
        world.commit(&format!("version-{version}"));
    }
    world.script("../test.sh", "grep -q 6 value");
    world
}

const STAGES: [&str; 4] = ["--configure", "sh ./configure.sh", "--build", "sh ./build.sh"];

fn run(world: &World, job: &[&str], flags: &[&str]) -> Value {
    let tail = ["--json", "-q", "--", "../test.sh"];
    let ran = world.run(job.iter().chain(&STAGES).chain(flags).chain(&tail));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn a_version_that_cannot_be_configured_is_told_from_one_that_does_not_build() {
    if !has_git() {
        return;
    }
    let world = history();
    let answer = run(&world, &["history", "--linear"], &[]);
    assert_eq!(answer["outcome"]["suspects"][0]["title"], "version-1");
    let steps = answer["steps"].as_array().unwrap();
    let reasons: Vec<&str> =
        steps.iter().filter_map(|step| step["result"]["reason"].as_str()).collect();
    assert_eq!(reasons.first(), Some(&"build"), "{reasons:?}");
    assert!(reasons.contains(&"configure"), "{reasons:?}");
    assert!(answer["learned"]["limits"]["configure"].is_object(), "{}", answer["learned"]);
    let shown = world.line("show").stdout;
    assert!(shown.contains("cannot be configured: it exits with 1"), "{shown}");
    assert!(shown.contains(" configure"), "{shown}");
    let page = world.line("report -o -").stdout;
    assert!(page.contains("configurations that went wrong"), "{page}");
}

#[test]
fn both_versions_have_to_be_configured() {
    let world = World::new();
    world.write("old/a.txt", "x\n");
    world.write("new/a.txt", "wrong\n");
    let line = ["changes", "old", "new", "--configure", "grep -q x a.txt"];
    let ran = world.run(line.into_iter().chain(["--", "grep", "-q", "x", "a.txt"]));
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("the configuration exited with 1"), "{}", ran.stderr);
    let hint = "the line of --configure must exit with 0 in both versions";
    assert!(ran.stderr.contains(hint), "{}", ran.stderr);
}

#[test]
fn with_fresh_no_compiled_file_is_carried_over() {
    let world = World::new();
    world.write("old/a.txt", numbered(40, &[]));
    world.write("new/a.txt", numbered(40, &[(3, "new"), (11, "wrong"), (19, "new"), (30, "new")]));
    let log = world.beside("stale");
    let configure = format!("test ! -e a.o || {{ echo stale >>{}; false; }}", log.display());
    let stages = ["--configure", &configure, "--build", "cp a.txt a.o"];
    let is_carried_over = |flags: &[&str]| {
        let _ = std::fs::remove_file(&log);
        let line = ["changes", "old", "new", "-q", "-j1"];
        let test = ["--", "sh", "-c", "! grep -q wrong a.o"];
        let ran = world.run(line.iter().chain(&stages).chain(flags).chain(&test));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        log.exists()
    };
    assert!(is_carried_over(&[]), "the compiled file of the test before is there");
    assert!(!is_carried_over(&["--fresh"]));
}

#[test]
fn the_reasons_of_the_tests_inside_each_search_are_shown() {
    if !has_git() {
        return;
    }
    let world = history();
    run(&world, &["history", "--linear"], &[]);
    let shown = world.line("show").stdout;
    let line = shown.lines().find(|line| line.starts_with("what is carried (")).unwrap_or(&shown);
    assert!(line.contains(" tests: ") && line.contains(" inconclusive ("), "{line}");
    let page = world.line("report -o -").stdout;
    let begins = "<h2>What the tests of each search said</h2>\n<table>\n<tr><th>looking for</th>";
    assert!(page.contains(begins), "{page}");
    assert!(page.contains("<th class=\"number\">configure</th>"), "{page}");
}

#[test]
fn several_runs_are_compared_on_one_page() {
    if !has_git() {
        return;
    }
    let world = history();
    run(&world, &["history", "--linear"], &[]);
    run(&world, &["history", "--linear"], &["--search", "halving_flat"]);
    world.answer("changes HEAD~5 HEAD -- ../test.sh");
    let mut runs = world.runs();
    // The patches of a run lie beside its journal.
    runs.dedup();
    let ran = world.run(["report"].into_iter().chain(runs.iter().map(String::as_str)));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "report     runs.html\n"));
    let page = world.text("runs.html");
    assert!(parse::parses(&Language::by_name("xml").unwrap(), page.as_bytes()), "{page}");
    for said in ["3 runs compared", "tests per version", "aria-label=\"shares of outcomes\""] {
        assert!(page.contains(said), "{said}: {page}");
    }
    for heading in ["Sizes before and after each search", "was repeated"] {
        assert!(page.contains(heading), "{heading}: {page}");
    }
    let points = page.matches("<circle class=\"fail\"").count();
    let answers = runs.iter().map(|run| world.line(&format!("show {run} --json")).stdout);
    let searched: usize = answers.map(|answer| answer.matches("\"searched\"").count()).sum();
    // A point for each search of the history, and one for the changes.
    assert_eq!(points, searched + 1);
    assert!(searched > 4);
    let missing = world.line(&format!("report {} nobody-1", runs[0]));
    assert!(missing.stderr.contains("there is no run named `nobody-1`"), "{}", missing.stderr);
}

#[test]
fn what_was_built_before_is_not_built_again_but_for_a_proof() {
    let world = World::new();
    let lines = [(3, "new"), (11, "wrong"), (19, "new"), (30, "new"), (35, "other")];
    world.write("old/a.txt", numbered(40, &[]));
    world.write("new/a.txt", numbered(40, &lines));
    let log = world.beside("builds");
    // It also changes a file of the version.
    let build = format!(
        "echo x >>{}; mkdir -p out; sed s/wrong/WRONG/ a.txt >out/a; ln -sf a out/link; \
         echo made >>a.txt",
        log.display()
    );
    let builds = |flags: &[&str], word: &str| {
        let _ = std::fs::remove_file(&log);
        let test =
            format!("test -L out/link && grep -q made a.txt || exit 125; ! grep -q {word} out/a");
        let line = ["changes", "old", "new", "--json", "-q", "-j1", "--build", &build];
        let ran = world.run(line.iter().chain(flags).chain(&["--", "sh", "-c", &test]));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(answer["causes"][0]["proof"]["good_with_culprit"], "fail");
        assert_eq!(
            answer["causes"][0]["culprit"][0]["new_text"].as_str().unwrap(),
            word.to_lowercase()
        );
        assert_eq!(answer["started_over"], Value::Null, "{answer:#}");
        (std::fs::read_to_string(&log).unwrap().lines().count(), answer["tests"].clone())
    };
    let cache = world.beside("cache").display().to_string();
    let kept = ["--build-cache", cache.as_str()];
    let (without, tests) = builds(&[], "WRONG");
    assert_eq!(builds(&kept, "WRONG"), (without, tests.clone()), "nothing was built before");
    let (again, same) = builds(&kept, "WRONG");
    assert!(again < without, "{again} of {without} builds");
    assert!(again > 2, "the first runs and the proof build in clean folders");
    assert_eq!(same, tests, "the same questions");
    // Another test of the same versions uses the same builds.
    let (other, _) = builds(&[], "other");
    let (kept_other, _) = builds(&kept, "other");
    assert!(kept_other < other, "{kept_other} of {other} builds");
}

#[test]
fn a_killed_run_goes_on_with_what_was_built_whatever_the_job_and_the_workers() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    for version in 0..12 {
        let wrong: &[(usize, &str)] = if version >= 5 { &[(33, "wrong")] } else { &[] };
        world.write("a.txt", format!("{}version {version}\n", numbered(40, wrong)));
        world.commit(&format!("c{version}"));
    }
    let [log, gate, cache] = ["builds", "gate", "cache"].map(|name| world.beside(name));
    // With the gate, the sixth build and all later ones wait until it is removed.
    let wait = format!(
        "echo x >>{log}; [ $(wc -l <{log}) -lt 6 ] || while [ -e {gate} ]; do sleep 0.02; done",
        log = log.display(),
        gate = gate.display()
    );
    world.script("../build.sh", &format!("{wait}; mkdir out; sed s/wrong/WRONG/ a.txt >out/a"));
    world.script("../test.sh", "test -d out || exit 125; ! grep -q WRONG out/a");
    let rest = format!("--json -q --build {}", world.beside("build.sh").display());
    let found = |answer: &Value| match &answer["causes"] {
        Value::Null => answer["outcome"]["suspects"][0]["id"].clone(),
        causes => causes[0]["culprit_patch"].clone(),
    };
    for (job, jobs) in [("changes HEAD~11 HEAD", 1), ("changes HEAD~11 HEAD", 3), ("history", 3)] {
        let line = |more: &str| format!("{job} -j{jobs} {rest} {more} -- ../test.sh");
        let plain = world.line(&line(""));
        assert_eq!(plain.code, Some(0), "{job}: {}", plain.stderr);
        let _ = (std::fs::remove_file(&log), std::fs::remove_dir_all(&cache));
        // There is no process with this number: it was killed while it stored a build.
        std::fs::create_dir_all(cache.join(".4294967295-0/out")).unwrap();
        std::fs::write(&gate, "").unwrap();
        let running = world.start(&line("--build-cache ../cache"));
        let builds = || std::fs::read_to_string(&log).unwrap_or_default().lines().count();
        assert!(eventually(|| builds() >= 6), "{job}: {} builds", builds());
        running.signal(Signal::KILL);
        running.end();
        std::fs::remove_file(&gate).unwrap();
        let resumed = world.line("resume --json -q");
        assert_eq!(resumed.code, Some(0), "{job}: {}", resumed.stderr);
        let answers =
            [plain, resumed].map(|ran| serde_json::from_str::<Value>(&ran.stdout).unwrap());
        assert!(found(&answers[0]).is_string(), "{:#}", answers[0]);
        assert_eq!(found(&answers[0]), found(&answers[1]), "{job}");
        assert_eq!(answers[0]["tests"]["committed"], answers[1]["tests"]["committed"], "{job}");
        let kept = std::fs::read_dir(&cache).unwrap();
        let kept = kept.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let kept: Vec<String> = kept.collect();
        assert!(!kept.is_empty() && kept.iter().all(|name| !name.starts_with('.')), "{kept:?}");
    }
}
