//! Edits of a snapshot: what every candidate comes down to.

use std::ops::Range;

/// Some bytes of a snapshot that go, and what comes in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    /// Addresses of what goes; all in one file, unless whole files go.
    pub(super) range: Range<u64>,
    /// What comes in its place; mostly nothing.
    pub(super) text: Vec<u8>,
}

impl Edit {
    /// Deletes a range.
    pub(super) fn delete(range: Range<u64>) -> Self {
        Edit { range, text: Vec::new() }
    }
}
