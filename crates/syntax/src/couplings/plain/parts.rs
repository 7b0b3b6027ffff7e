//! The lines of a text, the fields of lines, and the numbers in fields with what stands around them.

use std::ops::Range;

use super::short;
use crate::couplings::decimal::{Decimal, whole};
use crate::couplings::name_hints::NameHints;
use crate::outline::{cells, table};

/// Bytes before a number that are its name; what stands before them is ignored. Chosen by hand.
pub(super) const MAX_NAME_BYTES: usize = 40;
/// Numbers of one field with a place of their own; later ones share one place. Chosen by hand.
const MAX_IN_FIELD: u8 = 8;

/// A text taken apart.
pub(super) struct Text<'a> {
    pub(super) bytes: &'a [u8],
    /// The delimiter between fields; `None` for white space.
    delimiter: Option<u8>,
    /// The lines that are not blank, in order.
    pub(super) lines: Vec<Line>,
    pub(super) numbers: Vec<Number>,
    /// Where paragraphs begin in the lines, and where the last ends.
    pub(super) paragraphs: Vec<usize>,
}

pub(super) struct Line {
    /// Where it is, its end included.
    pub(super) range: Range<usize>,
    /// Its place among the numbers of the text.
    pub(super) numbers: Range<usize>,
    /// How many fields it has.
    pub(super) fields: u32,
    /// The paragraph it is part of.
    pub(super) paragraph: usize,
    pub(super) is_indented: bool,
    /// Whether the name of one of its numbers suggests a sum.
    pub(super) is_total: bool,
}

/// A number, in little space: there may be as many as bytes.
pub(super) struct Number {
    start: u32,
    end: u32,
    /// Where what stands before it in its line begins.
    name: u32,
    line: u32,
    pub(super) place: FieldPlace,
    pub(super) hints: NameHints,
}

impl Number {
    pub(super) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the number of its line.
    pub(super) fn line(&self) -> usize {
        self.line as usize
    }
}

/// Where in its line a number is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FieldPlace {
    pub(super) field: u32,
    /// How many numbers are before it in the same field.
    pub(super) nth: u8,
}

impl<'a> Text<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Self {
        let delimiter = table(bytes).map(|table| table.delimiter);
        let (lines, numbers, paragraphs) = (Vec::new(), Vec::new(), Vec::new());
        let mut text = Text { bytes, delimiter, lines, numbers, paragraphs };
        let (mut start, mut begins) = (0, true);
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let range = start..start + line.len();
            start = range.end;
            if line.trim_ascii().is_empty() {
                begins = true;
                continue;
            }
            if begins {
                text.paragraphs.push(text.lines.len());
            }
            begins = false;
            text.add(range);
        }
        text.paragraphs.push(text.lines.len());
        text
    }

    fn add(&mut self, range: Range<usize>) {
        let first = self.numbers.len();
        let line = self.lines.len();
        let mut fields = 0;
        let mut name = range.start;
        for field in self.fields(&range) {
            let mut nth = 0;
            let mut at = field.start;
            while let Some(found) = next_number(self.bytes, at..field.end, &field) {
                at = found.end;
                if Decimal::read(&self.bytes[found.clone()]).is_none() {
                    continue;
                }
                let before = name.max(found.start.saturating_sub(MAX_NAME_BYTES));
                let unit = unit(self.bytes, found.end..range.end);
                let hints = hints(&self.bytes[before..found.start], &self.bytes[unit]);
                name = found.end;
                self.numbers.push(Number {
                    start: short(found.start),
                    end: short(found.end),
                    name: short(before),
                    line: short(line),
                    place: FieldPlace { field: fields, nth },
                    hints,
                });
                nth = (nth + 1).min(MAX_IN_FIELD);
            }
            fields += 1;
        }
        let numbers = first..self.numbers.len();
        let is_total = self.numbers[first..].iter().any(|number| number.hints.sum);
        let is_indented = self.bytes[range.start].is_ascii_whitespace();
        let paragraph = self.paragraphs.len() - 1;
        self.lines.push(Line { range, numbers, fields, paragraph, is_indented, is_total });
    }

    /// Returns the fields of a line.
    pub(super) fn fields(
        &self,
        line: &Range<usize>,
    ) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let (bytes, line) = (self.bytes, line.clone());
        let cells = self.delimiter.map(|delimiter| cells(bytes, line.clone(), delimiter));
        let mut at = line.start;
        let words = std::iter::from_fn(move || {
            let space = |byte: &u8| byte.is_ascii_whitespace();
            let start = at + bytes[at..line.end].iter().position(|byte| !space(byte))?;
            at = bytes[start..line.end].iter().position(space).map_or(line.end, |to| start + to);
            Some(start..at)
        });
        let has_cells = cells.is_some();
        cells.into_iter().flatten().chain(words.take_while(move |_| !has_cells))
    }

    /// Returns the number that a line has in some place.
    pub(super) fn number_at(&self, line: usize, place: FieldPlace) -> Option<usize> {
        let within = self.lines[line].numbers.clone();
        let found = self.numbers[within.clone()].binary_search_by_key(&place, |it| it.place);
        found.ok().map(|at| within.start + at)
    }

    pub(super) fn value(&self, number: &Number) -> Decimal {
        Decimal::read(&self.bytes[number.range()]).unwrap_or_default()
    }

    /// Returns the value of a number, if it is a whole one and not negative.
    pub(super) fn whole(&self, number: &Number) -> Option<u32> {
        whole(&self.bytes[number.range()])
    }

    /// Returns the last word before a number; empty if there is none.
    pub(super) fn name(&self, number: &Number) -> &'a [u8] {
        last_word(&self.bytes[number.name as usize..number.start as usize])
    }

    /// Returns the word after a number.
    pub(super) fn unit(&self, number: &Number) -> &'a [u8] {
        let line = &self.lines[number.line()].range;
        &self.bytes[unit(self.bytes, number.range().end..line.end)]
    }

    /// Returns the paragraph of a line, as numbers of lines.
    pub(super) fn paragraph(&self, line: usize) -> Range<usize> {
        let paragraph = self.lines[line].paragraph;
        self.paragraphs[paragraph]..self.paragraphs[paragraph + 1]
    }

    /// Whether a number is in the first or the last line of all or of a paragraph.
    pub(super) fn stands_out(&self, number: &Number) -> bool {
        let paragraph = self.paragraph(number.line());
        number.line() == paragraph.start || number.line() + 1 == paragraph.end
    }

    /// Whether lines are numbered, and this is the number of one.
    pub(super) fn is_running(&self, number: &Number) -> bool {
        let next_to = |line: usize| {
            let other = &self.numbers[self.number_at(line, number.place)?];
            let step = self.whole(number)?.abs_diff(self.whole(other)?);
            Some(step == 1 && self.name(other) == self.name(number))
        };
        let after = Some(number.line() + 1).filter(|&line| line < self.lines.len());
        let near = [number.line().checked_sub(1), after].into_iter().flatten();
        near.filter_map(next_to).any(|is_next| is_next)
    }

    /// Whether a line has nothing but one number.
    pub(super) fn is_alone(&self, number: &Number) -> bool {
        let line = &self.lines[number.line()];
        self.bytes[line.range.clone()].trim_ascii().len() == number.range().len()
    }
}

fn hints(name: &[u8], unit: &[u8]) -> NameHints {
    if unit.is_empty() && !name.iter().any(u8::is_ascii_alphabetic) {
        return NameHints::default();
    }
    let (before, after) = (NameHints::of(name), NameHints::of(unit));
    let is_plural = |word: &[u8]| word.len() > 3 && word.ends_with(b"s");
    NameHints {
        count: before.count || after.count || is_plural(unit) || is_plural(last_word(name)),
        sum: before.sum || after.sum,
        length: before.length || after.length,
        size: before.size || after.size,
        offset: before.offset || after.offset,
        lines: before.lines || after.lines,
    }
}

fn last_word(text: &[u8]) -> &[u8] {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
    let words = text.iter().rposition(is_letter).map_or(&[][..], |last| &text[..=last]);
    &words[words.iter().rposition(|byte| !is_letter(byte)).map_or(0, |other| other + 1)..]
}

/// Returns the word that follows a number in its line.
fn unit(bytes: &[u8], rest: Range<usize>) -> Range<usize> {
    let after = |from: usize, is_part: fn(&u8) -> bool| {
        let length = bytes[from..rest.end].iter().take_while(|byte| is_part(byte)).count();
        from + length
    };
    let start = after(rest.start, |&byte| byte == b' ');
    let end = after(start, u8::is_ascii_alphabetic);
    // As in `at 3 count=7`, where it is the name of something else.
    let is_name = matches!(bytes[end..rest.end].trim_ascii_start().first(), Some(b'=' | b':'));
    start..if is_name { start } else { end }
}

/// Finds the next number of a field that is no part of something else, as a date has them.
fn next_number(bytes: &[u8], rest: Range<usize>, field: &Range<usize>) -> Option<Range<usize>> {
    let byte = |at: usize| field.contains(&at).then(|| bytes[at]);
    let is_digit = |at: usize| byte(at).is_some_and(|byte| byte.is_ascii_digit());
    let digits = |from: usize| (from..field.end).take_while(|&at| is_digit(at)).count();
    let is_apart = |next: Option<u8>, has_digit: bool| match next {
        None => true,
        Some(b'-' | b':' | b'/' | b',' | b'.') => !has_digit,
        Some(other) => !other.is_ascii_alphanumeric() && other != b'_',
    };
    let before = |at: usize| at.checked_sub(1);
    let mut at = rest.start;
    while at < rest.end {
        if !is_digit(at) {
            at += 1;
            continue;
        }
        let is_minus = before(at).filter(|&minus| byte(minus) == Some(b'-'));
        let is_sign = |&minus: &usize| before(minus).and_then(byte).is_none_or(|b| b == b' ');
        let start = is_minus.filter(is_sign).unwrap_or(at);
        let mut end = at + digits(at);
        if byte(end) == Some(b'.') && is_digit(end + 1) {
            end = end + 1 + digits(end + 1);
        }
        let first = before(start).and_then(byte);
        let has_digit = before(start).and_then(before).is_some_and(is_digit);
        if is_apart(first, has_digit) && is_apart(byte(end), is_digit(end + 1)) {
            return Some(start..end);
        }
        at = end;
    }
    None
}
