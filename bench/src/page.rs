//! Pages with one Markdown table, which commands update row by row.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::path::Path;
use std::time::SystemTime;

/// Writes the first two lines of a table.
pub(crate) fn write_head(formatter: &mut fmt::Formatter<'_>, columns: &[&str]) -> fmt::Result {
    writeln!(formatter, "| {} |", columns.join(" | "))?;
    writeln!(formatter, "|{}", "---|".repeat(columns.len()))
}

/// Reads the cells of each row of a page. Other lines are skipped, but a row of another shape is
/// an error, since it would be lost.
pub(crate) fn rows<const COLUMNS: usize>(page: &str) -> Result<Vec<[String; COLUMNS]>, String> {
    let lines = page.lines().filter(|line| line.starts_with('|'));
    let cells = |line: &str| {
        let inner = line.strip_prefix('|').and_then(|line| line.trim_end().strip_suffix('|'));
        let cells = inner.unwrap_or_default().split('|').map(|cell| cell.trim().to_owned());
        let cells: Result<[String; COLUMNS], _> = cells.collect::<Vec<_>>().try_into();
        cells.map_err(|_| format!("not a row of {COLUMNS} cells: {line}"))
    };
    lines.skip(2).map(cells).collect()
}

/// Rows by their first cell.
pub(crate) struct Table<const COLUMNS: usize> {
    columns: [&'static str; COLUMNS],
    rows: BTreeMap<String, [String; COLUMNS]>,
}

impl<const COLUMNS: usize> Table<COLUMNS> {
    pub(crate) fn new(columns: [&'static str; COLUMNS]) -> Self {
        Table { columns, rows: BTreeMap::new() }
    }

    /// Adds a row, or replaces the one with the same first cell.
    pub(crate) fn put(&mut self, row: [String; COLUMNS]) {
        self.rows.insert(row[0].clone(), row);
    }

    /// Returns the page below `preface`, in which these rows replace the older ones.
    pub(crate) fn over(&self, preface: &str, page: &str) -> Result<String, String> {
        let mut table = Table::new(self.columns);
        rows::<COLUMNS>(page)?.into_iter().for_each(|row| table.put(row));
        self.rows.values().for_each(|row| table.put(row.clone()));
        Ok(format!("{preface}{table}"))
    }
}

impl<const COLUMNS: usize> fmt::Display for Table<COLUMNS> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_head(formatter, &self.columns)?;
        self.rows.values().try_for_each(|row| writeln!(formatter, "| {} |", row.join(" | ")))
    }
}

/// Updates the page in `path`; a missing file counts as empty.
pub(crate) fn update(
    path: &Path,
    newer: impl FnOnce(&str) -> Result<String, String>,
) -> Result<(), Box<dyn Error>> {
    let named = |error: &dyn fmt::Display| format!("{}: {error}", path.display());
    let page = match std::fs::read_to_string(path) {
        Ok(page) => page,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(named(&error).into()),
    };
    let page = newer(&page).map_err(|error| named(&error))?;
    std::fs::write(path, page).map_err(|error| named(&error).into())
}

/// Returns the date in UTC.
pub(crate) fn today() -> String {
    let mut now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    now.truncate("2000-01-01".len());
    now
}

/// Prints a line for people.
#[allow(clippy::print_stderr)] // a command for people
pub(crate) fn say(line: &str) {
    eprintln!("{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_not_measured_again_are_kept() {
        let page = |rows: &[[&str; 2]], before: &str| {
            let mut table = Table::new(["case", "tests"]);
            rows.iter().for_each(|row| table.put(row.map(str::to_owned)));
            table.over("# Tests\n\n", before).unwrap()
        };
        let old = page(&[["a", "1"], ["b", "2"]], "");
        assert_eq!(page(&[["b", "3"]], &old), page(&[["a", "1"], ["b", "3"]], ""));
    }
}
