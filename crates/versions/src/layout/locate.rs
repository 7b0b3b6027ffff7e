//! From a place in a laid-out candidate, as build errors name it, to the deltas that are there.

use whodunit_core::DeltaSet;
use whodunit_files::TreePath;

use super::cells;
use crate::decomposition::{Decomposition, Reordering, Text};
use crate::lines::Lines;

impl Decomposition {
    /// Returns the number of the file that a candidate has at a path, if it is one that differs.
    pub fn file_at(&self, candidate: &DeltaSet, path: &TreePath) -> Option<usize> {
        let files = 0..self.files.len() as u32;
        let mut found = files.filter(|&file| self.path_in(file, candidate).as_ref() == Some(path));
        found.next().map(|file| file as usize)
    }

    /// Returns the deltas that decide about a line of a file, counted from 1 as the candidate has
    /// it: those that it is of, and those that would add or have taken lines beside it.
    pub fn deltas_at(&self, candidate: &DeltaSet, file: usize, line: u32) -> DeltaSet {
        let Some(text) = &self.files[file].text else { return DeltaSet::empty() };
        let line = i64::from(self.line_in_new_order(candidate, text, line - 1));
        let mut shift = 0;
        let mut former = None;
        let mut found = Vec::new();
        for (grain, piece) in self.pieces(text) {
            // The tokens of one line are on the same line, wherever that is.
            let number = self.grain(grain).line;
            let old = piece.old_lines.len() as i64;
            let new = piece.new_lines.len() as i64;
            let length = if self.takes(candidate, grain) { new } else { old };
            let again = former == Some(number);
            let moved = if again { shift - length + old } else { shift };
            let start = i64::from(piece.old_lines.start) + moved;
            let is_there = (start..start + length).contains(&line);
            let is_beside = length == 0 && (line..=line + 1).contains(&start);
            if is_there || is_beside {
                found.push(self.delta_of(grain));
            }
            if !again {
                shift += length - old;
            }
            former = Some(number);
        }
        found.into_iter().collect()
    }

    /// Returns where a line of a candidate would be, counted from 0, had it the order of the bad
    /// version.
    fn line_in_new_order(&self, candidate: &DeltaSet, text: &Text, line: u32) -> u32 {
        let order = text.order.as_ref().filter(|order| !self.takes(candidate, order.grain));
        let Some(Reordering { order, .. }) = order else { return line };
        let taken = self.pieces(text).filter(|(grain, _)| self.takes(candidate, *grain));
        let cells = cells(text, order, taken.map(|(_, piece)| piece));
        let lengths: Vec<u32> = cells.iter().map(|cell| Lines::of(cell).len()).collect();
        let mut start = 0;
        for at in order.in_good() {
            if line < start + lengths[at] {
                return lengths[..at].iter().sum::<u32>() + line - start;
            }
            start += lengths[at];
        }
        line
    }
}
