//! Computes how suspicious a suite of tests makes each atomic change.

use std::collections::BTreeSet;

use whodunit_atoms::{Atoms, CallGraph};
use whodunit_coverage::{Formula, Outcome, Report, Suite, SuiteError, Tie, rank};

use super::error::AtomicError;
use super::files::Files;
use super::measured::Measured;
use super::suspicion::Known;
use crate::settings::RankBy;

/// The suspicion of each atomic change, computed from a suite of tests.
pub(super) struct Scores {
    /// One score for each atomic change, from 0 to 1.
    pub(super) scores: Vec<f64>,
    /// Notes about information that could not be used.
    pub(super) notes: Vec<String>,
}

/// A test with the atomic changes that it can depend on.
struct Covering {
    outcome: Outcome,
    atoms: BTreeSet<usize>,
}

impl Scores {
    /// Reads the test reports, if there are any, and the coverage of each test.
    pub(super) fn of(
        known: &Known<'_>,
        atoms: &Atoms,
        calls: &CallGraph<'_>,
    ) -> Result<Option<Self>, AtomicError> {
        let settings = known.settings;
        if settings.reports.is_empty() {
            return Ok(None);
        }
        let reports = Files::read(&settings.reports, known.origin)?;
        let (tests, notes) = match settings.test_coverage.is_empty() {
            true => by_calls(&reports, calls)?,
            false => {
                let coverage = Files::read(&settings.test_coverage, known.origin)?;
                let suite = Suite::read(reports.sources(), coverage.sources())?;
                by_measure(&suite, &Measured::new(known, calls, atoms, suite.names())?)
            }
        };
        let formula = match settings.rank {
            RankBy::Share => Formula::Shares,
            RankBy::Ochiai => Formula::OchiaiSquared,
        };
        let outcomes: Vec<Outcome> = tests.iter().map(|test| test.outcome).collect();
        // Atomic changes with equal scores are ordered later, where more is known of them.
        let things = vec![Tie::default(); atoms.len()];
        let mut scores = vec![0.0; atoms.len()];
        let covers = |test: usize, atom: usize| tests[test].atoms.contains(&atom);
        for ranked in rank(&things, &outcomes, formula, covers) {
            let score = ranked.score.value();
            scores[ranked.thing] = match settings.rank {
                RankBy::Share => score,
                RankBy::Ochiai => score.sqrt(),
            };
        }
        Ok(Some(Scores { scores, notes }))
    }
}

/// Derives from calls which atomic changes the tests of reports can depend on.
fn by_calls(
    reports: &Files,
    calls: &CallGraph<'_>,
) -> Result<(Vec<Covering>, Vec<String>), AtomicError> {
    let report = Report::read(reports.sources())?;
    let failing = report.tests.iter().find(|test| test.outcome == Outcome::Failed);
    let Some(failing) = failing else {
        return Err(SuiteError::NothingFails { tests: report.tests.len() }.into());
    };
    let (mut tests, mut unknown) = (Vec::new(), 0u64);
    for test in &report.tests {
        let entries = calls.entries(&test.name);
        if entries.is_empty() {
            unknown += 1;
            continue;
        }
        tests.push(Covering { outcome: test.outcome, atoms: calls.responsible(&entries) });
    }
    if !tests.iter().any(|test| test.outcome == Outcome::Failed) {
        return Err(AtomicError::UnknownTests { name: failing.name.clone() });
    }
    let note = format!("{unknown} of the reported tests are not in the bad version");
    Ok((tests, (unknown > 0).then_some(note).into_iter().collect()))
}

/// Takes the coverage of each test.
fn by_measure(suite: &Suite, measured: &Measured<'_>) -> (Vec<Covering>, Vec<String>) {
    let tests = suite.tests.iter().filter_map(|test| {
        let atoms = measured.responsible(test.coverage.as_ref()?);
        Some(Covering { outcome: test.outcome, atoms })
    });
    let mut notes = measured.notes();
    let mut say = |names: &[String], what: &str| {
        if let [first, rest @ ..] = names {
            let more = match rest.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            notes.push(format!("{what}: `{first}`{more}"));
        }
    };
    say(&suite.uncovered, "tests without coverage, which do not count");
    say(&suite.unreported, "coverage of tests that are in no report");
    say(&suite.ambiguous, "coverage that may be of several tests, and is of none");
    (tests.collect(), notes)
}
