//! Real failing inputs, each in a folder of its own.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use whodunit_input::{InputFile, Snapshot};
use whodunit_jobs::reduce::TextSize;

use crate::chosen::chosen_with;

/// An input with its test.
pub(super) struct Case {
    pub(super) name: String,
    /// The name of the input, which tests rely on.
    pub(super) file: String,
    pub(super) extension: String,
    pub(super) content: Vec<u8>,
    /// Exits with 0 if the failure is there.
    pub(super) test: PathBuf,
}

/// Returns the cases in `folder` by name; all cases if no name is given.
pub(super) fn chosen(folder: &Path, names: &[String]) -> Result<Vec<Case>, Box<dyn Error>> {
    chosen_with(folder, "interesting.sh", names, read)
}

fn read(name: String, folder: &Path) -> Result<Case, Box<dyn Error>> {
    let test = fs::canonicalize(folder.join("interesting.sh"))?;
    for entry in fs::read_dir(folder)? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        if let Some(extension) = file.strip_prefix("input.") {
            let content = fs::read(folder.join(&file))?;
            return Ok(Case { name, extension: extension.into(), content, test, file });
        }
    }
    Err(format!("{} has no `input.*`", folder.display()).into())
}

/// Measures a text as whodunit's own reports do.
pub(super) fn size(content: &[u8]) -> TextSize {
    let file = InputFile { name: PathBuf::from("input"), bytes: content.into(), mode: 0o644 };
    TextSize::of(&Snapshot::new(vec![file]))
}
