//! Changes that may be made together: each is a set of edits that only make sense together.
//!
//! A definition with all its uses, a name wherever it stands, the white space between two tokens.
//! A list of them is searched like any other list: those that can be made are made.

use std::ops::Range;
use std::sync::Arc;

use whodunit_core::{DeltaSet, Verdict};

use super::edits::Edit;
use super::snapshot::Snapshot;
use super::structure::Structure;

/// A list of changes to one snapshot.
#[derive(Debug)]
pub(super) struct Changes {
    structure: Arc<Structure>,
    changes: Vec<Change>,
    /// Whether only what parses is tested.
    gated: bool,
}

/// Edits that are made together, or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) edits: Vec<Edit>,
}

impl Change {
    /// Replaces some bytes.
    pub(super) fn replace(range: Range<u64>, text: impl Into<Vec<u8>>) -> Self {
        Change { edits: vec![Edit { range, text: text.into() }] }
    }
}

impl Changes {
    /// Lists changes to what was parsed; of those that contradict each other the first is made.
    pub(super) fn new(structure: Arc<Structure>, changes: Vec<Change>) -> Self {
        Changes { structure, changes, gated: true }
    }

    pub(super) fn base(&self) -> &Arc<Snapshot> {
        self.structure.base()
    }

    pub(super) fn len(&self) -> usize {
        self.changes.len()
    }

    /// Returns what is different from the base when all but these changes are made.
    pub(super) fn edits(&self, not_made: &DeltaSet) -> Vec<Edit> {
        let made = DeltaSet::full(self.changes.len()).minus(not_made);
        let mut edits: Vec<Edit> = made
            .iter()
            .flat_map(|change| &self.changes[change.0 as usize].edits)
            .cloned()
            .collect();
        // A stable sort: of edits that begin together the longest counts, then the first.
        edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
        let mut end = 0;
        edits.retain(|edit| {
            let apart = edit.range.start >= end;
            if apart {
                end = edit.range.end;
            }
            apart
        });
        edits
    }

    /// Foretells what touches something protected or does not parse any more.
    pub(super) fn foretell(&self, not_made: &DeltaSet) -> Option<Verdict> {
        let edits = self.edits(not_made);
        if self.gated { self.structure.foretell_edits(&edits, |_| false) } else { None }
    }
}
