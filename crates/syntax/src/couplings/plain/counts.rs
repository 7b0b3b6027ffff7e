//! Numbers that count lines, paragraphs, blocks or fields.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::parts::{FieldPlace, Number, Text};
use super::short;
use crate::couplings::Measure;

/// A smaller number only says that something is there or not, so it counts nothing unless it has a
/// name. Chosen by hand.
const MIN_COUNT: u32 = 2;
/// Things counted for each line of the text, added to [`MIN_ITEMS`]; then the search ends with what
/// it has. Chosen by hand.
const ITEMS_PER_LINE: usize = 8;
/// Things counted in any text. Chosen by hand.
const MIN_ITEMS: usize = 100_000;
/// Lines at the end of a list that may be about the lines before them and do not count as items.
/// Chosen by hand.
const MAX_FOOTERS: usize = 8;

/// Finds the counts, each by the place of its number.
pub(super) fn find(text: &Text<'_>) -> BTreeMap<usize, Measure> {
    let units =
        LazyCell::new(|| [Units::lines(text), Units::blocks(text), Units::paragraphs(text)]);
    let mut found: BTreeMap<usize, Measure> = groups(text);
    let nouns = Nouns::of(text);
    let (mut counted, most) = (0, MIN_ITEMS + ITEMS_PER_LINE * text.lines.len());
    for (index, number) in text.numbers.iter().enumerate() {
        let is_list = number.place == FieldPlace::default() || number.hints.count;
        if !is_list || counted > most || found.contains_key(&index) {
            continue;
        }
        let Some(value) = text.whole(number).filter(|&value| value > 0) else { continue };
        let is_candidate = if number.hints.count {
            (value >= MIN_COUNT || !text.name(number).is_empty()) && !text.is_running(number)
        } else {
            value >= MIN_COUNT && text.is_alone(number) && text.stands_out(number)
        };
        let items = fields_after(text, number, value)
            .or_else(|| is_candidate.then(|| nouns.lines_with(text, number, value))?)
            .or_else(|| {
                let counted = |units: &Units| units.counted_by(text, number, value);
                is_candidate.then(|| units.iter().find_map(counted))?
            });
        if let Some(items) = items {
            counted += items.len();
            found.insert(index, Measure::Count { items: items.into() });
        }
    }
    found
}

type Items = Vec<Range<usize>>;

/// Finds the fields after a number in its line, or all of the next line, if they are as many.
fn fields_after(text: &Text<'_>, number: &Number, value: u32) -> Option<Items> {
    let line = &text.lines[number.line()];
    if value < MIN_COUNT || text.numbers[line.numbers.start].range() != number.range() {
        return None;
    }
    let is_first = number.place.field == 0;
    let after = line.fields - 1 - number.place.field;
    let (fields, skipped) = if after == value && (is_first || number.hints.count) {
        (text.fields(&line.range), number.place.field as usize + 1)
    } else {
        let next = text.lines.get(number.line() + 1)?;
        let is_list = text.is_alone(number) && next.fields == value;
        (is_list.then(|| text.fields(&next.range))?, 0)
    };
    Some(fields.skip(skipped).collect())
}

/// Finds numbers with lines of their own, each followed by as many lines as it states, up to the
/// end: groups of lines. One number more before all of them may be the number of groups.
fn groups(text: &Text<'_>) -> BTreeMap<usize, Measure> {
    let alone = |line: usize| {
        let number = text.lines.get(line)?.numbers.start;
        let of = text.numbers.get(number).filter(|of| of.line() == line && text.is_alone(of))?;
        Some((number, text.whole(of)? as usize))
    };
    for first in [1, 0] {
        let (mut at, mut groups) = (first, Vec::new());
        while let Some((number, count)) = alone(at) {
            let end = at.saturating_add(count).saturating_add(1);
            groups.push((number, at..end));
            at = end;
        }
        let is_counted = first == 0 || alone(0).is_some_and(|(_, count)| count == groups.len());
        // A single group is found elsewhere, by its count.
        let is_single = first == 0 && groups.len() < 2;
        if at != text.lines.len() || groups.is_empty() || is_single || !is_counted {
            continue;
        }
        let lines = |lines: Range<usize>| text.lines[lines].iter().map(|line| line.range.clone());
        let mut found = BTreeMap::new();
        for (number, group) in &groups {
            let items = lines(group.start + 1..group.end).collect();
            found.insert(*number, Measure::Count { items });
        }
        if first == 1
            && let Some((number, _)) = alone(0)
        {
            let all = |group: &Range<usize>| {
                text.lines[group.start].range.start..text.lines[group.end - 1].range.end
            };
            let items = groups.iter().map(|(_, group)| all(group)).collect();
            found.insert(number, Measure::Count { items });
        }
        return found;
    }
    BTreeMap::new()
}

/// Things of one sort that follow each other, by the lines that they are.
struct Units(Vec<Range<usize>>);

impl Units {
    fn lines(text: &Text<'_>) -> Self {
        Units((0..text.lines.len()).map(|line| line..line + 1).collect())
    }

    /// Lines, each with those that are indented after it.
    fn blocks(text: &Text<'_>) -> Self {
        let is_first = |line: &usize| !text.lines[*line].is_indented;
        let mut starts: Vec<usize> = (0..text.lines.len()).filter(is_first).collect();
        starts.push(text.lines.len());
        Units(starts.windows(2).map(|pair| pair[0]..pair[1]).collect())
    }

    fn paragraphs(text: &Text<'_>) -> Self {
        Units(text.paragraphs.windows(2).map(|pair| pair[0]..pair[1]).collect())
    }

    /// Finds the items after or before a number whose count equals it. The first item may be a
    /// header, and footers with sums do not count.
    fn counted_by(&self, text: &Text<'_>, number: &Number, value: u32) -> Option<Items> {
        let own = self.0.partition_point(|unit| unit.end <= number.line());
        let paragraph = text.paragraph(number.line());
        let inside = self.0.partition_point(|unit| unit.start < paragraph.start)
            ..self.0.partition_point(|unit| unit.end <= paragraph.end);
        let is_sum = |unit: &Range<usize>| unit.len() == 1 && text.lines[unit.start].is_total;
        for within in [0..self.0.len(), inside] {
            for side in [own + 1..within.end, within.start..own] {
                let Some(units) = self.0.get(side) else { continue };
                let sums = units.iter().rev().take(MAX_FOOTERS).take_while(|it| is_sum(it)).count();
                let rows = &units[..units.len() - sums];
                let without_header = rows.get(1..).unwrap_or_default();
                let choices = [units, rows, units.get(1..).unwrap_or_default(), without_header];
                let is_it = |units: &&[Range<usize>]| short(units.len()) == value;
                if let Some(units) = choices.into_iter().find(is_it) {
                    return Some(units.iter().map(|unit| bytes_of(text, unit)).collect());
                }
            }
        }
        None
    }
}

fn bytes_of(text: &Text<'_>, lines: &Range<usize>) -> Range<usize> {
    text.lines[lines.start].range.start..text.lines[lines.end - 1].range.end
}

/// The lines with the words after or before counting numbers: `2 errors`, `errors: 2`.
struct Nouns(HashMap<Vec<u8>, Vec<usize>>);

impl Nouns {
    fn of(text: &Text<'_>) -> Self {
        let counting = text.numbers.iter().filter(|number| number.hints.count);
        let words = counting.flat_map(|number| [text.name(number), text.unit(number)]);
        let mut lines: HashMap<Vec<u8>, Vec<usize>> =
            words.filter(|word| word.len() > 2).map(|word| (singular(word), Vec::new())).collect();
        if lines.is_empty() {
            return Nouns(lines);
        }
        for (index, line) in text.lines.iter().enumerate() {
            let bytes = &text.bytes[line.range.clone()];
            for word in bytes.split(|byte| !byte.is_ascii_alphabetic()) {
                let Some(lines) = lines.get_mut(&singular(word)) else { continue };
                if lines.last() != Some(&index) {
                    lines.push(index);
                }
            }
        }
        Nouns(lines)
    }

    /// Finds the other lines with the counted word of a number, if there are as many.
    fn lines_with(&self, text: &Text<'_>, number: &Number, value: u32) -> Option<Items> {
        [text.unit(number), text.name(number)].into_iter().find_map(|word| {
            let lines = self.0.get(&singular(word))?;
            let is_among_them = lines.binary_search(&number.line()).is_ok();
            let others = lines.len() - usize::from(is_among_them);
            let is_other = |line: &&usize| **line != number.line();
            (value >= MIN_COUNT && short(others) == value).then(|| {
                let others = lines.iter().filter(is_other);
                others.map(|&line| text.lines[line].range.clone()).collect()
            })
        })
    }
}

/// Returns a word as it is of one, in small letters.
fn singular(word: &[u8]) -> Vec<u8> {
    word.strip_suffix(b"s").unwrap_or(word).to_ascii_lowercase()
}
