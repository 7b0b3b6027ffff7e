//! Changed lines cut into words and signs, for those deltas that it is asked for.

use std::ops::Range;
use std::sync::Arc;

use whodunit_core::{Delta, DeltaSet};

use super::{Change, Decomposition, Deltas, Level, Reordering, Text, Touched, cut_into_tokens};

impl Decomposition {
    /// Cuts the changed lines of some deltas into tokens and leaves the others as they are.
    ///
    /// Comes with what became of each delta. Of a level that is coarser than lines, all deltas
    /// become as fine as lines.
    pub fn refine(&self, deltas: &DeltaSet) -> (Decomposition, Vec<DeltaSet>) {
        let mut grains = Vec::with_capacity(self.grains.len());
        let mut became: Vec<Range<u32>> = Vec::with_capacity(self.grains.len());
        for (number, grain) in (0..).zip(&self.grains) {
            let first = grains.len() as u32;
            let text = self.files.get(grain.file as usize).and_then(|file| file.text.as_ref());
            match (&grain.change, text) {
                (Change::Text(piece), Some(text)) if self.takes(deltas, number) => {
                    for finer in cut_into_tokens(piece, &text.old, &text.new) {
                        grains.push(super::Grain { change: Change::Text(finer), ..grain.clone() });
                    }
                }
                _ => grains.push(grain.clone()),
            }
            became.push(first..grains.len() as u32);
        }
        let files = self.files.iter().map(|file| Arc::new(moved(file, &became))).collect();
        let finer = Decomposition {
            good: self.good.clone(),
            directories: self.directories.clone(),
            files,
            deltas: Deltas::of(&grains, Level::Token),
            grains,
            items: self.items.clone(),
            rivals: self.rivals.clone(),
            directory_grains: self
                .directory_grains
                .iter()
                .map(|&grain| became[grain as usize].start)
                .collect(),
        };
        let of_delta = |delta: u32| {
            let grains = self.grains_of(Delta(delta)).iter();
            grains.map(|&grain| became[grain as usize].clone()).collect()
        };
        let parts = (0..self.len() as u32).map(of_delta).collect();
        (finer, parts)
    }
}

/// Returns a file with its grains where they are now.
fn moved(file: &Touched, became: &[Range<u32>]) -> Touched {
    let one = |grain: u32| became[grain as usize].start;
    let range = |grains: &Range<u32>| {
        if grains.is_empty() {
            return 0..0;
        }
        one(grains.start)..became[grains.end as usize - 1].end
    };
    Touched {
        added: file.added.map(one),
        deleted: file.deleted.map(one),
        renamed: file.renamed.map(one),
        mode: file.mode.map(one),
        replaced: file.replaced.map(one),
        grains: range(&file.grains),
        text: file.text.as_ref().map(|text| Text {
            pieces: range(&text.pieces),
            order: text.order.as_ref().map(|it| Reordering { grain: one(it.grain), ..it.clone() }),
            ..text.clone()
        }),
        ..file.clone()
    }
}
