//! Which grain a line of a text belongs to.

use std::ops::Range;

use super::brackets;
use crate::decomposition::Piece;
use crate::decomposition::{Decomposition, Text};
use crate::syntax_facts::SyntaxFacts;

/// One end of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The good version's text, whose changed lines are removed.
    Old,
    /// The bad version's text, whose changed lines are added.
    New,
}

impl Side {
    /// Returns this end of a text and its syntax facts.
    pub(super) fn of(self, text: &Text) -> (&[u8], Option<&SyntaxFacts>) {
        match self {
            Side::Old => (&text.old, text.old_facts()),
            Side::New => (&text.new, text.new_facts()),
        }
    }

    /// Returns where a piece is in this end of its text.
    pub(super) fn bytes(self, piece: &Piece) -> Range<usize> {
        let range = match self {
            Side::Old => &piece.old,
            Side::New => &piece.new,
        };
        range.start as usize..range.end as usize
    }

    pub(super) fn other(self) -> Side {
        match self {
            Side::Old => Side::New,
            Side::New => Side::Old,
        }
    }

    /// Turns "this needs that at this end" into "this grain needs that grain": at the old end a
    /// needed line is removed last.
    pub(super) fn edge(self, grain: u32, needed: u32) -> (u32, u32) {
        match self {
            Side::New => (grain, needed),
            Side::Old => (needed, grain),
        }
    }
}

/// The grains of the changed lines of one end of a text.
pub(super) struct ChangedLines {
    side: Side,
    /// Sorted: the lines, the first grain of these lines, and whether none stands in for them.
    lines: Vec<(Range<u32>, u32, bool)>,
}

impl ChangedLines {
    /// Finds the grains of a text's changed lines. The tokens of one line are taken together.
    pub(super) fn of(decomposition: &Decomposition, text: &Text, side: Side) -> Self {
        let mut lines: Vec<(Range<u32>, u32, bool)> = Vec::new();
        for (grain, piece) in decomposition.pieces(text) {
            let range = lines_of(piece, side);
            let is_known = lines.last().is_some_and(|last| last.0 == range);
            if !range.is_empty() && !is_known {
                lines.push((range, grain, stands_alone(text, piece)));
            }
        }
        ChangedLines { side, lines }
    }

    /// Returns the grain of a line.
    pub(super) fn grain(&self, line: u32) -> Option<u32> {
        self.find(line).map(|found| found.1)
    }

    /// Returns the grain of a line that no other stands in for.
    pub(super) fn lone_grain(&self, line: u32) -> Option<u32> {
        self.find(line).filter(|found| found.2).map(|found| found.1)
    }

    /// Turns "this line needs that line" into "this grain needs that grain".
    pub(super) fn edge(&self, grain: u32, needed: u32) -> (u32, u32) {
        self.side.edge(grain, needed)
    }

    fn find(&self, line: u32) -> Option<&(Range<u32>, u32, bool)> {
        let at = self.lines.partition_point(|(range, _, _)| range.end <= line);
        self.lines.get(at).filter(|(range, _, _)| range.contains(&line))
    }
}

fn lines_of(piece: &Piece, side: Side) -> Range<u32> {
    match side {
        Side::Old => piece.old_lines.clone(),
        Side::New => piece.new_lines.clone(),
    }
}

/// Whether a piece only adds, or only deletes, or changes the indentation, or leaves other
/// brackets open than the old text did.
fn stands_alone(text: &Text, piece: &Piece) -> bool {
    indentations(text, piece).is_none_or(|(old, new)| old != new)
        || brackets::balance(text, piece) != brackets::EVEN
}

/// Returns how far a line is indented at both ends, if it is at both.
pub(super) fn indentations(text: &Text, piece: &Piece) -> Option<(usize, usize)> {
    if piece.old_lines.is_empty() || piece.new_lines.is_empty() {
        return None;
    }
    let indentation = |text: &[u8], at: u32| {
        let begin =
            text[..at as usize].iter().rposition(|&byte| byte == b'\n').map_or(0, |n| n + 1);
        text[begin..].iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count()
    };
    Some((indentation(&text.old, piece.old.start), indentation(&text.new, piece.new.start)))
}
