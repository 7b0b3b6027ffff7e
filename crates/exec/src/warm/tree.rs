//! The files of a candidate in a folder that tests write to as well.
//!
//! Remembers which files were laid out, notices what a test did to them, and writes as little
//! as possible. Any entry at the path of a candidate's file may be replaced; everything else in
//! the folder stays.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whodunit_run::{EntryKind, TreeFile};

use super::hand::{Hand, c_string, split};
use super::stamp::{Clock, Stamp, is_read, written};

/// The files of a candidate in a folder.
pub(super) struct Tree {
    /// The folder is `name` in `above`.
    above: PathBuf,
    name: &'static str,
    /// The files by folder and name.
    folders: BTreeMap<Arc<[u8]>, BTreeMap<CString, Laid>>,
    clock: Clock,
    /// The time of the files that are being written.
    time: i128,
    /// Whether any file was written since laying out began.
    wrote: bool,
}

/// A file that was laid out.
struct Laid {
    kind: EntryKind,
    stamp: Stamp,
}

impl Tree {
    /// Starts without files; the folder must exist, and be empty, before files are written.
    pub(super) fn new(above: &Path, name: &'static str) -> Self {
        let (folders, clock) = (BTreeMap::new(), Clock::new());
        Tree { above: above.into(), name, folders, clock, time: 0, wrote: false }
    }

    /// Forgets all files, because the folder is empty now.
    pub(super) fn forget(&mut self) {
        self.folders.clear();
    }

    /// Returns the paths of all files.
    pub(super) fn paths(&self) -> Vec<Arc<[u8]>> {
        let of = |(folder, files): (&Arc<[u8]>, &BTreeMap<CString, Laid>)| {
            files.keys().map(|name| join(folder, name.as_bytes())).collect::<Vec<_>>()
        };
        self.folders.iter().flat_map(of).collect()
    }

    /// Notes that something may have been built until now.
    pub(super) fn pass_time(&mut self) {
        self.clock.pass();
    }

    /// Ends laying out: products that are built from now on are newer than the files.
    pub(super) fn end(&self) {
        if self.wrote {
            self.clock.settle();
        }
    }

    /// Begins to lay out: all files written from now on have one time, later than all before.
    pub(super) fn begin(&mut self) -> io::Result<Hand> {
        self.time = self.clock.next();
        self.wrote = false;
        Hand::new(&self.above, self.name)
    }

    /// Returns the paths of the files that are no longer as they were laid out: they were
    /// changed, removed, or at least touched.
    pub(super) fn touched(&self, hand: &mut Hand) -> io::Result<Vec<Arc<[u8]>>> {
        let mut touched = Vec::new();
        for (folder, files) in &self.folders {
            let found = hand.look_in(folder, files.keys().map(CString::as_c_str))?;
            for ((name, laid), found) in files.iter().zip(found) {
                if found.is_none_or(|found| !laid.is(&found)) {
                    touched.push(join(folder, name.as_bytes()));
                }
            }
        }
        Ok(touched)
    }

    /// Returns the paths of the files that were read since they were written, in order.
    pub(super) fn read(&self, hand: &mut Hand) -> io::Result<Vec<Arc<[u8]>>> {
        let mut read = Vec::new();
        for (folder, files) in &self.folders {
            let found = hand.look_in(folder, files.keys().map(CString::as_c_str))?;
            for ((name, laid), found) in files.iter().zip(found) {
                if laid.kind != EntryKind::Submodule && found.is_some_and(|found| is_read(&found)) {
                    read.push(join(folder, name.as_bytes()));
                }
            }
        }
        Ok(read)
    }

    /// Writes a file.
    pub(super) fn write(&mut self, hand: &mut Hand, file: &TreeFile) -> io::Result<()> {
        check(&file.path)?;
        self.check_alone(file)?;
        self.wrote = true;
        let mut found = hand.write(file, self.time)?;
        if file.kind != EntryKind::Submodule && written(&found) < self.time {
            self.time = self.clock.coarser(self.time);
            found = hand.set_time(&file.path, self.time)?;
        }
        self.remember(file, Stamp::of(&found))
    }

    /// Writes a file that was touched, unless its content and mode are right: then its time
    /// stays.
    pub(super) fn restore(&mut self, hand: &mut Hand, file: &TreeFile) -> io::Result<()> {
        let before = self.laid(&file.path).map(|laid| laid.stamp);
        if hand.holds(file)?
            && let Some(found) = hand.look(&file.path)?
        {
            let stamp = Stamp::of(&found);
            if before.is_none_or(|before| before.has_mode_of(&stamp)) {
                return self.remember(file, stamp);
            }
        }
        self.write(hand, file)
    }

    /// Removes a file, and the folders that become empty.
    pub(super) fn remove(&mut self, hand: &mut Hand, path: &[u8]) -> io::Result<()> {
        check(path)?;
        match self.take(path)? {
            // Files that tests put into it stay.
            Some(Laid { kind: EntryKind::Submodule, .. }) => {
                hand.remove_folder(path)?;
            }
            _ => hand.remove(path)?,
        }
        let (mut folder, _) = split(path);
        while !folder.is_empty() && self.laid(folder).is_none() && hand.remove_folder(folder)? {
            folder = split(folder).0;
        }
        Ok(())
    }

    fn remember(&mut self, file: &TreeFile, stamp: Stamp) -> io::Result<()> {
        let (folder, name) = split(&file.path);
        let laid = Laid { kind: file.kind, stamp };
        let name = c_string(name)?;
        match self.folders.get_mut(folder) {
            Some(files) => drop(files.insert(name, laid)),
            None => drop(self.folders.insert(folder.into(), BTreeMap::from([(name, laid)]))),
        }
        Ok(())
    }

    fn take(&mut self, path: &[u8]) -> io::Result<Option<Laid>> {
        let (folder, name) = split(path);
        let Some(files) = self.folders.get_mut(folder) else { return Ok(None) };
        let laid = files.remove(&c_string(name)?);
        if files.is_empty() {
            self.folders.remove(folder);
        }
        Ok(laid)
    }

    fn kind(&self, path: &[u8]) -> Option<EntryKind> {
        self.laid(path).map(|laid| laid.kind)
    }

    fn laid(&self, path: &[u8]) -> Option<&Laid> {
        let (folder, name) = split(path);
        self.folders.get(folder)?.get(&c_string(name).ok()?)
    }

    /// Refuses a file below another one or below a link: it would be somewhere else.
    fn check_alone(&self, file: &TreeFile) -> io::Result<()> {
        let mut above = split(&file.path).0;
        while !above.is_empty() {
            if self.kind(above).is_some_and(|kind| kind != EntryKind::Submodule) {
                return Err(refused(&file.path, "lies below a file"));
            }
            above = split(above).0;
        }
        // Names like `a-b` sort between `a` and `a/b`.
        let prefix: Arc<[u8]> = [&*file.path, b"/"].concat().into();
        let deeper = self.folders.range(prefix.clone()..).next();
        let has_below = self.folders.contains_key(&file.path)
            || deeper.is_some_and(|(folder, _)| folder.starts_with(&prefix));
        if has_below && file.kind != EntryKind::Submodule {
            return Err(refused(&file.path, "has files below it"));
        }
        Ok(())
    }
}

impl Laid {
    fn is(&self, found: &rustix::fs::Stat) -> bool {
        let is_folder = || rustix::fs::FileType::from_raw_mode(found.st_mode).is_dir();
        match self.kind {
            EntryKind::Submodule => is_folder(),
            _ => self.stamp == Stamp::of(found),
        }
    }
}

fn join(folder: &[u8], name: &[u8]) -> Arc<[u8]> {
    if folder.is_empty() { name.into() } else { [folder, b"/", name].concat().into() }
}

/// Refuses paths that lead out of the folder, or that mean the same as others.
fn check(path: &[u8]) -> io::Result<()> {
    let is_bad = |part: &[u8]| matches!(part, b"" | b"." | b"..") || part.contains(&0);
    if path.split(|&byte| byte == b'/').any(is_bad) {
        return Err(refused(path, "is not a path in a tree"));
    }
    Ok(())
}

fn refused(path: &[u8], why: &str) -> io::Error {
    let path = String::from_utf8_lossy(path);
    io::Error::new(io::ErrorKind::InvalidInput, format!("`{}` {why}", path.escape_debug()))
}
