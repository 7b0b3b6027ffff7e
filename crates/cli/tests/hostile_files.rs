//! Files that are made to be obstacles: immutable ones, links, names that are too long.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod support;

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use support::{World, has_git, needs, needs_that, numbered};

/// Returns whether files can be made immutable where tests run.
fn can_chattr() -> bool {
    if !needs("chattr") {
        return false;
    }
    let file = tempfile::NamedTempFile::new_in("/dev/shm").unwrap();
    let chattr =
        |how: &str| Command::new("chattr").arg(how).arg(file.path()).output().unwrap().status;
    let can = chattr("+i").success() && chattr("-i").success();
    needs_that("immutable files in /dev/shm", "run the tests as root on Linux 6.6", can)
}

#[test]
fn what_root_made_immutable_is_deleted() {
    if !can_chattr() {
        return;
    }
    let world = World::new();
    world.write("in.txt", numbered(8, &[(3, "needle")]));
    let damage =
        "mkdir -p a/b c && touch a/b/x a/y c/z && chattr +i a/b/x a/y a/b a && chattr +a c";
    world.script("t.sh", &format!("{damage}; grep -q needle in.txt"));
    let ran = world.line("reduce in.txt -j1 --level lines -q --test ./t.sh");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("in.reduced.txt"), "needle\n");
}

#[test]
fn in_place_replaces_the_file_behind_a_link() {
    let world = World::new();
    world.write("real/in.txt", numbered(8, &[(3, "needle")]));
    symlink("real/in.txt", world.path("link.txt")).unwrap();
    let ran =
        world.line("reduce link.txt --in-place --level lines -q --fail-exit 0 -- grep needle {}");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(fs::read_link(world.path("link.txt")).unwrap().to_str(), Some("real/in.txt"));
    assert_eq!(world.text("real/in.txt"), "needle\n");
}

#[test]
fn a_version_with_a_name_that_no_file_can_have_is_bad_input() {
    if !has_git() {
        return;
    }
    let world = World::new();
    world.git("init -q -b main");
    world.write("a.txt", "fine\n");
    world.commit("good");
    world.write("a.txt", "wrong\n");
    world.git("add a.txt");
    let blob = world.git("rev-parse :a.txt");
    let name = "n".repeat(300);
    let entries = format!("100644 blob {0}\ta.txt\n100644 blob {0}\t{name}\n", blob.trim());
    let mut git = world.command("git");
    let mut git = git.arg("mktree").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    git.stdin.take().unwrap().write_all(entries.as_bytes()).unwrap();
    let tree = String::from_utf8(git.wait_with_output().unwrap().stdout).unwrap();
    let commit = world.git(&format!("commit-tree -p HEAD -m bad {}", tree.trim()));
    let line = format!("changes HEAD {} -q -- grep -q fine a.txt", commit.trim());
    let ran = world.line(&line);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("File name too long"), "{}", ran.stderr);
}

#[test]
fn a_cache_that_cannot_be_written_does_not_end_a_run() {
    let world = World::new();
    world.write("in.txt", numbered(8, &[(3, "needle")]));
    // A file in the place of the folder: not even root can write below it.
    fs::remove_dir(world.beside("cache")).unwrap();
    fs::write(world.beside("cache"), "").unwrap();
    let ran = world.line("reduce in.txt --level lines --fail-exit 0 -- grep needle {}");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("in.reduced.txt"), "needle\n");
}

#[test]
fn a_result_is_not_written_through_a_link_that_somebody_planted() {
    let world = World::new();
    world.write("in.txt", numbered(8, &[(3, "needle")]));
    fs::write(world.beside("precious"), "precious").unwrap();
    for name in ["out.txt", "in.reduced.txt"] {
        symlink(world.beside("precious"), world.path(name)).unwrap();
        let line = "reduce in.txt --level lines -q --fail-exit 0";
        let ran = world.line(&format!("{line} -o {name} -- grep needle {{}}"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(world.text(name), "needle\n");
        assert!(!fs::symlink_metadata(world.path(name)).unwrap().is_symlink());
    }
    assert_eq!(fs::read_to_string(world.beside("precious")).unwrap(), "precious");
}

#[test]
fn without_a_home_the_run_says_so_and_relative_ones_are_ignored() {
    let world = World::new();
    world.write("in.txt", numbered(8, &[(3, "needle")]));
    let run = |variables: &[(&str, &str)]| {
        let mut command = world.command(support::WHODUNIT);
        command.env_clear().envs(variables.iter().copied());
        let flags = ["reduce", "in.txt", "--level", "lines", "-q", "--fail-exit", "0", "--"];
        world.finish(command.args(flags).args(["/bin/grep", "needle", "{}"]))
    };
    for variables in [&[][..], &[("HOME", "here"), ("XDG_STATE_HOME", "there")]] {
        let ran = run(variables);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(ran.stderr.contains("HOME"), "{}", ran.stderr);
    }
    let home = world.beside("home");
    let ran = run(&[("HOME", home.to_str().unwrap())]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}
