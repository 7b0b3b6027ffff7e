//! JSON of coverage.py, with the test that each line was executed by if contexts were recorded.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Format;
use crate::error::Trouble;
use crate::{CoverageFile, Lines};

#[derive(Deserialize)]
struct Report {
    files: BTreeMap<String, File>,
}

#[derive(Deserialize)]
struct File {
    executed_lines: Vec<u32>,
    #[serde(default)]
    missing_lines: Vec<u32>,
    /// The tests that executed a line; the empty name means no particular test.
    #[serde(default)]
    contexts: BTreeMap<u32, Vec<String>>,
}

pub(super) fn read(text: &[u8]) -> Result<CoverageFile, Trouble> {
    let report: Report =
        serde_json::from_slice(text).map_err(|error| Trouble::json(Format::CoveragePy, &error))?;
    let mut file = CoverageFile::default();
    for (name, it) in &report.files {
        let mut lines_of: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for &line in &it.executed_lines {
            let contexts = it.contexts.get(&line).filter(|contexts| !contexts.is_empty());
            let tests = contexts.into_iter().flatten().map(|context| test_of(context));
            let tests = if contexts.is_none() { vec![String::new()] } else { tests.collect() };
            for test in tests {
                lines_of.entry(test).or_default().push(line);
            }
        }
        // A file without executed lines is known all the same.
        file.outside.add_lines(name, &Lines::new());
        // Each test could have executed all of them.
        let measured = it.executed_lines.iter().chain(&it.missing_lines);
        file.outside.add_measured(name, &measured.copied().collect());
        for (test, lines) in lines_of {
            file.part(&test).add_lines(name, &lines.into_iter().collect::<Lines>());
        }
    }
    Ok(file)
}

/// Returns the name of the test of a context. pytest-cov writes `path/test_a.py::Class::test|run`;
/// JUnit reports of pytest call the same test `path.test_a.Class.test`.
fn test_of(context: &str) -> String {
    let test = match context.rsplit_once('|') {
        Some((test, "run" | "setup" | "teardown")) => test,
        _ => context,
    };
    match test.split_once(".py::") {
        Some((file, within)) => {
            // The brackets hold the arguments of one run of the test.
            let (names, arguments) = within.split_at(within.find('[').unwrap_or(within.len()));
            format!("{}.{}{arguments}", file.replace(['/', '\\'], "."), names.replace("::", "."))
        }
        None => test.to_owned(),
    }
}
