//! Finds the lines of an edit, with those around them, at another place of the foreign text.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use super::edit::LineEdit;
use super::ladder::CONTEXT;
use crate::lines::Lines;

/// Lines on either side of an edit that must be the same in the foreign text. With fewer the edit
/// is not placed there. Chosen by hand.
const MIN_CONTEXT: u32 = 2;

/// Lines that are looked for at the least, the edit and its surroundings together. Fewer are
/// somewhere else by chance. Chosen by hand.
const MIN_LINES: usize = 3;

/// A line at more places of the foreign text than this is not looked for. Chosen by hand.
const MAX_PLACES: usize = 64;

/// The old text, the patched and the foreign one by their lines, each looked at when first needed.
pub(super) struct Surroundings<'a> {
    base: Placed<'a>,
    patched: Placed<'a>,
    foreign: Placed<'a>,
}

/// The lines of a text, and where each is.
struct Placed<'a> {
    lines: &'a Lines<'a>,
    places: OnceCell<HashMap<&'a [u8], Vec<u32>>>,
}

impl<'a> Surroundings<'a> {
    pub(super) fn new(base: &'a Lines<'a>, patched: &'a Lines<'a>, foreign: &'a Lines<'a>) -> Self {
        let [base, patched, foreign] =
            [base, patched, foreign].map(|lines| Placed { lines, places: OnceCell::new() });
        Surroundings { base, patched, foreign }
    }

    /// Returns where the lines of an edit are, if they and their surroundings are at one place
    /// only, in the foreign text as in the old one.
    pub(super) fn find(&self, edit: &LineEdit) -> Option<Range<u32>> {
        let (wide, found) = self.in_foreign(&self.base, &edit.lines)?;
        let start = found + (edit.lines.start - wide.start);
        Some(start..start + edit.lines.len() as u32)
    }

    /// Whether the foreign text has at one place the patched lines of an edit.
    pub(super) fn has_patched(&self, edit: &LineEdit) -> bool {
        self.in_foreign(&self.patched, &edit.patched).is_some()
    }

    /// Returns lines with their surroundings, and their only place in the foreign text. Fewer lines
    /// around them are enough if they are unique.
    fn in_foreign(&self, from: &Placed<'_>, lines: &Range<u32>) -> Option<(Range<u32>, u32)> {
        (MIN_CONTEXT..=CONTEXT).rev().find_map(|context| self.with(from, lines, context))
    }

    fn with(
        &self,
        from: &Placed<'_>,
        lines: &Range<u32>,
        context: u32,
    ) -> Option<(Range<u32>, u32)> {
        let end = (lines.end + context).min(from.lines.len());
        let wide = lines.start.saturating_sub(context)..end;
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        let tells = wide.clone().any(|line| from.lines.line(line).iter().any(is_word));
        if wide.len() < MIN_LINES || !tells {
            return None;
        }
        let found = self.foreign.only(from.lines, &wide)?;
        from.only(from.lines, &wide)?;
        // At the edge of a text one side has no surroundings; then the edges must match.
        let fits_start = wide.start < lines.start || found == 0;
        let foreign_end = found + wide.len() as u32;
        let fits_end = lines.end < wide.end || foreign_end == self.foreign.lines.len();
        (fits_start && fits_end).then_some((wide, found))
    }
}

impl Placed<'_> {
    /// Returns the only place of this text where these lines of another are.
    fn only(&self, from: &Lines<'_>, wanted: &Range<u32>) -> Option<u32> {
        let places = self.places.get_or_init(|| {
            let mut places: HashMap<&[u8], Vec<u32>> = HashMap::new();
            for line in 0..self.lines.len() {
                places.entry(self.lines.line(line)).or_default().push(line);
            }
            places
        });
        let mut rarest: Option<(u32, &Vec<u32>)> = None;
        for line in wanted.clone() {
            let places = places.get(from.line(line))?;
            if rarest.is_none_or(|(_, fewest)| places.len() < fewest.len()) {
                rarest = Some((line - wanted.start, places));
            }
        }
        let (offset, places) = rarest.filter(|(_, places)| places.len() <= MAX_PLACES)?;
        let starts = places.iter().filter_map(|place| place.checked_sub(offset));
        let is_here = |start: &u32| {
            let length = wanted.len() as u32;
            *start + length <= self.lines.len()
                && (0..length).all(|at| self.lines.line(start + at) == from.line(wanted.start + at))
        };
        let mut found = starts.filter(is_here);
        found.next().filter(|_| found.next().is_none())
    }
}
