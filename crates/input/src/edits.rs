//! Edits of a snapshot: what every candidate comes down to.

use std::ops::Range;

/// Some bytes of a snapshot that are removed, and their replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    /// Addresses of the removed bytes; all in one file, unless whole files are removed.
    pub(super) range: Range<u64>,
    /// The replacement; mostly empty.
    pub(super) text: Vec<u8>,
}

impl Edit {
    /// Deletes a range.
    pub(super) fn delete(range: Range<u64>) -> Self {
        Edit { range, text: Vec::new() }
    }
}

/// Edits that are made together, or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) edits: Vec<Edit>,
    /// The files that are dropped; the edits delete their content.
    pub(super) drops: Vec<usize>,
}

impl Change {
    /// Replaces some bytes.
    pub(super) fn replace(range: Range<u64>, text: impl Into<Vec<u8>>) -> Self {
        Change { edits: vec![Edit { range, text: text.into() }], drops: vec![] }
    }
}
