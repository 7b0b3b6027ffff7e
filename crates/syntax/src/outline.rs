//! Structure in bytes without a grammar: text by its layout, binary data by its lengths, formats
//! inside formats, tables.
//!
//! Everything here only looks at bytes and guesses well. A wrong guess costs its user a few tests,
//! never a wrong answer. All of it takes time in proportion to the input, and none of it recurses,
//! so neither one long line nor deep nesting is a danger.

pub mod blocks;
mod embedded;
mod nested;
mod number;
mod quotes;
pub mod repairs;
mod table;
mod text;

use std::ops::Range;

pub use blocks::{Blocks, binary};
pub use embedded::{Embedded, embedded};
pub use nested::{Nested, NestedFormat, nested};
pub use number::NumberFormat;
pub(crate) use table::cells;
pub use table::{Table, table};
pub(crate) use text::brackets;
pub use text::text;

/// A forest over bytes: parents before children, siblings in order, none overlapping.
///
/// A span is never empty, and never covers the same bytes as its parent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The spans, each before those inside it.
    pub spans: Vec<Span>,
}

/// A piece of the input that may be worth dropping as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The bytes that it covers.
    pub range: Range<usize>,
    /// How many spans it is inside of.
    pub depth: u32,
    /// The kind of piece.
    pub what: What,
}

/// The kind of a [`Span`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum What {
    /// Lines up to the next blank one, and the blank ones after them.
    Paragraph,
    /// A line, the deeper indented ones after it, and the brackets that close it.
    Block,
    /// A line, its end included, and the blank ones after it.
    Line,
    /// Blank lines.
    Blank,
    /// An opening bracket up to the closing one, both included.
    Brackets,
    /// The text between brackets, or the data of a chunk.
    Inside,
    /// A word of a line, or one of its characters.
    Cell,
    /// A block of binary data with its header, which holds the block's length.
    Chunk,
    /// One of several things in binary data that are counted before the first.
    Item,
}

/// Puts spans together that come in the order in which they start, the longer one first.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    spans: Vec<Span>,
    /// Where the spans end that are not yet over.
    ends: Vec<usize>,
}

impl Forest {
    /// Adds a span, unless it is empty, a duplicate, or crosses the end of an earlier one.
    pub(crate) fn add(&mut self, range: Range<usize>, what: What) {
        while self.ends.last().is_some_and(|&end| end <= range.start) {
            self.ends.pop();
        }
        let crosses = self.ends.last().is_some_and(|&end| end < range.end);
        if range.is_empty() || crosses {
            return;
        }
        if let Some(last) = self.spans.last_mut().filter(|last| last.range == range) {
            // Of an only child more is known than that it is inside something.
            last.what = if last.what == What::Inside { what } else { last.what };
            return;
        }
        self.ends.push(range.end);
        let depth = u32::try_from(self.ends.len() - 1).unwrap_or(u32::MAX);
        self.spans.push(Span { range, depth, what });
    }

    pub(crate) fn finish(self) -> Outline {
        Outline { spans: self.spans }
    }
}

/// Whether this is text by all appearances: no control characters but those of text.
fn is_texty(bytes: &[u8]) -> bool {
    let control = |byte: &u8| matches!(byte, 0..=8 | 11 | 14..=26 | 28..=31 | 127);
    !bytes.iter().any(control)
}

#[cfg(test)]
mod drawing {
    use super::Outline;

    /// Draws an outline, one span a line.
    pub(crate) fn draw(outline: &Outline, bytes: &[u8]) -> String {
        let line = |span: &super::Span| {
            let text = String::from_utf8_lossy(&bytes[span.range.clone()]).into_owned();
            format!("{:2$}{:?} {text:?}\n", "", span.what, span.depth as usize)
        };
        outline.spans.iter().map(line).collect()
    }
}
