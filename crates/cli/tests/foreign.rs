//! Answers and journals that somebody else may have written: none of their commands is run unasked.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};
use support::{Ran, World, has_git, needs, numbered};

/// A world with an answer of its own, and the answer.
fn answered() -> (World, Value) {
    let world = World::new();
    world.write("in.txt", numbered(12, &[(3, "needle")]));
    let answer = world.answer("reduce in.txt --fail-exit 0 -- grep -q needle {}");
    (world, answer)
}

/// Like [`answered`] with a test that leaves a mark when it runs.
fn marking() -> (World, Value) {
    let world = World::new();
    world.write("in.txt", numbered(6, &[(3, "needle")]));
    let mark = world.path("mark");
    world.script("t.sh", &format!("touch {}; grep -q needle in.txt", mark.display()));
    let answer = world.answer("reduce in.txt --level lines --test ./t.sh");
    fs::remove_file(&mark).unwrap();
    (world, answer)
}

fn verify(world: &World, answer: &Value, flags: &str) -> Ran {
    world.write("answer.json", answer.to_string());
    world.line(&format!("verify answer.json {flags}"))
}

/// Checks that no command of an answer was run, and that it was shown.
fn check_asked(ran: &Ran, shown: &str) {
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains(shown), "`{shown}` is not in\n{}", ran.stderr);
    assert!(ran.stderr.contains("nobody has confirmed them"), "{}", ran.stderr);
}

#[test]
fn an_answer_of_ones_own_is_replayed_without_a_word() {
    let (world, answer) = marking();
    let ran = verify(&world, &answer, "");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    assert!(world.path("mark").exists());
}

#[test]
fn the_commands_of_an_answer_without_a_journal_are_shown_and_not_run() {
    let (world, answer) = marking();
    fs::remove_file(world.journal(answer["run"].as_str().unwrap())).unwrap();
    let ran = verify(&world, &answer, "");
    check_asked(&ran, "does not come from a run of yours");
    assert!(ran.stderr.contains("  test      ./t.sh\n"), "{}", ran.stderr);
    assert!(!world.path("mark").exists());
    // Also if nothing else is printed.
    check_asked(&verify(&world, &answer, "-q"), "  test      ./t.sh\n");
    let ran = verify(&world, &answer, "--trust --sandbox=off");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(world.path("mark").exists());
}

#[test]
fn an_answer_that_its_journal_does_not_know_is_not_run() {
    let (world, answer) = marking();
    let mut gated = answer.clone();
    gated["settings"]["gates"] = json!([format!("touch {}", world.path("gate").display())]);
    check_asked(&verify(&world, &gated, ""), "  gate      touch ");
    assert!(!world.path("gate").exists());
    let journal = world.journal(answer["run"].as_str().unwrap());
    fs::set_permissions(&journal, fs::Permissions::from_mode(0o666)).unwrap();
    check_asked(&verify(&world, &answer, ""), "whose journal others can have written");
}

#[test]
fn a_name_that_leads_out_of_the_folder_is_refused() {
    let (world, answer) = answered();
    let outside = world.write("outside", "precious");
    for name in [outside.to_str().unwrap(), "../../outside", "a/../../b", ""] {
        let mut doctored = answer.clone();
        doctored["files"][0]["name"] = json!(name);
        let ran = verify(&world, &doctored, "--trust --sandbox=off");
        assert_eq!(ran.code, Some(2), "{}", ran.stdout);
        assert!(ran.stderr.contains("is not the name of a file in the folder"), "{}", ran.stderr);
    }
    assert_eq!(world.text("outside"), "precious");
}

#[test]
fn the_readable_command_is_the_one_that_is_run() {
    let (world, answer) = answered();
    let mut doctored = answer.clone();
    doctored["settings"]["test"]["command"] = json!(["sh", "-c", "id"]);
    let ran = verify(&world, &doctored, "--trust --sandbox=off");
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("and would run `sh -c id`"), "{}", ran.stderr);
    for (place, value) in [("inputs", json!([])), ("test", json!({"command": []}))] {
        let mut doctored = answer.clone();
        doctored["settings"][place] = value;
        assert_eq!(verify(&world, &doctored, "--trust --sandbox=off").code, Some(2));
    }
}

#[test]
fn an_answer_that_contradicts_itself_is_refused() {
    let (world, answer) = answered();
    let level = |it: &Value| if it["proof"]["level"] == "lines" { "bytes" } else { "lines" };
    let doctored: [(&str, Value, &str); 3] = [
        ("/size/bytes", json!(1), "it contradicts itself about sizes"),
        ("/start/bytes", json!(1), "it contradicts itself about sizes"),
        ("/proof/levels", json!([level(&answer)]), "about the levels at which all of it is needed"),
    ];
    for (place, value, why) in doctored {
        let mut doctored = answer.clone();
        *doctored.pointer_mut(place).unwrap() = value;
        let ran = verify(&world, &doctored, "--trust --sandbox=off");
        assert_eq!(ran.code, Some(2), "{place}: {}", ran.stdout);
        assert!(ran.stderr.contains(why), "{place}: {}", ran.stderr);
    }
}

#[test]
fn numbers_of_an_answer_are_not_believed() {
    let (world, answer) = answered();
    let mut doctored = answer.clone();
    doctored["settings"]["jobs"] = json!(100_000);
    assert_eq!(verify(&world, &doctored, "--trust --sandbox=off").code, Some(0));
    doctored["learned"]["limits"]["test"]["time"]["secs"] = json!(u64::MAX / 4);
    let ran = verify(&world, &doctored, "--trust --sandbox=off");
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("a test may not ask for"), "{}", ran.stderr);
}

#[test]
fn a_device_or_pipe_is_no_result_and_no_answer() {
    let (world, answer) = answered();
    let mut doctored = answer.clone();
    doctored["files"][0]["path"] = json!("/dev/null");
    let ran = verify(&world, &doctored, "--trust --sandbox=off");
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("it is not a regular file"), "{}", ran.stderr);
    let ran = world.line("verify /dev/null");
    assert!(ran.stderr.contains("it is not a regular file"), "{}", ran.stderr);
}

#[test]
fn a_command_of_ones_own_replaces_those_of_an_answer() {
    let (world, mut answer) = marking();
    answer["settings"]["gates"] = json!([format!("touch {}", world.path("gate").display())]);
    world.write("answer.json", answer.to_string());
    let own = |command: &str| {
        let args = ["verify", "answer.json", "--sandbox=off", "--commands", command];
        world.run(args)
    };
    let ran = own("grep -q needle {}");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    let ran = own("grep -q needle");
    assert_eq!(ran.code, Some(0), "without {{}} it is the standard input: {}", ran.stderr);
    let ran = own("false");
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    assert!(!world.path("mark").exists() && !world.path("gate").exists());
}

#[test]
fn the_test_of_changes_is_not_run_unasked() {
    let world = World::new();
    world.write("old/a.txt", "one\n");
    world.write("new/a.txt", "one\nbug\n");
    world.script("../t.sh", "! grep -q bug a.txt");
    let mut answer = world.answer("changes old new -- ../t.sh");
    assert_eq!(verify(&world, &answer, "").code, Some(0));
    // The patches become parts of the versions that are run, so they have to be recognised as well.
    let patch = answer["causes"][0]["culprit_patch"].as_str().unwrap().replace("bug", "b@g");
    answer["causes"][0]["culprit_patch"] = json!(patch);
    check_asked(&verify(&world, &answer, ""), "  test      ../t.sh\n");
}

#[test]
fn patches_of_an_answer_stay_in_the_folder() {
    let world = World::new();
    world.write("old/a.txt", "one\n");
    world.write("new/a.txt", "one\nbug\n");
    world.script("../t.sh", "! grep -q bug a.txt");
    let answer = world.answer("changes old new -- ../t.sh");
    let outside = world.write("outside", "precious\n");
    for name in
        ["../../outside", "../outside", outside.to_str().unwrap(), ".git/config", "a/../../b"]
    {
        for patch in [
            format!(
                "diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-precious\n+bug\n"
            ),
            format!(
                "diff --git a/{name} b/{name}\nnew file mode 120000\n--- /dev/null\n+++ b/{name}\n\
                     @@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n"
            ),
        ] {
            let mut doctored = answer.clone();
            doctored["causes"][0]["culprit_patch"] = json!(patch);
            let ran = verify(&world, &doctored, "--trust --sandbox=off");
            assert_ne!(ran.code, Some(0), "{name}: {}", ran.stdout);
            assert_eq!(world.text("outside"), "precious\n", "{name}");
        }
    }
    // A link that leads out of the folder, and a file behind it.
    let mut doctored = answer.clone();
    let link = format!(
        "diff --git a/up b/up\nnew file mode 120000\n--- /dev/null\n+++ b/up\n@@ -0,0 +1 @@\n+{}\n\
         \\ No newline at end of file\n\
         diff --git a/up/mark b/up/mark\nnew file mode 100644\n--- /dev/null\n+++ b/up/mark\n@@ -0,0 +1 @@\n+x\n",
        world.path("").display()
    );
    doctored["causes"][0]["culprit_patch"] = json!(link);
    let ran = verify(&world, &doctored, "--trust --sandbox=off");
    assert_ne!(ran.code, Some(0), "{}", ran.stdout);
    assert!(!world.path("mark").exists());
}

#[test]
fn a_grammar_of_an_answer_is_not_loaded_unasked() {
    let (world, mut answer) = answered();
    let mark = world.path("mark");
    let loaded = "__attribute__((constructor)) static void run(void) { FILE *f = fopen(MARK, \"w\"); \
                  if (f) fclose(f); }";
    world.write("g.c", format!("#include <stdio.h>\n{loaded}\n"));
    let name = format!("-DMARK=\"{}\"", mark.display());
    let cc = ["-shared", "-fPIC", &name, "-o", "g.so", "g.c"];
    if !needs("cc") {
        return;
    }
    let ran = world.finish(world.command("cc").args(cc));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    answer["settings"]["language"] = json!({"grammar": {"path": "g.so", "lexical": null}});
    check_asked(&verify(&world, &answer, ""), "  loads     g.so\n");
    assert!(!mark.exists());
    // The library is real: it is trusted once the user says so, as the manual says of grammars.
    verify(&world, &answer, "--trust --sandbox=off");
    assert!(mark.exists());
    assert!(world.line("reduce --help").stdout.contains("load only what you trust"));
}

#[test]
fn the_test_of_history_is_not_run_unasked() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    for (number, text) in ["one\n", "one\ntwo\n", "one\ntwo\nbug\n"].iter().enumerate() {
        world.write("a.txt", text);
        world.commit(&format!("c{number}"));
    }
    world.script("../t.sh", "! grep -q bug a.txt");
    let mut answer = world.answer("history -- ../t.sh");
    world.write("../answer.json", answer.to_string());
    assert_eq!(world.line("verify ../answer.json").code, Some(0));
    answer["settings"]["how"]["gates"] = json!(["true"]);
    world.write("../answer.json", answer.to_string());
    check_asked(&world.line("verify ../answer.json"), "  gate      true\n");
}

#[test]
fn the_journal_of_another_is_not_resumed_unasked() {
    let world = World::new();
    world.write("in.txt", numbered(40, &[(3, "needle")]));
    let mark = world.path("mark");
    world.script("t.sh", &format!("touch {}; grep -q needle in.txt", mark.display()));
    let ran = world.line("reduce in.txt --test ./t.sh --max-tests 3 -q");
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    fs::remove_file(&mark).unwrap();
    let run = world.runs().pop().unwrap();
    fs::set_permissions(world.journal(&run), fs::Permissions::from_mode(0o666)).unwrap();
    check_asked(&world.line("resume"), "has a journal that others can have written");
    assert!(!mark.exists());
    let ran = world.line("resume --trust --sandbox=off --max-tests 1000");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(mark.exists());
}

/// The checksum of journals, written again: a test should not rely on the code under test.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

/// Interrupts a run, and rewrites its journal as somebody else could: with other settings and with
/// one more event at the end.
fn doctor_journal(world: &World, settings: &[(&str, Value)], event: Option<Value>) {
    world.write("in.txt", numbered(40, &[(3, "needle")]));
    let line =
        "reduce in.txt --level lines -j1 --max-tests 3 -q --fail-exit 0 -- grep -q needle {}";
    assert_eq!(world.line(line).code, Some(3));
    let path = world.journal(&world.runs().pop().unwrap());
    let journal = fs::read_to_string(&path).unwrap();
    let mut text = String::new();
    let events = journal.lines().map(|line| line.split_once(' ').unwrap().1.to_owned());
    for body in events.chain(event.map(|event| event.to_string())) {
        let mut body: Value = serde_json::from_str(&body).unwrap();
        if body["event"] == "started" {
            body["settings"]["max_tests"] = Value::Null;
            for (name, value) in settings {
                body["settings"][name] = value.clone();
            }
        }
        if body["event"] != "finished" {
            let body = body.to_string();
            text.push_str(&format!("{:08x} {body}\n", crc32(body.as_bytes())));
        }
    }
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
}

#[test]
fn a_journal_of_another_says_where_it_writes() {
    let world = World::new();
    let settings = [("destination", json!({"at": "precious"})), ("keep_tests", json!("kept"))];
    doctor_journal(&world, &settings, None);
    let ran = world.line("resume");
    for shown in ["  reads     in.txt\n", "  writes    precious\n", "  writes    kept\n"] {
        check_asked(&ran, shown);
    }
}

#[test]
fn numbers_of_a_journal_of_another_are_not_believed() {
    let forever = json!({"secs": u64::MAX, "nanos": 999_999_999});
    let world = World::new();
    doctor_journal(&world, &[("jobs", json!(60_000)), ("budget", forever)], None);
    let ran = world.line("resume --trust --sandbox=off -q");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("in.reduced.txt"), "needle\n");
}

#[test]
fn the_command_of_a_journal_of_another_is_the_one_that_is_shown() {
    let world = World::new();
    let mark = world.path("mark");
    let words = json!(["sh", "-c", "touch $0; grep -q needle $1", mark, "{}"]);
    let event = json!({"event": "shortened", "words": words, "tests": 1, "complete": true});
    doctor_journal(&world, &[], Some(event));
    let ran = world.line("resume --trust --sandbox=off --json -q");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(!mark.exists());
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["command"], "grep -q needle {}");
    assert_eq!(answer["started_over"], "open_journal");
}
