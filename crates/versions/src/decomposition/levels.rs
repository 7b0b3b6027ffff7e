//! Grains put together to the deltas of a level, and what lies between neighbours.

use std::collections::HashMap;

use whodunit_core::Delta;

use super::{Change, Decomposition, Grain, NONE};

/// How fine the deltas are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Level {
    /// Whole folders.
    Directory,
    /// Whole files.
    File,
    /// Functions, classes and the like, where the language is known.
    Item,
    /// Runs of changed lines.
    Hunk,
    /// Single lines.
    #[default]
    Line,
    /// Words and signs within lines.
    Token,
}

/// The boundary between two neighbouring deltas.
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
}

/// Which grains are which delta.
#[derive(Debug, Default)]
pub(crate) struct Deltas {
    /// The delta of each grain.
    pub(super) of_grain: Vec<u32>,
    /// The grains of each delta, one after the other.
    pub(super) members: Vec<u32>,
    /// Where the grains of each delta begin in `members`, and where the last ones end.
    pub(super) starts: Vec<u32>,
}

impl Deltas {
    /// Puts the grains together to the deltas of a level.
    pub(crate) fn of(grains: &[Grain], level: Level) -> Self {
        let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
        let mut of_grain = Vec::with_capacity(grains.len());
        let mut count = 0;
        for (number, grain) in grains.iter().enumerate() {
            let delta = match key(grain, level) {
                Some(key) => *numbers.entry(key).or_insert(count),
                None => count,
            };
            debug_assert!(delta <= count, "grain {number} skips a delta");
            count = count.max(delta + 1);
            of_grain.push(delta);
        }
        let mut starts = vec![0; count as usize + 1];
        for &delta in &of_grain {
            starts[delta as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut members = vec![0; grains.len()];
        for (grain, &delta) in (0..).zip(&of_grain) {
            members[next[delta as usize] as usize] = grain;
            next[delta as usize] += 1;
        }
        Deltas { of_grain, members, starts }
    }
}

/// Returns the key that the grains of one delta share; `None` if the grain is a delta by itself.
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
