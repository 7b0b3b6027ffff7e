//! Files that are written, that survive, and that are repaired.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_exec::WorkerError;
use whodunit_run::EntryKind;
use whodunit_run::judge::Rule;
use whodunit_test_support::needs;

use crate::world::{Version, World, oracle, shell, version};

#[test]
fn only_what_differs_is_written_and_what_was_built_survives() {
    let versions = vec![
        version(&[("src/a", "1"), ("src/b", "same"), ("gone/deep/c", "x")]),
        version(&[("src/a", "2"), ("src/b", "same"), ("new", "y")]),
    ];
    let mut world = World::new("mkdir -p out; echo built >> out/log", versions);
    assert_eq!(world.test(0), Verdict::Pass);
    let before = (world.written("src/a"), world.written("src/b"));
    assert_eq!(world.test(1), Verdict::Pass);
    assert_eq!(world.written("src/b"), before.1);
    assert!(world.written("src/a") > before.0);
    assert_eq!(world.files(), ["new: y", "out/log: built\nbuilt\n", "src/a: 2", "src/b: same"]);
    assert!(!world.path("gone").exists(), "an empty folder goes with its files");
}

#[test]
fn a_file_that_goes_back_is_newer_all_the_same() {
    let versions = vec![version(&[("a", "1")]), version(&[("a", "2")])];
    let mut world = World::new("true", versions);
    let mut before = (0, 0);
    for round in 0..40 {
        world.test(round % 2);
        assert!(world.written("a") > before, "round {round}");
        before = world.written("a");
    }
}

#[test]
fn a_file_is_newer_than_everything_built_before() {
    // The last file that a test writes has the time of the kernel's coarse clock.
    let versions = vec![version(&[("a", "1")]), version(&[("a", "2")])];
    let mut world = World::new("cp a built", versions);
    for round in 0..40 {
        world.test(round % 2);
        let built = world.written("built");
        world.test((round + 1) % 2);
        assert!(world.written("a") > built, "round {round}");
    }
}

#[test]
fn what_is_built_at_once_is_newer_than_its_source() {
    let versions = vec![version(&[("a", "1")]), version(&[("a", "2")])];
    let mut world = World::new("echo > built", versions);
    for round in 0..40 {
        world.test(round % 2);
        assert!(world.written("built") >= world.written("a"), "round {round}");
    }
}

#[test]
fn make_builds_what_changed_and_nothing_else() {
    if !needs("make") {
        return;
    }
    let makefile = "all: a.out b.out\n%.out: %.in\n\tcat $< > $@; echo $< >> built\n";
    let files = |a| version(&[("Makefile", makefile), ("a.in", a), ("b.in", "b")]);
    let mut world = World::new("make -s; cat a.out; exit 1", vec![files("old"), files("new")]);
    for (candidate, text) in [(0, "old"), (1, "new"), (0, "old"), (0, "old"), (1, "new")] {
        let seen = world.see(candidate);
        assert_eq!(seen.output.text(), text);
    }
    let built = fs::read_to_string(world.path("built")).unwrap();
    assert_eq!(built.matches("a.in").count(), 4, "{built}");
    assert_eq!(built.matches("b.in").count(), 1, "{built}");
}

#[test]
fn what_a_test_does_to_files_of_the_candidate_is_undone() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("b"), "precious").unwrap();
    let files = [
        ("plain", "1"),
        ("gone", "2"),
        ("*tool", "3"),
        ("@link", "plain"),
        ("dir/b", "4"),
        ("linked/b", "5"),
        ("removed/deep/c", "6"),
        ("folder", "7"),
        ("pipe", "8"),
        ("+empty", ""),
    ];
    let damage = format!(
        "echo x >> plain; rm gone; chmod -x tool; ln -sf elsewhere link; \
         printf X > dir/b; rm -r linked; ln -s {} linked; rm -r removed; \
         rm folder; mkdir -p folder/full; touch folder/full/file; \
         rm pipe; mkfifo pipe; rm -r empty",
        outside.path().display()
    );
    let mut world = World::new(&damage, vec![version(&files), version(&files)]);
    assert_eq!(world.test(0), Verdict::Pass);
    world.worker.instruct(&Arc::new(oracle(shell("true"))), &Arc::new(Rule::Script));
    world.test(1);
    assert_eq!(
        world.files(),
        [
            "dir/b: 4",
            "folder: 7",
            "gone: 2",
            "link -> plain",
            "linked/b: 5",
            "pipe: 8",
            "plain: 1",
            "removed/deep/c: 6",
            "tool: 3"
        ]
    );
    assert!(world.path("empty").is_dir());
    assert!(fs::metadata(world.path("tool")).unwrap().mode() & 0o100 != 0);
    assert_eq!(fs::read_to_string(outside.path().join("b")).unwrap(), "precious");
}

#[test]
fn what_is_changed_right_away_to_something_as_long_is_seen() {
    let mut world = World::new("printf Y > a", vec![version(&[("a", "X"), ("b", "1")])]);
    for _ in 0..20 {
        world.test(0);
        assert_eq!(fs::read_to_string(world.path("a")).unwrap(), "Y");
    }
    world.worker.instruct(&Arc::new(oracle(shell("true"))), &Arc::new(Rule::Script));
    world.test(0);
    assert_eq!(fs::read_to_string(world.path("a")).unwrap(), "X");
}

#[test]
fn a_file_that_is_only_touched_is_left_alone() {
    let mut world = World::new("touch a; ln a other", vec![version(&[("a", "1")])]);
    world.test(0);
    let before = world.written("a");
    world.worker.instruct(&Arc::new(oracle(shell("true"))), &Arc::new(Rule::Script));
    world.test(0);
    assert_eq!(world.written("a"), before);
}

#[test]
fn another_name_of_a_file_is_not_written_through() {
    let versions = vec![version(&[("a", "1")]), version(&[("a", "2")])];
    let mut world = World::new("ln -f a kept 2>/dev/null; true", versions);
    world.test(0);
    world.worker.instruct(&Arc::new(oracle(shell("true"))), &Arc::new(Rule::Script));
    world.test(1);
    assert_eq!(world.files(), ["a: 2", "kept: 1"]);
}

#[test]
fn files_become_folders_and_links_and_back() {
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().to_str().unwrap();
    let versions = vec![
        version(&[("x", "file")]),
        version(&[("x/y/z", "deep"), ("x-ray", "1")]),
        version(&[("@x", target)]),
        version(&[("x/y", "less deep")]),
        version(&[("+x", "")]),
    ];
    let expected = [
        vec!["x: file".to_owned()],
        vec!["x-ray: 1".to_owned(), "x/y/z: deep".to_owned()],
        vec![format!("x -> {target}")],
        vec!["x/y: less deep".to_owned()],
        vec![],
    ];
    let mut world = World::new("true", versions);
    for candidate in [0, 1, 2, 3, 4, 1, 0, 2, 1, 3, 0, 4, 3, 2, 4, 0] {
        assert_eq!(world.test(candidate), Verdict::Pass);
        assert_eq!(world.files(), expected[candidate], "version {candidate}");
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0, "links are not followed");
}

#[test]
fn names_that_are_not_text_are_names() {
    let mut odd = Version::new();
    odd.insert(b"d\xff/ \n\xfe".to_vec(), (EntryKind::Regular, b"\xff\r\n\0".to_vec()));
    let mut world = World::new("true", vec![version(&[]), odd]);
    world.test(0);
    world.test(1);
    let name = OsStr::from_bytes(b"d\xff/ \n\xfe");
    assert_eq!(fs::read(world.folder.join(name)).unwrap(), b"\xff\r\n\0");
}

#[test]
fn nothing_is_laid_out_elsewhere() {
    for bad in ["../out", "a/../../out", "/out", "a//b", "a/./b", "", "a/", "a\0b"] {
        let bad = BTreeMap::from([(bad.as_bytes().to_vec(), (EntryKind::Regular, vec![]))]);
        let mut world = World::new("true", vec![bad.clone(), version(&[])]);
        let error = world.try_test(0).unwrap_err();
        assert!(matches!(error, WorkerError::LayOut { .. }), "{error}");
        assert_eq!(world.test(1), Verdict::Pass);
        assert!(world.try_test(0).is_err());
        assert!(!world.place.path().join("out").exists());
    }
    for (one, other) in [("a", "a/b"), ("@a", "a/b"), ("a", "a/b/c")] {
        let mut world = World::new("true", vec![version(&[(one, "/"), (other, "")])]);
        let error = world.try_test(0).unwrap_err();
        assert!(matches!(error, WorkerError::LayOut { .. }), "{error}");
    }
}

#[test]
fn a_folder_that_a_test_took_away_is_made_again() {
    let outside = tempfile::tempdir().unwrap();
    let link = format!("rm -r \"$PWD\"; ln -s {} \"$PWD\"", outside.path().display());
    for damage in ["rm -r \"$PWD\"", "rm -r \"$(dirname \"$PWD\")\"", "chmod 0 \"$PWD\" .", &link] {
        let mut world = World::new(damage, vec![version(&[("a/b", "1")])]);
        for _ in 0..3 {
            assert_eq!(world.test(0), Verdict::Pass, "{damage}");
        }
        world.worker.instruct(&Arc::new(oracle(shell("true"))), &Arc::new(Rule::Script));
        world.test(0);
        assert_eq!(world.files(), ["a/b: 1"]);
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn a_large_tree_is_brought_up_to_date() {
    let many = |special: &str| {
        let file = |i: usize| {
            let text = if i % 500 == 7 { special.to_owned() } else { format!("file {i}\n") };
            (format!("d{}/e{}/f{i}", i % 20, i % 400).into_bytes(), text)
        };
        let files = (0..10_000).map(file);
        files.map(|(path, text)| (path, (EntryKind::Regular, text.into_bytes()))).collect()
    };
    let mut world =
        World::new("test $(find . -type f | wc -l) = 10000", vec![many("1"), many("2")]);
    for candidate in [0, 1, 0] {
        assert_eq!(world.test(candidate), Verdict::Pass);
    }
    assert_eq!(fs::read_to_string(world.path("d8/e8/f8")).unwrap(), "file 8\n");
    assert_eq!(fs::read_to_string(world.path("d7/e107/f507")).unwrap(), "1");
}
