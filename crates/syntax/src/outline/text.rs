//! Text of no known language: brackets, indentation, paragraphs, lines, in one forest.
//!
//! They need not fit together. If two overlap, brackets win over indentation, that over
//! paragraphs, and lines give way to all: the stronger kind shows better which lines belong
//! together.

mod brackets;
mod layout;

use std::ops::Range;

use super::{Forest, Outline, What};

/// Finds the structure of a text by its looks.
///
/// Inputs of 4 GiB and more are not looked at.
pub fn text(bytes: &[u8]) -> Outline {
    if u32::try_from(bytes.len()).is_err() {
        return Outline::default();
    }
    let pairs = brackets::pairs(bytes);
    let rows = layout::rows(bytes);
    let covers = Covers::of_brackets(&pairs, &rows);

    let row = |number: usize| Short::new(number, number + 1);
    let whole = |row: Short| covers.allow(&rows, &(row.start..row.end));
    let lines: Vec<bool> = (0..rows.count()).map(|number| whole(row(number))).collect();
    let mut blocks = layout::blocks(bytes, &rows);
    blocks.retain(|block| covers.allow(&rows, block));
    let covers = covers.and_blocks(&blocks, &rows);
    let mut paragraphs = layout::paragraphs(bytes, &rows);
    paragraphs.retain(|paragraph| covers.allow(&rows, paragraph));
    drop(covers);

    let found = TextParts { rows, pairs, blocks, paragraphs, lines };
    found.merge(bytes)
}

/// Returns the ranges of brackets with a partner, in the order in which they open.
pub(crate) fn brackets(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    brackets::pairs(bytes).into_iter().map(Short::range)
}

/// A range of bytes in little space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Short {
    start: u32,
    end: u32,
}

impl Short {
    fn new(start: usize, end: usize) -> Self {
        // `text` looks at nothing that is longer.
        let short = |place| u32::try_from(place).unwrap_or(u32::MAX);
        Short { start: short(start), end: short(end) }
    }

    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A run of whole rows, by the number of the first and of the one after the last.
type Rows = Range<u32>;

/// For the start of each row the innermost span that begins before it and ends behind it.
struct Covers(Vec<Option<Short>>);

impl Covers {
    fn of_brackets(pairs: &[Short], rows: &layout::RowStarts) -> Self {
        let mut covers = Vec::with_capacity(rows.count());
        let mut open: Vec<Short> = Vec::new();
        let mut next = pairs.iter().copied().peekable();
        for row in 0..rows.count() {
            let start = Short::new(rows.start(row), 0).start;
            while let Some(pair) = next.next_if(|pair| pair.start < start) {
                while open.last().is_some_and(|open| open.end <= pair.start) {
                    open.pop();
                }
                if pair.end > start {
                    open.push(pair);
                }
            }
            while open.last().is_some_and(|open| open.end <= start) {
                open.pop();
            }
            covers.push(open.last().map(|&pair| {
                // The inside ends where the closing bracket stands.
                let inside = start < pair.end - 1;
                if inside { Short { start: pair.start + 1, end: pair.end - 1 } } else { pair }
            }));
        }
        Covers(covers)
    }

    /// Takes blocks in, which must be allowed.
    fn and_blocks(mut self, blocks: &[Rows], rows: &layout::RowStarts) -> Self {
        let mut open: Vec<Short> = Vec::new();
        let mut next = blocks.iter().peekable();
        for (row, cover) in self.0.iter_mut().enumerate() {
            let start = rows.start(row);
            while open.last().is_some_and(|block| block.end as usize <= start) {
                open.pop();
            }
            if let Some(&block) = open.last()
                && cover.is_none_or(|cover| cover.start < block.start)
            {
                *cover = Some(block);
            }
            while let Some(block) = next.next_if(|block| block.start as usize <= row) {
                open.push(rows.short(block));
            }
        }
        self
    }

    /// Whether each overlap of some rows is with spans around them or inside them.
    fn allow(&self, rows: &layout::RowStarts, some: &Rows) -> bool {
        let range = rows.short(some);
        let cover = |row: u32| self.0.get(row as usize).copied().flatten();
        cover(some.start).is_none_or(|cover| cover.end >= range.end)
            && cover(some.end).is_none_or(|cover| cover.start <= range.start)
    }
}

/// The parts of a text, each kind in its order.
struct TextParts {
    rows: layout::RowStarts,
    pairs: Vec<Short>,
    blocks: Vec<Rows>,
    paragraphs: Vec<Rows>,
    /// Whether a row overlaps with no brackets.
    lines: Vec<bool>,
}

impl TextParts {
    fn merge(&self, bytes: &[u8]) -> Outline {
        let rows = &self.rows;
        let of_rows = |some: &Rows, what| (rows.short(some), what);
        let mut blocks = self.blocks.iter().map(|some| of_rows(some, What::Block)).peekable();
        let mut paragraphs =
            self.paragraphs.iter().map(|some| of_rows(some, What::Paragraph)).peekable();
        let line = |(row, &whole): (usize, &bool)| {
            let number = Short::new(row, row + 1);
            let line = whole.then(|| of_rows(&(number.start..number.end), What::Line));
            let blank = rows.blank_after(bytes, row).map(|blank| (blank, What::Blank));
            [line, blank].into_iter().flatten()
        };
        let mut lines = self.lines.iter().enumerate().flat_map(line).peekable();
        let layout = std::iter::from_fn(|| {
            let heads = [blocks.peek(), paragraphs.peek(), lines.peek()].map(order);
            match (0..heads.len()).min_by_key(|&kind| heads[kind]) {
                Some(0) => blocks.next(),
                Some(1) => paragraphs.next(),
                _ => lines.next(),
            }
        });

        let mut forest = Forest::default();
        let mut brackets = brackets::spans(&self.pairs).peekable();
        for (short, what) in layout {
            let here = order(Some(&(short, what)));
            // Brackets are by far the most in long lines, so they are taken many at a time.
            while let Some((short, what)) = brackets.next_if(|next| order(Some(next)) < here) {
                forest.add(short.range(), what);
            }
            forest.add(short.range(), what);
        }
        brackets.for_each(|(short, what)| forest.add(short.range(), what));
        forest.finish()
    }
}

/// Returns what spans are ordered by: where they start, the longer first. None is after all.
fn order(span: Option<&(Short, What)>) -> (u64, u32) {
    match span {
        Some((short, _)) => (u64::from(short.start), u32::MAX - short.end),
        None => (u64::MAX, u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::drawing::draw;

    #[track_caller]
    fn check(input: &str, expected: &str) {
        let drawn = draw(&text(input.as_bytes()), input.as_bytes());
        assert_eq!(drawn, expected, "\n{drawn}");
    }

    #[test]
    fn brackets_have_an_inside() {
        check(
            "f(a[1], ())",
            r#"Line "f(a[1], ())"
 Brackets "(a[1], ())"
  Inside "a[1], ()"
   Brackets "[1]"
    Inside "1"
   Brackets "()"
"#,
        );
    }

    #[test]
    fn a_block_takes_its_closing_bracket_along() {
        check(
            "if (x) {\n  a;\n} else {\n  b;\n}\nc;\n",
            r#"Paragraph "if (x) {\n  a;\n} else {\n  b;\n}\nc;\n"
 Block "if (x) {\n  a;\n} else {\n  b;\n}\n"
  Brackets "(x)"
   Inside "x"
  Brackets "{\n  a;\n}"
   Inside "\n  a;\n"
    Line "  a;\n"
  Brackets "{\n  b;\n}"
   Inside "\n  b;\n"
    Line "  b;\n"
 Line "c;\n"
"#,
        );
    }

    #[test]
    fn indentation_makes_blocks_and_blank_lines_go_with_what_precedes() {
        check(
            "\ndef f:\n  if a:\n    b\n\n  c\nd\n",
            r#"Line "\n"
Block "def f:\n  if a:\n    b\n\n  c\n"
 Paragraph "def f:\n  if a:\n    b\n\n"
  Line "def f:\n"
  Block "  if a:\n    b\n\n"
   Line "  if a:\n"
   Line "    b\n\n"
    Blank "\n"
 Line "  c\n"
Line "d\n"
"#,
        );
    }

    #[test]
    fn what_is_in_strings_or_without_partner_is_no_bracket() {
        check("a) \"(\" ( b", "Line \"a) \\\"(\\\" ( b\"\n");
        check("a\n", "Line \"a\\n\"\n");
        check("", "");
    }

    #[test]
    fn brackets_win_over_lines_and_indentation() {
        check(
            "a\n b (\nc) d\n",
            r#"Paragraph "a\n b (\nc) d\n"
 Line "a\n"
 Brackets "(\nc)"
  Inside "\nc"
"#,
        );
    }

    #[test]
    fn paragraphs_of_more_than_one_line_are_found() {
        check(
            "a\nb\n\n\nc\nd",
            r#"Paragraph "a\nb\n\n\n"
 Line "a\n"
 Line "b\n\n\n"
  Blank "\n\n"
Paragraph "c\nd"
 Line "c\n"
 Line "d"
"#,
        );
    }

    #[test]
    fn depth_is_no_danger() {
        let input = ["(".repeat(100_000), ")".repeat(100_000)].concat();
        let outline = text(input.as_bytes());
        assert_eq!(outline.spans.len(), 100_000);
        assert_eq!(outline.spans.last().unwrap().depth, 99_999);
        let steps: String = (0..2_000).map(|step| format!("{:step$}x\n", "")).collect();
        let outline = text(steps.as_bytes());
        assert_eq!(outline.spans.iter().filter(|span| span.what == What::Block).count(), 1_999);
    }
}
