//! Real failing inputs, each in a folder of its own.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use whodunit_input::{InputFile, Snapshot};
use whodunit_jobs::reduce::TextSize;

/// An input with the test that it fails.
pub(super) struct Case {
    pub(super) name: String,
    /// The name of the input, which tests rely on.
    pub(super) file: String,
    pub(super) extension: String,
    pub(super) content: Vec<u8>,
    /// Exits with 0 if the failure is there.
    pub(super) test: PathBuf,
}

/// Returns the cases in `folder` by name; all of them if none is named.
pub(super) fn chosen(folder: &Path, names: &[String]) -> Result<Vec<Case>, Box<dyn Error>> {
    let mut cases = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let wanted = names.is_empty() || names.contains(&name);
        if wanted && entry.path().join("interesting.sh").exists() {
            cases.push(read(name, &entry.path())?);
        }
    }
    if let Some(name) = names.iter().find(|name| cases.iter().all(|case| case.name != **name)) {
        return Err(format!("there is no case `{name}` in {}", folder.display()).into());
    }
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(cases)
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
