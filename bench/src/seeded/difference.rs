//! The difference between two releases, line by line, as whodunit sees it.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::ops::Range;
use std::path::Path;

use whodunit_core::{Delta, DeltaSet};
use whodunit_versions::{Content, Entry, EntryKind, Level, TreePath, Version, decompose};

use super::ran_lines::Place;

/// Reads the files of a folder.
pub(super) fn version(folder: &Path) -> Result<Version, Box<dyn Error>> {
    let mut version = Version::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                let content = Content::bytes(fs::read(&path)?);
                let name = path.strip_prefix(folder)?.to_string_lossy().into_owned();
                let entry = Entry { kind: EntryKind::Regular, content };
                version.insert(TreePath::from(name.as_str()), entry);
            }
        }
    }
    Ok(version)
}

/// Returns the changed and new lines of `new`.
pub(super) fn changed_lines(
    old: &Version,
    new: &Version,
) -> Result<BTreeSet<Place>, Box<dyn Error>> {
    let parts = decompose(old, new, Level::Line)?;
    let mut places = BTreeSet::new();
    for delta in 0..u32::try_from(parts.len())? {
        let part = parts.part(Delta(delta));
        let Some(path) = part.new_path else { continue };
        places.extend(part.new_lines.map(|line| (path.display().into_owned(), line)));
    }
    Ok(places)
}

/// A run of changed lines, and both releases with it and without it.
pub(super) struct Around {
    /// Its lines in the old release, from 1; empty if it only adds lines.
    pub(super) old_lines: Range<u32>,
    pub(super) new_lines: Range<u32>,
    /// The old release with this run alone.
    pub(super) alone: Version,
    /// The new release without this run.
    pub(super) without: Version,
}

/// Returns the run of changed lines around a place of the new release, if there is one.
pub(super) fn around(
    old: &Version,
    new: &Version,
    (file, line): &Place,
) -> Result<Option<Around>, Box<dyn Error>> {
    let parts = decompose(old, new, Level::Hunk)?;
    let is_meant = |delta: &Delta| {
        let part = parts.part(*delta);
        let is_file = part.new_path.is_some_and(|path| path.display() == file.as_str());
        is_file && part.new_lines.contains(line)
    };
    let hunk = parts.all().iter().find(is_meant);
    Ok(hunk.map(|hunk| {
        let (part, only) = (parts.part(hunk), DeltaSet::run(hunk.0..hunk.0 + 1));
        let without = parts.version(&parts.all().minus(&only));
        let (old_lines, new_lines) = (part.old_lines, part.new_lines);
        Around { old_lines, new_lines, alone: parts.version(&only), without }
    }))
}

/// Writes a version into a folder that is not there yet.
pub(super) fn write(version: &Version, folder: &Path) -> Result<(), Box<dyn Error>> {
    for (path, entry) in version.entries() {
        let path = folder.join(&*path.display());
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, entry.content.read()?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(version: &Version, name: &str) -> String {
        let content = &version.get(&TreePath::from(name)).unwrap().content;
        String::from_utf8(content.read().unwrap().to_vec()).unwrap()
    }

    #[test]
    fn the_lines_around_a_place_come_and_go_together() {
        let (old, new) = (one_file("f", "a\nb\nc\n"), one_file("f", "A\nb\nC\nD\n"));
        let around_d = around(&old, &new, &("f".to_owned(), 4)).unwrap().unwrap();
        assert_eq!(text_of(&around_d.alone, "f"), "a\nb\nC\nD\n");
        assert_eq!(text_of(&around_d.without, "f"), "A\nb\nc\n");
        assert_eq!((around_d.old_lines, around_d.new_lines), (3..4, 3..5));
        assert!(around(&old, &new, &("f".to_owned(), 2)).unwrap().is_none());
    }

    fn one_file(name: &str, text: &str) -> Version {
        let content = Content::bytes(text.as_bytes());
        Version::from_iter([(TreePath::from(name), Entry { kind: EntryKind::Regular, content })])
    }

    #[test]
    fn changed_and_new_lines_are_counted_from_one() {
        let lines =
            changed_lines(&one_file("f", "a\nb\nc\n"), &one_file("f", "A\nb\nc\nd\n")).unwrap();
        assert_eq!(lines, BTreeSet::from([("f".to_owned(), 1), ("f".to_owned(), 4)]));
    }

    #[test]
    fn lines_that_only_moved_to_another_file_are_not_new() {
        let text: String = (0..40).map(|line| format!("line number {line}\n")).collect();
        let (old, new) =
            (one_file("src/f.py", &text), one_file("lib/f.py", &(text.clone() + "x\n")));
        assert_eq!(
            changed_lines(&old, &new).unwrap(),
            BTreeSet::from([("lib/f.py".to_owned(), 41)])
        );
    }
}
