//! Tables: lines with the same number of delimiters, so that a column can be removed from all at
//! once.

use std::ops::Range;

/// Delimiters of columns; those that are rarer in text come first.
const DELIMITERS: [u8; 4] = [b'\t', b'|', b';', b','];

/// Lines that must have the same number of columns for a text to be a table; fewer agree by chance.
/// Chosen by hand.
const MIN_ROWS: usize = 3;

/// Columns of a table. A text with more is no table: one long line may have them. Chosen by hand.
const MAX_COLUMNS: usize = 1 << 16;

/// A text of rows and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The delimiter between columns.
    pub delimiter: u8,
    /// How many columns there are; at least two.
    pub width: usize,
    /// Where the rows are, the ends of their lines included.
    pub rows: Vec<Range<usize>>,
    /// Where the cells are, row by row, without delimiters.
    cells: Vec<Range<usize>>,
}

/// Reads a text as a table: at least three lines, and three quarters of those that are not blank,
/// must have the same number of a delimiter. The other lines are not part of the table.
///
/// A delimiter in double quotes does not count; a row is always one line.
pub fn table(bytes: &[u8]) -> Option<Table> {
    let mut there = DELIMITERS.into_iter().filter(|delimiter| bytes.contains(delimiter));
    there.find_map(|delimiter| with_delimiter(bytes, delimiter))
}

fn with_delimiter(bytes: &[u8], delimiter: u8) -> Option<Table> {
    let lines = || {
        let mut start = 0;
        bytes
            .split_inclusive(|&byte| byte == b'\n')
            .map(move |line| {
                start += line.len();
                start - line.len()..start
            })
            .filter(|line| !bytes[line.clone()].trim_ascii().is_empty())
    };
    let mut widths: Vec<usize> = Vec::new();
    for line in lines() {
        let width = cells(bytes, line, delimiter).take(MAX_COLUMNS + 1).count();
        widths.push(width);
    }
    let width = most_frequent(&widths)?;
    let fitting = widths.iter().filter(|&&other| other == width).count();
    if !(2..=MAX_COLUMNS).contains(&width)
        || fitting < MIN_ROWS
        || fitting < widths.len() - widths.len() / 4
    {
        return None;
    }
    let rows: Vec<Range<usize>> =
        lines().zip(&widths).filter(|(_, other)| **other == width).map(|(line, _)| line).collect();
    let cells = rows.iter().flat_map(|row| cells(bytes, row.clone(), delimiter)).collect();
    Some(Table { delimiter, width, rows, cells })
}

/// Returns the number that more than half of them are; without one any of them.
fn most_frequent(numbers: &[usize]) -> Option<usize> {
    // Boyer and Moore's vote: every other number cancels one of these.
    let mut leading = None;
    let mut lead = 0usize;
    for &number in numbers {
        if lead == 0 {
            leading = Some(number);
        }
        if leading == Some(number) { lead += 1 } else { lead -= 1 }
    }
    leading
}

/// Returns the cells of a line.
pub(crate) fn cells(
    bytes: &[u8],
    line: Range<usize>,
    delimiter: u8,
) -> impl Iterator<Item = Range<usize>> + use<'_> {
    let text = &bytes[line.clone()];
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let end = line.start + text.len();
    let mut next = Some(line.start);
    std::iter::from_fn(move || {
        let start = next?;
        let mut quoted = false;
        let delimits = |byte: &u8| {
            quoted ^= *byte == b'"';
            !quoted && *byte == delimiter
        };
        let stop = bytes[start..end].iter().position(delimits).map(|at| start + at);
        next = stop.map(|stop| stop + 1);
        Some(start..stop.unwrap_or(end))
    })
}

impl Table {
    /// Returns what to delete to be rid of some columns, in order and not overlapping.
    pub fn without(&self, columns: &[usize]) -> Vec<Range<usize>> {
        let mut dropped = vec![false; self.width];
        columns.iter().filter(|&&column| column < self.width).for_each(|&it| dropped[it] = true);
        let first_kept = dropped.iter().position(|dropped| !dropped).unwrap_or(self.width);
        let mut deleted = Vec::new();
        for row in self.cells.chunks(self.width) {
            for column in (0..self.width).filter(|&column| dropped[column]) {
                let cell = &row[column];
                // A column before the first kept one is deleted with the delimiter after it.
                let before = usize::from(column > first_kept);
                let after = usize::from(column < first_kept && column + 1 < self.width);
                deleted.push(cell.start - before..cell.end + after);
            }
        }
        deleted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str, columns: &[usize]) -> String {
        let deleted = table(text.as_bytes()).unwrap().without(columns);
        let kept = |place: &usize| !deleted.iter().any(|range| range.contains(place));
        text.bytes().enumerate().filter(|(at, _)| kept(at)).map(|(_, byte)| byte as char).collect()
    }

    const TEXT: &str = "a,b,c\n1,\"2,2\",3\r\n4,,6";

    #[test]
    fn columns_go_from_all_rows_at_once() {
        assert_eq!(without(TEXT, &[0]), "b,c\n\"2,2\",3\r\n,6");
        assert_eq!(without(TEXT, &[1]), "a,c\n1,3\r\n4,6");
        assert_eq!(without(TEXT, &[2]), "a,b\n1,\"2,2\"\r\n4,");
        assert_eq!(without(TEXT, &[1, 2]), "a\n1\r\n4");
        assert_eq!(without(TEXT, &[0, 1]), "c\n3\r\n6");
        assert_eq!(without(TEXT, &[0, 2]), "b\n\"2,2\"\r\n");
        assert_eq!(without(TEXT, &[0, 1, 2, 7]), "\n\r\n");
        assert_eq!(table(TEXT.as_bytes()).unwrap().without(&[1]), [1..3, 7..13, 18..19]);
    }

    #[test]
    fn the_delimiter_is_the_one_that_fits() {
        assert_eq!(table(b"a\tb,c\nd\te\nf\tg,h,i\n").unwrap().delimiter, b'\t');
        assert_eq!(table(b"a;1,5\nb;2\nc;3\n").unwrap().delimiter, b';');
    }

    #[test]
    fn a_few_lines_may_differ() {
        let table = table(b"# x\n1,2\n3,4\n\n5,6\n7,8\n").unwrap();
        assert_eq!(table.rows.len(), 4);
    }

    #[test]
    fn no_table_is_found_in_text() {
        assert_eq!(table(b"a,b\nc,d\n"), None);
        assert_eq!(table(b"a\nb\nc\n"), None);
        assert_eq!(table(b"a, b.\nc.\nd, e, f.\ng\n"), None);
        assert_eq!(table(b""), None);
    }
}
