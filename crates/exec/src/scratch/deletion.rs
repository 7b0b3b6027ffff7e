//! Makes folders usable, empties and deletes them, whatever a test did to them. No link is
//! followed.
//!
//! Folders with very many files take seconds. A caller that cannot wait that long passes
//! [`GoesOn`].

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::ops::ControlFlow;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, IFlags, Mode, OFlags, RawDir, chmodat, fchmod, fstat,
    ioctl_getflags, ioctl_setflags, mkdir, openat, renameat, unlinkat,
};
use rustix::io::Errno;

/// The number of names read at a time, which takes some milliseconds: in a folder with very many
/// files the first deletion must not have to wait for all names.
const NAMES: usize = 10_000;

/// Returns whether to continue; asked before each file. If not, the outcome is [`Errno::CANCELED`].
pub(crate) type GoesOn<'a> = &'a dyn Fn() -> bool;

/// Makes the folder exist and be empty, whatever is there now; the folder above must be usable.
pub fn clear(folder: &Path) -> io::Result<()> {
    clear_while(folder, &|| true)
}

/// Deletes what is there, if anything is; links are deleted, not followed.
pub fn remove(path: &Path) -> io::Result<()> {
    remove_while(path, &|| true)
}

/// Like [`clear`], for as long as `goes_on` holds.
pub(super) fn clear_while(folder: &Path, goes_on: GoesOn<'_>) -> io::Result<()> {
    make(folder)?;
    Ok(empty(&open(CWD, folder)?, goes_on)?)
}

/// Like [`remove`], for as long as `goes_on` holds.
pub(crate) fn remove_while(path: &Path, goes_on: GoesOn<'_>) -> io::Result<()> {
    match unlinkat(CWD, path, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        Err(Errno::ISDIR) => {}
        Err(error) => return Err(error.into()),
    }
    match open(CWD, path).and_then(|folder| empty(&folder, goes_on)) {
        Ok(()) | Err(Errno::NOENT) => {}
        Err(error) => return Err(error.into()),
    }
    let remove = || unlinkat(CWD, path, AtFlags::REMOVEDIR);
    let removed = match remove() {
        Err(Errno::PERM) => loosen(CWD, path).and_then(|()| remove()),
        outcome => outcome,
    };
    Ok(gone_or(removed)?)
}

/// Deletes the entry with this name in a folder, if there is one; links are deleted, not followed.
pub(crate) fn remove_at(folder: &OwnedFd, name: &CStr) -> rustix::io::Result<()> {
    if delete(folder, name)? == Deleted::No {
        gone_or(open(folder, name).and_then(|inner| empty(&inner, &|| true)))?;
        delete(folder, name)?;
    }
    Ok(())
}

/// Makes a folder that we may use, in place of anything else.
pub(super) fn make(folder: &Path) -> io::Result<()> {
    match fs::symlink_metadata(folder) {
        Ok(found) if found.is_dir() && found.mode() & 0o700 == 0o700 => return Ok(()),
        Ok(found) if found.is_dir() => {
            return Ok(chmodat(CWD, folder, Mode::RWXU, AtFlags::empty())?);
        }
        Ok(_) => fs::remove_file(folder)?,
        Err(_) => {}
    }
    Ok(mkdir(folder, Mode::RWXU)?)
}

/// Opens a folder, made usable for its owner; never a link.
pub(crate) fn open(
    at: impl AsFd,
    name: impl rustix::path::Arg + Copy,
) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = match openat(&at, name, flags, Mode::empty()) {
        Err(Errno::ACCESS) => {
            chmodat(&at, name, Mode::RWXU, AtFlags::empty())?;
            openat(&at, name, flags, Mode::empty())?
        }
        opened => opened?,
    };
    if fstat(&folder)?.st_mode & 0o700 != 0o700 {
        fchmod(&folder, Mode::RWXU)?;
    }
    Ok(folder)
}

/// Deletes everything in a folder.
///
/// A folder in it that is not empty is emptied in turn: its own folders are moved up into `top` and
/// come next, so neither the stack nor the number of open files grows with the depth.
fn empty(top: &OwnedFd, goes_on: GoesOn<'_>) -> rustix::io::Result<()> {
    let mut moved = 0;
    loop {
        let names = names(top)?;
        if names.is_empty() {
            return Ok(());
        }
        for name in &names {
            wanted(goes_on)?;
            if delete(top, name)? == Deleted::No {
                gone_or(empty_one(top, name, &mut moved, goes_on))?;
                delete(top, name)?;
            }
        }
    }
}

/// Empties the folder `name` in `top`, moving the folders it holds into `top`.
fn empty_one(
    top: &OwnedFd,
    name: &CStr,
    moved: &mut u64,
    goes_on: GoesOn<'_>,
) -> rustix::io::Result<()> {
    let folder = open(top, name)?;
    loop {
        let names = names(&folder)?;
        if names.is_empty() {
            return Ok(());
        }
        for name in &names {
            wanted(goes_on)?;
            if delete(&folder, name)? == Deleted::No {
                gone_or(move_up(&folder, name, top, moved))?;
            }
        }
    }
}

fn wanted(goes_on: GoesOn<'_>) -> rustix::io::Result<()> {
    if goes_on() { Ok(()) } else { Err(Errno::CANCELED) }
}

fn move_up(from: &OwnedFd, name: &CStr, top: &OwnedFd, moved: &mut u64) -> rustix::io::Result<()> {
    loop {
        *moved += 1;
        let new_name = format!(".moved-{moved}");
        match renameat(from, name, top, new_name.as_str()) {
            // A folder is changed by moving it, so it has to be writable itself.
            Err(Errno::ACCESS) => drop(open(from, name)?),
            // Root can make a folder that cannot be moved; if that is not the reason, the next
            // attempt fails in the same way and is the last one.
            Err(Errno::PERM) => {
                let _ = loosen_open(from);
                loosen(from, name)?;
                return renameat(from, name, top, new_name.as_str());
            }
            // That name is taken.
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => {}
            outcome => return outcome,
        }
    }
}

/// Calls `found` with the names in a folder that was just opened, and the types of the entries,
/// until it breaks.
pub(super) fn each_name(
    folder: &OwnedFd,
    mut found: impl FnMut(&CStr, FileType) -> ControlFlow<()>,
) -> rustix::io::Result<()> {
    let mut buffer = [MaybeUninit::uninit(); 2048];
    let mut entries = RawDir::new(folder, &mut buffer);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..")
            && found(entry.file_name(), entry.file_type()).is_break()
        {
            break;
        }
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deleted {
    Yes,
    /// It is a folder that is not empty.
    No,
}

fn delete(folder: &OwnedFd, name: &CStr) -> rustix::io::Result<Deleted> {
    let unlink = || match unlinkat(folder, name, AtFlags::empty()) {
        Err(Errno::ISDIR) => unlinkat(folder, name, AtFlags::REMOVEDIR),
        outcome => outcome,
    };
    let outcome = match unlink() {
        Err(Errno::PERM) => {
            // Attributes of the folder or of the entry may forbid it; the second try tells.
            let _ = loosen_open(folder);
            let _ = loosen(folder, name);
            unlink()
        }
        outcome => outcome,
    };
    match outcome {
        Err(Errno::NOTEMPTY) => Ok(Deleted::No),
        outcome => gone_or(outcome).map(|()| Deleted::Yes),
    }
}

/// Removes the attributes with which root protects a file or folder from changes (`chattr +i` and
/// `chattr +a`). Opens nothing that could block, and follows no link.
fn loosen(at: impl AsFd, name: impl rustix::path::Arg) -> rustix::io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    loosen_open(&openat(at, name, flags, Mode::empty())?)
}

fn loosen_open(file: &OwnedFd) -> rustix::io::Result<()> {
    let attributes = ioctl_getflags(file)?;
    let loose = attributes - (IFlags::IMMUTABLE | IFlags::APPEND);
    if loose == attributes { Ok(()) } else { ioctl_setflags(file, loose) }
}

/// Treats a missing entry as done: a launcher may be deleting the same folder.
fn gone_or(outcome: rustix::io::Result<()>) -> rustix::io::Result<()> {
    if outcome == Err(Errno::NOENT) { Ok(()) } else { outcome }
}

/// Returns names in a folder, at most [`NAMES`].
fn names(folder: &OwnedFd) -> rustix::io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        if names.len() == NAMES {
            break;
        }
        match entry {
            Ok(entry) if matches!(entry.file_name().to_bytes(), b"." | b"..") => {}
            Ok(entry) => names.push(entry.file_name().to_owned()),
            // The folder itself was deleted meanwhile.
            Err(Errno::NOENT) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(names)
}
