//! The table of runs: rows by case and tool, printed and read back as Markdown.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::page;

/// The tool name of the row with the size of the input.
pub(super) const INPUT: &str = "input";

const COLUMNS: [&str; 11] = [
    "case",
    "tool",
    "jobs",
    "tests",
    "after last success",
    "bytes",
    "tokens",
    "seconds",
    "tool ms a test",
    "ended",
    "date",
];

const PREFACE: &str = "# Reducers on real failing inputs

Every tool is called as its users would, with the same test and the same number of jobs (1 where it
cannot do more). Tests: all that began, also those that a tool ended; of whodunit's the committed
ones decided, the others ran ahead. After last success: tests that ended after the last one that
failed and was smaller than all before. Tokens: matches of `\\w+|\\S`. Tool ms a test: the time
during which no test ran, divided by the tests. A row that ended `capped` is no end point: the tool
was stopped, and the sizes are those of its smallest failing candidate. Times depend on the machine;
counts of tools that run tests at once may, too. Regenerate as `bench/README.md` says.

";

/// The row of one run of a tool on a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) case: String,
    /// The name of the tool, then its version.
    pub(super) tool: String,
    pub(super) jobs: String,
    pub(super) tests: String,
    pub(super) after_last_success: String,
    pub(super) bytes: String,
    pub(super) tokens: String,
    pub(super) seconds: String,
    pub(super) tool_ms: String,
    pub(super) ended: String,
    pub(super) date: String,
}

impl Row {
    fn cells(&self) -> [&str; COLUMNS.len()] {
        [
            &self.case,
            &self.tool,
            &self.jobs,
            &self.tests,
            &self.after_last_success,
            &self.bytes,
            &self.tokens,
            &self.seconds,
            &self.tool_ms,
            &self.ended,
            &self.date,
        ]
    }

    /// Returns the place of the row in the table; a newer row with the same place replaces it.
    fn place(&self) -> Place {
        let tool = self.tool.split(' ').next().unwrap_or_default().to_owned();
        let rank = match tool.as_str() {
            INPUT => 0,
            "whodunit" => 1,
            _ => 2,
        };
        Place { case: self.case.clone(), rank, tool }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "| {} |", self.cells().join(" | "))
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    case: String,
    rank: u8,
    tool: String,
}

/// Rows, one for each tool and case.
#[derive(Default)]
pub(super) struct Table(BTreeMap<Place, Row>);

impl Table {
    /// Adds a row, or replaces the one of the same tool and case.
    pub(super) fn put(&mut self, row: Row) {
        self.0.insert(row.place(), row);
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.0.values()
    }

    /// Returns the page, in which these rows replace the older ones.
    pub(super) fn over(&self, page: &str) -> Result<String, String> {
        let mut table: Table = page.parse()?;
        self.rows().for_each(|row| table.put(row.clone()));
        Ok(table.page())
    }

    /// Returns the table below its preface.
    fn page(&self) -> String {
        format!("{PREFACE}{self}")
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        page::write_head(formatter, &COLUMNS)?;
        self.rows().try_for_each(|row| writeln!(formatter, "{row}"))
    }
}

impl FromStr for Table {
    type Err = String;

    /// Reads a page. Other lines than rows are skipped, but a row of another shape is an error,
    /// since it would be lost.
    fn from_str(page: &str) -> Result<Self, String> {
        let mut table = Table::default();
        for cells in page::rows::<{ COLUMNS.len() }>(page)? {
            let [case, tool, jobs, tests, after_last_success, bytes, tokens, rest @ ..] = cells;
            let [seconds, tool_ms, ended, date] = rest;
            table.put(Row {
                case,
                tool,
                jobs,
                tests,
                after_last_success,
                bytes,
                tokens,
                seconds,
                tool_ms,
                ended,
                date,
            });
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(case: &str, tool: &str, tests: &str) -> Row {
        Row { case: case.into(), tool: tool.into(), tests: tests.into(), ..Row::default() }
    }

    fn table(rows: impl IntoIterator<Item = Row>) -> Table {
        let mut table = Table::default();
        rows.into_iter().for_each(|row| table.put(row));
        table
    }

    fn tools(table: &Table) -> Vec<&str> {
        table.rows().map(|row| row.tool.as_str()).collect()
    }

    #[test]
    fn a_page_is_read_back_as_it_was() {
        let full = Row {
            case: "c-crash".into(),
            tool: "whodunit 0.1.0".into(),
            jobs: "2".into(),
            tests: "40 (31 committed)".into(),
            after_last_success: "3".into(),
            bytes: "120".into(),
            tokens: "31".into(),
            seconds: "1.5".into(),
            tool_ms: "0.7".into(),
            ended: "done".into(),
            date: "2026-01-31".into(),
        };
        let page = table([full.clone(), row("c-crash", INPUT, "")]).page();
        let again: Table = page.parse().unwrap();
        assert_eq!(again.page(), page);
        assert_eq!(again.rows().last(), Some(&full));
    }

    #[test]
    fn a_new_row_takes_the_place_of_an_older_version() {
        let mut table = table([row("a", "cvise 2.7.0", "9"), row("a", "lithium 3.0", "8")]);
        table.put(row("a", "cvise 2.8.0", "7"));
        assert_eq!(tools(&table), ["cvise 2.8.0", "lithium 3.0"]);
    }

    #[test]
    fn the_input_comes_first_and_whodunit_second() {
        let rows = ["cvise 2", "whodunit 0.1.0", INPUT].map(|tool| row("b", tool, ""));
        let mut table = table(rows);
        table.put(row("a", "shrinkray 26", ""));
        assert_eq!(tools(&table), ["shrinkray 26", INPUT, "whodunit 0.1.0", "cvise 2"]);
    }

    #[test]
    fn a_row_of_another_shape_is_not_lost_in_silence() {
        let page = format!("{}| a | cvise 2 | 1 |\n", Table::default().page());
        assert!(page.parse::<Table>().is_err_and(|error| error.contains("cvise 2")));
    }

    #[test]
    fn an_empty_page_has_no_rows() {
        assert_eq!(Table::default().page().parse::<Table>().unwrap().rows().count(), 0);
    }
}
