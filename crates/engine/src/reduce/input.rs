//! Reads the input, and writes the result.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use super::ReduceError;
use super::settings::{Destination, ReduceSettings};
use crate::subject::{InputFile, Snapshot, write_whole};

/// Reads the files that the settings name.
pub(super) fn read(settings: &ReduceSettings) -> Result<Snapshot, ReduceError> {
    let paths = paths(settings);
    let mut seen = HashSet::new();
    let mut files = Vec::new();
    for (path, name) in paths.iter().zip(names(settings)) {
        if !seen.insert(path) {
            return Err(ReduceError::Twice(path.clone()));
        }
        files.push(read_file(path, name)?);
    }
    let snapshot = Snapshot::new(files);
    if snapshot.is_empty() {
        return Err(ReduceError::Empty(paths[0].clone()));
    }
    Ok(snapshot)
}

/// Returns the paths of the inputs, without detours.
pub(super) fn paths(settings: &ReduceSettings) -> Vec<PathBuf> {
    let origin = settings.origin.as_path();
    settings.inputs.iter().map(|input| tidy(&origin.join(input.as_path()))).collect()
}

/// Returns the names that the inputs have in the folder of a test.
pub(super) fn names(settings: &ReduceSettings) -> Vec<PathBuf> {
    let paths = paths(settings);
    let shared = shared_folder(&paths);
    let below = |path: &PathBuf| path.strip_prefix(&shared).map(Path::to_path_buf);
    paths.iter().map(|path| below(path).expect("all paths lie in the shared folder")).collect()
}

/// Returns where the result of each input goes.
pub(super) fn destinations(settings: &ReduceSettings) -> Vec<PathBuf> {
    let paths = paths(settings);
    match &settings.destination {
        Destination::InPlace => paths,
        Destination::Beside => paths.iter().map(|path| beside(path)).collect(),
        Destination::At(place) => {
            let place = settings.origin.as_path().join(place.as_path());
            let into_folder = paths.len() > 1 || place.is_dir();
            let below = |name: PathBuf| place.join(name);
            if into_folder { names(settings).into_iter().map(below).collect() } else { vec![place] }
        }
    }
}

/// Makes sure that the result can be written before any work is done.
pub(super) fn check_destinations(destinations: &[PathBuf]) -> Result<(), ReduceError> {
    for path in destinations {
        let folder = path.parent().expect("a destination has a folder");
        let cannot = |source| ReduceError::Write { path: path.clone(), source };
        if path.is_dir() {
            return Err(cannot(io::ErrorKind::IsADirectory.into()));
        }
        // Folders that are missing are made in the end; the nearest one that is there must do.
        let there = folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder);
        let probe = there.join(format!(".whodunit-{}.part", std::process::id()));
        fs::File::create(&probe).and_then(|_| fs::remove_file(&probe)).map_err(cannot)?;
    }
    Ok(())
}

/// Writes one file of the result by one rename.
pub(super) fn write(path: &Path, file: &InputFile) -> Result<(), ReduceError> {
    let folder = path.parent().expect("a destination has a folder");
    fs::create_dir_all(folder)
        .and_then(|()| write_whole(path, file))
        .map_err(|source| ReduceError::Write { path: path.into(), source })
}

fn read_file(path: &Path, name: PathBuf) -> Result<InputFile, ReduceError> {
    let cannot = |source| ReduceError::Read { path: path.into(), source };
    let metadata = fs::metadata(path).map_err(cannot)?;
    if metadata.is_dir() {
        return Err(ReduceError::IsFolder(path.into()));
    }
    let bytes = fs::read(path).map_err(cannot)?;
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

/// Puts `.reduced` before the extension.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(".reduced");
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Takes `.` and `..` out of a path, by name alone.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                tidy.pop();
            }
            other => tidy.push(other),
        }
    }
    tidy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_beside_their_inputs() {
        assert_eq!(beside(Path::new("/a/crash.c")), Path::new("/a/crash.reduced.c"));
        assert_eq!(beside(Path::new("/a/core")), Path::new("/a/core.reduced"));
        assert_eq!(beside(Path::new("/a/.rc")), Path::new("/a/.rc.reduced"));
    }

    #[test]
    fn several_files_keep_their_places() {
        let paths = ["/p/src/a.c", "/p/include/a.h"].map(PathBuf::from);
        assert_eq!(shared_folder(&paths), Path::new("/p"));
        assert_eq!(tidy(Path::new("/p/./x/../a.c")), Path::new("/p/a.c"));
    }
}
