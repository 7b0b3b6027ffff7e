//! Entries of zip archives.

use std::io::{Read, Seek};

use whodunit_files::EntryKind;
use zip::ZipArchive;

use super::Unpacking;
use crate::Error;

/// Unpacks a zip archive.
pub(super) fn unpack(source: impl Read + Seek, unpacking: &mut Unpacking<'_>) -> Result<(), Error> {
    let mut archive = ZipArchive::new(source).map_err(|error| unpacking.broken(error))?;
    for place in 0..archive.len() {
        let mut entry = archive.by_index(place).map_err(|error| unpacking.broken(error))?;
        if entry.is_dir() {
            continue;
        }
        let Some(path) = unpacking.path(entry.name_raw())? else {
            continue;
        };
        let may_run = entry.unix_mode().is_some_and(|mode| mode & 0o100 != 0);
        let kind = match () {
            () if entry.is_symlink() => EntryKind::Link,
            () if may_run => EntryKind::Executable,
            () => EntryKind::Regular,
        };
        let content = unpacking.read(&mut entry)?;
        unpacking.gathered.add(path, kind, content);
    }
    Ok(())
}
