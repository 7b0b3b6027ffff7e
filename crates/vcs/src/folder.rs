//! A folder as a version.

use std::fs::{self, DirEntry};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use whodunit_files::{Content, EntryKind, regular};

use crate::listing::{Gathered, on_disk};
use crate::{Error, Listing};

/// Lists a folder.
///
/// Symbolic links stay links, wherever they lead. Repositories' own folders (`.git`) are no part of
/// the version; devices, pipes and sockets are skipped and reported. A file that cannot be opened
/// is an error now and not in the middle of a run.
pub fn list(root: &Path) -> Result<Listing, Error> {
    let mut gathered = Gathered::default();
    // Folders still to be read, with the path they have in the version.
    let mut folders = vec![(root.to_path_buf(), Vec::new())];
    while let Some((folder, prefix)) = folders.pop() {
        let unreadable = |source| Error::File { path: folder.clone(), source };
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let name = entry.file_name();
            if name == ".git" {
                continue;
            }
            let path = [prefix.as_slice(), name.as_bytes()].concat();
            let place = entry.path();
            match look_at(&entry) {
                Ok(FolderItem::Folder) => folders.push((place, [path.as_slice(), b"/"].concat())),
                Ok(FolderItem::File(kind, content)) => gathered.add(path, kind, content),
                Ok(FolderItem::Special(what)) => gathered.skip(path, what),
                Err(source) => return Err(Error::File { path: place, source }),
            }
        }
    }
    Ok(gathered.into_listing())
}

enum FolderItem {
    Folder,
    File(EntryKind, Content),
    Special(&'static str),
}

fn look_at(entry: &DirEntry) -> io::Result<FolderItem> {
    let path: PathBuf = entry.path();
    let metadata = entry.metadata()?;
    let kind = metadata.file_type();
    if kind.is_dir() {
        return Ok(FolderItem::Folder);
    }
    if kind.is_symlink() {
        let target = fs::read_link(&path)?;
        let content = Content::bytes(target.as_os_str().as_bytes());
        return Ok(FolderItem::File(EntryKind::Link, content));
    }
    if kind.is_file() {
        regular::open(&path)?;
        // As git does, only the owner's right counts.
        let may_run = metadata.mode() & 0o100 != 0;
        let kind = if may_run { EntryKind::Executable } else { EntryKind::Regular };
        return Ok(FolderItem::File(kind, on_disk(path, &metadata)?));
    }
    Ok(FolderItem::Special(match kind {
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }))
}
