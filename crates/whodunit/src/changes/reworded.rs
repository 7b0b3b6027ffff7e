//! Candidates: the bad version with some of its lines worded as in the good version.
//!
//! A set of deltas names the lines that stay as in the bad version; the full set is the bad version itself.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use whodunit_core::searches::{Undoable, Unit, UnitBoundary};
use whodunit_core::strategy::{Knowledge, Layout, Place};
use whodunit_core::{Delta, DeltaSet, Implications};
use whodunit_run::Key;
use whodunit_versions::{
    Content, Decomposition, Entry, ReadError, Rewording, TreePath, Version, parallel, rewordings,
    still_parses,
};

use super::content::{hash_of, name_of_sum, sum_of};
use super::in_space::Space;
use super::spot::suspect_lines;
use super::trees::{Tree, TreeState};
use crate::answer::Evidence;

/// A line in which this many words differ is half as suspect as its weight alone says. Chosen by hand.
const FEW_WORDS: f64 = 4.0;

/// How suspect a line is that only lacks something, relative to the most suspect line next to it.
const LACKING: f64 = 0.5;

/// The bad version and its lines that can be reworded.
pub(crate) struct Reworded {
    bad: Version,
    /// The sum of the hashes of all files of the bad version.
    sum: u128,
    lines: Vec<Rewording>,
    /// How suspect each line is.
    weights: Vec<f64>,
    /// The files that can be reworded: the bytes, and the first and last of their lines.
    files: BTreeMap<TreePath, (Arc<[u8]>, std::ops::Range<usize>)>,
}

impl Reworded {
    /// Finds the lines of the most suspect files that can be reworded.
    pub(super) fn of(parts: &Decomposition, evidence: &Evidence) -> Result<Self, ReadError> {
        let bad = parts.version(&parts.all());
        let suspects: BTreeMap<_, _> = suspect_lines(parts, evidence).into_iter().collect();
        let paths: Vec<TreePath> = suspects.keys().cloned().collect();
        let mut lines = rewordings(parts, &paths)?;
        let mut texts: BTreeMap<&TreePath, Arc<[u8]>> = BTreeMap::new();
        for path in &paths {
            if let Some(entry) = bad.get(path) {
                texts.insert(path, entry.content.read_at(path)?);
            }
        }
        let parses = parallel::map(&lines, |it| {
            let before = &texts[&it.path];
            let after = Rewording::apply(before, std::iter::once(it));
            still_parses(&it.path, before, &after)
        });
        let mut parses = parses.into_iter();
        lines.retain(|_| parses.next() == Some(true));
        let mut files = BTreeMap::new();
        for (at, line) in lines.iter().enumerate() {
            if let Some((_, range)) = files.get_mut(&line.path) {
                let range: &mut std::ops::Range<usize> = range;
                range.end = at + 1;
            } else {
                files.insert(line.path.clone(), (texts[&line.path].clone(), at..at + 1));
            }
        }
        let weight = |it: &Rewording| {
            let lines = &suspects[&it.path];
            let near = || lines.range(it.line.saturating_sub(1)..=it.line + 1).map(|(_, it)| *it);
            let own = lines.get(&it.line).copied();
            let weight = own.unwrap_or_else(|| LACKING * near().fold(0.0, f64::max));
            weight * FEW_WORDS / (FEW_WORDS + it.words as f64)
        };
        let weights = lines.iter().map(weight).collect();
        Ok(Reworded { sum: sum_of(&bad)?, bad, lines, weights, files })
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns the lines as units that can be undone, each line by itself.
    pub(super) fn undoable(&self) -> Undoable {
        let unit = |at: usize| {
            let line = &self.lines[at];
            let boundary = match at.checked_sub(1).map(|before| &self.lines[before]) {
                Some(before) if before.path != line.path => UnitBoundary::File,
                Some(before) if before.item == line.item => UnitBoundary::Hunk,
                Some(_) => UnitBoundary::Item,
                None => UnitBoundary::File,
            };
            let changes = DeltaSet::run(at as u32..at as u32 + 1);
            Unit { changes, weight: self.weights[at], boundary }
        };
        Undoable {
            all: DeltaSet::full(self.len()),
            units: (0..self.len()).map(unit).collect(),
            believed: Implications::none(),
            certain: Implications::none(),
            patience: usize::MAX,
            halvings: 0,
            most: usize::MAX,
        }
    }

    /// Returns the files that differ from the bad version: the old and the new entry.
    fn changed(&self, kept: &DeltaSet) -> impl Iterator<Item = (&TreePath, &Entry, Entry)> {
        self.files.iter().filter_map(|(path, (bytes, range))| {
            let is_reworded = |at: &usize| !kept.contains(Delta(*at as u32));
            let mut lines = range.clone().filter(is_reworded).map(|at| &self.lines[at]).peekable();
            lines.peek()?;
            let old = self.bad.get(path)?;
            let content = Content::bytes(Rewording::apply(bytes, lines));
            Some((path, old, Entry { kind: old.kind, content }))
        })
    }

    fn version(&self, kept: &DeltaSet) -> Version {
        let mut version = self.bad.clone();
        for (path, _, entry) in self.changed(kept) {
            version.insert(path.clone(), entry);
        }
        version
    }

    fn key(&self, kept: &DeltaSet) -> Key {
        let sum = self.changed(kept).try_fold(self.sum, |sum, (path, old, new)| {
            let [old, new] = [old, &new].map(|it| hash_of(path, it.kind, &it.content));
            Ok::<_, io::Error>(sum.wrapping_sub(old?).wrapping_add(new?))
        });
        // Every file was read before. If one can no longer be read, laying out the candidate is an error.
        name_of_sum(sum.unwrap_or_default())
    }

    /// Returns whether each changed file still parses if it does in the bad version.
    fn fits(&self, kept: &DeltaSet) -> bool {
        self.changed(kept).all(|(path, _, new)| {
            let before = &self.files[path].0;
            new.content.read().is_ok_and(|after| still_parses(path, before, &after))
        })
    }
}

/// The bad version with all lines reworded except `kept`.
struct Kept {
    lines: Arc<Reworded>,
    kept: DeltaSet,
}

impl Space for Reworded {
    fn tree(self: &Arc<Self>, kept: DeltaSet) -> TreeState {
        Arc::new(Kept { lines: self.clone(), kept })
    }
}

impl Tree for Kept {
    fn version(&self) -> io::Result<Version> {
        Ok(self.lines.version(&self.kept))
    }

    fn key(&self) -> Key {
        self.lines.key(&self.kept)
    }

    fn count(&self) -> usize {
        self.kept.len()
    }

    fn is_possible(&self) -> bool {
        self.lines.fits(&self.kept)
    }
}

/// Knows which sets of reworded lines still parse.
pub(super) struct StillParses(pub(super) Arc<Reworded>);

impl Knowledge for StillParses {
    fn broken(&self, kept: &DeltaSet) -> Vec<usize> {
        if self.0.fits(kept) { Vec::new() } else { vec![0] }
    }
}

/// Returns a layout of this many lines, one after the other.
pub(super) fn flat(count: usize) -> Arc<Layout> {
    let order = (0..count as u32).map(Delta).collect();
    let places = vec![Place::default(); count];
    Arc::new(Layout::new(places, order, vec![0; count.saturating_sub(1)]))
}
