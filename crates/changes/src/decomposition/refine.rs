//! Changed lines cut into words and signs, for those deltas that it is asked for.

use std::ops::Range;
use std::sync::Arc;

use whodunit_core::{Delta, DeltaSet};

use super::{Change, Decomposition, Text, Touched};
use crate::decompose::{Level, tokens};

impl Decomposition {
    /// Cuts the changed lines of some deltas into tokens and leaves the others as they are.
    ///
    /// Comes with what became of each delta. Of a level that is coarser than lines, all deltas
    /// become as fine as lines.
    pub fn refine(&self, deltas: &DeltaSet) -> (Decomposition, Vec<DeltaSet>) {
        let mut atoms = Vec::with_capacity(self.atoms.len());
        let mut became: Vec<Range<u32>> = Vec::with_capacity(self.atoms.len());
        for (number, atom) in (0..).zip(&self.atoms) {
            let first = atoms.len() as u32;
            let text = self.files.get(atom.file as usize).and_then(|file| file.text.as_ref());
            match (&atom.change, text) {
                (Change::Text(piece), Some(text)) if self.takes(deltas, number) => {
                    for finer in tokens::cut(piece, &text.old, &text.new) {
                        atoms.push(super::Atom { change: Change::Text(finer), ..atom.clone() });
                    }
                }
                _ => atoms.push(atom.clone()),
            }
            became.push(first..atoms.len() as u32);
        }
        let files = self.files.iter().map(|file| Arc::new(moved(file, &became))).collect();
        let mut finer = Decomposition {
            good: self.good.clone(),
            level: Level::Token,
            directories: self.directories.clone(),
            files,
            atoms,
            items: self.items.clone(),
            folders: self.folders.clone(),
            rivals: self.rivals.clone(),
            directory_atoms: self
                .directory_atoms
                .iter()
                .map(|&atom| became[atom as usize].start)
                .collect(),
            deltas: Vec::new(),
            members: Vec::new(),
            starts: Vec::new(),
            boundaries: Vec::new(),
        };
        finer.put_together();
        let of_delta = |delta: u32| {
            let atoms = self.atoms_of(Delta(delta)).iter();
            atoms.map(|&atom| became[atom as usize].clone()).collect()
        };
        let parts = (0..self.len() as u32).map(of_delta).collect();
        (finer, parts)
    }
}

/// Returns a file with its atoms where they are now.
fn moved(file: &Touched, became: &[Range<u32>]) -> Touched {
    let one = |atom: u32| became[atom as usize].start;
    let range = |atoms: &Range<u32>| {
        if atoms.is_empty() {
            return 0..0;
        }
        one(atoms.start)..became[atoms.end as usize - 1].end
    };
    Touched {
        added: file.added.map(one),
        deleted: file.deleted.map(one),
        renamed: file.renamed.map(one),
        mode: file.mode.map(one),
        replaced: file.replaced.map(one),
        atoms: range(&file.atoms),
        text: file.text.as_ref().map(|text| Text { pieces: range(&text.pieces), ..text.clone() }),
        ..file.clone()
    }
}
