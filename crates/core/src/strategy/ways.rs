//! The sets that may have to be undone for the failure to disappear: the culprit, or more and more
//! around it.

use std::collections::BTreeSet;

use crate::{Delta, DeltaSet};

use super::Strategy;
use super::groups::Coarseness;
use super::undo::Way;

/// The fix is narrowed by putting back at most this many parts, one test each.
const PARTS_TO_UNDO: usize = 8;

impl Strategy<'_> {
    /// Returns the sets that may have to be left out: the culprit; or all changes beside it, in
    /// its functions, in its files, or in all files that the test reads.
    pub(super) fn ways_to_undo(&self, culprit: &DeltaSet, read: &DeltaSet) -> Vec<Way> {
        let all = self.layout.all();
        let files: BTreeSet<usize> =
            culprit.iter().filter_map(|delta| self.layout.place(delta).file).collect();
        let files = files.into_iter().map(|file| self.layout.of_file(file));
        let files = files.fold(culprit.clone(), |all, file| all.union(&file));
        let items = self.layout.groups(&files, |_| Coarseness::Items);
        let items = items.changes(&items.of(culprit));
        let beside = self.beside(culprit, &files);
        let mut ways: Vec<Way> = Vec::new();
        // Neighbouring lines came together, and are not taken apart.
        let beside_whole = (&beside, Vec::new());
        let taken_apart = |changes| (changes, self.parts_to_undo(changes));
        let read = read.union(culprit);
        let of_read = taken_apart(&read);
        let around = [taken_apart(culprit), beside_whole, taken_apart(&items), taken_apart(&files)];
        // Changes in too many files can only be narrowed by a search.
        let of_read = Some(of_read).filter(|(_, parts)| !parts.is_empty());
        for (changes, parts) in around.into_iter().chain(of_read) {
            let whole = self.needs.certain.dependents_within(changes, &all).union(changes);
            if whole == all || ways.last().is_some_and(|last| last.whole == whole) {
                continue;
            }
            ways.push(Way { whole, parts });
        }
        ways
    }

    /// Returns the culprit with the changed lines around it, up to the next unchanged line.
    ///
    /// Each change is looked at once: a file may have a hundred thousand of them in one run.
    fn beside(&self, culprit: &DeltaSet, files: &DeltaSet) -> DeltaSet {
        let mut beside: Vec<Delta> = Vec::new();
        let mut run: Vec<Delta> = Vec::new();
        let mut end: Option<(Option<usize>, u32, u32)> = None;
        for delta in files.iter() {
            let part = self.layout.place(delta);
            let begins = (part.file, part.old_lines.start, part.new_lines.start);
            if end != Some(begins) {
                take_if_touched(&mut beside, &mut run, culprit);
            }
            run.push(delta);
            end = Some((part.file, part.old_lines.end, part.new_lines.end));
        }
        take_if_touched(&mut beside, &mut run, culprit);
        beside.into_iter().collect::<DeltaSet>().union(culprit)
    }

    /// Returns changes in the finest parts of which there are few enough; none if even files are
    /// too many.
    fn parts_to_undo(&self, changes: &DeltaSet) -> Vec<DeltaSet> {
        let ways = [Coarseness::Hunks, Coarseness::Items, Coarseness::Files];
        let cut = |way| self.layout.groups(changes, |_| way).into_parts();
        let mut parts = ways.into_iter().map(cut);
        parts.find(|parts| parts.len() <= PARTS_TO_UNDO).unwrap_or_default()
    }
}

/// Ends a run of changes: all of it is taken if it holds a part of the culprit.
fn take_if_touched(taken: &mut Vec<Delta>, run: &mut Vec<Delta>, culprit: &DeltaSet) {
    if run.iter().any(|delta| culprit.contains(*delta)) {
        taken.append(run);
    }
    run.clear();
}
