//! The tests of a suite that atomic changes can affect. AutoFlow takes these from Celadon before it
//! looks for a failure.

use std::collections::BTreeSet;

use whodunit_atoms::{Atoms, CallGraph};
use whodunit_coverage::{Coverage, Report, by_test};
use whodunit_versions::TreePath;

use super::error::AtomicError;
use super::files::Files;
use super::measured::Measured;
use super::suspicion::Known;
use crate::answer::AffectedTest;
use crate::test_files::is_test;

/// Returns the tests of the bad version, each with the changes that can affect it, and notes about
/// information that could not be used.
///
/// The tests are those with coverage; without coverage, those of the reports; without reports,
/// those in the sources: functions marked or named as tests, and test files without such a
/// function.
pub(super) fn affected_tests(
    known: &Known<'_>,
    atoms: &Atoms,
    calls: &CallGraph<'_>,
) -> Result<(Vec<AffectedTest>, Vec<String>), AtomicError> {
    let settings = known.settings;
    if !settings.test_coverage.is_empty() {
        let files = Files::read(&settings.test_coverage, known.origin)?;
        let covered = by_test(files.sources())?;
        let names: BTreeSet<&str> = covered.values().flat_map(Coverage::names).collect();
        let measured = Measured::new(known, calls, atoms, names.into_iter().collect())?;
        let test = |(name, coverage): (&String, &Coverage)| {
            answer(name, None, &measured.responsible(coverage))
        };
        return Ok((covered.iter().map(test).collect(), measured.notes()));
    }
    if !settings.reports.is_empty() {
        let report = Report::read(Files::read(&settings.reports, known.origin)?.sources())
            .map_err(whodunit_coverage::SuiteError::from)?;
        let (mut tests, mut unknown) = (Vec::new(), 0u64);
        for test in &report.tests {
            let entries = calls.entries(&test.name);
            match entries.is_empty() {
                true => unknown += 1,
                false => tests.push(answer(&test.name, None, &calls.responsible(&entries))),
            }
        }
        let note = format!("{unknown} of the reported tests are not in the bad version");
        return Ok((tests, (unknown > 0).then_some(note).into_iter().collect()));
    }
    let mut tests = Vec::new();
    let mut with_tests: BTreeSet<&[u8]> = BTreeSet::new();
    for (name, path, entries) in calls.tests() {
        with_tests.insert(path.as_bytes());
        tests.push(answer(name, Some(path), &calls.responsible(&entries)));
    }
    for path in known.bad_paths().iter().filter(|path| !with_tests.contains(path.as_slice())) {
        let path = TreePath::new(path);
        let name = path.display();
        let entries = if is_test(&path) { calls.entries(&name) } else { Vec::new() };
        if !entries.is_empty() {
            tests.push(answer(&name, Some(&path), &calls.responsible(&entries)));
        }
    }
    Ok((tests, Vec::new()))
}

fn answer(name: &str, file: Option<&TreePath>, atoms: &BTreeSet<usize>) -> AffectedTest {
    AffectedTest {
        name: name.to_owned(),
        file: file.map(crate::answer::word_of),
        changes: atoms.iter().map(|&atom| atom as u64 + 1).collect(),
    }
}
