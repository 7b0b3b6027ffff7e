//! Tests with their outcomes and their coverage.

use std::collections::BTreeMap;

use crate::error::{ReadError, SuiteError};
use crate::names::{Named, Tests};
use crate::{Coverage, Outcome, Report, Source, read};

/// A test of a suite.
#[derive(Clone, Debug)]
pub struct SuiteTest {
    /// Its name in the report.
    pub name: String,
    /// Its outcome.
    pub outcome: Outcome,
    /// The lines that it executed, and those executed outside of tests where it ran; `None` without
    /// coverage.
    pub coverage: Option<Coverage>,
}

/// A suite of tests, at least one of which fails and has coverage.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The tests, in the order of the reports.
    pub tests: Vec<SuiteTest>,
    /// Tests that were run and have no coverage, by name.
    pub uncovered: Vec<String>,
    /// Names of tests with coverage that are in no report.
    pub unreported: Vec<String>,
    /// Names in coverage that may stand for several tests, so that their coverage was given to
    /// none.
    pub ambiguous: Vec<String>,
}

impl Suite {
    /// Puts reports and coverage together.
    ///
    /// In a coverage file that distinguishes tests the tests have names. Any other file belongs to
    /// the test that the file's name stands for, as `bank.AccountTest.withdrawn.xml` does.
    pub fn read<'a>(
        reports: impl IntoIterator<Item = Source<'a>>,
        coverage: impl IntoIterator<Item = Source<'a>>,
    ) -> Result<Self, SuiteError> {
        let report = Report::read(reports)?;
        if report.tests.iter().all(|test| test.outcome != Outcome::Failed) {
            return Err(SuiteError::NothingFails { tests: report.tests.len() });
        }
        Suite::joined(&report, &by_test(coverage)?)
    }

    fn joined(report: &Report, covered: &BTreeMap<String, Coverage>) -> Result<Self, SuiteError> {
        if covered.is_empty() {
            return Err(SuiteError::NoCoverage { tests: report.tests.len() });
        }
        let names = report.tests.iter().map(|test| test.name.as_str()).collect::<Vec<_>>();
        let names = Tests::new(&names);
        let tests = report.tests.iter().map(|test| SuiteTest {
            name: test.name.clone(),
            outcome: test.outcome,
            coverage: None,
        });
        let (uncovered, unreported, ambiguous) = Default::default();
        let mut suite = Suite { tests: tests.collect(), uncovered, unreported, ambiguous };
        for (name, coverage) in covered {
            match names.find(name) {
                Named::Test(test) => {
                    suite.tests[test].coverage.get_or_insert_default().add(coverage);
                }
                Named::Several => suite.ambiguous.push(name.clone()),
                Named::Nobody => suite.unreported.push(name.clone()),
            }
        }
        let run = suite.tests.iter().filter(|test| test.outcome != Outcome::Skipped);
        let uncovered = run.filter(|test| test.coverage.is_none());
        suite.uncovered = uncovered.map(|test| test.name.clone()).collect();
        let failing = || suite.tests.iter().filter(|test| test.outcome == Outcome::Failed);
        if failing().all(|test| test.coverage.is_none()) {
            let reported = failing().next().map(|test| test.name.clone()).unwrap_or_default();
            let others = suite.unreported.iter().chain(&suite.ambiguous).chain(covered.keys());
            let covered = others.into_iter().next().cloned().unwrap_or_default();
            return Err(SuiteError::NothingCovered { reported, covered });
        }
        Ok(suite)
    }

    /// Returns the names of all source files that are in the coverage, in order, each once.
    pub fn names(&self) -> Vec<&str> {
        let coverage = self.tests.iter().filter_map(|test| test.coverage.as_ref());
        let mut names: Vec<&str> = coverage.flat_map(Coverage::names).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Reads the coverage of each test by its name: in a coverage file that distinguishes tests the
/// name in it, for any other file the test that the file's name stands for.
pub fn by_test<'a>(
    coverage: impl IntoIterator<Item = Source<'a>>,
) -> Result<BTreeMap<String, Coverage>, ReadError> {
    let mut covered: BTreeMap<String, Coverage> = BTreeMap::new();
    for source in coverage {
        let file = read(source)?;
        if file.tests.is_empty() {
            covered.entry(stem(source.name).to_owned()).or_default().add(&file.outside);
            continue;
        }
        for (name, coverage) in file.tests {
            let known = covered.entry(name).or_default();
            known.add(&coverage);
            // Code that ran on loading counts for each test.
            known.add(&file.outside);
        }
    }
    Ok(covered)
}

/// Returns the name of a file without folders and without the endings that tools add.
fn stem(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let endings = [".gcov.json", ".json", ".xml", ".info", ".lcov", ".out", ".coverprofile"];
    endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}
