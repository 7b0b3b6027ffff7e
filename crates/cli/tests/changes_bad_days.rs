//! Bad days of `whodunit changes`: builds that take much room, disks that fill up, crashes, and
//! people who press Ctrl-C. The answer is right in the end, or it is an error, and nothing is left
//! behind; [`support::World`] checks the latter after every run.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use rustix::process::Signal;
use serde_json::Value;
use support::{Ran, WHODUNIT, World, can_mount, eventually, numbered};

/// Fails if and only if both words are there.
const TEST: &str = "if grep -q wrong a.txt && grep -q broken b.txt; then echo boom; exit 1; fi";

/// Returns a world with two folders that differ in six lines, two of which fail together.
fn folders() -> World {
    let world = World::new();
    world.write("old/a.txt", numbered(30, &[]));
    world.write("old/b.txt", numbered(30, &[]));
    world.write("new/a.txt", numbered(30, &[(3, "harmless"), (17, "wrong"), (28, "harmless")]));
    world.write("new/b.txt", numbered(30, &[(4, "broken"), (15, "harmless"), (25, "harmless")]));
    world.script("test.sh", TEST);
    world
}

/// Returns the places of the culprit; the run must be finished.
fn places(ran: &Ran) -> Vec<(String, u64)> {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["ended"], "done");
    let culprit = answer["causes"][0]["culprit"].as_array().unwrap();
    let place = |change: &Value| {
        (change["file"].as_str().unwrap().to_owned(), change["new_lines"][0].as_u64().unwrap())
    };
    culprit.iter().map(place).collect()
}

fn expected() -> Vec<(String, u64)> {
    vec![("a.txt".into(), 18), ("b.txt".into(), 5)]
}

#[test]
fn a_build_that_makes_two_gigabytes_is_neither_read_nor_copied() {
    let world = folders();
    // Reading or copying the file exceeds the limit; the file itself has no blocks.
    let script = "ulimit -v 1500000 && exec \"$0\" changes old new -j1 --json -q \
                  --build 'test -e huge || truncate -s 2G huge' -- ./test.sh";
    let ran = world.finish(world.command("sh").args(["-c", script, WHODUNIT]));
    assert_eq!(places(&ran), expected());
}

#[test]
fn a_full_disk_for_journals_is_said_and_the_run_goes_on() {
    if !can_mount() {
        return;
    }
    let world = folders();
    let state = world.beside("state");
    let script = "mount -t tmpfs -o size=12k none \"$1\" || exit 99\n\
                  \"$2\" changes old new -j1 -- ./test.sh >&2; echo \"exit $?\" >&2\n\
                  mount -o remount,size=10m \"$1\" || exit 99\n\
                  exec \"$2\" resume --json -q";
    let mut command = world.command("unshare");
    command.args(["-m", "sh", "-c", script, "sh"]).arg(&state).arg(WHODUNIT);
    let ran = world.finish(&mut command);
    for text in ["No space left on device", "resume changes-new-1\n", "exit 1\n", "make room there"]
    {
        assert!(ran.stderr.contains(text), "{text} in\n{}", ran.stderr);
    }
    assert_eq!(places(&ran), expected());
}

#[test]
fn a_full_disk_for_candidates_is_said_and_the_run_goes_on() {
    if !can_mount() {
        return;
    }
    let world = folders();
    let (full, log) = (world.write("../full", ""), world.beside("log"));
    // From the sixth test on it takes a file away and fills the disk, so that there is no room for
    // the file in the next candidate.
    let fill = format!(
        "echo >>{1}; if [ -e {0} ] && [ $(wc -l <{1}) -gt 5 ]; then rm c.txt; head -c 99M /dev/zero >big; fi",
        full.display(),
        log.display()
    );
    world.write("old/c.txt", numbered(20_000, &[]));
    world.write("new/c.txt", numbered(20_000, &[(100, "harmless"), (19_000, "harmless")]));
    world.script("test.sh", &format!("{fill} 2>&-\n{TEST}"));
    let script = "mount -t tmpfs -o size=80m none /dev/shm || exit 99\n\
                  \"$2\" changes old new -j1 -- ./test.sh >&2; echo \"exit $?\" >&2\n\
                  rm \"$1\"; exec \"$2\" resume --json -q";
    let mut command = world.command("unshare");
    command.args(["-m", "sh", "-c", script, "sh"]).arg(&full).arg(WHODUNIT);
    let ran = world.finish(&mut command);
    for text in
        ["cannot lay out a candidate", "No space left on device", "exit 1\n", "to continue: "]
    {
        assert!(ran.stderr.contains(text), "{text} in\n{}", ran.stderr);
    }
    assert_eq!(places(&ran), expected());
}

/// Returns a world whose sixth build does something, as long as there is a file `trouble`, with
/// the path of that file and of the file that counts the builds.
fn troubled_build(trouble: &str) -> (World, std::path::PathBuf, std::path::PathBuf) {
    let world = folders();
    let (mark, log) = (world.write("../trouble", ""), world.beside("log"));
    let text = format!(
        "echo >>{1}; if [ -e {0} ] && [ $(wc -l <{1}) -gt 5 ]; then echo half >built; {trouble}; fi\n\
         cat a.txt b.txt >built",
        mark.display(),
        log.display()
    );
    world.script("../build.sh", &text);
    world.script("test.sh", "grep -q wrong built && grep -q broken built && exit 1; exit 0");
    (world, mark, log)
}

/// Returns the arguments, with a script that the shell becomes.
fn with_build(world: &World) -> [String; 10] {
    let build = format!("exec {}", world.beside("build.sh").display());
    let words = ["changes", "old", "new", "-j1", "--timeout", "1h", "--build", &build, "--"];
    std::array::from_fn(|at| words.get(at).map_or("./test.sh", |word| *word).to_owned())
}

#[test]
fn an_interruption_in_the_middle_of_a_build_keeps_what_was_found() {
    let (world, mark, log) = troubled_build("sleep 1000");
    let running = world.start_with(with_build(&world));
    let is_building = || fs::read_to_string(&log).is_ok_and(|log| log.lines().count() > 5);
    assert!(eventually(is_building));
    running.signal(Signal::INT);
    let ran = running.end();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(ran.stdout.contains("because it was interrupted"), "{}", ran.stdout);
    fs::remove_file(mark).unwrap();
    let resumed = world.line("resume --json -q");
    assert_eq!(places(&resumed), expected());
    let resumed: Value = serde_json::from_str(&resumed.stdout).unwrap();
    let builds = fs::read_to_string(&log).unwrap().lines().count() as u64;
    // Four first runs, the interrupted one, and those for the proof.
    let count = |what: &str| resumed["tests"][what].as_u64().unwrap();
    assert!(builds <= count("committed") + 5 + count("proof"), "{builds} for {}", resumed["tests"]);
}

#[test]
fn a_killed_worker_is_an_error_and_the_run_goes_on() {
    // The parent of a build is the launcher of a worker.
    let (world, mark, _) = troubled_build("kill -9 $PPID; sleep 1000");
    let ran = world.run(with_build(&world));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for text in ["the launcher process died", "to continue: whodunit resume changes-new-1\n"] {
        assert!(ran.stderr.contains(text), "{text} in\n{}", ran.stderr);
    }
    fs::remove_file(mark).unwrap();
    assert_eq!(places(&world.line("resume --json -q")), expected());
}

#[test]
fn whodunit_killed_in_the_middle_of_a_build_goes_on_to_the_same_answer() {
    let (world, mark, log) = troubled_build("sleep 1000");
    let running = world.start_with(with_build(&world));
    let is_building = || fs::read_to_string(&log).is_ok_and(|log| log.lines().count() > 5);
    assert!(eventually(is_building));
    running.signal(Signal::KILL);
    assert_eq!(running.end().code, None);
    fs::remove_file(mark).unwrap();
    assert_eq!(places(&world.line("resume --json -q")), expected());
}

#[test]
fn a_crash_is_the_failure_if_the_bad_version_crashes_so() {
    let world = folders();
    // With one of the lines it crashes in another way, which is inconclusive.
    let text = "grep -q wrong a.txt && grep -q broken b.txt && kill -SEGV $$\n\
                if grep -q broken b.txt; then kill -ABRT $$; fi";
    world.script("test.sh", text);
    let ran = world.line("changes old new --json -q -- ./test.sh");
    assert_eq!(places(&ran), expected());
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["failure"], "the test dies of SIGSEGV");
    assert_eq!(answer["others"][0]["failure"], "dies of SIGABRT");
    // A shell reports a crash by its exit code.
    let ran =
        world.run(["changes", "old", "new", "--json", "-q", "--", "sh", "-c", "./t 2>&-; exit $?"]);
    assert_eq!(ran.code, Some(2), "127 ends the run: {}", ran.stderr);
    world.script("old/t", text);
    world.script("new/t", text);
    let ran =
        world.run(["changes", "old", "new", "--json", "-q", "--", "sh", "-c", "./t 2>&-; exit $?"]);
    assert_eq!(places(&ran), expected());
}

#[test]
fn each_search_finds_the_changes() {
    let world = folders();
    for search in ["closure", "dd", "dd_plus", "ddmin"] {
        let ran = world.line(&format!("changes old new --search {search} --json -q -- ./test.sh"));
        assert_eq!(places(&ran), expected(), "{search}");
    }
    let line = "changes old new --search isolate --json -q --out out -- ./test.sh";
    let ran = world.line(line);
    let found = places(&ran);
    assert_eq!(found.len(), 1, "one change makes the difference: {found:?}");
    assert!(expected().contains(&found[0]), "{found:?}");
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let patch = world.text("out/culprit.patch");
    assert!(patch.contains("+wrong") && patch.contains("+broken"), "{patch}");
    assert_eq!(answer["causes"][0]["proof"]["good_with_culprit"], "fail");
}

#[test]
fn dd_plus_never_blames_what_was_not_seen_to_fail() {
    let world = World::new();
    let changes = [(3, "wrong"), (10, "other"), (17, "other"), (28, "glue")];
    world.write("old/a.txt", numbered(30, &[]));
    world.write("new/a.txt", numbered(30, &changes));
    // Nothing can be tested without the last change, which therefore stays applied.
    world.script(
        "test.sh",
        "if grep -q glue a.txt; then ! grep -q wrong a.txt; exit; fi\n\
         if grep -q -e wrong -e other a.txt; then exit 125; fi",
    );
    let ran = world.line("changes old new --search dd_plus --json -q -- ./test.sh");
    let found = places(&ran);
    let (wrong, glue) = (("a.txt".to_owned(), 4), ("a.txt".to_owned(), 29));
    assert!(found.contains(&wrong) && found.contains(&glue), "{found:?}");
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["causes"][0]["proof"]["good_with_culprit"], "fail");
}

#[test]
fn a_version_that_changes_during_the_run_is_an_error() {
    for (file, text, is_error) in [
        // In both versions, so it is only copied.
        ("old/same.txt", "other\n", true),
        ("new/same.txt", "longer than it was\n", true),
        ("new/a.txt", "another text\n", true),
        ("new/same.txt", "equal\n", false),
    ] {
        let world = folders();
        world.write("old/same.txt", "equal\n");
        world.write("new/same.txt", "equal\n");
        world.write("new.txt", text);
        let [seen, from, to] = ["seen", "new.txt", file].map(|it| world.path(it));
        // The first runs see the versions unchanged.
        let script = format!(
            "echo >> {seen}\n[ $(wc -l < {seen}) = 6 ] && cat {from} > {to}\n{TEST}",
            seen = seen.display(),
            from = from.display(),
            to = to.display()
        );
        world.script("test.sh", &script);
        let ran = world.line("changes old new -j1 --json -q -- ./test.sh");
        if is_error {
            assert_eq!(ran.code, Some(2), "{file}: {}", ran.stderr);
            let name = file.split_once('/').unwrap().1;
            let said = format!("`{name}` of `{}` changed while", &file[..3]);
            assert!(ran.stderr.contains(&said), "{file}: {}", ran.stderr);
            // Standard output holds only the error: no answer beside it.
            let printed: Value = serde_json::from_str(&ran.stdout).unwrap();
            let printed = printed.as_object().unwrap();
            assert_eq!(printed.keys().collect::<Vec<_>>(), ["error"], "{file}");
            assert!(printed["error"]["message"].as_str().unwrap().starts_with(&said), "{file}");
        } else {
            assert_eq!(places(&ran), expected());
        }
    }
}
