//! Pipes, sockets and devices in place of files are errors, and the program does not wait for
//! them.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use support::{Ran, World, eventually, has_git};

/// The special files that are passed to each option.
const SPECIAL: [&str; 4] = ["pipe", "socket", "device", "link"];

fn mkfifo(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Makes one special file of each kind, all with this name before the kind and this one after it.
fn special_files(world: &World, extension: &str) -> UnixListener {
    let at = |kind: &str| world.path(format!("{kind}{extension}"));
    mkfifo(&at("pipe"));
    symlink("/dev/zero", at("device")).unwrap();
    symlink(at("pipe"), at("link")).unwrap();
    UnixListener::bind(at("socket")).unwrap()
}

/// Runs a line to its end; fails if it does not end.
fn ended(world: &World, line: &str) -> Ran {
    let mut running = world.start(line);
    let ends = eventually(|| running.child.try_wait().unwrap().is_some());
    assert!(ends, "`whodunit {line}` waits");
    running.end()
}

/// Checks that a line with `SPECIAL` in it is refused for each kind of file.
fn check(world: &World, line: &str) {
    for kind in SPECIAL {
        let line = line.replace("SPECIAL", kind);
        let ran = ended(world, &line);
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains("it is not a regular file"), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(kind), "{line}: {}", ran.stderr);
    }
}

#[test]
fn a_special_file_is_no_input() {
    let world = World::new();
    let _socket = special_files(&world, ".txt");
    check(&world, "reduce SPECIAL.txt -- grep bad {}");
    let ran = ended(&world, "reduce /dev/zero -- grep bad {}");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("it is not a regular file"), "{}", ran.stderr);
}

#[test]
fn a_special_file_is_no_grammar_and_no_hierarchy() {
    let world = World::new();
    world.write("in.txt", "bad");
    world.write("g.y", "%% s: A;");
    let _grammar = special_files(&world, ".y");
    let _lexical = special_files(&world, ".lex");
    let _hierarchy = special_files(&world, ".json");
    check(&world, "reduce in.txt --grammar SPECIAL.y -- grep bad {}");
    check(&world, "reduce in.txt --grammar g.y --lexical SPECIAL.lex -- grep bad {}");
    check(&world, "reduce in.txt --hierarchy SPECIAL.json -- grep bad {}");
    check(&world, "reduce --hierarchy SPECIAL.json -- grep bad {}");
    check(&world, "grammar SPECIAL.y");
}

#[test]
fn a_special_file_is_no_grammar_of_tree_sitter() {
    let world = World::new();
    world.write("in.txt", "bad");
    let _library = special_files(&world, ".so");
    check(&world, "reduce in.txt --grammar SPECIAL.so -- grep bad {}");
    mkfifo(&world.path("folder/src/grammar.json"));
    let ran = ended(&world, "reduce in.txt --grammar folder -- grep bad {}");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

#[test]
fn a_special_file_is_no_answer() {
    let world = World::new();
    let _socket = special_files(&world, ".json");
    check(&world, "verify SPECIAL.json");
}

#[test]
fn a_special_file_is_no_coverage_and_no_report() {
    let world = World::new();
    world.write("old/a.py", "def f():\n    return 1\n");
    world.write("new/a.py", "def f():\n    return 2\n");
    let _socket = special_files(&world, ".xml");
    check(&world, "atoms old new --coverage SPECIAL.xml");
    check(&world, "atoms old new --junit SPECIAL.xml --test-coverage SPECIAL.xml");
    if has_git() {
        world.git("init -q -b main");
        world.write("a.py", "1\n");
        world.git("add a.py");
        world.git("commit -q -m one");
        world.write("a.py", "2\n");
        world.git("add a.py");
        world.git("commit -q -m two");
        check(&world, "history --protect SPECIAL.xml -- grep -q 1 a.py");
    }
}

#[test]
fn a_special_file_is_no_archive() {
    let world = World::new();
    world.write("new/a", "1");
    let _socket = special_files(&world, ".tar");
    for kind in SPECIAL {
        let ran = ended(&world, &format!("changes {kind}.tar new -- true"));
        assert_eq!(ran.code, Some(2), "{kind}: {}", ran.stderr);
        assert!(ran.stderr.contains(kind), "{}", ran.stderr);
    }
}

#[test]
fn a_special_file_in_a_folder_is_left_out_of_a_version_and_an_input() {
    let world = World::new();
    for folder in ["old", "new"] {
        mkfifo(&world.path(format!("{folder}/pipe")));
    }
    world.write("old/a", "good\n");
    world.write("new/a", "bad\n");
    let ran = ended(&world, "changes old new -q --json -- grep -q good a");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = ended(&world, "reduce new -q --json --fail-exit 0 -- grep -q bad {}/a");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn a_pipe_in_a_repository_or_a_checkout_is_an_error() {
    if !has_git() {
        return;
    }
    for name in [".git/config", ".git/HEAD", ".git/index.lock", ".git/objects/info/alternates"] {
        let world = World::new();
        world.git("init -q -b main");
        world.write("a", "1\n");
        world.commit("one");
        let _ = fs::remove_file(world.path(name));
        mkfifo(&world.path(name));
        let ran = ended(&world, "changes HEAD~1 HEAD -- true");
        assert_eq!(ran.code, Some(2), "{name}: {}", ran.stderr);
        assert!(ran.stderr.contains(name), "{name}: {}", ran.stderr);
    }
    // A setting that includes such a file is ignored, because it is not needed.
    let world = World::new();
    world.git("init -q -b main");
    for text in ["1\n", "2\n"] {
        world.write("a", text);
        world.commit(text.trim());
    }
    let pipe = world.beside("included");
    mkfifo(&pipe);
    let config = world.text(".git/config") + &format!("[include]\npath = {}\n", pipe.display());
    world.write(".git/config", config);
    for job in ["changes HEAD~1 HEAD", "history"] {
        let ran = ended(&world, &format!("{job} -q -j1 -- grep -q 1 a"));
        assert_eq!(ran.code, Some(0), "{job}: {}", ran.stderr);
    }
    let world = World::new();
    mkfifo(&world.path("CVS/Root"));
    mkfifo(&world.path("CVS/Repository"));
    let ran = ended(&world, "history -- true");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}
