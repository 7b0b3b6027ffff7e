//! Totals of both halves side by side, and the page with them and the rows of one half.

use std::collections::BTreeMap;

use super::packages::Ecosystem;
use super::result;
use crate::page::{self, Table};

/// The results of a half, by ecosystem.
#[derive(Default)]
pub(super) struct Totals(BTreeMap<Ecosystem, Sum>);

/// The results of some cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) cases: usize,
    /// Cases that could not be made.
    pub(super) lacking: usize,
    /// Cases in which the run of changed lines around the fault suffices, to fail or to fix.
    pub(super) small: usize,
    pub(super) found: usize,
    /// Cases in which at least a line of that run was found.
    pub(super) near: usize,
    /// The tests that decided, of each case that has an answer.
    pub(super) tests: Vec<u64>,
    /// The questions of these cases.
    pub(super) asked: u64,
    /// The number of questions that neither passed nor failed.
    pub(super) unresolved: u64,
}

impl Totals {
    /// Returns the results of an ecosystem.
    pub(super) fn of(&mut self, ecosystem: Ecosystem) -> &mut Sum {
        self.0.entry(ecosystem).or_default()
    }

    /// Returns the number of cases.
    pub(super) fn cases(&self) -> usize {
        self.0.values().map(|sum| sum.cases).sum()
    }

    /// Sums up the cases in the rows of a page.
    fn of_rows(page: &str) -> Result<Self, String> {
        let mut totals = Totals::default();
        for row in page::rows::<{ result::COLUMNS.len() }>(page)? {
            let is_meant = |it: &Ecosystem| row[0].starts_with(&format!("{}-", it.name()));
            let ecosystem = Ecosystem::ALL.into_iter().find(is_meant);
            totals.of(ecosystem.ok_or_else(|| format!("no package: {}", row[0]))?).add_row(&row);
        }
        Ok(totals)
    }

    /// Returns the cells in the row of an ecosystem, or in the total row.
    fn cells(&self, ecosystem: Option<Ecosystem>) -> Option<[String; CELLS]> {
        match ecosystem {
            Some(ecosystem) => self.0.get(&ecosystem).map(Sum::cells),
            None => (!self.0.is_empty()).then(|| Sum::of(self.0.values()).cells()),
        }
    }
}

impl Sum {
    fn of<'a>(sums: impl Iterator<Item = &'a Sum>) -> Self {
        let mut all = Sum::default();
        for sum in sums {
            all.cases += sum.cases;
            all.lacking += sum.lacking;
            all.small += sum.small;
            all.found += sum.found;
            all.near += sum.near;
            all.tests.extend(&sum.tests);
            all.asked += sum.asked;
            all.unresolved += sum.unresolved;
        }
        all
    }

    fn cells(&self) -> [String; CELLS] {
        let mut tests = self.tests.clone();
        tests.sort_unstable();
        let share = |cases: usize| format!("{cases} ({} %)", 100 * cases / self.cases.max(1));
        [
            self.cases.to_string(),
            self.lacking.to_string(),
            self.small.to_string(),
            share(self.found),
            share(self.near),
            tests.get(tests.len() / 2).map_or("–".to_owned(), u64::to_string),
            format!("{} %", 100 * self.unresolved / self.asked.max(1)),
        ]
    }
}

/// Cells of one half in a row.
const CELLS: usize = 7;

const COLUMNS: [&str; 1 + 2 * CELLS] = [
    "ecosystem",
    "dev: cases",
    "no case",
    "hunk suffices",
    "found",
    "or its hunk",
    "median tests",
    "unresolved",
    "kept: cases",
    "no case",
    "hunk suffices",
    "found",
    "or its hunk",
    "median tests",
    "unresolved",
];

/// Returns the page, in which these rows replace the older ones, with new totals of the kept half
/// if there are any. The totals of the other half are always those of the shown rows.
pub(super) fn page(
    old: &str,
    rows: &Table<{ result::COLUMNS.len() }>,
    kept: &Totals,
) -> Result<String, String> {
    let (old_totals, old_rows) = old.split_once(ROWS).unwrap_or_default();
    let rows = rows.over(ROWS, old_rows)?;
    let dev = Totals::of_rows(&rows)?;
    let old_totals = page::rows::<{ COLUMNS.len() }>(old_totals)?;
    let mut table = Table::new(COLUMNS);
    for ecosystem in Ecosystem::ALL.map(Some).into_iter().chain([None]) {
        let name = ecosystem.map_or("all", Ecosystem::name);
        let unknown = || [const { "–" }; COLUMNS.len()].map(str::to_owned);
        let old = old_totals.iter().find(|row| row[0] == name);
        let mut row = old.cloned().unwrap_or_else(unknown);
        name.clone_into(&mut row[0]);
        for (half, start) in [(&dev, 1), (kept, 1 + CELLS)] {
            if let Some(cells) = half.cells(ecosystem) {
                row[start..start + CELLS].clone_from_slice(&cells);
            }
        }
        table.put(row);
    }
    Ok(format!("{PREFACE}{table}{rows}"))
}

const ROWS: &str = "
## Cases of the development half

";

const PREFACE: &str = "# Real releases with a fault put into them

Two releases of a package (`bench/seeded/packages.txt`), and a test that passes in both. A fault is put
into the newer one, within one line that is changed or new and that the test runs: a condition negated, a
number or a comparison off by one, a statement dropped, two arguments swapped, a constant changed. It is
taken if the test fails twice with the same exit and the same last line. `whodunit changes OLD FAULTY --
TEST` is run without further options. Three seeds choose three faults of each package.

Of half of the packages, `dev`, single cases are shown and looked at; of the other half, `kept`, nothing
but totals. Cases: those that were run. No case: a package could not be fetched, or no fault of it makes
the test fail. Hunk suffices: the run of changed lines that the fault is in makes the old release fail in
the same way, or the faulty one passes without it, so that there is a small answer. Found: the line with
the fault is among what is blamed, by the culprit, the fix or the spot, with at most 10 other lines. Or its hunk:
that, or another line of that run is blamed: taking out an old statement does what dropping the new one
does. Median tests: of those that decided, in cases with an answer. Unresolved: questions that stayed open, of
all that were asked, remembered ones too.

Below, hunk: whether that run alone makes the old release fail, and whether the faulty one passes without
it. Lines and hunks: as whodunit counts them. Tests: all that were run; the committed ones decided, the
others ran ahead. Culprit lines: lines taken out and put in by the culprit. Blamed by: whether the faulty
line is in the culprit, in the fix, in both, or only another line of its run is. Lines beside: those blamed
with it, in the one that has fewer. Times depend on the machine. Regenerate with `target/release/bench
seeded --fetched DIR --cap 120 --write`; totals of `kept` are only written by runs over all of it.

";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_of_what_is_kept_stay_and_those_of_what_is_shown_are_of_the_rows() {
        let mut kept = Totals::default();
        *kept.of(Ecosystem::Npm) =
            Sum { cases: 3, found: 1, near: 2, tests: vec![8, 6, 30], ..Sum::default() };
        let first = page("", &Table::new(result::COLUMNS), &kept).unwrap();
        let npm = "| 3 | 0 | 0 | 1 (33 %) | 2 (66 %) | 8 | 0 % |";
        assert!(first.contains(&format!("| npm | – | – | – | – | – | – | – {npm}")), "{first}");
        let mut rows = Table::new(result::COLUMNS);
        let mut row = |cells: [&str; 13]| rows.put(cells.map(str::to_owned));
        row([
            "npm-a, 1",
            "",
            "yes / no",
            "",
            "9 (5 committed)",
            "2 of 5 (40 %)",
            "",
            "",
            "",
            "yes",
            "",
            "",
            "",
        ]);
        row(["npm-a, 2", "", "", "", "", "", "", "", "", "", "", "no case", ""]);
        row(["npm-a, 3", "", "no / no", "", "", "", "", "", "", "hunk", "", "capped", ""]);
        let second = page(&first, &rows, &Totals::default()).unwrap();
        let both = format!("| npm | 2 | 1 | 1 | 1 (50 %) | 2 (100 %) | 5 | 40 % {npm}");
        assert!(second.contains(&both), "{second}");
        let again = page(&second, &Table::new(result::COLUMNS), &Totals::default()).unwrap();
        assert_eq!(again, second);
    }
}
