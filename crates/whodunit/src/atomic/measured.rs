//! The code that tests ran, as coverage tools measured it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use whodunit_atoms::{Atoms, CallGraph, Ran};
use whodunit_coverage::{Coverage, Lines, PathMap, read};
use whodunit_versions::TreePath;

use super::error::AtomicError;
use super::files::Files;
use super::suspicion::Known;

/// Number of unmatched names in a warning.
const MOST_LISTED: usize = 3;

/// Maps measured lines to atomic changes.
pub(super) struct Measured<'a> {
    pub(super) atoms: &'a Atoms,
    pub(super) calls: &'a CallGraph<'a>,
    paths: PathMap,
}

impl<'a> Measured<'a> {
    /// Finds the files that coverage names in the bad version; at least one must be there.
    pub(super) fn new(
        known: &Known<'_>,
        calls: &'a CallGraph<'a>,
        atoms: &'a Atoms,
        names: Vec<&str>,
    ) -> Result<Self, AtomicError> {
        let bad = known.bad_paths();
        let first = names.first().map(|&name| name.to_owned());
        let paths = PathMap::new(names, bad);
        match first {
            Some(name) if paths.is_empty() => Err(AtomicError::OtherBuild { name }),
            _ => Ok(Measured { atoms, calls, paths }),
        }
    }

    /// Returns the changes that ran, with the changes they need, and the changed lines that never
    /// ran.
    pub(super) fn ran(&self, coverage: &Coverage) -> Ran {
        let executed: BTreeMap<Vec<u8>, Lines> = self.paths.apply(coverage);
        let measured: BTreeMap<Vec<u8>, Lines> = self.paths.apply_measured(coverage);
        let is_run = |path: &TreePath, of: &Range<u32>| {
            let of = of.start..=of.end.saturating_sub(1);
            let meets = |lines: &BTreeMap<Vec<u8>, Lines>| {
                lines.get(path.as_bytes()).is_some_and(|lines| lines.meets(&of))
            };
            meets(&measured).then(|| meets(&executed))
        };
        let Ran { atoms, missed } = self.calls.run(&is_run);
        Ran { atoms: self.atoms.with_prerequisites(&atoms), missed }
    }

    /// Returns the changes that ran, with the changes they need.
    pub(super) fn responsible(&self, coverage: &Coverage) -> BTreeSet<usize> {
        self.ran(coverage).atoms
    }

    /// Whether no line of the bad version was executed.
    pub(super) fn is_idle(&self, coverage: &Coverage) -> bool {
        self.paths.apply(coverage).values().all(Lines::is_empty)
    }

    /// Returns signs that the coverage belongs to another version, in words.
    pub(super) fn doubts(&self, coverage: &Coverage) -> Vec<String> {
        let mut doubts = Vec::new();
        for (path, lines) in self.paths.apply_measured(coverage) {
            let path = TreePath::new(path);
            let last = lines.ranges().last().map_or(0, |range| *range.end());
            // Some tools count the end of the last line as one more.
            let count = self.atoms.line_count(&path).filter(|&count| last > count + 1);
            doubts.extend(count.map(|count| {
                let path = path.display();
                format!(
                    "the coverage counts line {last} of `{path}`, which has {count} lines in the \
                     bad version: is it of another version?"
                )
            }));
        }
        let more = doubts.len().saturating_sub(MOST_LISTED);
        doubts.truncate(MOST_LISTED);
        if more > 0 {
            doubts.push(format!("the same holds for {more} more files of the coverage"));
        }
        doubts
    }

    /// Returns the names in the coverage that could not be used, in words.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let unmatched = &self.paths.unmatched;
        if !unmatched.is_empty() {
            let said = unmatched.iter().take(MOST_LISTED).map(|name| format!("`{name}`"));
            let said = said.collect::<Vec<_>>().join(", ");
            let more = match unmatched.len().saturating_sub(MOST_LISTED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            notes.push(format!("the coverage names what is not in the bad version: {said}{more}"));
        }
        for ambiguous in &self.paths.ambiguous {
            notes.push(format!(
                "`{}` in the coverage may be any of {} files, so it was left out",
                ambiguous.name,
                ambiguous.paths.len()
            ));
        }
        notes
    }
}

/// Reads the coverage of one test.
pub(super) fn coverage(files: &Files) -> Result<Coverage, AtomicError> {
    let mut all = Coverage::default();
    for source in files.sources() {
        all.add(&read(source)?.all());
    }
    Ok(all)
}
