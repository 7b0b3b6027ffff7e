//! Numbers that are the sum of one column of the lines before or after them.
//!
//! From a number the lines are walked over, upwards and downwards, until they add up to more.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::parts::{FieldPlace, Number, Text};
use crate::couplings::Measure;
use crate::couplings::decimal::{Decimal, decimals};

/// A sum of fewer numbers than this is a coincidence, unless its name suggests a sum. Chosen by
/// hand.
const MIN_TERMS: usize = 3;
/// Columns looked at for one sum; further ones are ignored. Chosen by hand.
const MAX_COLUMNS: usize = 8;
/// Steps of the search for sums for each line of the text, added to [`MIN_STEPS`]; then the search
/// ends with the sums found so far. Chosen by hand.
const STEPS_PER_LINE: usize = 8;
/// Steps of the search for sums in any text. Chosen by hand.
const MIN_STEPS: usize = 100_000;

/// Finds the sums, each by the place of its number.
pub(super) fn find(text: &Text<'_>) -> BTreeMap<usize, Measure> {
    let mut walks = Walks { text, steps: MIN_STEPS + STEPS_PER_LINE * text.lines.len() };
    let mut found = BTreeMap::new();
    for (index, number) in text.numbers.iter().enumerate() {
        let is_candidate = text.lines[number.line()].is_total || text.stands_out(number);
        if !is_candidate || walks.steps == 0 || text.value(number) == Decimal::default() {
            continue;
        }
        if let Some(terms) = walks.terms_of(number) {
            let range = |&term: &usize| text.numbers[term].range();
            let decimals = decimals(&text.bytes[number.range()]);
            let terms: Arc<[_]> = terms.iter().map(range).collect();
            found.insert(index, Measure::Sum { terms, decimals });
        }
    }
    found
}

/// Which numbers of lines are one column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    /// Numbers in this place.
    FromLeft(FieldPlace),
    /// Numbers in this place, with the fields counted from the end.
    FromRight(FieldPlace),
}

/// The direction of a walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

struct Walks<'t, 'a> {
    text: &'t Text<'a>,
    /// How many more are taken in all.
    steps: usize,
}

impl Walks<'_, '_> {
    /// Finds the terms of which a number is the sum.
    fn terms_of(&mut self, number: &Number) -> Option<Vec<usize>> {
        for way in [Direction::Up, Direction::Down] {
            for column in self.columns(number, way) {
                self.steps = self.steps.saturating_sub(1);
                // A grand total has subtotals among its rows, or is the sum of these.
                for with_totals in [false, true] {
                    let terms = self.walk(number, way, column, with_totals);
                    if terms.is_some() {
                        return terms;
                    }
                }
            }
        }
        None
    }

    /// Returns the columns that may add up to a number: its own, then those of the next line.
    fn columns(&self, number: &Number, way: Direction) -> Vec<Column> {
        let mut columns = self.columns_of(number);
        let next = match way {
            Direction::Up => number.line().checked_sub(1),
            Direction::Down => Some(number.line() + 1).filter(|&line| line < self.text.lines.len()),
        };
        if let Some(next) = next.filter(|_| self.text.lines[number.line()].is_total) {
            let numbers = self.text.lines[next].numbers.clone();
            for other in self.text.numbers[numbers].iter().take(MAX_COLUMNS) {
                columns.extend(self.columns_of(other));
            }
        }
        let mut distinct: Vec<Column> = Vec::new();
        for column in columns {
            if !distinct.contains(&column) {
                distinct.push(column);
            }
        }
        distinct
    }

    fn columns_of(&self, number: &Number) -> Vec<Column> {
        let last = self.text.lines[number.line()].fields - 1;
        let from_right = FieldPlace { field: last - number.place.field, ..number.place };
        vec![Column::FromLeft(number.place), Column::FromRight(from_right)]
    }

    fn in_column(&self, line: usize, column: Column) -> Option<usize> {
        let place = match column {
            Column::FromLeft(place) => place,
            Column::FromRight(place) => {
                let last = self.text.lines[line].fields - 1;
                FieldPlace { field: last.checked_sub(place.field)?, ..place }
            }
        };
        self.text.number_at(line, place)
    }

    /// Adds up a column until there is no more; returns the longest run that gives the number.
    fn walk(
        &mut self,
        number: &Number,
        way: Direction,
        column: Column,
        with_totals: bool,
    ) -> Option<Vec<usize>> {
        let lines: Box<dyn Iterator<Item = usize>> = match way {
            Direction::Up => Box::new((0..number.line()).rev()),
            Direction::Down => Box::new(number.line() + 1..self.text.lines.len()),
        };
        let is_named_for_it = self.text.lines[number.line()].is_total;
        let paragraph = self.text.lines[number.line()].paragraph;
        let wanted = self.text.value(number);
        let (mut sum, mut has_negative) = (Decimal::default(), wanted.is_negative());
        let (mut terms, mut enough) = (Vec::new(), None);
        let mut is_over = true;
        for line in lines {
            self.steps = self.steps.saturating_sub(1);
            if self.steps == 0 {
                return None;
            }
            let of = &self.text.lines[line];
            if !is_named_for_it && of.paragraph != paragraph {
                break;
            }
            let term = self.in_column(line, column).filter(|_| with_totals || !of.is_total);
            let Some(term) = term else {
                if is_named_for_it {
                    continue;
                }
                break;
            };
            let value = self.text.value(&self.text.numbers[term]);
            has_negative |= value.is_negative();
            let next = sum.plus(value)?;
            if !has_negative && next > wanted {
                is_over = false;
                break;
            }
            sum = next;
            terms.push(term);
            if sum == wanted {
                enough = Some(terms.len());
            }
        }
        let count = enough?;
        let is_all = is_over && count == terms.len();
        let least = if !is_named_for_it {
            MIN_TERMS
        } else if is_all {
            1
        } else {
            2
        };
        if count < least || !(is_named_for_it || is_all) {
            return None;
        }
        terms.truncate(count);
        terms.sort_unstable();
        Some(terms)
    }
}
