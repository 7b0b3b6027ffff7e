//! Numbers that count, sum or measure something else in the same text.
//!
//! Deleting a list item without updating its count makes the text invalid. For example, in
//! `{"count": 2, "items": [1, 2]}` the `2` must become `1` when an item is deleted. Which number
//! belongs to which list is a guess: a number that equals the length of a near list is coupled with
//! it, and a name such as `count`, `total` or `length` makes up for distance. A wrong guess only
//! costs a test, so each number has a few couplings at most.

mod columns;
mod decimal;
mod find;
mod index;
mod name_hints;
mod outline;
mod plain;
mod signs;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::outline::Outline;
use crate::tree::SyntaxTree;

use decimal::Decimal;

/// A number that follows something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coupling {
    /// The number, with its quotes if it stands in a string.
    pub number: Range<usize>,
    /// The measure that it follows.
    pub of: Measure,
}

/// How a number comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// How many items a list has.
    Count {
        /// The items, in order.
        items: Arc<[Range<usize>]>,
    },
    /// The sum of some numbers.
    Sum {
        /// The numbers, in order.
        terms: Arc<[Range<usize>]>,
        /// How many digits it has after the point.
        decimals: usize,
    },
    /// How long a string is, without its quotes.
    Length {
        /// The string.
        of: Range<usize>,
        /// The unit that is counted.
        unit: Unit,
    },
    /// How many bytes something has.
    Size {
        /// The bytes.
        of: Range<usize>,
    },
    /// How many bytes are before something.
    Offset {
        /// The bytes after them.
        of: Range<usize>,
    },
    /// How many lines something has.
    Lines {
        /// The bytes.
        of: Range<usize>,
    },
}

/// The unit of the length of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Bytes as they are written.
    Bytes,
    /// Characters; an escape such as `\n` is one.
    Characters,
}

/// A text after edits. An unedited text is one too.
pub trait Edited {
    /// Whether something is still there, and so is all it is part of.
    fn is_kept(&self, part: &Range<usize>) -> bool;

    /// Returns the text of a part as it is now; none if it is gone.
    fn text(&self, part: &Range<usize>) -> Option<Cow<'_, [u8]>>;

    /// Returns the number of bytes before a part now; `None` if the part is gone.
    fn start(&self, part: &Range<usize>) -> Option<usize>;
}

impl Edited for &[u8] {
    fn is_kept(&self, _: &Range<usize>) -> bool {
        true
    }

    fn text(&self, part: &Range<usize>) -> Option<Cow<'_, [u8]>> {
        self.get(part.clone()).map(Cow::Borrowed)
    }

    fn start(&self, part: &Range<usize>) -> Option<usize> {
        Some(part.start)
    }
}

/// The couplings of a text without a grammar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plain {
    /// The numbers that follow something, in order.
    pub couplings: Vec<Coupling>,
    /// Parts that may be removed if the numbers are updated.
    pub pieces: Outline,
}

/// Finds the numbers of a text that follow something, in order, at most a few for each.
///
/// Takes a time that grows with the text, hardly faster.
pub fn couplings(tree: &SyntaxTree) -> Vec<Coupling> {
    find::find(tree)
}

/// Finds the same in a text of lines and words, or of rows and cells, of which no more is known.
pub fn plain(text: &[u8]) -> Plain {
    plain::find(text)
}

impl Coupling {
    /// Returns the new text of the number, quotes and all.
    ///
    /// `None` if its measured part is gone, or can no longer be measured.
    pub fn text(&self, source: &[u8], edited: &dyn Edited) -> Option<Vec<u8>> {
        let old = source.get(self.number.clone())?;
        let digits = decimal::digits(old)?;
        let value = self.of.value(edited)?;
        Some([&old[..digits.start], value.as_bytes(), &old[digits.end..]].concat())
    }
}

impl Measure {
    /// Returns the number as it is now, in digits.
    ///
    /// `None` if the measured part is gone, or is no longer a number where one is needed. The
    /// count, the sum and the size of nothing are 0. A sum keeps its decimals, and gets more if it
    /// needs them.
    pub fn value(&self, edited: &dyn Edited) -> Option<String> {
        let number = match self {
            Measure::Count { items } => items.iter().filter(|item| edited.is_kept(item)).count(),
            Measure::Sum { terms, decimals } => return sum(terms, *decimals, edited),
            Measure::Length { of, unit } => unit.length(inner(&edited.text(of)?)),
            Measure::Size { of } => edited.text(of).map_or(0, |text| text.len()),
            Measure::Offset { of } => edited.start(of)?,
            Measure::Lines { of } => lines(&edited.text(of)?),
        };
        Some(number.to_string())
    }
}

impl Unit {
    fn length(self, text: &[u8]) -> usize {
        match self {
            Unit::Bytes => text.len(),
            Unit::Characters => {
                let mut escaped = false;
                let counts = |&&byte: &&u8| {
                    let escapes = byte == b'\\' && !escaped;
                    escaped = escapes;
                    // Bytes that continue a character are no characters.
                    !escapes && byte & 0xc0 != 0x80
                };
                text.iter().filter(counts).count()
            }
        }
    }
}

fn sum(terms: &[Range<usize>], decimals: usize, edited: &dyn Edited) -> Option<String> {
    let mut sum = Decimal::default();
    for term in terms.iter().filter(|term| edited.is_kept(term)) {
        sum = sum.plus(Decimal::read(&edited.text(term)?)?)?;
    }
    Some(sum.with_decimals(decimals))
}

/// Returns the number of lines of a text; the last one need not be ended.
fn lines(text: &[u8]) -> usize {
    let ended = text.iter().filter(|&&byte| byte == b'\n').count();
    ended + usize::from(text.last().is_some_and(|&byte| byte != b'\n'))
}

/// Returns a string without its quotes.
fn inner(text: &[u8]) -> &[u8] {
    match text {
        [first @ (b'"' | b'\'' | b'`'), inner @ .., last] if first == last => inner,
        text => text,
    }
}
