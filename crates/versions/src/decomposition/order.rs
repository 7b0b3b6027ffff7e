//! A text whose members stand in another order in the bad version.
//!
//! A comparison of lines sees a moved method as a deletion here and an insertion there, and pairs
//! the end of one method with the end of another. So such a text is cut into cells, one for each
//! member of both versions. The cells are compared one by one, and their order is a change by
//! itself. For example, if `f` and `g` swap places and one line of `g` changes, there are two
//! deltas: the order and the line. Between the two versions lies the *moved* text: the text of the
//! good version in the order of the bad one. Pieces of the difference have their places in it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::Piece;
use crate::lines::{Hunk, Lines};
use crate::syntax_facts::{FactsOfBoth, Items};

/// The order of a text in both versions.
#[derive(Debug)]
pub(crate) struct MemberOrder {
    /// The text of the good version.
    pub(crate) good: Arc<[u8]>,
    /// In the order of the bad version. They cover all of each text.
    cells: Vec<Cell>,
}

/// A part of a text that keeps its inner order.
#[derive(Debug)]
struct Cell {
    good: Range<u32>,
    moved: Range<u32>,
    new: Range<u32>,
    good_lines: Range<u32>,
    moved_lines: Range<u32>,
    new_lines: Range<u32>,
}

impl MemberOrder {
    /// Makes the order of lines of the good version that became lines of the bad one; the latter
    /// are in order. Comes with the moved text.
    pub(crate) fn of(cells: &[Hunk], good: &Arc<[u8]>, new: &[u8]) -> (MemberOrder, Arc<[u8]>) {
        let (before, after) = (Lines::of(good), Lines::of(new));
        let mut moved: Vec<u8> = Vec::with_capacity(good.len());
        let mut line = 0;
        let cells = cells.iter().map(|cell| {
            let bytes = before.bytes(&cell.old);
            let (start, first) = (moved.len() as u32, line);
            moved.extend_from_slice(&good[bytes.start as usize..bytes.end as usize]);
            line += cell.old.len() as u32;
            Cell {
                good: bytes,
                moved: start..moved.len() as u32,
                new: after.bytes(&cell.new),
                good_lines: cell.old.clone(),
                moved_lines: first..line,
                new_lines: cell.new.clone(),
            }
        });
        let cells = cells.collect();
        (MemberOrder { good: good.clone(), cells }, moved.into())
    }

    /// Returns the cells as lines of the moved text, and of the new one.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Hunk> + '_ {
        let lines =
            |cell: &Cell| Hunk { old: cell.moved_lines.clone(), new: cell.new_lines.clone() };
        self.cells.iter().map(lines)
    }

    /// Returns where each cell is in the moved text.
    pub(crate) fn moved(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        self.cells.iter().map(|cell| cell.moved.clone())
    }

    /// Returns the number of the cell that a piece is in.
    pub(crate) fn cell_of(&self, piece: &Piece) -> usize {
        // An added piece may lie between two cells of the moved text, but is inside one cell of the
        // new text.
        if piece.new.is_empty() {
            self.cells.partition_point(|cell| cell.moved.end <= piece.old.start)
        } else {
            self.cells.partition_point(|cell| cell.new.end <= piece.new.start)
        }
    }

    /// Returns the numbers of the cells in the order of the good version.
    pub(crate) fn in_good(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..self.cells.len()).collect();
        numbers.sort_by_key(|&at| (self.cells[at].good.start, self.cells[at].good.end, at));
        numbers
    }

    /// Returns where lines of the moved text, which are of one cell, are in the good version.
    pub(crate) fn good_lines(&self, lines: &Range<u32>) -> Range<u32> {
        let at = self.cells.partition_point(|cell| cell.moved_lines.end <= lines.start);
        let Some(cell) = self.cells.get(at).or(self.cells.last()) else { return lines.clone() };
        let start = cell.good_lines.start + (lines.start - cell.moved_lines.start);
        start..start + lines.len() as u32
    }
}

/// Whether something that both versions have by the same name stands before something else in one
/// and after it in the other.
pub(crate) fn is_shuffled(facts: &FactsOfBoth) -> bool {
    let (Some(old), Some(new)) = (&facts.old, &facts.new) else { return false };
    let mut places: HashMap<(&str, usize), usize> = HashMap::new();
    each(&old.items, |key, at| {
        places.insert(key, at);
    });
    let mut farthest = 0;
    let mut is_shuffled = false;
    each(&new.items, |key, _| {
        if let Some(&place) = places.get(&key) {
            is_shuffled |= place < farthest;
            farthest = farthest.max(place);
        }
    });
    is_shuffled
}

/// Calls something with the name of each item, which of that name it is, and its place.
fn each<'a>(items: &'a Items, mut call: impl FnMut((&'a str, usize), usize)) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (at, item) in items.all().iter().enumerate() {
        let count = counts.entry(&*item.name).or_default();
        call((&*item.name, *count), at);
        *count += 1;
    }
}
