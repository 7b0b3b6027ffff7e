//! Patches are as git writes them, and git applies them.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use support::{Plain, chosen, plain, texts, two_versions, version};
use whodunit_core::DeltaSet;
use whodunit_test_support::needs;
use whodunit_versions::{DoesNotApply, EntryKind, Level, TreePath, Version, apply, decompose};

fn check(good: &Version, bad: &Version, expected: &str) {
    let parts = decompose(good, bad, Level::Line).unwrap();
    let patch = parts.patch(&DeltaSet::empty(), &parts.all()).unwrap();
    assert_eq!(String::from_utf8(patch).unwrap(), expected);
}

#[test]
fn a_patch_shows_three_lines_around_a_change() {
    let good = texts(&[("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n")]);
    let bad = texts(&[("f", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n")]);
    let expected = "\
diff --git a/f b/f
--- a/f
+++ b/f
@@ -2,7 +2,7 @@
 2
 3
 4
-5
+five
 6
 7
 8
";
    check(&good, &bad, expected);
}

#[test]
fn what_has_no_line_feed_at_its_end_says_so() {
    let expected = "\
diff --git a/f b/f
--- a/f
+++ b/f
@@ -1 +1,2 @@
-a
\\ No newline at end of file
+a
+b
\\ No newline at end of file
";
    check(&texts(&[("f", "a")]), &texts(&[("f", "a\nb")]), expected);
}

#[test]
fn files_are_renamed_created_and_deleted() {
    let good = texts(&[("a b", "one\ntwo\nthree\n"), ("gone", "x\n")]);
    let bad = texts(&[("dir/c", "one\ntwo\nthree\n"), ("n\u{e9}w", "y\n")]);
    let expected = "\
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/a b b/dir/c
rename from a b
rename to dir/c
diff --git \"a/n\\303\\251w\" \"b/n\\303\\251w\"
new file mode 100644
--- /dev/null
+++ \"b/n\\303\\251w\"
@@ -0,0 +1 @@
+y
";
    check(&good, &bad, expected);
}

#[test]
fn binary_data_is_in_the_patch_for_both_ways() {
    let plain = |bytes: &[u8]| Plain::from([(b"f".to_vec(), (EntryKind::Regular, bytes.to_vec()))]);
    let parts =
        decompose(&version(&plain(b"\0one")), &version(&plain(b"\0two")), Level::Line).unwrap();
    let patch = String::from_utf8(parts.patch(&DeltaSet::empty(), &parts.all()).unwrap()).unwrap();
    let lines: Vec<&str> = patch.lines().collect();
    assert!(lines[1].starts_with("index ") && lines[1].len() == 6 + 40 + 2 + 40, "{patch}");
    assert_eq!((lines[2], lines[3], lines[6]), ("GIT binary patch", "literal 4", "literal 4"));
}

#[test]
fn a_patch_of_another_text_or_of_half_a_file_does_not_apply() {
    let (good, bad) = (texts(&[("f", "a\nb\nc\n")]), texts(&[("f", "a\nB\nc\n")]));
    let parts = decompose(&good, &bad, Level::Line).unwrap();
    let patch = parts.patch(&DeltaSet::empty(), &parts.all()).unwrap();
    assert_eq!(plain(&apply(&good, &patch).unwrap()), plain(&bad));
    let other = DoesNotApply::Other(TreePath::from("f"));
    assert_eq!(apply(&bad, &patch).unwrap_err(), other);
    assert_eq!(apply(&Version::new(), &patch).unwrap_err(), other);
    let half = &patch[..patch.len() - 4];
    assert_eq!(apply(&good, half).unwrap_err(), DoesNotApply::Damaged);
    let mentioned = b"diff --git a/f b/f\nBinary files differ\n";
    assert_eq!(apply(&good, mentioned).unwrap_err(), DoesNotApply::Damaged);
}

fn write(root: &Path, files: &Plain) {
    for (path, (kind, bytes)) in files {
        let path = root.join(std::ffi::OsStr::from_bytes(path));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if *kind == EntryKind::Link {
            std::os::unix::fs::symlink(std::ffi::OsStr::from_bytes(bytes), &path).unwrap();
            continue;
        }
        fs::write(&path, bytes).unwrap();
        let mode = if *kind == EntryKind::Executable { 0o755 } else { 0o644 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }
}

fn read(root: &Path) -> Plain {
    let mut files = Plain::new();
    let mut folders: Vec<PathBuf> = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let (path, metadata) = (entry.path(), entry.path().symlink_metadata().unwrap());
            if metadata.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).unwrap().as_os_str().as_bytes().to_vec();
            let file = if metadata.is_symlink() {
                let target = fs::read_link(&path).unwrap();
                (EntryKind::Link, target.as_os_str().as_bytes().to_vec())
            } else {
                let runs = metadata.permissions().mode() & 0o100 != 0;
                let kind = if runs { EntryKind::Executable } else { EntryKind::Regular };
                (kind, fs::read(&path).unwrap())
            };
            files.insert(name, file);
        }
    }
    files
}

/// Drops files that a folder cannot represent: submodules, odd links.
fn can_be_patched(files: &Plain) -> bool {
    files.values().all(|(kind, bytes)| {
        let link = *kind == EntryKind::Link;
        *kind != EntryKind::Submodule
            && !(link && [0, b'\n'].iter().any(|odd| bytes.is_empty() || bytes.contains(odd)))
    })
}

#[test]
fn git_applies_the_patches_of_any_candidates() {
    if !needs("git") {
        return;
    }
    let strategy = (two_versions(), prop::collection::vec(any::<bool>(), 1..20));
    let config = ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() };
    TestRunner::new(config)
        .run(&strategy, |((mut good, mut bad), bits)| {
            for files in [&mut good, &mut bad] {
                files.retain(|path, file| {
                    can_be_patched(&Plain::from([(path.clone(), file.clone())]))
                });
            }
            let parts = decompose(&version(&good), &version(&bad), Level::Line).unwrap();
            let candidate = chosen(parts.len(), &bits);
            let ends = [
                (DeltaSet::empty(), candidate.clone()),
                (parts.all(), candidate),
                (DeltaSet::empty(), parts.all()),
            ];
            for (from, to) in ends {
                let patch = parts.patch(&from, &to).unwrap();
                let folder = tempfile::tempdir().unwrap();
                let root = folder.path().join("tree");
                fs::create_dir(&root).unwrap();
                write(&root, &plain(&parts.version(&from)));
                if !patch.is_empty() {
                    let file = folder.path().join("patch");
                    fs::write(&file, &patch).unwrap();
                    let run = Command::new("git")
                        .args(["apply", "--whitespace=nowarn"])
                        .arg(&file)
                        .env("GIT_CEILING_DIRECTORIES", folder.path())
                        .current_dir(&root)
                        .output()
                        .unwrap();
                    let said = String::from_utf8_lossy(&run.stderr).into_owned();
                    let patch = String::from_utf8_lossy(&patch).into_owned();
                    prop_assert!(run.status.success(), "{}\n{}", said, patch);
                }
                prop_assert_eq!(read(&root), plain(&parts.version(&to)));
                let ours = apply(&parts.version(&from), &patch).unwrap();
                prop_assert_eq!(plain(&ours), plain(&parts.version(&to)));
            }
            Ok(())
        })
        .unwrap();
}

/// Returns a patch that brings a binary file, up to its content.
const BINARY: &[u8] = b"diff --git a/x b/x\nnew file mode 100644\n\
    index 0000000000000000000000000000000000000000..e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n\
    GIT binary patch\n";

proptest! {
    #[test]
    fn any_bytes_are_a_patch_or_damaged(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = apply(&texts(&[("a", "1\n2\n")]), &bytes);
        let _ = apply(&texts(&[]), &[BINARY, &bytes].concat());
    }

    #[test]
    fn any_lines_of_binary_data_are_a_patch_or_damaged(
        length in prop_oneof![0u64..40, Just(u64::MAX), Just(1 << 40)],
        lines in prop::collection::vec("[A-Za-z]?[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{0,70}", 0..4),
    ) {
        let patch = format!("literal {length}\n{}\n\n", lines.join("\n"));
        let _ = apply(&texts(&[]), &[BINARY, patch.as_bytes()].concat());
    }

    #[test]
    fn a_patch_with_other_bytes_in_it_is_a_patch_or_damaged(
        (good, bad) in two_versions(),
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let good = version(&good);
        let parts = decompose(&good, &version(&bad), Level::Line).unwrap();
        let mut patch = parts.patch(&DeltaSet::empty(), &parts.all()).unwrap();
        for (place, byte) in places.into_iter().filter(|_| !patch.is_empty()).collect::<Vec<_>>() {
            let place = place.index(patch.len());
            patch[place] = byte;
        }
        let _ = apply(&good, &patch);
    }
}

#[test]
fn a_length_beyond_all_numbers_is_damage() {
    let patch = [BINARY, b"literal 18446744073709551615\nHcmV?d00001\n\n"].concat();
    assert!(apply(&texts(&[]), &patch).is_err());
}
