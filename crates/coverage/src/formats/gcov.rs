//! JSON of `gcov --json-format`: a document for each data file, one after the other with `--stdout`.

use serde::Deserialize;

use super::{Format, is_executed};
use crate::error::Trouble;
use crate::{CoverageFile, Lines};

#[derive(Deserialize)]
struct Document {
    /// The folder that relative names of files begin at.
    #[serde(default)]
    current_working_directory: String,
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    file: String,
    lines: Vec<Line>,
}

/// A line; a template with several instances has several of one number.
#[derive(Deserialize)]
struct Line {
    line_number: u32,
    count: f64,
}

pub(super) fn read(text: &[u8]) -> Result<CoverageFile, Trouble> {
    let mut file = CoverageFile::default();
    for document in serde_json::Deserializer::from_slice(text).into_iter() {
        let document: Document = document.map_err(|error| Trouble::json(Format::Gcov, &error))?;
        let folder = &document.current_working_directory;
        for File { file: name, lines } in &document.files {
            let is_whole = name.starts_with('/') || name.contains(":\\") || folder.is_empty();
            let name = if is_whole { name.clone() } else { format!("{folder}/{name}") };
            let executed = lines.iter().filter(|line| is_executed(line.count));
            let executed: Lines = executed.map(|line| line.line_number).collect();
            let measured: Lines = lines.iter().map(|line| line.line_number).collect();
            file.outside.add_lines(&name, &executed);
            file.outside.add_measured(&name, &measured);
        }
    }
    Ok(file)
}
