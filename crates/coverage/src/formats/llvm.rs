//! JSON of `llvm-cov export`: for each file the places where the count of executions changes.
//!
//! What that means for lines is LLVM's own rule (`LineCoverageStats`), so that the lines are those
//! that `llvm-cov show` and its LCOV output give.

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
    /// Not there if only a summary was asked for.
    segments: Option<Vec<Segment>>,
}

/// Line, column, count, whether it has one, whether a region begins, whether that is a gap.
#[derive(Deserialize)]
struct Segment(u32, u32, f64, Flag, Flag, #[serde(default)] Flag);

/// Older releases write 0 and 1.
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
        file.outside.add_lines(filename, &lines(segments)?);
    }
    Ok(file)
}

fn lines(segments: &[Segment]) -> Result<Lines, Trouble> {
    let place = |segment: &Segment| (segment.0, segment.1);
    if !segments.is_sorted_by_key(place) {
        let problem = "the segments of a file are out of order".into();
        return Err(Problem::Broken { format: Format::LlvmCov, problem }.into());
    }
    let mut executed = Vec::new();
    let mut wrapped: Option<&Segment> = None;
    let mut next_line = 0;
    for here in segments.chunk_by(|one, other| one.0 == other.0) {
        let line = here[0].0;
        // Between two lines with segments the last one of the first holds.
        if wrapped.is_some_and(|it| it.has_count() && is_executed(it.2)) && next_line < line {
            executed.push(next_line..=line - 1);
        }
        if is_line_executed(here, wrapped) {
            executed.push(line..=line);
        }
        wrapped = here.last();
        next_line = line.saturating_add(1);
    }
    Ok(executed.into_iter().collect())
}

fn is_line_executed(here: &[Segment], wrapped: Option<&Segment>) -> bool {
    let mut begun = here.iter().filter(|segment| segment.begins_region()).peekable();
    let is_skipped = here.first().is_some_and(|first| !first.has_count() && first.is_entry());
    let is_mapped = !is_skipped
        && (wrapped.is_some_and(Segment::has_count) || begun.peek().is_some())
        || here.iter().any(|segment| segment.has_count() && segment.is_entry());
    let mut counts = wrapped.into_iter().chain(begun).map(|segment| segment.2);
    is_mapped && counts.any(is_executed)
}
