//! Lines, and what their indentation and the blank lines between them say.
//!
//! A row is a line that is not blank, with the blank ones after it. Blank lines at the very
//! beginning are a row too.

use super::{Rows, Short};

/// Columns between tab stops. Eight, as in a terminal.
const TAB_WIDTH: u32 = 8;

/// Where rows begin, and where the last one ends.
pub(super) struct RowStarts(Vec<u32>);

impl RowStarts {
    pub(super) fn count(&self) -> usize {
        self.0.len() - 1
    }

    pub(super) fn start(&self, row: usize) -> usize {
        self.0[row] as usize
    }

    /// Returns the bytes of some rows.
    pub(super) fn short(&self, rows: &Rows) -> Short {
        Short { start: self.0[rows.start as usize], end: self.0[rows.end as usize] }
    }

    /// Returns the blank lines at the end of a row that has something before them.
    pub(super) fn blank_after(&self, bytes: &[u8], row: usize) -> Option<Short> {
        let (start, end) = (self.start(row), self.start(row + 1));
        let text = &bytes[start..end];
        let (kept, line_end) = text.trim_ascii_end().len().checked_sub(1).map(|last| {
            let after = &text[last..];
            (last, after.iter().position(|&byte| byte == b'\n').map_or(after.len(), |at| at + 1))
        })?;
        let blank = start + kept + line_end;
        (blank < end).then(|| Short::new(blank, end))
    }
}

/// Finds the rows of a text.
pub(super) fn rows(bytes: &[u8]) -> RowStarts {
    let mut starts = Vec::new();
    let mut start = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        if starts.is_empty() || !line.trim_ascii_start().is_empty() {
            starts.push(Short::new(start, 0).start);
        }
        start += line.len();
    }
    starts.push(Short::new(start, 0).start);
    RowStarts(starts)
}

/// Finds the rows that have deeper ones after them, with these, in the order of the text.
///
/// A row that begins with a closing bracket, as deep as a block's first row, continues that
/// block.
pub(super) fn blocks(bytes: &[u8], rows: &RowStarts) -> Vec<Rows> {
    let mut blocks: Vec<Rows> = Vec::new();
    // The rows whose blocks are not over: their indentation, and their place in `blocks`.
    let mut open: Vec<(u32, usize)> = Vec::new();
    for number in 0..rows.count() {
        let row = &bytes[rows.start(number)..rows.start(number + 1)];
        let Some((indent, first)) = indentation(row) else { continue };
        let goes_on = matches!(first, b'}' | b')' | b']')
            && open.iter().rev().find(|open| open.0 <= indent).is_some_and(|at| at.0 == indent);
        let number = Short::new(number, number + 1);
        let over = |at: u32| if goes_on { at > indent } else { at >= indent };
        while let Some(&(_, block)) = open.last().filter(|open| over(open.0)) {
            blocks[block].end = number.start;
            open.pop();
        }
        if !goes_on {
            open.push((indent, blocks.len()));
            blocks.push(number.start..number.end);
        }
    }
    let end = Short::new(rows.count(), 0).start;
    for (_, block) in open {
        blocks[block].end = end;
    }
    blocks.retain(|block| block.len() > 1);
    blocks
}

/// Returns the indentation of a row, and its first character; `None` if it is blank.
fn indentation(row: &[u8]) -> Option<(u32, u8)> {
    let mut indent = 0u32;
    for &byte in row {
        match byte {
            b' ' => indent = indent.saturating_add(1),
            b'\t' => indent = (indent / TAB_WIDTH + 1).saturating_mul(TAB_WIDTH),
            b'\n' => return None,
            b'\r' | 0x0c => {}
            _ => return Some((indent, byte)),
        }
    }
    None
}

/// Finds the paragraphs of more than one row.
pub(super) fn paragraphs(bytes: &[u8], rows: &RowStarts) -> Vec<Rows> {
    let mut paragraphs = Vec::new();
    let mut start = 0;
    for row in 0..rows.count() {
        let leading = row == 0 && bytes[..rows.start(1)].trim_ascii_start().is_empty();
        let last = row + 1 == rows.count();
        if leading || last || rows.blank_after(bytes, row).is_some() {
            let paragraph = Short::new(start, row + 1);
            if paragraph.end - paragraph.start > 1 {
                paragraphs.push(paragraph.start..paragraph.end);
            }
            start = row + 1;
        }
    }
    paragraphs
}
