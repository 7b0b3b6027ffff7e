//! Finds the file that a name means.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Component, Path};

use crate::snapshot::InputFile;
use crate::tidy;

/// The names of all files.
pub(super) struct FileNames<'a> {
    by_path: HashMap<&'a Path, usize>,
    by_name: HashMap<&'a OsStr, Vec<usize>>,
    files: &'a [InputFile],
}

impl<'a> FileNames<'a> {
    pub(super) fn of(files: &'a [InputFile]) -> Self {
        let by_path = files.iter().enumerate().map(|(index, file)| (file.name.as_path(), index));
        let mut by_name: HashMap<&OsStr, Vec<usize>> = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            by_name.entry(file.name.file_name().unwrap_or_default()).or_default().push(index);
        }
        FileNames { by_path: by_path.collect(), by_name, files }
    }

    /// Returns the file of this name as seen from a folder, or else the only one whose path ends
    /// with it: the folders in which headers and modules are searched are not known here.
    pub(super) fn find(&self, folder: &Path, name: &str) -> Option<usize> {
        // Most words are no names of files; this rejects them quickly.
        let alike = self.by_name.get(Path::new(name).file_name()?)?;
        let path = tidy(&folder.join(name));
        if let Some(&file) = self.by_path.get(path.as_path()) {
            return Some(file);
        }
        let name = Path::new(name);
        let plain = name.components().all(|part| matches!(part, Component::Normal(_)));
        let mut alike = alike.iter().filter(|&&file| self.files[file].name.ends_with(name));
        alike.next().filter(|_| plain && alike.next().is_none()).copied()
    }
}
