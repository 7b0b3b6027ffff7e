//! Reads and writes files below one folder without ever following a link.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{
    AtFlags, CWD, Mode, OFlags, ResolveFlags, Stat, Timestamps, fstat, futimens, mkdirat, openat,
    openat2, readlinkat, statat, symlinkat, unlinkat, utimensat,
};
use rustix::io::Errno;
use whodunit_run::{EntryKind, TreeFile};

use super::stamp::{UNREAD, timespec};
use crate::scratch;

/// Reads and writes files below one folder.
pub(super) struct Hand {
    root: OwnedFd,
    /// The folder that was used last, with its path: most files are in the same folder as the one
    /// before.
    last: Option<(Arc<[u8]>, OwnedFd)>,
}

/// Whether a missing folder is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Make {
    Yes,
    No,
}

impl Hand {
    /// Opens the folder `name` in `above`.
    pub(super) fn new(above: &Path, name: &str) -> io::Result<Self> {
        let above = scratch::open(CWD, above)?;
        Ok(Hand { root: scratch::open(&above, name)?, last: None })
    }

    /// Returns the status of the entry at a path; `None` if there is none.
    pub(super) fn look(&mut self, path: &[u8]) -> io::Result<Option<Stat>> {
        let (folder, name) = split(path);
        let Some(folder) = self.folder(folder, Make::No)? else { return Ok(None) };
        look_at(folder, &c_string(name)?)
    }

    /// Returns the status of the entries with these names in one folder.
    pub(super) fn look_in<'a>(
        &mut self,
        folder: &Arc<[u8]>,
        names: impl Iterator<Item = &'a CStr>,
    ) -> io::Result<Vec<Option<Stat>>> {
        match self.folder(folder, Make::No)? {
            Some(folder) => names.map(|name| look_at(folder, name)).collect(),
            None => Ok(names.map(|_| None).collect()),
        }
    }

    /// Returns whether the file at this path has this kind and content.
    pub(super) fn holds(&mut self, file: &TreeFile) -> io::Result<bool> {
        let (folder, name) = split(&file.path);
        let Some(folder) = self.folder(folder, Make::No)? else { return Ok(false) };
        let name = c_string(name)?;
        let Some(found) = look_at(folder, &name)? else { return Ok(false) };
        if kind_of(&found) != Some(file.kind) {
            return Ok(false);
        }
        Ok(match file.kind {
            EntryKind::Submodule => true,
            EntryKind::Link => readlinkat(folder, &name, Vec::new())?.as_bytes() == &*file.bytes,
            EntryKind::Regular | EntryKind::Executable => {
                found.st_size as u64 == file.bytes.len() as u64
                    && read(folder, &name).is_ok_and(|bytes| bytes == *file.bytes)
            }
        })
    }

    /// Writes a file with this time, in place of any entry there, and returns its status.
    ///
    /// It is always a new file: a test may have given the old one another name, and under that name
    /// it must not change.
    pub(super) fn write(&mut self, file: &TreeFile, time: i128) -> io::Result<Stat> {
        let (folder, name) = split(&file.path);
        let folder = self.folder(folder, Make::Yes)?.expect("the folder was made");
        let name = c_string(name)?;
        if file.kind == EntryKind::Submodule {
            return make_folder(folder, &name);
        }
        match unlinkat(folder, &name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(_) => scratch::remove_at(folder, &name)?,
        }
        if file.kind == EntryKind::Link {
            symlinkat(&c_string(&file.bytes)?, folder, &name)?;
            set_link_time(folder, &name, time)?;
            return look_at(folder, &name)?.ok_or_else(|| io::ErrorKind::NotFound.into());
        }
        let mode = if file.kind == EntryKind::Executable { 0o777 } else { 0o666 };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let opened = openat(folder, &name, flags, Mode::from_raw_mode(mode))?;
        let mut opened = std::fs::File::from(opened);
        io::Write::write_all(&mut opened, &file.bytes)?;
        futimens(&opened, &times(time))?;
        Ok(fstat(&opened)?)
    }

    /// Sets the time of a file that was just written, and returns its status.
    pub(super) fn set_time(&mut self, path: &[u8], time: i128) -> io::Result<Stat> {
        let (folder, name) = split(path);
        let gone = || io::Error::from(io::ErrorKind::NotFound);
        let folder = self.folder(folder, Make::No)?.ok_or_else(gone)?;
        let name = c_string(name)?;
        set_link_time(folder, &name, time)?;
        look_at(folder, &name)?.ok_or_else(gone)
    }

    /// Removes any entry at a path.
    pub(super) fn remove(&mut self, path: &[u8]) -> io::Result<()> {
        let (folder, name) = split(path);
        let Some(folder) = self.folder(folder, Make::No)? else { return Ok(()) };
        scratch::remove_at(folder, &c_string(name)?)?;
        Ok(())
    }

    /// Removes a folder if it is empty, and returns whether it is gone.
    pub(super) fn remove_folder(&mut self, path: &[u8]) -> io::Result<bool> {
        self.last = None;
        let (folder, name) = split(path);
        let Some(folder) = self.folder(folder, Make::No)? else { return Ok(true) };
        let removed = unlinkat(folder, &c_string(name)?, AtFlags::REMOVEDIR);
        Ok(matches!(removed, Ok(()) | Err(Errno::NOENT)))
    }

    /// Opens a folder; `None` if it is missing or is something else.
    fn folder(&mut self, path: &[u8], make: Make) -> io::Result<Option<&OwnedFd>> {
        if path.is_empty() {
            return Ok(Some(&self.root));
        }
        if self.last.as_ref().is_none_or(|(last, _)| **last != *path) {
            let Some(opened) = open_below(&self.root, path, make)? else { return Ok(None) };
            self.last = Some((path.into(), opened));
        }
        Ok(self.last.as_ref().map(|(_, opened)| opened))
    }
}

/// Returns the folder and the name of a file.
pub(super) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (b"", path),
    }
}

/// Returns the kind of a file, if candidates have files of that kind. On disk a submodule is a
/// folder.
fn kind_of(found: &Stat) -> Option<EntryKind> {
    use rustix::fs::FileType;
    match FileType::from_raw_mode(found.st_mode) {
        FileType::RegularFile if found.st_mode & 0o100 != 0 => Some(EntryKind::Executable),
        FileType::RegularFile => Some(EntryKind::Regular),
        FileType::Symlink => Some(EntryKind::Link),
        FileType::Directory => Some(EntryKind::Submodule),
        _ => None,
    }
}

/// Opens a folder below another one: in one step if all is in order, otherwise part by part. The
/// second way makes unusable folders usable and, if asked to, replaces other entries by folders.
fn open_below(root: &OwnedFd, path: &[u8], make: Make) -> io::Result<Option<OwnedFd>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    if let Ok(opened) = openat2(root, path, flags, Mode::empty(), resolve) {
        return Ok(Some(opened));
    }
    let mut folder = scratch::open(root, c".")?;
    for part in path.split(|&byte| byte == b'/') {
        let part = c_string(part)?;
        folder = match scratch::open(&folder, &*part) {
            Ok(opened) => opened,
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) if make == Make::No => {
                return Ok(None);
            }
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => {
                make_folder(&folder, &part)?;
                scratch::open(&folder, &*part)?
            }
            Err(error) => return Err(error.into()),
        };
    }
    Ok(Some(folder))
}

/// Makes a folder in place of anything else.
fn make_folder(above: &OwnedFd, name: &CStr) -> io::Result<Stat> {
    let found = look_at(above, name)?;
    if let Some(found) = found.filter(|found| kind_of(found) == Some(EntryKind::Submodule)) {
        return Ok(found);
    }
    scratch::remove_at(above, name)?;
    mkdirat(above, name, Mode::RWXU | Mode::RWXG | Mode::RWXO)?;
    look_at(above, name)?.ok_or_else(|| io::ErrorKind::NotFound.into())
}

fn look_at(folder: &OwnedFd, name: &CStr) -> io::Result<Option<Stat>> {
    match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => Ok(Some(found)),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn read(folder: &OwnedFd, name: &CStr) -> io::Result<Vec<u8>> {
    // Do not block on a pipe that a test may have put there.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut bytes = Vec::new();
    let opened = openat(folder, name, flags, Mode::empty())?;
    io::Read::read_to_end(&mut std::fs::File::from(opened), &mut bytes)?;
    Ok(bytes)
}

fn set_link_time(folder: &OwnedFd, name: &CStr, time: i128) -> io::Result<()> {
    Ok(utimensat(folder, name, &times(time), AtFlags::SYMLINK_NOFOLLOW)?)
}

/// Returns the times of a file that is written: its time of reading is [`UNREAD`], so that a later
/// reading shows.
fn times(time: i128) -> Timestamps {
    Timestamps { last_access: timespec(UNREAD), last_modification: timespec(time) }
}

pub(super) fn c_string(bytes: &[u8]) -> io::Result<CString> {
    CString::new(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "a zero byte"))
}
