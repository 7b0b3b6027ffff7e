//! Finds the lines that the tests of both ends run, if an interpreter can record them.
//!
//! Each end is run again with a tracer in its environment. If the test then ends differently, the
//! trace is dropped; it would only order the questions.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use whodunit_core::Verdict;
use whodunit_coverage::{CALLED, Coverage, CoverageFile, Lines, Source, read, read_v8};
use whodunit_files::regular;
use whodunit_run::Word;
use whodunit_run::judge::{Observation, Rule};

use super::ChangesError;
use super::finder::TreeWorkers;
use super::trees::TreeState;
use crate::answer::RanLines;

/// The environment variables that a trace changes, and whose usual values it must know.
pub const TRACE_VARIABLES: [&str; 2] = ["PYTHONPATH", "PYTHONUSERBASE"];

/// Name endings of files that are run by an interpreter with a tracer.
const TRACEABLE: [&str; 4] = [".py", ".js", ".cjs", ".mjs"];

/// Returns whether one of the files that a test read can be traced.
pub(super) fn is_worthwhile(read: &[Word]) -> bool {
    let is_traceable = |word: &Word| {
        let name = word.as_os_str().to_string_lossy();
        TRACEABLE.iter().any(|ending| name.ends_with(ending))
    };
    read.iter().any(is_traceable)
}

/// Runs a test of one end with a trace. `before` is its outcome without one. Returns the lines of
/// the files in `differing`, or none if the trace changed the outcome.
pub(super) fn run(
    workers: &mut TreeWorkers,
    (state, before): (&TreeState, (Verdict, &Observation)),
    rule: &Rule,
    variables: &HashMap<String, OsString>,
    differing: &[Word],
) -> Result<Vec<RanLines>, ChangesError> {
    workers.first().begin_trace(|name| variables.get(name).cloned());
    let seen = workers.observe(state);
    let folder = workers.first().folder();
    let notes = workers.first().end_trace();
    let seen = seen?;
    let (verdict, usual) = before;
    let (Ok(notes), true) =
        (notes, rule.judge(&seen) == verdict && seen.ending() == usual.ending())
    else {
        return Ok(Vec::new());
    };
    let mut all = CoverageFile::default();
    for bytes in &notes {
        let Some(file) = read_note(bytes, &folder) else { continue };
        all.outside.add(&file.outside);
        for (name, coverage) in &file.tests {
            all.tests.entry(name.clone()).or_default().add(coverage);
        }
    }
    Ok(lines(&all, differing))
}

fn read_note(bytes: &[u8], folder: &Path) -> Option<CoverageFile> {
    let source = |url: &str| {
        let path = Path::new(url.strip_prefix("file://")?);
        let name = path.strip_prefix(folder).ok()?.to_str()?.to_owned();
        // A link may lead to a file outside the folder.
        fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some((name, regular::read_to_string(path).ok()?))
    };
    read_v8(bytes, source).or_else(|| read(Source { name: "trace", bytes }).ok())
}

fn lines(all: &CoverageFile, differing: &[Word]) -> Vec<RanLines> {
    let none = Coverage::default();
    let called = all.tests.get(CALLED).unwrap_or(&none);
    let mut files = BTreeMap::new();
    for word in differing {
        let name = word.as_os_str().to_string_lossy();
        let of = |lines: &BTreeMap<String, Lines>| lines.get(&*name).map(ranges);
        let mut measured = of(&all.outside.measured).unwrap_or_default();
        measured.extend(of(&called.measured).unwrap_or_default());
        if !measured.is_empty() {
            let loaded = of(&all.outside.files).unwrap_or_default();
            let called = of(&called.files).unwrap_or_default();
            files.insert(word.clone(), RanLines { file: word.clone(), called, loaded, measured });
        }
    }
    files.into_values().collect()
}

fn ranges(lines: &Lines) -> Vec<[u32; 2]> {
    lines.ranges().map(|range| [*range.start(), *range.end()]).collect()
}
