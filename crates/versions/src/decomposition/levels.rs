//! Grains put together to the deltas of a level, and what lies between neighbours.

use std::collections::HashMap;

use whodunit_core::Delta;

use super::{Change, Decomposition, Grain, NONE};
use crate::decompose::Level;

/// What lies between two neighbouring deltas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Boundary {
    /// Both are in one changed line.
    Token,
    /// Both are in one hunk.
    Line,
    /// Both are in one item, or both in none.
    Hunk,
    /// Both are in one file.
    Item,
    /// Both are in one folder.
    File,
    /// They are in different folders.
    Directory,
}

impl Decomposition {
    /// Returns the coarsest boundary between two deltas, wherever they are.
    pub(crate) fn boundary_between(&self, one: Delta, other: Delta) -> Boundary {
        let first = |delta: Delta| self.grain(self.grains_of(delta)[0]);
        boundary(first(one), first(other))
    }

    /// Makes the deltas of the grains.
    pub(super) fn put_together(&mut self) {
        let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
        self.deltas = Vec::with_capacity(self.grains.len());
        let mut count = 0;
        for (number, grain) in (0..).zip(&self.grains) {
            let delta = match key(grain, self.level) {
                Some(key) => *numbers.entry(key).or_insert(count),
                None => count,
            };
            debug_assert!(delta <= count, "grain {number} skips a delta");
            count = count.max(delta + 1);
            self.deltas.push(delta);
        }
        self.starts = vec![0; count as usize + 1];
        for &delta in &self.deltas {
            self.starts[delta as usize + 1] += 1;
        }
        for at in 1..self.starts.len() {
            self.starts[at] += self.starts[at - 1];
        }
        let mut next = self.starts.clone();
        self.members = vec![0; self.grains.len()];
        for (grain, &delta) in (0..).zip(&self.deltas) {
            self.members[next[delta as usize] as usize] = grain;
            next[delta as usize] += 1;
        }
        let first = |delta: usize| &self.grains[self.members[self.starts[delta] as usize] as usize];
        self.boundaries =
            (1..count as usize).map(|delta| boundary(first(delta - 1), first(delta))).collect();
    }
}

/// Returns what the grains of one delta have in common; nothing if the grain is a delta by itself.
fn key(grain: &Grain, level: Level) -> Option<(u32, u32)> {
    if matches!(grain.change, Change::DirectoryRenamed(_)) {
        return None;
    }
    let is_text = matches!(grain.change, Change::Text(_));
    match level {
        Level::Directory => Some((grain.folder, 0)),
        Level::File => Some((grain.file, 0)),
        Level::Item if is_text => Some((grain.file, grain.item)),
        Level::Hunk if is_text => Some((grain.file, grain.hunk)),
        Level::Item | Level::Hunk | Level::Line | Level::Token => None,
    }
}

/// Returns the coarsest boundary between two grains.
fn boundary(one: &Grain, other: &Grain) -> Boundary {
    if one.folder != other.folder || one.file == NONE || other.file == NONE {
        Boundary::Directory
    } else if one.file != other.file {
        Boundary::File
    } else if one.item != other.item || one.hunk == NONE || other.hunk == NONE {
        Boundary::Item
    } else if one.hunk != other.hunk {
        Boundary::Hunk
    } else if one.line != other.line {
        Boundary::Line
    } else {
        Boundary::Token
    }
}
