//! The files of the newest version that belong to the test, and not to the code under test.
//!
//! An older version may lack the tracked test, and a runner that does not find a test often passes.
//! So a pass counts only with the test of the newest version.

mod clues;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

use whodunit_coverage::Lines;
use whodunit_run::{Key, KeyHasher, Word};
use whodunit_versions::{Entry, Level, TreePath, Version, decompose_in_place};

use super::protect::touches;
use crate::answer::{OwnLines, OwnTest};

pub(super) use clues::Clues;

impl OwnTest {
    /// Returns the tests that can be put over older versions: the named files with the files beside
    /// them, the named files alone, and all test files that were read.
    pub(super) fn of(&self, newest: &Version) -> io::Result<Vec<Arc<Own>>> {
        let mut found: Vec<Arc<Own>> = Vec::new();
        let all = [&self.files[..], &self.support].concat();
        for (files, beside) in [(&self.files, &self.beside[..]), (&self.files, &[]), (&all, &[])] {
            let own = Own::new(newest, files, beside, &self.inside)?;
            let is_new = found.iter().all(|it| it.name != own.name);
            if is_new && !own.is_empty() {
                found.push(Arc::new(own));
            }
        }
        Ok(found)
    }

    /// Returns the lines that must stay in the test: the tracked functions, and the whole of each
    /// test file without such a function.
    pub(super) fn tracked(&self) -> BTreeMap<TreePath, Lines> {
        let mut lines: BTreeMap<TreePath, Lines> = BTreeMap::new();
        for it in &self.tracked {
            let range = Lines::from_iter([it.first..=it.last]);
            lines.entry(TreePath::new(it.file.as_bytes())).or_default().add(&range);
        }
        for file in &self.files {
            let whole = || Lines::from_iter([1..=u32::MAX]);
            lines.entry(TreePath::new(file.as_bytes())).or_insert_with(whole);
        }
        lines
    }
}

/// The test of the newest version, which can be put over other versions.
#[derive(Debug)]
pub(super) struct Own {
    /// Files that are tests as a whole.
    files: Vec<(TreePath, Entry)>,
    /// Files for versions that have no file of the same name.
    beside: Vec<(TreePath, Entry)>,
    /// Files with tests inside, and the lines of these tests.
    inside: Vec<(TreePath, Entry, Lines)>,
    name: Key,
}

impl Own {
    fn new(
        newest: &Version,
        files: &[Word],
        beside: &[Word],
        inside: &[OwnLines],
    ) -> io::Result<Self> {
        let entries = |files: &[Word]| -> Vec<(TreePath, Entry)> {
            let paths = files.iter().map(|file| TreePath::new(file.as_bytes()));
            let paths: BTreeSet<TreePath> = paths.collect();
            let entry = |path: TreePath| newest.get(&path).cloned().map(|entry| (path, entry));
            paths.into_iter().filter_map(entry).collect()
        };
        let (files, beside) = (entries(files), entries(beside));
        let mut lines: BTreeMap<TreePath, Lines> = BTreeMap::new();
        for it in inside {
            let range = Lines::from_iter([it.first..=it.last]);
            lines.entry(TreePath::new(it.file.as_bytes())).or_default().add(&range);
        }
        let inside = lines.into_iter();
        let inside = inside.filter_map(|(path, lines)| {
            let entry = newest.get(&path)?.clone();
            Some((path, entry, lines))
        });
        let inside: Vec<_> = inside.collect();
        let mut hasher = KeyHasher::new();
        hasher.update(b"own");
        let all = files.iter().chain(&beside).map(|(path, entry)| (path, entry, None));
        for (path, entry, lines) in
            all.chain(inside.iter().map(|(path, entry, lines)| (path, entry, Some(lines))))
        {
            hasher.update_delimited(path.as_bytes());
            hasher.update_delimited(&[entry.kind as u8]);
            hasher.update_delimited(&entry.content.read()?);
            hasher.update_delimited(format!("{lines:?}").as_bytes());
        }
        Ok(Own { files, beside, inside, name: hasher.finish() })
    }

    /// Returns the files of this test as they are in another version; `None` if it has none of them.
    pub(super) fn as_in(&self, version: &Version) -> io::Result<Option<Self>> {
        let words = |files: &[(TreePath, Entry)]| -> Vec<Word> {
            files.iter().map(|(path, _)| Word::from(OsStr::from_bytes(path.as_bytes()))).collect()
        };
        let own = Own::new(version, &words(&self.files), &words(&self.beside), &[])?;
        Ok(Some(own).filter(|own| !own.is_empty()))
    }

    fn is_empty(&self) -> bool {
        self.files.is_empty() && self.inside.is_empty()
    }

    /// Returns a key that distinguishes this test from others.
    pub(super) fn name(&self) -> Key {
        self.name
    }

    /// Returns whether a file belongs to the test as a whole.
    pub(super) fn has(&self, path: &TreePath) -> bool {
        self.files.iter().any(|(own, _)| own == path)
    }

    /// Returns a version with the test of the newest version. In a file with tests inside, only the
    /// tests are replaced; a version without such a file stays without it.
    pub(super) fn over(&self, version: &Version) -> io::Result<Version> {
        let mut version = version.clone();
        for (path, entry) in &self.files {
            version.insert(path.clone(), entry.clone());
        }
        for (path, entry) in &self.beside {
            if version.get(path).is_none() {
                version.insert(path.clone(), entry.clone());
            }
        }
        for (path, entry, lines) in &self.inside {
            let Some(old) = version.get(path).cloned() else { continue };
            let alone = |entry: Entry| Version::from_iter([(path.clone(), entry)]);
            let (old, new) = (alone(old), alone(entry.clone()));
            let parts = decompose_in_place(&old, &new, Level::Line).map_err(io::Error::other)?;
            let all = parts.all();
            let own = all.iter().filter(|it| touches(lines, &parts.part(*it).new_lines));
            let mixed = parts.version(&own.collect());
            if let Some(entry) = mixed.get(path) {
                version.insert(path.clone(), entry.clone());
            }
        }
        Ok(version)
    }

    /// Returns whether two versions have the same test, this one or another.
    pub(super) fn is_same_in(&self, one: &Version, other: &Version) -> io::Result<bool> {
        let paths = self.files.iter().chain(&self.beside).map(|(path, _)| path);
        for path in paths.chain(self.inside.iter().map(|(path, ..)| path)) {
            let is_same = match (one.get(path), other.get(path)) {
                (Some(one), Some(other)) => one.kind == other.kind && is_same(one, other)?,
                (one, other) => one.is_none() && other.is_none(),
            };
            if !is_same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether a version has another test.
    pub(super) fn differs(&self, version: &Version) -> io::Result<bool> {
        Ok(!self.is_same_in(version, &self.over(version)?)?)
    }
}

/// Returns whether two files have the same content.
pub(super) fn is_same(one: &Entry, other: &Entry) -> io::Result<bool> {
    match one.content.same_as(&other.content) {
        Some(same) => Ok(same),
        None => Ok(one.content.read()? == other.content.read()?),
    }
}

#[cfg(test)]
mod tests {
    use whodunit_versions::{Content, EntryKind};

    use super::*;

    fn version(files: &[(&str, &str)]) -> Version {
        let entries = files.iter().map(|(path, text)| {
            let content = Content::bytes(text.as_bytes());
            (TreePath::from(*path), Entry { kind: EntryKind::Regular, content })
        });
        entries.collect()
    }

    fn text(version: &Version, path: &str) -> String {
        let entry = version.get(&TreePath::from(path)).expect("the file is there");
        String::from_utf8_lossy(&entry.content.read().expect("it is at hand")).into_owned()
    }

    #[test]
    fn tests_inside_a_file_are_taken_without_the_rest() {
        let newest = "fn f() -> u8 {\n    2\n}\n\nmod tests {\n    fn a() {}\n    fn b() {}\n}\n";
        let older = "fn f() -> u8 {\n    1\n}\n\nmod tests {\n    fn a() {}\n}\n";
        let newest = version(&[("src/lib.rs", newest), ("tests/x.rs", "new\n")]);
        let older = version(&[("src/lib.rs", older)]);
        let test = OwnTest {
            files: vec![Word::from("tests/x.rs")],
            inside: vec![OwnLines { file: Word::from("src/lib.rs"), first: 5, last: 8 }],
            ..OwnTest::default()
        };
        let own = test.of(&newest).expect("all is at hand");
        assert_eq!(own.len(), 1);
        assert!(own[0].differs(&older).expect("all is at hand"));
        let with = own[0].over(&older).expect("all is at hand");
        assert!(!own[0].differs(&with).expect("all is at hand"));
        let lib = text(&with, "src/lib.rs");
        assert!(lib.contains("    1\n") && lib.contains("fn b() {}"), "{lib}");
        assert_eq!(text(&with, "tests/x.rs"), "new\n");
    }
}
