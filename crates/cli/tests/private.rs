//! The files that a run leaves on disk for later can be read by its user alone.

#![allow(clippy::unwrap_used)] // In a test that is the message.

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use support::World;

/// Fails if other users can read or write anything in a folder.
fn check(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let metadata = entry.metadata().unwrap();
        let mode = metadata.permissions().mode() & 0o077;
        assert_eq!(mode, 0, "{}", entry.path().display());
        if metadata.is_dir() {
            check(&entry.path());
        }
    }
}

#[test]
fn journals_and_patches_are_for_their_user_alone() {
    let world = World::new();
    world.write("old/a.txt", "one\n");
    world.write("new/a.txt", "one\nbug\n");
    world.script("t.sh", "! grep -q bug a.txt");
    let answer = world.answer("changes old new -- ./t.sh");
    let patch = answer["causes"][0]["files"]["culprit"].as_str().unwrap();
    assert!(Path::new(patch).starts_with(world.beside("state")), "{patch}");
    check(&world.beside("state"));
}
