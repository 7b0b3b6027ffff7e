//! The table of cases, printed and read back as Markdown.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::page;

const COLUMNS: [&str; 10] = [
    "case",
    "files / lines / hunks",
    "tests",
    "unresolved",
    "plain ddmin, hunks",
    "culprit lines",
    "expected file / function / lines",
    "seconds",
    "ended",
    "date",
];

const PREFACE: &str = "# Real regressions between releases

`whodunit changes GOOD BAD -- sh test.sh` without further options. Lines and hunks as whodunit counts
them, renamed files paired. Tests: all that were run; the committed ones decided, the others ran
ahead. Each end is run twice before, and two tests prove the answer; they are not counted.
Unresolved: share of the questions, remembered ones too, that stayed open. Plain ddmin, hunks: tests
of ddmin hunk by hunk, `as given` by the case or measured with `--tools ddmin`; `>` if it was stopped.
Culprit lines: lines taken out and put in by the changes that are blamed. Expected: whether the
known places are among them. Times depend on the machine. Regenerate as `bench/README.md` says.

";

/// The row of one case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) case: String,
    pub(super) size: String,
    pub(super) tests: String,
    pub(super) unresolved: String,
    pub(super) plain: String,
    pub(super) culprit_lines: String,
    pub(super) found: String,
    pub(super) seconds: String,
    pub(super) ended: String,
    pub(super) date: String,
}

impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { case, size, tests, unresolved, plain, culprit_lines, found, .. } = self;
        let Row { seconds, ended, date, .. } = self;
        write!(
            formatter,
            "| {case} | {size} | {tests} | {unresolved} | {plain} | {culprit_lines} "
        )?;
        write!(formatter, "| {found} | {seconds} | {ended} | {date} |")
    }
}

/// Rows by case.
#[derive(Default)]
pub(super) struct Table(BTreeMap<String, Row>);

impl Table {
    /// Adds a row, or replaces the one of the same case.
    pub(super) fn put(&mut self, row: Row) {
        self.0.insert(row.case.clone(), row);
    }

    /// Returns the page, in which these rows replace the older ones.
    pub(super) fn over(&self, page: &str) -> Result<String, String> {
        let mut table: Table = page.parse()?;
        self.0.values().for_each(|row| table.put(row.clone()));
        Ok(format!("{PREFACE}{table}"))
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        page::write_head(formatter, &COLUMNS)?;
        self.0.values().try_for_each(|row| writeln!(formatter, "{row}"))
    }
}

impl FromStr for Table {
    type Err = String;

    fn from_str(page: &str) -> Result<Self, String> {
        let mut table = Table::default();
        for cells in page::rows::<{ COLUMNS.len() }>(page)? {
            let [case, size, tests, unresolved, plain, culprit_lines, found, rest @ ..] = cells;
            let [seconds, ended, date] = rest;
            table.put(Row {
                case,
                size,
                tests,
                unresolved,
                plain,
                culprit_lines,
                found,
                seconds,
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

    #[test]
    fn rows_of_other_cases_are_kept_and_those_of_this_one_replaced() {
        let page = |cases: &[(&str, &str)], before: &str| {
            let mut table = Table::default();
            for (case, tests) in cases {
                let (case, tests) = ((*case).into(), (*tests).into());
                table.put(Row { case, tests, ..Row::default() });
            }
            table.over(before).unwrap()
        };
        let old = page(&[("a", "1"), ("b", "2")], "");
        assert_eq!(page(&[("b", "3")], &old), page(&[("a", "1"), ("b", "3")], ""));
    }
}
