//! Couplings of a text without a grammar: lines and words, rows and cells.
//!
//! Without a tree a number needs a reason to be considered: a fitting name (`total`, `3 records`,
//! `Content-Length`), or a line of its own at the beginning or the end. The measured part ends at
//! the end of the text, a paragraph, or a line.

mod counts;
mod parts;
mod pieces;
mod sizes;
mod sums;

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};

use super::{Coupling, Measure, Plain, lines};
use parts::{Number, Text};

/// With up to this many numbers of one name each may measure something or not. Of more of them four
/// in five must measure something, or none is coupled but a number without a name that stands out.
/// Chosen by hand.
const MAX_FREE_NUMBERS: usize = 4;

/// Lines of a text in which measures are looked for; none is found in a longer one. Chosen by hand.
const MAX_LINES: usize = 1 << 20;

/// Finds the couplings of a text.
pub(super) fn find(bytes: &[u8]) -> Plain {
    if lines(bytes) > MAX_LINES {
        return Plain::default();
    }
    let text = Text::read(bytes);
    let mut found: Vec<(&Number, Measure)> = Vec::new();
    let sums = sums::find(&text);
    let counts = counts::find(&text);
    for (index, number) in text.numbers.iter().enumerate() {
        // To be just as long as the text that follows is no coincidence.
        let size = sizes::of(&text, number).map(|size| vec![size]);
        let others = || [&sums, &counts].into_iter().filter_map(|of| of.get(&index).cloned());
        let measures = size.unwrap_or_else(|| others().collect());
        found.extend(measures.into_iter().map(|of| (number, of)));
    }
    drop_coincidences(&text, &mut found);
    let coupling = |(number, of): (&Number, Measure)| Coupling { number: number.range(), of };
    let couplings: Vec<Coupling> = found.into_iter().map(coupling).collect();
    let pieces = pieces::of(&text, &couplings);
    Plain { couplings, pieces }
}

/// The name of a number, and whether it has a line of its own.
type Sort<'a> = (&'a [u8], bool);

/// Drops the measures of a sort of numbers, unless most numbers of the sort have one of this kind.
fn drop_coincidences(text: &Text<'_>, found: &mut Vec<(&Number, Measure)>) {
    let sort = |number: &Number| (text.name(number), text.is_alone(number));
    let mut all: HashMap<Sort<'_>, usize> = HashMap::new();
    let mut measuring: HashMap<(Sort<'_>, Discriminant<Measure>), usize> = HashMap::new();
    for (number, of) in found.iter() {
        all.insert(sort(number), 0);
        *measuring.entry((sort(number), discriminant(of))).or_default() += 1;
    }
    for number in text.numbers.iter().filter(|_| !found.is_empty()) {
        all.entry(sort(number)).and_modify(|count| *count += 1);
    }
    found.retain(|(number, of)| {
        let sort = sort(number);
        let (all, measuring) = (all[&sort], measuring[&(sort, discriminant(of))]);
        let is_nameless = text.name(number).is_empty();
        all <= MAX_FREE_NUMBERS
            || measuring * 5 >= all * 4
            || is_nameless && text.stands_out(number)
    });
}

/// Returns a number as texts have them.
fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
