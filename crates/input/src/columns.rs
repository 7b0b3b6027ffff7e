//! Columns of tables, each of which may be removed from all rows at once.

use whodunit_core::DeltaSet;
use whodunit_syntax::outline::{self, Table};

use super::edits::Edit;
use super::structure::Structure;
use super::tokens;

/// The columns of all files that are tables.
#[derive(Debug)]
pub(super) struct Columns {
    /// Each with the address of the first byte of its file.
    tables: Vec<(u64, Table)>,
}

impl Columns {
    /// Finds the columns of all tables; `None` without tables.
    pub(super) fn find(structure: &Structure) -> Option<Columns> {
        let files = structure.outlined().filter(|file| !tokens::is_binary(file.bytes));
        let tables: Vec<(u64, Table)> =
            files.filter_map(|file| Some((file.start, outline::table(file.bytes)?))).collect();
        (!tables.is_empty()).then_some(Columns { tables })
    }

    pub(super) fn len(&self) -> usize {
        self.tables.iter().map(|(_, table)| table.width).sum()
    }

    /// Returns the deletions of some columns.
    pub(super) fn without(&self, columns: &DeltaSet) -> Vec<Edit> {
        let (mut edits, mut first) = (Vec::new(), 0);
        for (start, table) in &self.tables {
            let after = first + table.width as u32;
            let gone: Vec<usize> = columns
                .runs_within(first..after)
                .flatten()
                .map(|it| (it - first) as usize)
                .collect();
            first = after;
            if gone.is_empty() {
                continue;
            }
            let address = |at: usize| start + at as u64;
            let deleted = table.without(&gone).into_iter().filter(|range| !range.is_empty());
            edits.extend(
                deleted.map(|range| Edit::delete(address(range.start)..address(range.end))),
            );
        }
        edits
    }
}
