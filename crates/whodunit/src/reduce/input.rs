//! Reads the input: files, and folders with everything in them.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whodunit_files::regular;
use whodunit_input::{InputFile, Snapshot, tidy};

use super::folder::{self, LeftOut};
use super::{ReduceError, language};
use crate::settings::ReduceSettings;

/// The input.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) snapshot: Arc<Snapshot>,
    /// The origin of each file of the snapshot.
    pub(super) sources: Vec<Source>,
    /// Whether each of the inputs is a folder.
    pub(super) is_folder: Vec<bool>,
    pub(super) left_out: Vec<LeftOut>,
}

/// The origin of a file of the input.
#[derive(Debug)]
pub(super) struct Source {
    /// The number of the input in the settings; the file is that input, or lies in it.
    pub(super) input: usize,
    /// The path below the input if that is a folder, otherwise empty.
    pub(super) below: PathBuf,
    pub(super) path: PathBuf,
}

/// Reads the files and folders that the settings name.
pub(super) fn read(settings: &ReduceSettings) -> Result<Found, ReduceError> {
    let paths = paths(settings);
    let test = settings.test_files();
    let mut files = Vec::new();
    let mut found = Found {
        snapshot: Arc::new(Snapshot::new(vec![])),
        sources: vec![],
        is_folder: vec![],
        left_out: vec![],
    };
    let mut seen = HashSet::new();
    for ((input, path), name) in paths.iter().enumerate().zip(names(settings)) {
        let cannot = |source| ReduceError::Read { path: path.clone(), source };
        let is_folder = fs::metadata(path).map_err(cannot)?.is_dir();
        if is_folder && path.file_name().is_none() {
            return Err(ReduceError::Nameless(path.clone()));
        }
        let mut take = |below: PathBuf| {
            let (path, name) = (joined(path, &below), joined(&name, &below));
            if !seen.insert(path.clone()) {
                return Err(ReduceError::Twice(path));
            }
            let mut file = read_file(&path, name)?;
            if settings.reads_description() {
                let typed = settings.inputs[0].as_path();
                file.bytes = language::texts(typed, &file.bytes)?.into();
            }
            files.push(file);
            found.sources.push(Source { input, below, path });
            Ok(())
        };
        if is_folder {
            let listing = folder::list(path, &test)?;
            listing.files.into_iter().try_for_each(take)?;
            found.left_out.extend(listing.left_out);
        } else {
            take(PathBuf::new())?;
        }
        found.is_folder.push(is_folder);
    }
    found.snapshot = Arc::new(Snapshot::new(files));
    if found.snapshot.is_empty() {
        return Err(ReduceError::Empty(paths[0].clone()));
    }
    Ok(found)
}

/// Joins two paths; an empty one adds nothing, not even a slash.
pub(super) fn joined(path: &Path, below: &Path) -> PathBuf {
    if below.as_os_str().is_empty() { path.to_path_buf() } else { path.join(below) }
}

/// Returns the paths of the inputs, without `.` and `..`.
pub(super) fn paths(settings: &ReduceSettings) -> Vec<PathBuf> {
    let origin = settings.origin.as_path();
    settings.inputs.iter().map(|input| tidy(&origin.join(input.as_path()))).collect()
}

/// Returns the names that the inputs have in the folder of a test: a file or a folder each.
pub(super) fn names(settings: &ReduceSettings) -> Vec<PathBuf> {
    let paths = paths(settings);
    let shared = shared_folder(&paths);
    let below = |path: &PathBuf| path.strip_prefix(&shared).map(Path::to_path_buf);
    let names = paths.iter().map(|path| below(path).expect("all paths lie in the shared folder"));
    names.map(|name| result_name(settings, name)).collect()
}

/// Returns the name under which an input is tested. The texts of a description have another
/// extension, because they are not a description.
pub(super) fn result_name(settings: &ReduceSettings, path: PathBuf) -> PathBuf {
    if settings.reads_description() { path.with_extension("txt") } else { path }
}

/// Reads a file with its permissions, which a test may need.
pub(super) fn read_file(path: &Path, name: PathBuf) -> Result<InputFile, ReduceError> {
    let cannot = |source| ReduceError::Read { path: path.into(), source };
    let bytes = regular::read(path).map_err(cannot)?;
    let metadata = fs::metadata(path).map_err(cannot)?;
    Ok(InputFile { name, bytes: bytes.into(), mode: metadata.permissions().mode() & 0o777 })
}

/// Returns the folder that all files lie in.
fn shared_folder(paths: &[PathBuf]) -> PathBuf {
    let folder = |path: &PathBuf| path.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut shared = folder(&paths[0]);
    while !paths.iter().all(|path| folder(path).starts_with(&shared)) {
        shared.pop();
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_files_keep_their_places() {
        let paths = ["/p/src/a.c", "/p/include/a.h"].map(PathBuf::from);
        assert_eq!(shared_folder(&paths), Path::new("/p"));
        assert_eq!(tidy(Path::new("/p/./x/../a.c")), Path::new("/p/a.c"));
    }
}
