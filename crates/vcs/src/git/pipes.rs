//! Pipes and devices in the place of a repository's files: opening one waits for a writer, maybe
//! for ever.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, FileType};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use whodunit_files::regular;

use super::store;

/// Other repositories in the repository's own folder; they are checked when they are opened.
const OTHERS: &str = "modules";

/// Returns a pipe or device in the repository that a folder belongs to, or in one that lends it
/// objects, if there is one. The checkout is not searched.
pub(super) fn find(folder: &Path) -> Option<PathBuf> {
    let own = folder.ancestors().find_map(own_folder)?;
    if is_waited_for(&own) {
        return Some(own);
    }
    let linked = |file: &Path, prefix: &[u8]| {
        let bytes = regular::read(file).ok()?;
        let path = OsStr::from_bytes(bytes.strip_prefix(prefix)?.trim_ascii());
        Some(file.parent()?.join(path))
    };
    let own = linked(&own, b"gitdir:").unwrap_or(own);
    let common = linked(&own.join("commondir"), b"");
    let mut folders = Vec::from_iter([Some(own), common].into_iter().flatten());
    // Lenders can lend from each other in a circle.
    let mut seen = HashSet::new();
    while let Some(folder) = folders.pop() {
        if folder.canonicalize().is_ok_and(|real| seen.insert(real)) {
            if let Some(pipe) = first_below(&folder, &mut seen) {
                return Some(pipe);
            }
            folders.extend(lenders(&folder.join("objects")));
            folders.extend(lenders(&folder));
        }
    }
    None
}

/// Returns the folders of objects that other repositories lend to a folder of objects.
fn lenders(objects: &Path) -> Vec<PathBuf> {
    let Ok(bytes) = regular::read(&objects.join("info/alternates")) else { return Vec::new() };
    store::lenders(&bytes).into_iter().map(|path| objects.join(path)).collect()
}

/// Returns the repository of a checkout, or a folder that is one by itself.
fn own_folder(folder: &Path) -> Option<PathBuf> {
    let own = folder.join(".git");
    let is_bare = || folder.join("HEAD").exists() && folder.join("objects").is_dir();
    let is_checkout = fs::symlink_metadata(&own).is_ok();
    if is_checkout { Some(own) } else { is_bare().then(|| folder.to_path_buf()) }
}

/// Returns the first pipe or device in or below a folder, also behind links. Folders that were
/// `seen` are left out.
fn first_below(root: &Path, seen: &mut HashSet<PathBuf>) -> Option<PathBuf> {
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        // An unreadable folder is an error when it is needed.
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && entry.file_name() != OTHERS => {
                    folders.push(entry.path());
                }
                Ok(kind) if kind.is_symlink() && is_waited_for(&entry.path()) => {
                    return Some(entry.path());
                }
                Ok(kind) if kind.is_symlink() && entry.path().is_dir() => {
                    let real = entry.path().canonicalize();
                    folders.extend(real.ok().filter(|real| seen.insert(real.clone())));
                }
                Ok(kind) if waits(kind) => return Some(entry.path()),
                _ => {}
            }
        }
    }
    None
}

fn is_waited_for(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| waits(found.file_type()))
}

/// A socket cannot be opened like a file, so opening it does not wait.
fn waits(kind: FileType) -> bool {
    kind.is_fifo() || kind.is_char_device() || kind.is_block_device()
}
