//! Numbers that follow the parts that they count, sum or measure, when some of these are removed.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use whodunit_syntax::couplings::{Coupling, Edited, Measure, couplings};
use whodunit_syntax::tree::SyntaxTree;

use crate::edits::Edit;

/// With more couplings than this in a file none is followed: updating all of them for each question
/// would take longer than the tests. Chosen by hand.
const MAX_COUPLINGS: usize = 256;

/// The number of rounds in which numbers are updated after numbers, such as a length whose text
/// holds a total of subtotals. Longer chains stay as they are. Chosen by hand.
const ROUNDS: usize = 3;

/// The numbers of a file that follow something else in it.
#[derive(Debug)]
pub(super) struct Followers {
    text: Arc<[u8]>,
    couplings: Vec<Coupling>,
    /// Whether some numbers are part of the text that others measure.
    are_nested: bool,
    /// The address of the first byte.
    start: u64,
}

impl Followers {
    /// Finds the numbers of a text that measure something. `None` if there are none or too many, or
    /// if the text has errors: then most findings would be wrong.
    pub(super) fn find(tree: &SyntaxTree, start: u64) -> Option<Followers> {
        if tree.has_errors() {
            return None;
        }
        Self::of(tree.source(), couplings(tree), start)
    }

    /// Takes numbers that were found; `None` if there are none or too many.
    pub(super) fn of(text: &Arc<[u8]>, couplings: Vec<Coupling>, start: u64) -> Option<Followers> {
        if couplings.is_empty() || couplings.len() > MAX_COUPLINGS {
            return None;
        }
        let mut found = Followers { text: text.clone(), couplings, are_nested: false, start };
        let measured = found.measured();
        found.are_nested = found.couplings.iter().any(|it| measured.holds(&it.number));
        Some(found)
    }

    /// Returns the parts of the text that are measured.
    pub(super) fn measured(&self) -> Measured {
        let mut measured = Measured::default();
        for Coupling { number, of } in &self.couplings {
            match of {
                Measure::Count { items: parts } | Measure::Sum { terms: parts, .. } => {
                    let with_number = |part: &Range<usize>| (part.clone(), number.clone());
                    measured.items.extend(parts.iter().map(with_number));
                }
                Measure::Length { of, .. } | Measure::Size { of } | Measure::Lines { of } => {
                    measured.stretches.push((of.clone(), number.clone()));
                }
                Measure::Offset { of } => measured.stretches.push((0..of.start, number.clone())),
            }
        }
        measured.items.sort_by_key(|(item, _)| item.start);
        measured
    }

    /// Adds the edits of those numbers that are no longer right.
    pub(super) fn follow(&self, edits: &mut Vec<Edit>) {
        let is_touched = |coupling: &&Coupling| {
            let number = self.addresses(&coupling.number);
            let first = edits.partition_point(|edit| edit.range.end <= number.start);
            edits.get(first).is_some_and(|edit| edit.range.start < number.end)
        };
        let left: Vec<&Coupling> =
            self.couplings.iter().filter(|coupling| !is_touched(coupling)).collect();
        let mut all = edits.clone();
        for _ in 0..ROUNDS {
            let after = self.followed(&left, edits, &all);
            let is_done = !self.are_nested || after == all;
            all = after;
            if is_done {
                break;
            }
        }
        *edits = all;
    }

    /// Returns the edits of some numbers, given `all` edits known so far.
    fn followed(&self, left: &[&Coupling], edits: &[Edit], all: &[Edit]) -> Vec<Edit> {
        let after = After { followers: self, edits: all };
        let mut more: Vec<Edit> = Vec::new();
        for coupling in left {
            let range = self.addresses(&coupling.number);
            if more.iter().any(|edit| edit.range == range) {
                continue;
            }
            let text = coupling.text(&self.text, &after);
            let old = &self.text[coupling.number.clone()];
            if let Some(text) = text.filter(|text| text.as_slice() != old) {
                more.push(Edit { range, text });
            }
        }
        let mut all = [edits, &more].concat();
        all.sort_by_key(|edit| edit.range.start);
        all
    }

    fn addresses(&self, part: &Range<usize>) -> Range<u64> {
        self.start + part.start as u64..self.start + part.end as u64
    }
}

/// Parts of a text that numbers in the same text measure, each with its number.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// Items that are counted or added up, by their beginning.
    items: Vec<(Range<usize>, Range<usize>)>,
    /// Stretches that are measured in bytes or lines, so that every edit inside matters.
    stretches: Vec<(Range<usize>, Range<usize>)>,
}

impl Measured {
    /// Returns whether a range holds a measured part, but not its number.
    pub(super) fn holds(&self, range: &Range<usize>) -> bool {
        let is_apart = |other: &Range<usize>| other.end <= range.start || other.start >= range.end;
        let first = self.items.partition_point(|(item, _)| item.start < range.start);
        let inside = self.items[first..].iter().take_while(|(item, _)| item.start < range.end);
        inside.filter(|(item, _)| item.end <= range.end).any(|(_, number)| is_apart(number))
            || self.stretches.iter().any(|(of, number)| !is_apart(of) && is_apart(number))
    }
}

/// The text after some edits.
struct After<'a> {
    followers: &'a Followers,
    edits: &'a [Edit],
}

impl Edited for After<'_> {
    fn is_kept(&self, part: &Range<usize>) -> bool {
        let range = self.followers.addresses(part);
        let first = self.edits.partition_point(|edit| edit.range.end <= range.start);
        let edit = self.edits.get(first);
        edit.is_none_or(|edit| edit.range.start > range.start || edit.range.end < range.end)
    }

    fn text(&self, part: &Range<usize>) -> Option<Cow<'_, [u8]>> {
        if !self.is_kept(part) {
            return None;
        }
        let range = self.followers.addresses(part);
        let source = &self.followers.text;
        let within = |address: u64| (address - self.followers.start) as usize;
        let (mut text, mut at) = (Vec::new(), range.start);
        let first = self.edits.partition_point(|edit| edit.range.end <= range.start);
        for edit in self.edits[first..].iter().take_while(|edit| edit.range.start < range.end) {
            text.extend_from_slice(&source[within(at)..within(edit.range.start.max(at))]);
            text.extend_from_slice(&edit.text);
            at = edit.range.end.min(range.end);
        }
        text.extend_from_slice(&source[within(at)..within(range.end)]);
        Some(Cow::Owned(text))
    }

    fn start(&self, part: &Range<usize>) -> Option<usize> {
        if !self.is_kept(part) {
            return None;
        }
        let start = self.followers.addresses(part).start;
        let of_file = |edit: &&Edit| edit.range.start >= self.followers.start;
        let before = self.edits.iter().filter(of_file).take_while(|edit| edit.range.end <= start);
        let shift: i64 = before
            .map(|edit| edit.text.len() as i64 - (edit.range.end - edit.range.start) as i64)
            .sum();
        usize::try_from((start - self.followers.start) as i64 + shift).ok()
    }
}
