//! JSON of `llvm-cov export`: for each file the places where the count of executions changes.
//!
//! Lines follow from them by LLVM's own rule (`LineCoverageStats`), so that they are those of
//! `llvm-cov show` and its LCOV output.

use serde::Deserialize;

use super::{Format, is_executed};
use crate::error::{Problem, Trouble};
use crate::{CoverageFile, Lines};

#[derive(Deserialize)]
struct Export {
    data: Vec<Datum>,
}

#[derive(Deserialize)]
struct Datum {
    #[serde(default)]
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    filename: String,
    /// Missing in an export with the summary alone.
    segments: Option<Vec<Segment>>,
}

/// Line, column, count, whether it has a count, whether a region begins, whether that is a
/// gap.
#[derive(Deserialize)]
struct Segment(u32, u32, f64, Flag, Flag, #[serde(default)] Flag);

/// Older releases write 0 and 1 instead of a boolean.
#[derive(Deserialize)]
#[serde(untagged)]
enum Flag {
    Bool(bool),
    Number(u8),
}

impl Default for Flag {
    fn default() -> Self {
        Flag::Bool(false)
    }
}

impl Flag {
    fn is_set(&self) -> bool {
        !matches!(self, Flag::Bool(false) | Flag::Number(0))
    }
}

impl Segment {
    fn has_count(&self) -> bool {
        self.3.is_set()
    }

    fn is_entry(&self) -> bool {
        self.4.is_set()
    }

    fn begins_region(&self) -> bool {
        self.has_count() && self.is_entry() && !self.5.is_set()
    }
}

pub(super) fn read(text: &[u8]) -> Result<CoverageFile, Trouble> {
    let export: Export =
        serde_json::from_slice(text).map_err(|error| Trouble::json(Format::LlvmCov, &error))?;
    let mut file = CoverageFile::default();
    let files = export.data.iter().flat_map(|datum| &datum.files);
    for File { filename, segments } in files {
        let Some(segments) = segments else {
            let problem = "it is a summary only; leave out -summary-only".into();
            return Err(Problem::Broken { format: Format::LlvmCov, problem }.into());
        };
        let [executed, measured] = lines(segments)?;
        file.outside.add_lines(filename, &executed);
        file.outside.add_measured(filename, &measured);
    }
    Ok(file)
}

/// Returns the executed lines, and all counted lines.
fn lines(segments: &[Segment]) -> Result<[Lines; 2], Trouble> {
    let place = |segment: &Segment| (segment.0, segment.1);
    if !segments.is_sorted_by_key(place) {
        let problem = "the segments of a file are out of order".into();
        return Err(Problem::Broken { format: Format::LlvmCov, problem }.into());
    }
    let (mut executed, mut measured) = (Vec::new(), Vec::new());
    let mut wrapped: Option<&Segment> = None;
    let mut next_line = 0;
    for here in segments.chunk_by(|one, other| one.0 == other.0) {
        let line = here[0].0;
        // Lines between two lines with segments have the last segment of the first.
        if let Some(it) = wrapped.filter(|it| it.has_count() && next_line < line) {
            measured.push(next_line..=line - 1);
            executed.extend(is_executed(it.2).then(|| next_line..=line - 1));
        }
        if let Some(is_executed) = is_line_executed(here, wrapped) {
            measured.push(line..=line);
            executed.extend(is_executed.then_some(line..=line));
        }
        wrapped = here.last();
        next_line = line.saturating_add(1);
    }
    Ok([executed, measured].map(|lines| lines.into_iter().collect()))
}

/// Whether a line was executed; `None` if it is not counted.
fn is_line_executed(here: &[Segment], wrapped: Option<&Segment>) -> Option<bool> {
    let mut begun = here.iter().filter(|segment| segment.begins_region()).peekable();
    let is_skipped = here.first().is_some_and(|first| !first.has_count() && first.is_entry());
    let is_mapped = !is_skipped
        && (wrapped.is_some_and(Segment::has_count) || begun.peek().is_some())
        || here.iter().any(|segment| segment.has_count() && segment.is_entry());
    let mut counts = wrapped.into_iter().chain(begun).map(|segment| segment.2);
    is_mapped.then(|| counts.any(is_executed))
}
