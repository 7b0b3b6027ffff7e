//! The notes that CVS keeps in the folders of a checkout, `CVS/Entries` and others.
//!
//! With such notes the client fetches any files in one call; if files are checked out one by one,
//! it waits a second after each.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use whodunit_files::regular;

use super::log::path_of_root;
use super::number::RevisionNumber;

/// A file that was checked out.
pub(super) struct CheckedOut {
    pub(super) at: PathBuf,
    /// The path in the repository.
    pub(super) place: Vec<u8>,
    pub(super) revision: RevisionNumber,
}

/// Makes a folder look like a checkout of a folder of the repository without its files.
pub(super) fn prepare(folder: &Path, root: &str, place: &[u8]) -> io::Result<()> {
    let notes = folder.join(OsStr::from_bytes(place)).join("CVS");
    fs::create_dir_all(&notes)?;
    fs::write(notes.join("Root"), format!("{root}\n"))?;
    fs::write(notes.join("Repository"), [place, b"\n"].concat())?;
    fs::write(notes.join("Entries"), "")
}

/// Returns the files in and below a folder, with their revisions in the notes.
pub(super) fn checked_out(folder: &Path, root: &str) -> io::Result<Vec<CheckedOut>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() && entry.file_name() != "CVS" {
                folders.push(entry.path());
            }
        }
        let Ok(place) = regular::read(&folder.join("CVS/Repository")) else { continue };
        let place = below_root(place.trim_ascii(), root);
        // The last changes may be in a separate file.
        for name in ["CVS/Entries", "CVS/Entries.Log"] {
            let text = regular::read(&folder.join(name)).unwrap_or_default();
            for (name, revision) in text.split(|byte| *byte == b'\n').filter_map(read_entry) {
                let at = folder.join(OsStr::from_bytes(name));
                if at.is_file() {
                    let place = [place, name].join(&b'/');
                    found.push(CheckedOut { at, place, revision });
                }
            }
        }
    }
    Ok(found)
}

/// Old clients note whole paths.
fn below_root<'a>(place: &'a [u8], root: &str) -> &'a [u8] {
    let below = place.strip_prefix(path_of_root(root).as_bytes());
    below.and_then(|place| place.strip_prefix(b"/")).unwrap_or(place)
}

/// Reads a line like `/name/1.4/date/-kb/`; those of folders have no revision.
fn read_entry(line: &[u8]) -> Option<(&[u8], RevisionNumber)> {
    let line = line.strip_prefix(b"A ").unwrap_or(line).strip_prefix(b"/")?;
    let mut fields = line.split(|byte| *byte == b'/');
    let (name, revision) = (fields.next()?, fields.next()?);
    Some((name, RevisionNumber::parse(std::str::from_utf8(revision).ok()?)?))
}

/// Returns a path of the repository as an argument.
pub(super) fn argument(place: &[u8]) -> std::ffi::OsString {
    OsStringExt::from_vec(place.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_noted_with_their_revisions() {
        let entry = read_entry(b"/a b.c/1.10/Sun Nov 15 18:00:31 2026/-kb/T1.10");
        assert_eq!(entry, Some((&b"a b.c"[..], RevisionNumber::parse("1.10").unwrap())));
        assert_eq!(read_entry(b"A /x/1.1///").map(|(name, _)| name), Some(&b"x"[..]));
        for line in ["", "D", "D/dir////", "/new/0/dummy//", "R /x/1.1///"] {
            assert_eq!(read_entry(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn whole_paths_are_shortened() {
        assert_eq!(below_root(b"/root/module/in", ":ext:host:/root"), b"module/in");
        assert_eq!(below_root(b"module/in", "/root"), b"module/in");
    }
}
