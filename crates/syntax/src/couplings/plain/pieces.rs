//! Parts that may be removed if numbers are updated: counted items, the lines of added numbers, and
//! all parts of stretches that are measured in bytes.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use super::parts::Text;
use crate::couplings::{Coupling, Measure};
use crate::outline::{Forest, Outline, What};

/// Bytes of a stretch that is also cut into single characters; a longer one is cut into lines and
/// words only. Chosen by hand.
const MAX_SPLIT_BYTES: usize = 4096;

/// Returns the pieces as one forest.
pub(super) fn of(text: &Text<'_>, couplings: &[Coupling]) -> Outline {
    let mut pieces = Pieces { text, found: BTreeSet::new() };
    for Coupling { number, of } in couplings {
        match of {
            Measure::Count { items } => {
                items.iter().for_each(|item| pieces.add(item.clone(), What::Item));
            }
            Measure::Sum { terms, .. } => {
                terms.iter().for_each(|term| pieces.add_line(term.start, number));
            }
            Measure::Lines { of } => {
                pieces.lines_of(of).for_each(|line| pieces.add_line(line.start, number));
            }
            Measure::Length { of, .. } | Measure::Size { of } => pieces.add_all_of(of),
            Measure::Offset { .. } => {}
        }
    }
    let mut forest = Forest::default();
    for (start, Reverse(end), what) in pieces.found {
        forest.add(start..end, what);
    }
    forest.finish()
}

struct Pieces<'t, 'a> {
    text: &'t Text<'a>,
    /// By their beginnings, the longer first.
    found: BTreeSet<(usize, Reverse<usize>, What)>,
}

impl<'t> Pieces<'t, '_> {
    fn add(&mut self, range: Range<usize>, what: What) {
        self.found.insert((range.start, Reverse(range.end), what));
    }

    /// Adds the line that something is in, unless it is that of the number.
    fn add_line(&mut self, at: usize, number: &Range<usize>) {
        let line = self.text.lines.partition_point(|line| line.range.end <= at);
        if let Some(line) = self.text.lines.get(line)
            && !line.range.contains(&number.start)
        {
            self.add(line.range.clone(), What::Line);
        }
    }

    /// Returns the lines that overlap with a stretch.
    fn lines_of(&self, stretch: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<'t> {
        let lines = &self.text.lines;
        let (first, end) = (
            lines.partition_point(|line| line.range.end <= stretch.start),
            lines.partition_point(|line| line.range.start < stretch.end),
        );
        lines[first..end].iter().map(|line| line.range.clone())
    }

    /// Adds the lines, words and characters of a stretch.
    fn add_all_of(&mut self, stretch: &Range<usize>) {
        let bytes = self.text.bytes;
        let mut at = stretch.start;
        for line in bytes[stretch.clone()].split_inclusive(|&byte| byte == b'\n') {
            let start = at;
            at += line.len();
            self.add(start..at, What::Line);
            let mut word = start;
            for run in line.chunk_by(|one, other| is_word(*one) && is_word(*other)) {
                self.add(word..word + run.len(), What::Cell);
                if stretch.len() <= MAX_SPLIT_BYTES {
                    self.add_characters(word..word + run.len());
                }
                word += run.len();
            }
        }
    }

    fn add_characters(&mut self, word: Range<usize>) {
        let mut start = word.start;
        for at in word.clone() {
            // Bytes that continue a character are part of it.
            let is_last =
                self.text.bytes[at + 1..word.end].first().is_none_or(|b| b & 0xc0 != 0x80);
            if is_last {
                self.add(start..at + 1, What::Cell);
                start = at + 1;
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
