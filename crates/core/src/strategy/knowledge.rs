//! What a strategy is told of changes beside where they stand and what needs what.

use std::collections::BTreeMap;

use crate::{Delta, DeltaSet};

/// What is known of changes before the first question: weights, and sets that may be the answer.
///
/// It is asked when it is needed, because to read it off the versions takes time. Pure: the same question
/// has the same reply. Nothing is excluded by it; a wrong reply costs tests, not the answer. Each
/// reply that is not given knows nothing.
pub trait Knowledge: Send + Sync {
    /// Returns the changes that the test of the bad version reads, then those that either test reads.
    fn read(&self, _suspects: &DeltaSet) -> Vec<DeltaSet> {
        Vec::new()
    }

    /// Returns the changes that bring words of the failure.
    fn spoken_of(&self, _suspects: &DeltaSet) -> DeltaSet {
        DeltaSet::empty()
    }

    /// Returns the changes of what the test names and of what that uses, the nearest first.
    fn tested(&self, _suspects: &DeltaSet) -> Vec<DeltaSet> {
        Vec::new()
    }

    /// Returns the changes that do nothing when the program runs: comments and layout.
    fn quiet(&self, _suspects: &DeltaSet) -> DeltaSet {
        DeltaSet::empty()
    }

    /// Returns how suspect changes are; one that is not mentioned is hardly so.
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

    /// Whether nothing more is asked, so that replies are of no use.
    fn is_over(&self) -> bool {
        false
    }
}
