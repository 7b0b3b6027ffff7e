//! Reads the files that the settings name: coverage and test reports.

use std::fs;
use std::path::Path;

use whodunit_coverage::Source;
use whodunit_files::regular;
use whodunit_run::{Key, KeyHasher, Word};

use super::error::AtomicError;
use crate::settings::AtomicSettings;

/// Files with their contents.
pub(super) struct Files {
    files: Vec<(String, Vec<u8>)>,
}

impl Files {
    /// Reads files, and the files in folders, in order of their names.
    pub(super) fn read(words: &[Word], origin: &Path) -> Result<Self, AtomicError> {
        let mut files = Vec::new();
        for word in words {
            read_into(&mut files, &origin.join(word.as_path()))?;
        }
        Ok(Files { files })
    }

    pub(super) fn sources(&self) -> impl Iterator<Item = Source<'_>> {
        self.files.iter().map(|(name, bytes)| Source { name, bytes })
    }
}

fn read_into(files: &mut Vec<(String, Vec<u8>)>, path: &Path) -> Result<(), AtomicError> {
    let trouble = |source| AtomicError::Read { path: path.to_owned(), source };
    if !path.is_dir() {
        let bytes = regular::read(path).map_err(trouble)?;
        files.push((path.to_string_lossy().into_owned(), bytes));
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(trouble)?;
    let entries = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>();
    let mut entries = entries.map_err(trouble)?;
    entries.sort();
    entries.iter().try_for_each(|path| read_into(files, path))
}

impl AtomicSettings {
    /// Returns the key of a run: made of `key` and of the names and contents of these files. The file of a test's
    /// coverage is named after the test.
    pub(crate) fn key(&self, key: Key, origin: &Path) -> Result<Key, AtomicError> {
        let mut hasher = KeyHasher::new();
        hasher.update(&u128::from(key).to_le_bytes());
        for words in [&self.coverage, &self.reports, &self.test_coverage] {
            let Files { files } = Files::read(words, origin)?;
            hasher.update(&(files.len() as u64).to_le_bytes());
            for bytes in files.iter().flat_map(|(name, content)| [name.as_bytes(), content]) {
                hasher.update(&(bytes.len() as u64).to_le_bytes());
                hasher.update(bytes);
            }
        }
        Ok(hasher.finish())
    }
}
