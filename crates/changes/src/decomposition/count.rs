//! How much some deltas are, whatever the level.

use std::collections::BTreeSet;

use whodunit_core::DeltaSet;

use super::{Atom, Decomposition, NONE};

/// How much some deltas are.
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
    /// Counts what some deltas touch.
    pub fn counts(&self, deltas: &DeltaSet) -> Counts {
        let atoms = || deltas.iter().flat_map(|delta| self.atoms_of(delta));
        let distinct = |number: fn(&Atom) -> u32| {
            let numbers = atoms().map(|&atom| number(self.atom(atom)));
            numbers.filter(|&number| number != NONE).collect::<BTreeSet<u32>>().len()
        };
        Counts {
            files: distinct(|atom| atom.file),
            items: distinct(|atom| atom.item),
            hunks: distinct(|atom| atom.hunk),
            lines: distinct(|atom| atom.line),
        }
    }
}
