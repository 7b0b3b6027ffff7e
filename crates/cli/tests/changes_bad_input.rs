//! Broken versions, repositories and tests of `whodunit changes`.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;
use serde_json::Value;
use support::{Ran, World, has_git, numbered};

/// Returns a world with two folders that differ in two lines, one of which is wrong.
fn folders() -> World {
    let world = World::new();
    world.write("old/a.txt", numbered(20, &[]));
    world.write("new/a.txt", numbered(20, &[(3, "harmless"), (9, "wrong")]));
    world.script("test.sh", "! grep -q wrong a.txt");
    world
}

/// Returns a world with a repository of four commits, the third of which is to blame.
fn repository() -> World {
    let world = World::new();
    world.git("init -q -b main");
    for (number, replaced) in
        [&[][..], &[(1, "harmless")], &[(1, "harmless"), (9, "wrong")], &[(9, "wrong")]]
            .iter()
            .enumerate()
    {
        world.write("a.txt", numbered(20, replaced));
        world.commit(&format!("commit-{number}"));
        world.git(&format!("tag v{number}"));
    }
    fs::write(world.beside("test.sh"), "#!/bin/sh\n! grep -q wrong a.txt\n").unwrap();
    fs::set_permissions(world.beside("test.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    world
}

/// Checks that the message says what is wrong, and what to do.
fn check(ran: &Ran, code: i32, texts: &[&str]) {
    assert_eq!(ran.code, Some(code), "{}", ran.stderr);
    for text in texts {
        assert!(ran.stderr.contains(text), "`{text}` is not in\n{}", ran.stderr);
    }
}

fn answer(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn versions_that_agree_or_are_swapped_are_named() {
    let world = folders();
    check(
        &world.line("changes new old -- ./test.sh"),
        2,
        &["the versions are swapped: `new` fails and `old` passes", "whodunit changes old new --"],
    );
    check(
        &world.line("changes old new -- true"),
        2,
        &["`new` does not fail: `true` exited with 0", "cp -a", "&& true; echo $?"],
    );
    check(
        &world.line("changes old new -- false"),
        2,
        &["`old` fails too: `false` exited with 1", "must exit with 0 in the good version"],
    );
    assert!(world.runs().is_empty(), "what has not begun is nothing to go on with");
}

#[test]
fn versions_that_do_not_exist_or_do_not_differ_are_named() {
    let world = folders();
    check(&world.line("changes old nope -- ./test.sh"), 2, &["`nope`", "hint: a version is"]);
    check(
        &world.line("changes old old -- ./test.sh"),
        2,
        &["the two versions do not differ", "hint:"],
    );
    check(&world.line("changes old new"), 2, &["nothing to run in the versions", "-- ./test.sh"]);
    check(
        &world.line("changes old..new new -- ./test.sh"),
        2,
        &["`old..new` names both versions, and `new` is a third one"],
    );
    check(&world.line("changes old new -- ./nope.sh"), 2, &["nope.sh", "hint:"]);
}

#[test]
fn a_revision_that_does_not_exist_is_named_with_those_that_look_alike() {
    if !has_git() {
        return;
    }
    let world = repository();
    check(&world.line("changes v0 v33 -- ../test.sh"), 2, &["there is no revision `v33`", "hint:"]);
}

#[test]
fn a_shallow_or_corrupt_repository_is_no_verdict() {
    if !has_git() {
        return;
    }
    let world = repository();
    let source = world.path("").display().to_string();
    world.git(&format!("clone -q --depth 1 file://{source} ../shallow"));
    let mut command = world.command(support::WHODUNIT);
    let shallow = world.beside("shallow");
    let args = ["changes", "v0", "v3", "--", "../test.sh"];
    let ran = world.finish(command.args(args).current_dir(&shallow));
    check(&ran, 2, &["v0", "hint:"]);
    // The blob of the first version is damaged.
    let blob = world.git("rev-parse v0:a.txt");
    let object = format!(".git/objects/{}/{}", &blob[..2], blob[2..].trim());
    fs::set_permissions(world.path(&object), fs::Permissions::from_mode(0o644)).unwrap();
    world.write(&object, "damaged");
    let named = format!("the object {} is corrupt", blob.trim());
    check(&world.run(args), 2, &[&named, "hint: git fsck says what else is wrong"]);
}

#[test]
fn a_repository_that_cannot_be_opened_is_named_with_what_is_wrong() {
    if !has_git() {
        return;
    }
    let world = repository();
    let args = ["changes", "v0", "--", "../test.sh"];
    let hint = "hint: git status and git fsck say what is wrong with the repository";
    world.write(".git/HEAD", "nonsense\n");
    let read = "reading the revision `HEAD` from the repository failed";
    check(&world.run(args), 2, &[read, "input=\"nonsense", hint]);
    let place = world.path("").display().to_string();
    let opened =
        format!("the git repository of `{}` cannot be opened", place.trim_end_matches('/'));
    fs::remove_file(world.path(".git/HEAD")).unwrap();
    check(&world.run(args), 2, &[&opened, ".git` is no repository in order", hint]);
    world.write(".git/HEAD", "ref: refs/heads/main\n");
    world.write(".git/config", "[core\n");
    check(&world.run(args), 2, &[&opened, "caused by: ", hint]);
    // Folders and archives need no repository.
    world.write("old/a.txt", numbered(20, &[]));
    world.write("new/a.txt", numbered(20, &[(9, "wrong")]));
    assert_eq!(world.line("changes old new -q -- ../test.sh").code, Some(0));
}

#[test]
fn differences_of_bytes_and_modes_alone_are_found() {
    let world = World::new();
    world.write("old/data.bin", [0, 1, 2, 255]);
    world.write("new/data.bin", [0, 1, 2, 254]);
    world.write("old/tool.sh", "#!/bin/sh\n");
    world.write("new/tool.sh", "#!/bin/sh\n");
    let tool = world.path("new/tool.sh");
    fs::set_permissions(tool, fs::Permissions::from_mode(0o755)).unwrap();
    let run = |test: &str| {
        world.script("test.sh", test);
        let answer = answer(&world.line("changes old new --json -q -- ./test.sh"));
        let culprit = answer["causes"][0]["culprit"].as_array().unwrap().clone();
        assert_eq!(culprit.len(), 1, "{culprit:?}");
        (culprit[0]["file"].clone(), culprit[0]["change"].clone())
    };
    assert_eq!(run("! test -x tool.sh"), ("tool.sh".into(), "mode".into()));
    let bytes = "test \"$(od -An -tu1 data.bin | tr -d ' ')\" = 012255";
    assert_eq!(run(bytes), ("data.bin".into(), "replaced".into()));
    let words = world.line("changes old new -- ./test.sh").stdout;
    assert!(words.contains("culprit    data.bin  (content replaced)\n"), "{words}");
}

#[test]
fn a_test_that_modifies_tracked_files_or_leaves_files_does_not_mislead() {
    let world = folders();
    let text = "grep -q wrong a.txt; found=$?; echo wrong >>a.txt; echo x >>left; mkdir -p d\n\
                test $(wc -l <left) -lt 1000 && test $found -ne 0";
    world.script("test.sh", text);
    let answer = answer(&world.line("changes old new --json -q -j1 -- ./test.sh"));
    assert_eq!(answer["causes"][0]["culprit"].as_array().unwrap().len(), 1);
    assert_eq!(answer["causes"][0]["culprit"][0]["new_lines"][0], 10);
    assert_eq!(world.text("old/a.txt"), numbered(20, &[]));
}

#[test]
fn a_script_of_the_repository_is_the_one_of_now_also_where_versions_lack_it() {
    if !has_git() {
        return;
    }
    let world = repository();
    world.script("check.sh", "! grep -q wrong a.txt");
    world.commit("script");
    let answer = answer(&world.line("changes v0 v3 --json -q -- ./check.sh"));
    assert_eq!(answer["commits"][0]["title"], "commit-2");
}

#[test]
fn two_runs_in_one_repository_do_not_disturb_each_other() {
    if !has_git() {
        return;
    }
    let world = repository();
    let runs: Vec<_> =
        (0..2).map(|_| world.start("changes v0 v3 --json -q -- ../test.sh")).collect();
    for run in runs {
        let output = run.output();
        assert_eq!(answer(&output)["commits"][0]["title"], "commit-2");
    }
    assert_eq!(world.git("status --porcelain"), "");
}

#[test]
fn an_interrupted_run_keeps_the_best_so_far_and_goes_on() {
    let world = folders();
    let stay = world.write("../stay", "");
    // From the fifth test on it waits, so that it is interrupted in the middle.
    let text = format!(
        "echo >>{0}; if [ -e {1} ] && [ $(wc -l <{0}) -gt 4 ]; then sleep 60; fi\n\
         ! grep -q wrong a.txt",
        world.beside("log").display(),
        stay.display()
    );
    world.script("test.sh", &text);
    let running = world.start("changes old new -j1 --timeout 1h -- ./test.sh");
    running.wait_for("looking for");
    running.signal(Signal::INT);
    let ran = running.end();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    fs::remove_file(stay).unwrap();
    let resumed = answer(&world.line("resume --json -q"));
    assert_eq!(resumed["causes"][0]["culprit"][0]["new_lines"][0], 10);
    assert_eq!(resumed["ended"], "done");
}

#[test]
fn tests_that_cannot_be_run_or_differ_each_time_are_no_verdict() {
    let world = folders();
    world.script("test.sh", "grep -q wrong a.txt && exit 127; exit 0");
    check(
        &world.line("changes old new -- ./test.sh"),
        2,
        &["could not do its work: `./test.sh` exited with 127", "missing in that version"],
    );
    world.script("test.sh", "grep -q wrong a.txt && kill -TERM $$; exit 0");
    check(
        &world.line("changes old new -- ./test.sh"),
        2,
        &["died of SIGTERM", "sh -c 'COMMAND || exit 1'"],
    );
    world.script("test.sh", "grep -q wrong a.txt && exit 125; exit 0");
    check(
        &world.line("changes old new -- ./test.sh"),
        2,
        &["`new` cannot be tested: `./test.sh` exited with 125", "125 says that"],
    );
    check(
        &world.run(["changes", "old", "new", "--build", "grep -q number-9 a.txt", "--", "false"]),
        2,
        &["cannot be tested: the build exited with 1", "both versions must build"],
    );
    let count = world.beside("count");
    let text = format!("echo >>{0}; test $(wc -l <{0}) -gt 1", count.display());
    world.script("test.sh", &text);
    check(
        &world.line("changes old new -j1 -- ./test.sh"),
        2,
        &[
            "two tests of the same version differ",
            "the first time `./test.sh` exited with 1",
            "the second time `./test.sh` exited with 0",
            "make the test repeatable",
        ],
    );
}

#[test]
fn pages_about_versions_are_not_made_of_a_reduction() {
    let world = World::new();
    world.write("x.txt", numbered(10, &[(4, "wrong")]));
    world.script("test.sh", "grep -q wrong $1 && exit 3; exit 0");
    assert_eq!(world.line("reduce x.txt -q -- ./test.sh {}").code, Some(0));
    for line in ["show --sarif y.sarif", "resume reduce-x.txt-1 --markdown y.md"] {
        check(&world.line(line), 2, &["is one of `reduce`", "whodunit report"]);
    }
    assert!(!world.path("y.sarif").exists());
}
