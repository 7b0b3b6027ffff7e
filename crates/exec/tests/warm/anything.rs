//! Any versions in any order, whatever happens to the folder in between.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use proptest::prelude::*;
use whodunit_core::Verdict;
use whodunit_run::EntryKind;

use crate::world::{Version, World};

const PATHS: [&str; 7] = ["a", "a/b", "a/b/c", "a-b", "d", "d/e", "d/f"];

/// A possible damage to a path.
#[derive(Clone, Debug)]
enum Damage {
    Remove,
    Write(u8),
    Fill,
    Link,
    Close,
}

fn any_version() -> impl Strategy<Value = Version> {
    let kind = prop_oneof![
        3 => Just(EntryKind::Regular),
        1 => Just(EntryKind::Executable),
        1 => Just(EntryKind::Link),
        1 => Just(EntryKind::Submodule),
    ];
    let files = prop::collection::btree_map(prop::sample::select(&PATHS[..]), (kind, 0u8..3), 0..6);
    files.prop_map(|files| {
        let mut version = Version::new();
        for (path, (kind, text)) in files {
            // No file lies below another one.
            let is_below = |other: &Vec<u8>| {
                let above = std::str::from_utf8(other).unwrap();
                path.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
            };
            if !version.keys().any(is_below) {
                let text = if kind == EntryKind::Submodule { vec![] } else { vec![b'0' + text] };
                version.insert(path.into(), (kind, text));
            }
        }
        version
    })
}

fn any_damage() -> impl Strategy<Value = (&'static str, Damage)> {
    let damage = prop_oneof![
        Just(Damage::Remove),
        (0u8..3).prop_map(Damage::Write),
        Just(Damage::Fill),
        Just(Damage::Link),
        Just(Damage::Close),
    ];
    (prop::sample::select(&PATHS[..]), damage)
}

/// Does the damage where it is possible; much of it makes no sense where it happens.
fn inflict(folder: &Path, (path, damage): &(&str, Damage), outside: &Path) {
    // A test that leaves the folder through a link of its own can do there what it wants.
    let parent = Path::new(path).parent().unwrap();
    if parent.ancestors().any(|above| folder.join(above).is_symlink()) {
        return;
    }
    let path = folder.join(path);
    if path.is_symlink() && !matches!(damage, Damage::Remove | Damage::Link) {
        return;
    }
    let is_folder = fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir());
    let _ = match damage {
        Damage::Remove if is_folder => fs::remove_dir_all(&path),
        Damage::Remove => fs::remove_file(&path),
        Damage::Write(text) => fs::write(&path, [b'0' + text]),
        Damage::Fill => fs::create_dir_all(path.join("made/by")),
        Damage::Link => fs::remove_file(&path).and_then(|()| symlink(outside, &path)),
        Damage::Close => fs::set_permissions(&path, fs::Permissions::from_mode(0o000)),
    };
}

fn is_laid_out(folder: &Path, version: &Version) {
    for (path, (kind, text)) in version {
        let path = folder.join(std::str::from_utf8(path).unwrap());
        let found = fs::symlink_metadata(&path).unwrap();
        let mode = found.permissions().mode();
        match kind {
            EntryKind::Submodule => assert!(found.is_dir()),
            EntryKind::Link => {
                let target = fs::read_link(&path).unwrap();
                assert_eq!(target.as_os_str().as_encoded_bytes(), text);
            }
            EntryKind::Regular | EntryKind::Executable => {
                assert!(found.is_file() && mode & 0o600 == 0o600);
                assert_eq!(mode & 0o100 != 0, *kind == EntryKind::Executable);
                assert_eq!(&fs::read(&path).unwrap(), text);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn a_warm_folder_has_the_files_of_a_new_one(
        versions in prop::collection::vec(any_version(), 2..5),
        rounds in prop::collection::vec(
            (0usize..5, prop::collection::vec(any_damage(), 0..4)), 1..10
        ),
    ) {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("b"), "precious").unwrap();
        let mut world = World::new("true", versions.clone());
        for (candidate, damage) in rounds {
            let candidate = candidate % versions.len();
            prop_assert_eq!(world.test(candidate), Verdict::Pass);
            is_laid_out(&world.folder, &versions[candidate]);
            damage.iter().for_each(|damage| inflict(&world.folder, damage, outside.path()));
        }
        prop_assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
        prop_assert_eq!(fs::read_to_string(outside.path().join("b")).unwrap(), "precious");
    }
}
