//! Places that a back-port must keep, because the test runs through them.
//!
//! The places are lines of the newest version. Lines move from version to version, so they are
//! looked up in each version from which changes are carried back.

mod places;

use std::collections::BTreeMap;
use std::ops::Range;

use whodunit_core::{Delta, DeltaSet};
use whodunit_coverage::Lines;
use whodunit_files::regular;
use whodunit_versions::{Decomposition, Level, TreePath, Version, decompose};

use super::HistoryError;
use crate::changes::compare;
use crate::settings::HistorySettings;
use places::Places;
use whodunit_run::Stop;

/// The protected places.
#[derive(Clone, Debug, Default)]
pub(super) struct Protected {
    newest: Version,
    places: Places,
}

impl Protected {
    /// Reads the places that the settings name, for the newest version.
    pub(super) fn read(settings: &HistorySettings, newest: &Version) -> Result<Self, HistoryError> {
        let Some(file) = &settings.protect else {
            return Ok(Protected { newest: newest.clone(), places: Places::default() });
        };
        let path = settings.how.origin.as_path().join(file.as_path());
        let problem =
            |problem: String| HistoryError::Protect { path: path.display().to_string(), problem };
        let bytes = regular::read(&path).map_err(|error| problem(error.to_string()))?;
        let places = Places::read(&bytes, newest).map_err(problem)?;
        Ok(Protected { newest: newest.clone(), places })
    }

    /// Adds lines of the newest version to the protected ones.
    pub(super) fn add(&mut self, lines: BTreeMap<TreePath, Lines>) {
        for (path, lines) in lines {
            self.places.lines.entry(path).or_default().add(&lines);
        }
    }

    /// Returns the names that are not in the newest version, in words.
    pub(super) fn unknown(&self) -> &[String] {
        &self.places.unknown
    }

    /// Returns the changes that touch a protected place. `newer` is the version after these
    /// changes.
    pub(super) fn deltas(
        &self,
        parts: &Decomposition,
        newer: &Version,
        stop: &Stop,
    ) -> Result<DeltaSet, HistoryError> {
        if self.places.lines.is_empty() {
            return Ok(DeltaSet::empty());
        }
        let places = self.places_in(newer, stop)?;
        let is_protected = |delta: &Delta| {
            let part = parts.part(*delta);
            let lines = part.new_path.and_then(|path| places.get(path));
            lines.is_some_and(|lines| touches(lines, &part.new_lines))
        };
        Ok(parts.all().iter().filter(is_protected).collect())
    }

    /// Returns the protected lines in another version.
    fn places_in(
        &self,
        version: &Version,
        stop: &Stop,
    ) -> Result<BTreeMap<TreePath, Lines>, HistoryError> {
        let since = compare(stop, decompose, version, &self.newest, Level::Hunk)?;
        let changed = (0..since.file_count()).filter_map(|file| Some((since.paths(file).1?, file)));
        let changed: BTreeMap<&TreePath, usize> = changed.collect();
        let mut places = BTreeMap::new();
        for (path, lines) in &self.places.lines {
            match changed.get(path) {
                Some(&file) => {
                    if let Some(old_path) = since.paths(file).0 {
                        places.insert(old_path.clone(), earlier(lines, &hunks(&since, file)));
                    }
                }
                None => drop(places.insert(before_renames(&since, path), lines.clone())),
            }
        }
        Ok(places)
    }
}

/// Returns whether a change touches protected lines; `new` are its lines in the newer version. A
/// change without such lines, because it only removes some, touches them if it is between two of
/// them.
pub(super) fn touches(lines: &Lines, new: &Range<u32>) -> bool {
    if places::is_whole_file(lines) {
        return true;
    }
    match new.is_empty() {
        true => lines.contains(new.start.saturating_sub(1)) && lines.contains(new.start),
        false => lines.meets(&(new.start..=new.end - 1)),
    }
}

/// A range of lines in an older version, and the range that replaced it.
struct Hunk {
    old: Range<u32>,
    new: Range<u32>,
}

fn hunks(since: &Decomposition, file: usize) -> Vec<Hunk> {
    let parts = since.deltas_of_file(file);
    let hunks = parts.iter().map(|delta| {
        let part = since.part(delta);
        Hunk { old: part.old_lines, new: part.new_lines }
    });
    // A change of name or mode has no lines.
    let mut hunks: Vec<Hunk> = hunks.filter(|hunk| hunk.new.start > 0).collect();
    hunks.sort_by_key(|hunk| hunk.new.start);
    hunks
}

/// Returns the lines of an older version that became these lines. A changed line stands for all
/// lines that were changed together with it.
fn earlier(lines: &Lines, hunks: &[Hunk]) -> Lines {
    if places::is_whole_file(lines) {
        return lines.clone();
    }
    let mut found = Vec::new();
    let (mut old_at, mut new_at) = (1, 1);
    // After the last change, all lines are unchanged.
    let end = [Hunk { old: u32::MAX..u32::MAX, new: u32::MAX..u32::MAX }];
    for Hunk { old, new } in hunks.iter().chain(&end) {
        for range in lines.ranges() {
            let (first, last) = ((*range.start()).max(new_at), (*range.end()).min(new.start - 1));
            if first <= last {
                let earlier = |line: u32| (line - new_at).saturating_add(old_at);
                found.push(earlier(first)..=earlier(last));
            }
        }
        if !old.is_empty() && !new.is_empty() && lines.meets(&(new.start..=new.end - 1)) {
            found.push(old.start..=old.end - 1);
        }
        (old_at, new_at) = (old.end, new.end);
    }
    found.into_iter().collect()
}

/// Returns the path of a file in an older version, which differs at most in the names of folders.
fn before_renames(since: &Decomposition, path: &TreePath) -> TreePath {
    if since.good().get(path).is_some() {
        return path.clone();
    }
    let renames = since.renamed_directories().iter();
    let mut old = renames.filter_map(|it| Some(it.from.join(path.rest_below(&it.to)?)));
    old.find(|old| since.good().get(old).is_some()).unwrap_or_else(|| path.clone())
}

#[cfg(test)]
mod tests {
    use whodunit_versions::{Content, Entry, EntryKind};

    use super::*;

    fn version(files: &[(&str, &str)]) -> Version {
        let entries = files.iter().map(|(path, text)| {
            let content = Content::bytes(text.as_bytes());
            (TreePath::from(*path), Entry { kind: EntryKind::Regular, content })
        });
        entries.collect()
    }

    /// Compares the places of protected lines of one version in another.
    fn check(newest: &[(&str, &str)], list: &str, older: &[(&str, &str)], wanted: &str) {
        let newest = version(newest);
        let places = Places::read(list.as_bytes(), &newest).expect("the list is one of places");
        let protected = Protected { newest, places };
        let places =
            protected.places_in(&version(older), &Stop::default()).expect("all is in memory");
        let drawn = places.iter().map(|(path, lines)| {
            let ranges = lines.ranges().map(|range| format!(" {}-{}", range.start(), range.end()));
            format!("{path}{}", ranges.collect::<String>())
        });
        assert_eq!(drawn.collect::<Vec<_>>().join(", "), wanted);
    }

    #[test]
    fn lines_are_found_where_they_were() {
        let newest = [("f", "0\na\nb\nc\nd\ne\nf\n")];
        let list = "f:2-3\nf:5\nf:7\n";
        check(&newest, list, &newest, "f 2-3 5-5 7-7");
        // One line fewer at the start, one more in the middle.
        check(&newest, list, &[("f", "a\nb\nc\nx\nd\ne\nf\n")], "f 1-2 5-5 7-7");
        // A changed line stands for all lines that it replaced.
        check(&newest, list, &[("f", "0\na\nB\nC\nd\ne\nf\n")], "f 2-5 7-7");
        // A new line has no earlier place.
        check(&newest, list, &[("f", "0\na\nb\nc\n")], "f 2-3");
        check(&newest, list, &[("g", "other\n")], "");
    }

    #[test]
    fn lines_are_found_under_earlier_names() {
        let text = "one\ntwo\nthree\nfour\nfive\nsix\n";
        let older = format!("zero\n{text}");
        check(&[("new.c", text)], "new.c:2", &[("old.c", &older)], "old.c 3-3");
        let (newest, older) = ([("b/f", text), ("b/g", "x\n")], [("a/f", text), ("a/g", "x\n")]);
        check(&newest, "b/f:2", &older, "a/f 2-2");
        check(&newest, "b/f", &older, "a/f 1-4294967295");
    }

    #[test]
    fn what_removes_lines_touches_those_around_it() {
        let lines = Lines::from_iter([3..=4]);
        assert!(touches(&lines, &(4..4)) && touches(&lines, &(1..4)) && touches(&lines, &(4..9)));
        assert!(
            !touches(&lines, &(3..3)) && !touches(&lines, &(5..5)) && !touches(&lines, &(1..3))
        );
        assert!(!touches(&lines, &(0..0)) && touches(&Lines::from_iter([0..=u32::MAX]), &(0..0)));
    }
}
