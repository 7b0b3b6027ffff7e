//! Changes that may be made together: each is a set of edits that only make sense together.
//!
//! A definition with all its uses, a name wherever it stands, the white space between two tokens.
//! A list of them is searched like any other list: those that can be made are made.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use whodunit_core::{Delta, DeltaSet, Verdict};

use super::columns::Columns;
use super::edits::{Change, Edit};
use super::snapshot::Snapshot;
use super::structure::Structure;

/// A list of changes to one snapshot.
#[derive(Debug)]
pub(super) struct Changes {
    base: Arc<Snapshot>,
    /// The parsed snapshot, if anything could be parsed.
    structure: Option<Arc<Structure>>,
    list: ChangeList,
    /// The changes that drop each file.
    droppers: HashMap<usize, Vec<Delta>>,
    /// Whether only what parses is tested.
    gated: bool,
}

/// The changes to choose from.
#[derive(Debug)]
enum ChangeList {
    Changes(Vec<Change>),
    /// Columns that may be deleted.
    Columns(Columns),
}

impl Changes {
    /// Lists changes to a parsed text; of contradicting changes the first is made.
    pub(super) fn new(structure: Arc<Structure>, changes: Vec<Change>) -> Self {
        Changes::across(structure.base().clone(), Some(structure), changes)
    }

    /// Lists changes that are tested even if the result does not parse.
    pub(super) fn ungated(structure: Arc<Structure>, changes: Vec<Change>) -> Self {
        Changes { gated: false, ..Changes::new(structure, changes) }
    }

    /// Lists changes to files of which perhaps none was parsed.
    pub(super) fn across(
        base: Arc<Snapshot>,
        structure: Option<Arc<Structure>>,
        changes: Vec<Change>,
    ) -> Self {
        let mut droppers: HashMap<usize, Vec<Delta>> = HashMap::new();
        for (place, change) in changes.iter().enumerate() {
            for &file in &change.drops {
                droppers.entry(file).or_default().push(Delta(place as u32));
            }
        }
        Changes { base, structure, list: ChangeList::Changes(changes), droppers, gated: true }
    }

    /// Lists columns that may be deleted.
    pub(super) fn columns(structure: Arc<Structure>, columns: Columns) -> Self {
        let (base, structure) = (structure.base().clone(), Some(structure));
        let droppers = HashMap::new();
        Changes { base, structure, list: ChangeList::Columns(columns), droppers, gated: true }
    }

    pub(super) fn base(&self) -> &Arc<Snapshot> {
        &self.base
    }

    /// Returns whether a file is gone when all but these changes are made.
    pub(super) fn drops_file(&self, file: usize, not_made: &DeltaSet) -> bool {
        let droppers = self.droppers.get(&file);
        droppers.is_some_and(|changes| changes.iter().any(|change| !not_made.contains(*change)))
    }

    pub(super) fn len(&self) -> usize {
        match &self.list {
            ChangeList::Changes(changes) => changes.len(),
            ChangeList::Columns(columns) => columns.len(),
        }
    }

    /// Returns the address at which a change begins, and the one at which it ends.
    pub(super) fn addresses(&self, change: usize) -> Range<u64> {
        let edits = match &self.list {
            ChangeList::Changes(changes) => &changes[change].edits[..],
            ChangeList::Columns(_) => &[],
        };
        let start = edits.first().map_or(0, |edit| edit.range.start);
        start..edits.last().map_or(start, |edit| edit.range.end)
    }

    /// Returns how many bytes each change deletes.
    pub(super) fn sizes(&self) -> impl Iterator<Item = usize> {
        let size = |edit: &Edit| (edit.range.end - edit.range.start) as usize;
        let changes: &[Change] = match &self.list {
            ChangeList::Changes(changes) => changes,
            ChangeList::Columns(_) => &[],
        };
        changes.iter().map(move |change| change.edits.iter().map(size).sum())
    }

    /// Returns the edits of the base when all but these changes are made.
    pub(super) fn edits(&self, not_made: &DeltaSet) -> Vec<Edit> {
        let made = DeltaSet::full(self.len()).minus(not_made);
        let edits = match &self.list {
            ChangeList::Changes(changes) => merged(changes, &made),
            ChangeList::Columns(columns) => columns.without(&made),
        };
        match &self.structure {
            Some(structure) => structure.mended(edits, |file| self.drops_file(file, not_made)),
            None => edits,
        }
    }

    /// Foretells candidates that touch something protected or no longer parse.
    pub(super) fn foretell(&self, not_made: &DeltaSet) -> Option<Verdict> {
        let drops = |file| self.drops_file(file, not_made);
        if (0..self.base.files().len()).all(drops) {
            // Without any file there is nothing to test.
            return Some(Verdict::Unresolved);
        }
        let structure = self.structure.as_ref().filter(|_| self.gated)?;
        structure.foretell_edits(&self.edits(not_made), drops)
    }
}

/// Returns the edits of some changes.
fn merged(changes: &[Change], made: &DeltaSet) -> Vec<Edit> {
    let mut made: Vec<usize> = made.iter().map(|change| change.0 as usize).collect();
    loop {
        let edits_of =
            |&change: &usize| changes[change].edits.iter().map(move |edit| (change, edit));
        let mut edits: Vec<(usize, &Edit)> = made.iter().flat_map(edits_of).collect();
        // A stable sort: of edits that begin together the longest counts, then the first.
        edits.sort_by_key(|(_, edit)| (edit.range.start, Reverse(edit.range.end)));
        match merge(&edits) {
            Ok(edits) => return edits,
            Err(contradicting) => made.retain(|change| !contradicting.contains(change)),
        }
    }
}

/// Merges sorted edits of several changes: text that is deleted anyway needs no other edit.
/// Changes that contradict an earlier one are refused as a whole, because half of one makes no
/// sense.
fn merge(edits: &[(usize, &Edit)]) -> Result<Vec<Edit>, BTreeSet<usize>> {
    let mut merged: Vec<Edit> = Vec::with_capacity(edits.len());
    let mut contradicting = BTreeSet::new();
    let mut last = 0;
    for &(change, edit) in edits {
        let Some(before) = merged.last_mut().filter(|before| edit.range.start < before.range.end)
        else {
            merged.push(edit.clone());
            last = change;
            continue;
        };
        if before.text.is_empty() && edit.text.is_empty() {
            before.range.end = before.range.end.max(edit.range.end);
        } else if before != edit && (!before.text.is_empty() || edit.range.end > before.range.end) {
            contradicting.insert(change.max(last));
        }
    }
    if contradicting.is_empty() { Ok(merged) } else { Err(contradicting) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Merges changes, each a list of deleted ranges with their replacements.
    fn merged(changes: &[&[(Range<u64>, &str)]]) -> Result<Vec<Edit>, BTreeSet<usize>> {
        let edit = |(range, text): &(Range<u64>, &str)| Edit {
            range: range.clone(),
            text: text.as_bytes().to_vec(),
        };
        let mut edits: Vec<(usize, Edit)> = Vec::new();
        for (change, of_change) in changes.iter().enumerate() {
            edits.extend(of_change.iter().map(|of_change| (change, edit(of_change))));
        }
        edits.sort_by_key(|(_, edit)| (edit.range.start, Reverse(edit.range.end)));
        merge(&edits.iter().map(|(change, edit)| (*change, edit)).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_deleted_needs_no_other_edit() {
        let edits = merged(&[&[(0..5, "")], &[(2..3, "x"), (7..8, "x")], &[(4..6, "")]]).unwrap();
        assert_eq!(edits[0], Edit::delete(0..6));
        assert_eq!(edits[1], Edit { range: 7..8, text: b"x".to_vec() });
        assert_eq!(edits.len(), 2);
    }

    #[test]
    fn of_changes_that_contradict_each_other_the_first_is_made() {
        let edits = merged(&[&[(0..1, "x")], &[(0..1, "y"), (7..8, "y")], &[(0..1, "x")]]);
        assert_eq!(edits.unwrap_err(), BTreeSet::from([1]));
    }
}
