//! Lists a folder: the files to reduce, and the entries that are left out of the input.
//!
//! Nothing outside the folder is ever read through it. A symbolic link counts as a file only if it
//! leads to a file in the same folder; then it has the content of that file.

use std::fs;
use std::path::{Path, PathBuf};

use super::ReduceError;

/// Folders in which version control systems keep their records; reducing a history is useless.
const RECORDS: [&str; 3] = [".git", ".hg", ".svn"];

/// Something in a folder that is not part of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The path.
    pub path: PathBuf,
    /// Why it is left out.
    pub why: WhyLeftOut,
}

/// Why something in a folder is not part of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyLeftOut {
    /// A version control system keeps its records there.
    Records,
    /// It is part of the test.
    Test,
    /// A symbolic link to nothing.
    DeadLink,
    /// A symbolic link to something outside the folder.
    LeadsOut,
    /// A symbolic link to a folder.
    LinkToFolder,
    /// Neither a file nor a folder: a pipe, a socket, a device.
    Special,
}

/// The contents of a folder.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// The files, relative to the folder; those of one folder stand together.
    pub(super) files: Vec<PathBuf>,
    pub(super) left_out: Vec<LeftOut>,
}

/// Lists the files in and below a folder. `test` are the files that make up the test, by their
/// real paths.
pub(super) fn list(folder: &Path, test: &[PathBuf]) -> Result<Listing, ReduceError> {
    let cannot = |path: &Path| {
        let path = path.to_path_buf();
        |source| ReduceError::Read { path, source }
    };
    let real = fs::canonicalize(folder).map_err(cannot(folder))?;
    let mut listing = Listing::default();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).map_err(cannot(&next))? {
            let path = entry.map_err(cannot(&next))?.path();
            let kind = fs::symlink_metadata(&path).map_err(cannot(&path))?.file_type();
            let is_records = path.file_name().is_some_and(is_records);
            let why = if is_records {
                Some(WhyLeftOut::Records)
            } else if kind.is_dir() {
                folders.push(path);
                continue;
            } else if kind.is_symlink() {
                look_behind(&path, &real, test)
            } else if kind.is_file() {
                let real = fs::canonicalize(&path).map_err(cannot(&path))?;
                test.contains(&real).then_some(WhyLeftOut::Test)
            } else {
                Some(WhyLeftOut::Special)
            };
            match why {
                Some(why) => listing.left_out.push(LeftOut { path, why }),
                None => {
                    let name = path.strip_prefix(folder).expect("an entry lies in its folder");
                    listing.files.push(name.to_path_buf());
                }
            }
        }
    }
    listing.files.sort();
    listing.left_out.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(listing)
}

/// Returns why a symbolic link does not count as a file. `real` is the real path of the folder.
fn look_behind(link: &Path, real: &Path, test: &[PathBuf]) -> Option<WhyLeftOut> {
    let Ok(target) = fs::canonicalize(link) else { return Some(WhyLeftOut::DeadLink) };
    let Ok(inside) = target.strip_prefix(real) else { return Some(WhyLeftOut::LeadsOut) };
    if inside.components().any(|part| is_records(part.as_os_str())) {
        return Some(WhyLeftOut::Records);
    }
    match fs::metadata(&target).map(|metadata| metadata.file_type()) {
        _ if test.contains(&target) => Some(WhyLeftOut::Test),
        Ok(kind) if kind.is_file() => None,
        Ok(kind) if kind.is_dir() => Some(WhyLeftOut::LinkToFolder),
        Ok(_) => Some(WhyLeftOut::Special),
        Err(_) => Some(WhyLeftOut::DeadLink),
    }
}

fn is_records(name: &std::ffi::OsStr) -> bool {
    RECORDS.iter().any(|records| name == *records)
}
