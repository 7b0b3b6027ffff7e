//! Facts about changes beside their places and needs.

use std::collections::BTreeMap;

use crate::{Delta, DeltaSet};

/// Facts about changes that are known before the first question: weights, and sets that may be the
/// answer.
///
/// A strategy asks for them only when it needs them, because reading them off the versions takes
/// time. Pure: the same question has the same reply. No reply excludes a change; a wrong one costs
/// tests, not the answer. The default replies know nothing.
pub trait Knowledge: Send + Sync {
    /// Returns the changes that the test of the bad version reads, then those that either test reads.
    fn read(&self, _suspects: &DeltaSet) -> Vec<DeltaSet> {
        Vec::new()
    }

    /// Returns the changes that contain words of the failure.
    fn spoken_of(&self, _suspects: &DeltaSet) -> DeltaSet {
        DeltaSet::empty()
    }

    /// Returns the changes of the things that the test names and of those that they use, the
    /// nearest first.
    fn tested(&self, _suspects: &DeltaSet) -> Vec<DeltaSet> {
        Vec::new()
    }

    /// Returns the changes that do nothing when the program runs: comments and layout.
    fn quiet(&self, _suspects: &DeltaSet) -> DeltaSet {
        DeltaSet::empty()
    }

    /// Returns how suspect changes are; a change that is missing is hardly suspect.
    fn weights(&self, _suspects: &DeltaSet) -> BTreeMap<Delta, f64> {
        BTreeMap::new()
    }

    /// Returns the files that do not parse with some changes.
    fn broken(&self, _changes: &DeltaSet) -> Vec<usize> {
        Vec::new()
    }

    /// Returns some changes with others that make them parse; `None` if that is not known.
    fn mended(&self, _changes: &DeltaSet) -> Option<DeltaSet> {
        None
    }

    /// Whether nothing more is asked, so that replies are useless.
    fn is_over(&self) -> bool {
        false
    }
}
