//! Runs that are resumed, shown and verified.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use std::collections::HashSet;
use std::fs;

use rustix::process::Signal;
use serde_json::Value;
use support::{World, eventually, numbered};

const LINE: &str = "reduce in.txt --test ./t.sh -j2";

/// The needed words.
const NEEDED: [&str; 12] = [
    "needle", "noodle", "nadel", "nettle", "nimble", "napkin", "nozzle", "nomad", "nuzzle",
    "nibble", "nutmeg", "novel",
];

/// A world whose test logs its candidates.
fn counting_world() -> World {
    let world = World::new();
    let places: Vec<(usize, &str)> =
        NEEDED.iter().enumerate().map(|(index, word)| (index * index * 2 + 7, *word)).collect();
    world.write("in.txt", numbered(300, &places));
    let log = world.beside("log");
    let script = format!(
        "cksum < in.txt >> {}; [ \"$(grep -cwE '{}' in.txt)\" = 12 ]",
        log.display(),
        NEEDED.join("|")
    );
    world.script("t.sh", &script);
    world
}

/// Returns the logged candidates, in order.
fn log(world: &World) -> Vec<String> {
    let text = fs::read_to_string(world.beside("log")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn count(world: &World) -> usize {
    log(world).len()
}

/// Returns how many tests had a candidate that was tested before.
fn repeats(world: &World) -> usize {
    let log = log(world);
    log.len() - log.iter().collect::<HashSet<_>>().len()
}

#[test]
fn a_run_killed_at_any_moment_goes_on_to_the_same_answer() {
    let whole = counting_world();
    let expected = whole.answer(LINE);
    let committed = number(&expected["tests"]["committed"]);
    // The input is tested twice at the beginning, and the claims are tested again at the end.
    assert_eq!(repeats(&whole), 1 + number(&expected["tests"]["proof"]));
    let mut random = 7_usize;
    for _ in 0..20 {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moment = 1 + (random >> 33) % committed;
        let world = counting_world();
        let running = world.start(LINE);
        assert!(eventually(|| count(&world) >= moment));
        running.signal(Signal::KILL);
        // This also checks that no process and no folder is left.
        running.end();
        assert!(!world.path("in.reduced.txt").exists());
        let answer = world.answer("resume");
        assert_eq!(world.read("in.reduced.txt"), whole.read("in.reduced.txt"));
        assert_eq!(answer["tests"]["committed"], expected["tests"]["committed"], "at {moment}");
        // The running test is repeated, and the first runs if they had not both ended. The
        // proof rests on tests from after the interruption.
        let repeated = repeats(&world) - 1 - number(&answer["tests"]["proof"]);
        let most = if moment <= 2 { 3 } else { committed / 100 };
        assert!(repeated <= most, "{repeated} of {committed} tests repeated at {moment}");
        assert_eq!(world.runs(), ["reduce-in.txt-1"]);
    }
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

#[test]
fn a_run_alone_repeats_nothing() {
    let line = "reduce in.txt --test ./t.sh -j1";
    let whole = counting_world();
    whole.answer(line);
    let world = counting_world();
    let running = world.start(line);
    assert!(eventually(|| count(&world) >= 20));
    running.signal(Signal::KILL);
    running.end();
    let answer = world.answer("resume");
    // Only the running test had to be repeated, and the tests of the proof.
    let most = count(&whole) + number(&answer["tests"]["proof"]);
    assert!(count(&world) <= most, "{} and {most}", count(&world));
}

#[test]
fn a_finished_run_gives_its_answer_again() {
    let world = counting_world();
    let answer = world.answer(LINE);
    let tests = count(&world);
    let ran = world.line("resume reduce-in.txt-1 --json");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("this run is finished already; its answer:\n"));
    assert_eq!(serde_json::from_str::<Value>(&ran.stdout).unwrap(), answer);
    assert_eq!(count(&world), tests);
}

#[test]
fn without_a_name_the_last_unfinished_run_of_this_folder_is_meant() {
    let world = counting_world();
    assert_eq!(world.line(&format!("{LINE} --max-tests 3")).code, Some(3));
    assert_eq!(world.line(&format!("{LINE} --max-tests 4")).code, Some(3));
    world.write("other/in.txt", "x");
    let mut elsewhere = world.command(support::WHODUNIT);
    let ran = world.finish(elsewhere.arg("resume").current_dir(world.path("other")));
    assert_eq!(ran.code, Some(2));
    let message = format!(
        "error: there is no unfinished run that was started from `{}`\n\
         hint: name the run; `whodunit show --list` lists them all\n",
        world.path("other").display()
    );
    assert_eq!(ran.stderr, message);
    let ran = world.line("resume --max-tests 100000");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.ends_with("whodunit show reduce-in.txt-2\n"), "{}", ran.stdout);
    let mut elsewhere = world.command(support::WHODUNIT);
    elsewhere.args(["resume", "reduce-in.txt-1", "--max-tests", "100000"]);
    assert_eq!(world.finish(elsewhere.current_dir(world.path("other"))).code, Some(0));
    assert_eq!(world.line("resume").code, Some(2));
}

#[test]
fn an_unknown_run() {
    let world = World::new();
    for line in ["resume nonsense", "show nonsense", "show ../x"] {
        let ran = world.line(line);
        assert_eq!(ran.code, Some(2));
        let name = line.split_once(' ').unwrap().1;
        let message = format!(
            "error: there is no run named `{name}`\nhint: `whodunit show --list` lists the runs\n"
        );
        assert_eq!(ran.stderr, message);
    }
}

/// Returns a world with a run that has used up its budget.
fn unfinished_world() -> World {
    let world = counting_world();
    assert_eq!(world.line(&format!("{LINE} --max-tests 10")).code, Some(3));
    world
}

#[test]
fn an_input_that_changed_meanwhile() {
    let world = unfinished_world();
    world.write("in.txt", numbered(20, &[(3, "needle noodle nadel")]));
    let ran = world.line("resume");
    assert_eq!(ran.code, Some(2));
    let message = format!(
        "error: the input is not what it was when the run began\nhint: start afresh:\n        \
         cd {} && whodunit reduce --max-tests 10 --test ./t.sh in.txt\n",
        world.path("").display().to_string().trim_end_matches('/')
    );
    assert!(ran.stderr.ends_with(&message), "{}", ran.stderr);
    assert_eq!(world.runs(), ["reduce-in.txt-1"], "the journal is kept");
}

#[test]
fn a_journal_of_an_unknown_version() {
    let world = unfinished_world();
    let path = world.journal("reduce-in.txt-1");
    let text = fs::read_to_string(&path).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let (_, version) = first.split_once(r#" {"whodunit":"journal","version":"#).unwrap();
    let version = version.strip_suffix('}').unwrap();
    // The checksum of the header with version 99.
    let header = r#"{"whodunit":"journal","version":99}"#;
    let header = format!("{:08x} {header}", crc32(header.as_bytes()));
    fs::write(&path, format!("{header}\n{rest}")).unwrap();
    for line in ["resume reduce-in.txt-1", "show reduce-in.txt-1"] {
        let ran = world.line(line);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        let message = format!(
            "error: `{}` has version 99, but this program reads version {version}\n\
             hint: use the version of whodunit that wrote it, or start afresh\n",
            path.display()
        );
        assert_eq!(ran.stderr, message);
    }
}

/// The checksum of journals, written again: a test should not rely on the code under test.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

#[test]
fn something_that_is_no_journal() {
    let world = unfinished_world();
    let path = world.journal("reduce-in.txt-1");
    fs::write(&path, "something else\n").unwrap();
    let ran = world.line("show reduce-in.txt-1");
    assert_eq!(ran.code, Some(2));
    let message = format!("error: `{}` is not a journal of whodunit\n", path.display());
    assert!(ran.stderr.starts_with(&message), "{}", ran.stderr);
}

#[test]
fn two_cannot_go_on_with_the_same_run() {
    let world = World::new();
    world.write("in.txt", numbered(20, &[(3, "needle")]));
    world.script(
        "t.sh",
        "grep -q needle in.txt || exit 1; [ $(wc -l < in.txt) -gt 9 ] || sleep 1000",
    );
    let running = world.start("reduce in.txt --level lines --timeout 10m --test ./t.sh");
    running.wait_for("limits: ");
    let second =
        world.command(support::WHODUNIT).args(["resume", "reduce-in.txt-1"]).output().unwrap();
    assert_eq!(second.status.code(), Some(2));
    let message = format!(
        "error: `{}` is in use by another run\n\
         hint: wait for the other run to end, or interrupt it (Ctrl-C)\n",
        world.journal("reduce-in.txt-1").display()
    );
    assert_eq!(String::from_utf8(second.stderr).unwrap(), message);
    running.signal(Signal::INT);
    assert_eq!(running.end().code, Some(130));
}

#[test]
fn two_runs_beside_each_other_have_journals_of_their_own() {
    let world = counting_world();
    let first = world.start(&format!("{LINE} --out one"));
    let second = world.start(&format!("{LINE} --out two"));
    // The first run cannot tell its own leftovers from the second, which may still be running.
    let both = eventually(|| world.path("one").exists() && world.path("two").exists());
    assert!(both);
    for running in [first, second] {
        assert_eq!(running.end().code, Some(0));
    }
    assert_eq!(world.read("one"), world.read("two"));
    assert_eq!(world.runs(), ["reduce-in.txt-1", "reduce-in.txt-2"]);
}

#[test]
fn a_run_is_told() {
    let world = counting_world();
    world.answer(LINE);
    let ran = world.line("show");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let story = ran.stdout;
    let folder = world.path("").display().to_string();
    let head = format!(
        "run        reduce-in.txt-1\nin         {}\nasked      whodunit reduce --test ./t.sh in.txt\n\
         failure    the test exits with 0\nlimits     ",
        folder.trim_end_matches('/')
    );
    assert!(story.starts_with(&head), "{story}");
    let size = world.read("in.txt").len();
    let first = format!("        0        0 {size:>12}  {}\n", "#".repeat(40));
    assert!(story.contains(&first), "{story}");
    assert!(story.contains("\nsize       80 of "), "{story}");
    assert!(story.contains("\nproved     fails again in a clean folder"), "{story}");
    let list = world.line("show --list").stdout;
    assert!(list.starts_with("reduce-in.txt-1  finished "), "{list}");
}

#[test]
fn an_unfinished_run_is_told() {
    let world = unfinished_world();
    let story = world.line("show").stdout;
    assert!(story.contains("the best so far, because the number of tests is used up"), "{story}");
    assert!(
        story.ends_with("to continue: whodunit resume reduce-in.txt-1 --max-tests 20\n"),
        "{story}"
    );
    let list = world.line("show --list").stdout;
    assert!(list.starts_with("reduce-in.txt-1  unfinished "), "{list}");
}

#[test]
fn a_run_that_was_killed_is_told() {
    let world = counting_world();
    let running = world.start(LINE);
    assert!(eventually(|| count(&world) >= 20));
    running.signal(Signal::KILL);
    running.end();
    let ran = world.line("show");
    assert!(
        ran.stdout.ends_with("unfinished to continue: whodunit resume reduce-in.txt-1\n"),
        "{}",
        ran.stdout
    );
    let ran = world.line("show --json");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr
            .starts_with("error: the run `reduce-in.txt-1` has no answer yet\nhint: to continue: ")
    );
    let events = world.line("show --events").stdout;
    let first: Value = serde_json::from_str(events.lines().next().unwrap()).unwrap();
    assert_eq!(first["event"], "started");
    assert!(events.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
}

#[test]
fn the_journal_holds_the_answer_and_the_events() {
    let world = counting_world();
    let ran = world.line(&format!("{LINE} --json -q --events=events"));
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let shown = world.line("show --json").stdout;
    assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), answer);
    assert_eq!(world.line("show --events").stdout, world.text("events"));
    let last: Value = serde_json::from_str(world.text("events").lines().last().unwrap()).unwrap();
    assert_eq!(last["event"], "finished");
    assert_eq!(last["answer"], answer);
}

/// Returns a world with an answer in `answer.json`.
fn answered_world() -> World {
    let world = World::new();
    world.write("in.txt", numbered(30, &[(3, "needle"), (9, "noodle")]));
    world.script("t.sh", "grep -q needle in.txt && grep -q noodle in.txt");
    let ran = world.line("reduce in.txt --test ./t.sh --json -q");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    world.write("answer.json", ran.stdout);
    world
}

#[test]
fn a_proof_that_holds() {
    let ran = answered_world().line("verify answer.json");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let message = "the proof holds: the result fails, and none of its 14 pieces can be left out\nnot \
                   checked: times, numbers of tests, the steps of the search, and what the answer says \
                   of other failures\n";
    assert_eq!(ran.stdout, message);
}

#[test]
fn a_proof_about_something_else() {
    let world = answered_world();
    world.write("in.reduced.txt", "needle noodle");
    let ran = world.line("verify answer.json");
    assert_eq!(ran.code, Some(4));
    let message = format!(
        "error: `{}` is not the result that the answer is about\n\
         hint: the proof is about the bytes that were written then\n",
        world.path("in.reduced.txt").display()
    );
    assert_eq!(ran.stderr, message);
}

#[test]
fn a_proof_that_does_not_hold() {
    let world = answered_world();
    world.script("t.sh", "grep -q needle in.txt");
    let ran = world.line("verify answer.json");
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    let message = "the proof does not hold: 6 of 14 pieces can be left out\n  bytes 6..7 of ";
    assert!(ran.stdout.starts_with(message), "{}", ran.stdout);
    world.script("t.sh", "exit 1");
    let ran = world.line("verify answer.json");
    assert_eq!(ran.code, Some(4));
    let message = "the proof does not hold: the result does not fail\nnot checked: ";
    assert!(ran.stdout.starts_with(message), "{}", ran.stdout);
}

#[test]
fn where_nothing_is_claimed_nothing_is_replayed() {
    let world = answered_world();
    let ran = world.line("reduce in.txt --test ./t.sh --json -q --certify none");
    world.write("answer.json", ran.stdout);
    let ran = world.line("verify answer.json");
    assert_eq!(ran.code, Some(0));
    let message =
        "the result fails; the answer does not claim that all of it is needed\nnot checked: ";
    assert!(ran.stdout.starts_with(message), "{}", ran.stdout);
}

#[test]
fn what_runs_leave_is_listed_and_deleted_only_if_that_is_asked_for() {
    let world = World::new();
    world.write("in.txt", numbered(9, &[(5, "needle")]));
    world.script("t.sh", "grep -q needle in.txt");
    for _ in 0..2 {
        assert_eq!(world.line("reduce in.txt -q --test ./t.sh").code, Some(0));
    }
    assert_eq!(world.line("reduce in.txt -q -j1 --max-tests 1 --test ./t.sh").code, Some(3));
    let listed = world.line("clean").stdout;
    assert!(listed.contains("reduce-in.txt-1  finished    "), "{listed}");
    assert!(listed.contains("reduce-in.txt-3  unfinished  "), "{listed}");
    assert!(listed.ends_with(" in all; nothing was deleted\n"), "{listed}");
    assert_eq!(world.runs().len(), 3);
    let ran = world.line("clean reduce-in.txt-1 nonsense");
    assert_eq!((ran.code, world.runs().len()), (Some(2), 3), "{}", ran.stderr);
    let ran = world.line("clean reduce-in.txt-1");
    assert!(ran.stdout.starts_with("deleted 1 run: "), "{}", ran.stdout);
    assert_eq!(world.line("clean --older-than 1d").stdout, "deleted 0 runs: 0 bytes\n");
    let ran = world.line("clean --older-than 0.001");
    assert!(ran.stdout.starts_with("deleted 1 run: "), "{}", ran.stdout);
    assert_eq!(world.runs(), ["reduce-in.txt-3"], "what can be resumed stays");
    assert_eq!(world.line("clean --older-than 0.001 --unfinished --caches").code, Some(0));
    assert_eq!(world.runs(), Vec::<String>::new());
}

#[test]
fn a_run_that_is_resumed_with_less_loses_nothing() {
    let world = World::new();
    let lines: String = (1..=400).map(|number| format!("line {number} xyz\n")).collect();
    world.write("in.txt", lines);
    let test =
        "grep -q 'line 77 ' in.txt && grep -q 'line 300 ' in.txt && grep -q 'line 301 ' in.txt";
    world.script("t.sh", test);
    assert_eq!(world.line("reduce in.txt -q -j1 --max-tests 40 --test ./t.sh").code, Some(3));
    let before = world.text("in.reduced.txt");
    let fewer = world.line("resume --max-tests 20");
    assert_eq!(fewer.code, Some(2), "{}", fewer.stderr);
    let message = "error: the run `reduce-in.txt-1` has had 40 tests; --max-tests counts from its beginning, \
                   so 20 are no more\n";
    assert!(fewer.stderr.contains(message), "{}", fewer.stderr);
    for budget in ["1ms", "10ms", "30ms", "100ms"] {
        world.line(&format!("resume -q --max-tests 41 --budget {budget}"));
        let now = world.text("in.reduced.txt");
        assert!(now.len() <= before.len(), "after {budget}: {now}");
    }
}
