//! The size of some deltas, at any level.

use std::collections::BTreeSet;

use whodunit_core::DeltaSet;

use super::{Decomposition, Grain, NONE};

/// The size of some deltas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Files that they touch.
    pub files: usize,
    /// Functions, classes and the like that they touch, where the language is known.
    pub items: usize,
    /// Runs of lines that they touch.
    pub hunks: usize,
    /// Changed lines; an old and a new one that are alike count as one.
    pub lines: usize,
}

impl Decomposition {
    /// Counts the files, items, hunks and lines that some deltas touch.
    pub fn counts(&self, deltas: &DeltaSet) -> Counts {
        let grains = || deltas.iter().flat_map(|delta| self.grains_of(delta));
        let distinct = |number: fn(&Grain) -> u32| {
            let numbers = grains().map(|&grain| number(self.grain(grain)));
            numbers.filter(|&number| number != NONE).collect::<BTreeSet<u32>>().len()
        };
        Counts {
            files: distinct(|grain| grain.file),
            items: distinct(|grain| grain.item),
            hunks: distinct(|grain| grain.hunk),
            lines: distinct(|grain| grain.line),
        }
    }
}
