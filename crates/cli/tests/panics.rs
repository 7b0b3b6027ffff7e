//! Panics of whodunit itself: the result is written, the journal is kept and named, and the exit
//! code is a documented one.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use serde_json::Value;
use support::{Ran, WHODUNIT, World, has_git, numbered};

/// Runs the program and lets it panic; the output says how to continue.
fn panicking(world: &World, at: &str, line: &str) -> Ran {
    panicking_with_hint(world, at, line, "whodunit resume")
}

/// Runs the program and lets it panic.
fn panicking_with_hint(world: &World, at: &str, line: &str, hint: &str) -> Ran {
    let mut command = world.command(WHODUNIT);
    let ran = world.finish(command.env("WHODUNIT_PROVOKE_PANIC", at).args(line.split_whitespace()));
    assert_eq!(ran.code, Some(70), "{}", ran.stderr);
    for part in [
        "whodunit stopped because of a defect of its own: provoked",
        "crates/cli/src/defect.rs:",
        "please report this",
        hint,
    ] {
        assert!(ran.stderr.contains(part), "no `{part}`: {}", ran.stderr);
    }
    ran
}

/// Returns a world for each job, with a command line for it.
fn of_each_job() -> Vec<(World, &'static str)> {
    let input = World::new();
    input.write("in.txt", numbered(30, &[(7, "needle")]));
    input.script("../t.sh", "grep -q needle in.txt");
    let history = || {
        let world = World::new();
        world.git("init -q");
        for word in ["good", "bad", "bad"] {
            world.write("app.txt", format!("one\n{word}\n"));
            world.commit(word);
        }
        world.script("../t.sh", "! grep -q bad app.txt");
        world
    };
    vec![
        (input, "reduce in.txt --test ../t.sh"),
        (history(), "changes HEAD~2 HEAD -- ../t.sh"),
        (history(), "history -- ../t.sh"),
    ]
}

#[test]
fn a_panic_before_the_run_begins_leaves_nothing_behind() {
    if !has_git() {
        return;
    }
    for (world, line) in of_each_job() {
        let nothing = "nothing was tested yet, so there is nothing to go on with";
        let ran = panicking_with_hint(&world, "setup", line, nothing);
        assert!(!ran.stderr.contains("whodunit resume"), "{}", ran.stderr);
        assert_eq!(world.runs().len(), 0, "{line}");
        assert_eq!(world.line(line).code, Some(0), "{line}");
    }
}

#[test]
fn after_a_panic_in_the_report_the_answer_is_in_the_journal() {
    if !has_git() {
        return;
    }
    for (world, line) in of_each_job() {
        let ran = panicking_with_hint(&world, "report", line, "to see it: whodunit show --json ");
        assert!(!ran.stderr.contains("whodunit resume"), "{}", ran.stderr);
        let (_, hint) = ran.stderr.rsplit_once("to see it: whodunit ").unwrap();
        let shown = world.line(hint.trim());
        let answer: Value = serde_json::from_str(&shown.stdout).unwrap();
        assert_eq!(answer["ended"], "done", "{line}: {answer:#}");
    }
}

#[test]
fn reduce_writes_the_best_so_far_and_goes_on_from_there() {
    for jobs in [1, 3] {
        let world = World::new();
        world.write("in.txt", numbered(300, &[(70, "needle"), (200, "thread")]));
        world.script("t.sh", "grep -q needle in.txt && grep -q thread in.txt");
        let ran =
            panicking(&world, "committed:24", &format!("reduce in.txt -j{jobs} --test ./t.sh"));
        assert!(ran.stdout.contains("not proved"), "{}", ran.stdout);
        let left = world.text("in.reduced.txt");
        assert!(left.contains("needle") && left.contains("thread"));
        assert!(left.len() < world.text("in.txt").len() / 2, "{}", left.len());
        // It panics at the same place again, and no result is lost.
        panicking(&world, "committed:24", "resume");
        assert_eq!(world.text("in.reduced.txt"), left);
        let ran = world.line("resume");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let left = world.text("in.reduced.txt");
        assert!(left.len() <= "needle\nthread\n".len(), "{left}");
    }
}

#[test]
fn a_folder_that_was_written_can_be_written_again() {
    let world = World::new();
    world.write("p/a.txt", numbered(100, &[(70, "needle")]));
    world.write("p/b.txt", numbered(100, &[(30, "thread")]));
    world.script("t.sh", "grep -q needle p/a.txt && grep -q thread p/b.txt");
    panicking(&world, "committed:12", "reduce p --test ./t.sh");
    assert!(world.text("p.reduced/a.txt").contains("needle"));
    let ran = world.line("resume");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(world.text("p.reduced/b.txt").len() <= "thread\n".len());
}

#[test]
fn a_panic_before_anything_was_found_keeps_the_journal() {
    let world = World::new();
    world.write("in.txt", numbered(30, &[(7, "needle")]));
    world.script("t.sh", "grep -q needle in.txt");
    let ran = panicking(&world, "learned", "reduce in.txt --test ./t.sh");
    assert!(ran.stderr.contains("reduce-in.txt-1"), "{}", ran.stderr);
    assert_eq!(world.names(), ["in.txt", "t.sh"]);
    assert_eq!(world.runs().len(), 1);
    assert_eq!(world.line("resume").code, Some(0));
    assert!(world.text("in.reduced.txt").starts_with("needle"));
}

#[test]
fn changes_and_history_end_in_the_same_way() {
    let world = World::new();
    world.git("init -q");
    for number in 0..8 {
        let word = if number < 5 { "good" } else { "bad" };
        let text = format!("one {number}\ntwo {word}\nthree {}\n", number / 2);
        world.write("app.txt", text);
        world.write(format!("other{number}.txt"), "more\n");
        world.commit(&format!("v{number}"));
    }
    for line in ["changes HEAD~7 HEAD", "history"] {
        let line = format!("{line} -j2 -- ../t.sh");
        std::fs::write(world.path("../t.sh"), "#!/bin/sh\n! grep -q bad app.txt\n").unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(world.path("../t.sh"), mode).unwrap();
        panicking(&world, "committed:2", &line);
        let ran = world.line("resume");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("app.txt"), "{}", ran.stdout);
        panicking(&world, "learned", &line);
    }
}

/// Lets a run panic at each of some places. Each time it gives an answer that reports the defect,
/// and resuming leads to the answer of a run without panics. Returns the answers.
fn panicking_at(world: &World, line: &str, places: &[&str]) -> Vec<Value> {
    let line = line.replace(" -- ", " --json -- ");
    let parsed = |ran: &Ran| -> Value { serde_json::from_str(&ran.stdout).unwrap() };
    let causes = |answer: &Value| -> Vec<Value> {
        let causes = answer["causes"].as_array().or(answer["outcome"]["causes"].as_array());
        causes.unwrap().iter().map(|cause| cause["culprit"].clone()).collect()
    };
    let whole = parsed(&world.line(&line));
    let panicked = places.iter().map(|place| {
        let answer = parsed(&panicking(world, place, &line));
        assert_eq!(answer["ended"], "defect", "{place}: {answer:#}");
        let resumed = world.line("resume --json -q");
        assert_eq!(resumed.code, Some(0), "{place}: {}", resumed.stderr);
        assert_eq!(causes(&parsed(&resumed)), causes(&whole), "{place}");
        answer
    });
    panicked.collect()
}

#[test]
fn changes_writes_what_was_seen_to_fail() {
    let world = World::new();
    for (folder, replaced) in [("old", &[][..]), ("new", &[(2, "x"), (9, "wrong"), (15, "y")])] {
        world.write(format!("{folder}/a.txt"), numbered(20, replaced));
    }
    world.script("../t.sh", "! grep -q wrong a.txt");
    let places = ["search:smallest", "search:fix", "proof"];
    for answer in panicking_at(&world, "changes old new -j2 -- ../t.sh", &places) {
        let cause = &answer["causes"][0];
        let patch = std::fs::read_to_string(cause["files"]["culprit"].as_str().unwrap()).unwrap();
        assert!(patch.contains("+wrong"), "{patch}");
        assert_eq!(cause["proof"]["good_with_culprit"], Value::Null, "it is not proved");
    }
}

#[test]
fn history_writes_how_far_it_came() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    for number in 0..12 {
        let (word, harmless) = (if number < 5 { "fine" } else { "wrong" }, format!("no {number}"));
        world.write("a.txt", numbered(20, &[(2, &harmless), (10, word)]));
        if number > 6 {
            world.write("word", "wrong\n");
        }
        world.commit(&format!("commit-{number}"));
    }
    world.script("../t.sh", "test -e word || exit 125; ! grep -q \"$(cat word)\" a.txt");
    let places = ["search:walk", "search:port", "search:smallest", "search:forward"];
    let answers = panicking_at(&world, "history -j2 -- ../t.sh", &places);
    let outcomes: Vec<_> = answers.iter().map(|it| it["outcome"]["outcome"].clone()).collect();
    assert_eq!(outcomes, ["unfinished", "unfinished", "found", "found"]);
    assert_eq!(answers[1]["outcome"]["oldest"]["title"], "commit-7");
    for found in &answers[2..] {
        assert_eq!(found["outcome"]["suspects"][0]["title"], "commit-5");
        let patch = found["outcome"]["causes"][0]["culprit_patch"].as_str().unwrap();
        assert!(patch.contains("+wrong"), "{patch}");
    }
}
