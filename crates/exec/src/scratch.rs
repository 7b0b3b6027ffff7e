//! The folders in which candidates are laid out and tests run.
//!
//! A run has one private folder, in memory if there is room; each worker has a slot in it. Tests
//! may do anything to their slot: fill it, make it unreadable, delete it, put a link in its place.
//! The slot is repaired in each case, and no link is ever followed out of it.

mod deletion;
pub(crate) mod janitor;
mod ownership;

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, StatVfsMountFlags, statvfs, unlinkat};
use rustix::io::Errno;

pub(crate) use deletion::{GoesOn, open, remove_at};
pub use deletion::{clear, remove};
pub(crate) use ownership::{is_run_folder, remove_if_left_behind};

use deletion::{clear_while, each_name, make};

/// The names of the folders of a slot.
pub(crate) const WORK: &str = "work";
const TEMPORARY: &str = "tmp";
pub(crate) const SCRIPTS: &str = "test";

/// The folder of a run; deleted when dropped, or a little later if it holds very many files.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    /// Held as long as the run lives, so that no other run deletes the folder as left behind.
    _lock: OwnedFd,
}

/// The folder of one worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    folder: PathBuf,
}

/// Why there is no folder to work in.
#[derive(Debug, thiserror::Error)]
pub enum ScratchError {
    /// None of the places can be used.
    #[error("no place for candidates:{}", list(.tried))]
    NoPlace {
        /// The places in the order they were tried, each with the reason why it was refused.
        tried: Vec<(PathBuf, Refusal)>,
    },
    /// A folder could not be made, emptied or deleted.
    #[error("cannot prepare the folder `{}`", .folder.display())]
    Unusable {
        /// The folder.
        folder: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// Why a place was refused.
#[derive(Debug)]
pub enum Refusal {
    /// It is not there, or no folder can be made in it.
    Closed(io::Error),
    /// Programs in it cannot be executed (mounted `noexec`), but tests run what they compile.
    NoExecution,
    /// It has only this many bytes left.
    Full(u64),
}

impl Scratch {
    /// Makes the run's folder in the first of these places that exists, is writable, lets programs
    /// be executed, and has `needed` bytes left.
    ///
    /// Also deletes the folders that killed runs left in the places.
    pub fn create(places: &[PathBuf], needed: u64) -> Result<Scratch, ScratchError> {
        let mut tried = Vec::new();
        for place in places {
            ownership::remove_left_behind(place);
            match create_in(place, needed) {
                Ok(scratch) => return Ok(scratch),
                Err(refusal) => tried.push((place.clone(), refusal)),
            }
        }
        Err(ScratchError::NoPlace { tried })
    }

    /// Returns the run's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder of worker `i`, empty.
    pub fn slot(&self, i: usize) -> Result<Slot, ScratchError> {
        let slot = Slot { folder: self.folder.join(i.to_string()) };
        slot.clear()?;
        Ok(slot)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The next run deletes what cannot be deleted now.
        janitor::remove_or_hand_over(&self.folder);
    }
}

impl Slot {
    /// Returns the worker's folder, which holds the others and nothing else.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of the folder for the candidate.
    pub fn candidate(&self) -> PathBuf {
        self.folder.join(WORK)
    }

    /// Returns the path of the folder for temporary files (the `TMPDIR` of tests), where killed
    /// compilers leave theirs.
    pub fn temporary(&self) -> PathBuf {
        self.folder.join(TEMPORARY)
    }

    /// Returns the path of the folder for the test's own script. It exists only if the worker makes
    /// it, and is deleted when the others are cleared.
    pub(crate) fn scripts(&self) -> PathBuf {
        self.folder.join(SCRIPTS)
    }

    /// Makes both folders exist and be empty, whatever a test did to them.
    pub fn clear(&self) -> Result<(), ScratchError> {
        self.clear_but(None, &|| true)
    }

    /// Like `clear`, for as long as `goes_on` holds; an error if it no longer does.
    pub(crate) fn clear_while(&self, goes_on: GoesOn<'_>) -> Result<(), ScratchError> {
        self.clear_but(None, goes_on)
    }

    /// Like `clear_while`, but may leave the plain file `kept` in the candidate's folder, to be
    /// overwritten: freeing its memory and taking it again costs more than the writing.
    pub(crate) fn clear_but(
        &self,
        kept: Option<&OsStr>,
        goes_on: GoesOn<'_>,
    ) -> Result<(), ScratchError> {
        if self.tidy_up(kept, goes_on).is_ok_and(|tidy| tidy == Tidy::Yes) {
            return Ok(());
        }
        self.prepare(|| {
            clear_while(&self.folder, goes_on)?;
            make(&self.candidate())?;
            make(&self.temporary())
        })
    }

    /// Makes the folder for temporary files exist and be empty, for as long as `goes_on` holds;
    /// leaves the candidate as it is.
    pub(crate) fn clear_temporary(&self, goes_on: GoesOn<'_>) -> Result<(), ScratchError> {
        self.prepare(|| clear_while(&self.temporary(), goes_on))
    }

    /// Clears up after a test that did nothing unusual: it left the two folders in place, with
    /// plain files in the candidate's folder and nothing in the temporary one. Most tests are like
    /// that, and this takes a third of the time.
    fn tidy_up(&self, kept: Option<&OsStr>, goes_on: GoesOn<'_>) -> rustix::io::Result<Tidy> {
        let slot = open(CWD, &self.folder)?;
        let (work, temporary) = (open(&slot, WORK)?, open(&slot, TEMPORARY)?);
        let mut tidy = Tidy::Yes;
        let mut demand = |is_so: bool| match is_so {
            true => ControlFlow::Continue(()),
            false => {
                tidy = Tidy::No;
                ControlFlow::Break(())
            }
        };
        each_name(&temporary, |_, _| demand(false))?;
        let folders = [WORK, TEMPORARY].map(str::as_bytes);
        each_name(&slot, |name, _| demand(folders.contains(&name.to_bytes())))?;
        each_name(&work, |name, kind| {
            let is_kept = kind == FileType::RegularFile
                && kept.is_some_and(|kept| kept.as_bytes() == name.to_bytes());
            let is_gone = || goes_on() && unlinkat(&work, name, AtFlags::empty()).is_ok();
            demand(is_kept || is_gone())
        })?;
        Ok(tidy)
    }

    fn prepare(&self, work: impl FnOnce() -> io::Result<()>) -> Result<(), ScratchError> {
        let above = self.folder.parent().map_or(Ok(()), make);
        let unusable = |source| ScratchError::Unusable { folder: self.folder.clone(), source };
        above.and_then(|()| work()).map_err(unusable)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Closed(error) => write!(f, "{error}"),
            Refusal::NoExecution => f.write_str("programs cannot be executed there"),
            Refusal::Full(bytes) => write!(f, "only {} MiB left", bytes >> 20),
        }
    }
}

fn list(tried: &[(PathBuf, Refusal)]) -> String {
    let entries = tried.iter().map(|(place, why)| format!(" `{}` ({why})", place.display()));
    entries.collect::<Vec<_>>().join(",")
}

fn create_in(place: &Path, needed: u64) -> Result<Scratch, Refusal> {
    let place = fs::canonicalize(place).map_err(Refusal::Closed)?;
    let closed = |errno: Errno| Refusal::Closed(errno.into());
    let system = statvfs(&place).map_err(closed)?;
    if system.f_flag.contains(StatVfsMountFlags::NOEXEC) {
        return Err(Refusal::NoExecution);
    }
    let left = system.f_bavail.saturating_mul(system.f_frsize);
    if left < needed {
        return Err(Refusal::Full(left));
    }
    let (folder, lock) = ownership::make_owned(&place).map_err(closed)?;
    Ok(Scratch { folder, _lock: lock })
}

/// Whether the quick way of clearing up was enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tidy {
    Yes,
    No,
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use rustix::fs::Mode;

    use super::*;

    fn place() -> (tempfile::TempDir, Scratch) {
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::create(&[place.path().into()], 1).unwrap();
        (place, scratch)
    }

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().mode() & 0o777
    }

    /// Damages a slot and checks that it is as new after `clear`.
    fn check(damage: impl FnOnce(&Slot)) {
        let (_place, scratch) = place();
        let slot = scratch.slot(0).unwrap();
        damage(&slot);
        slot.clear().unwrap();
        let mut found: Vec<_> =
            fs::read_dir(slot.folder()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        found.sort();
        assert_eq!(found, ["tmp", "work"]);
        for folder in [slot.candidate(), slot.temporary()] {
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
            assert_eq!(mode(&folder), 0o700);
        }
    }

    fn lock(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_run_has_a_private_folder_that_goes_with_it() {
        let (place, scratch) = place();
        assert_eq!(mode(scratch.folder()), 0o700);
        let slot = scratch.slot(3).unwrap();
        fs::write(slot.candidate().join("file"), "").unwrap();
        drop(scratch);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn clearing_stops_when_it_is_no_longer_wanted_and_can_be_done_later() {
        let (_place, scratch) = place();
        let slot = scratch.slot(0).unwrap();
        for folder in [slot.candidate(), slot.candidate().join("deep"), slot.temporary()] {
            let _ = fs::create_dir(&folder);
            (0..20).for_each(|n| fs::write(folder.join(format!("{n}")), "").unwrap());
        }
        for allowed in [0, 1, 10, 25, 45] {
            let asked = std::cell::Cell::new(0);
            let goes_on = || asked.replace(asked.get() + 1) < allowed;
            let error = slot.clear_while(&goes_on).unwrap_err();
            let ScratchError::Unusable { source, .. } = &error else { panic!("{error}") };
            assert_eq!(source.raw_os_error(), Some(Errno::CANCELED.raw_os_error()));
            assert!(asked.get() <= allowed + 2, "{} of {allowed}", asked.get());
            for folder in [slot.candidate(), slot.temporary()] {
                let _ = fs::create_dir(&folder);
                (0..20).for_each(|n| fs::write(folder.join(format!("again-{n}")), "").unwrap());
            }
        }
        slot.clear().unwrap();
        assert_eq!(fs::read_dir(slot.candidate()).unwrap().count(), 0);
    }

    #[test]
    fn the_first_usable_place_is_taken() {
        let good = tempfile::tempdir().unwrap();
        let places = ["/no/such/place".into(), "/dev/null".into(), good.path().into()];
        let scratch = Scratch::create(&places, 1).unwrap();
        assert_eq!(scratch.folder().parent(), Some(&*fs::canonicalize(good.path()).unwrap()));
    }

    #[test]
    fn what_is_wrong_with_each_place_is_said() {
        let small = tempfile::tempdir().unwrap();
        let places = ["/no/such/place".into(), small.path().into()];
        let error = Scratch::create(&places, u64::MAX).unwrap_err();
        let ScratchError::NoPlace { tried } = &error else { panic!("{error}") };
        let [(_, missing), (_, full)] = &tried[..] else { panic!("{tried:?}") };
        assert!(matches!(missing, Refusal::Closed(_)), "{missing}");
        assert!(matches!(full, Refusal::Full(_)), "{full}");
        let said = error.to_string();
        let expected = "no place for candidates: `/no/such/place` (No such file";
        assert!(said.starts_with(expected), "{said}");
    }

    #[test]
    fn a_place_without_execution_is_refused() {
        let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
        let closed = mounts.lines().find_map(|mount| {
            let mut fields = mount.split(' ').skip(1);
            let place = fields.next()?;
            let options = fields.nth(1)?;
            options.split(',').any(|option| option == "noexec").then(|| PathBuf::from(place))
        });
        // Nearly every machine has such a place; one cannot be made without privileges.
        if let Some(closed) = closed.filter(|place| place.exists()) {
            let refusal = create_in(&closed, 0).unwrap_err();
            assert!(matches!(refusal, Refusal::NoExecution), "{refusal}");
        }
    }

    #[test]
    fn clearing_deletes_what_tests_leave() {
        check(|slot| {
            fs::create_dir_all(slot.candidate().join("a/b/c")).unwrap();
            fs::write(slot.candidate().join("a/b/c/file"), "x").unwrap();
            fs::write(slot.candidate().join("a/.moved-1"), "x").unwrap();
            fs::write(slot.candidate().join(".moved-1"), "x").unwrap();
            fs::create_dir_all(slot.folder().join(".moved-2/full")).unwrap();
            fs::write(slot.temporary().join("cc1234.s"), "x").unwrap();
            fs::write(slot.folder().join("stray"), "x").unwrap();
        });
    }

    #[test]
    fn clearing_does_not_mind_locked_folders() {
        check(|slot| {
            let inner = slot.candidate().join("a/b");
            fs::create_dir_all(inner.join("c/d")).unwrap();
            fs::write(inner.join("file"), "x").unwrap();
            for (folder, mode) in [(inner.join("c"), 0o500), (inner, 0o400), (slot.candidate(), 0)]
            {
                lock(&folder, mode);
            }
            lock(slot.folder(), 0);
        });
    }

    #[test]
    fn clearing_puts_back_what_was_deleted_or_replaced() {
        check(|slot| fs::remove_dir_all(slot.candidate()).unwrap());
        check(|slot| fs::remove_dir_all(slot.folder()).unwrap());
        check(|slot| fs::remove_dir_all(slot.folder().parent().unwrap()).unwrap());
        check(|slot| {
            fs::remove_dir_all(slot.folder()).unwrap();
            fs::write(slot.folder(), "a file").unwrap();
        });
    }

    #[test]
    fn clearing_follows_no_link() {
        let outside = tempfile::tempdir().unwrap();
        let precious = outside.path().join("precious");
        fs::write(&precious, "").unwrap();
        check(|slot| {
            symlink(outside.path(), slot.candidate().join("link")).unwrap();
            fs::create_dir(slot.candidate().join("folder")).unwrap();
            symlink(outside.path(), slot.candidate().join("folder/link")).unwrap();
        });
        check(|slot| {
            fs::remove_dir_all(slot.candidate()).unwrap();
            symlink(outside.path(), slot.candidate()).unwrap();
        });
        check(|slot| {
            fs::remove_dir_all(slot.folder()).unwrap();
            symlink(outside.path(), slot.folder()).unwrap();
        });
        assert!(precious.exists());
    }

    #[test]
    fn clearing_reaches_any_depth() {
        check(|slot| {
            // Deeper than a path can be long and a process can have files open.
            let mut folder = open(CWD, &slot.candidate()).unwrap();
            for _ in 0..3000 {
                rustix::fs::mkdirat(&folder, "some-folder", Mode::RWXU).unwrap();
                folder = open(&folder, "some-folder").unwrap();
            }
        });
    }

    #[test]
    fn the_candidate_can_be_kept() {
        let (_place, scratch) = place();
        let slot = scratch.slot(0).unwrap();
        fs::write(slot.candidate().join("kept"), "").unwrap();
        fs::write(slot.temporary().join("dropped"), "").unwrap();
        slot.clear_temporary(&|| true).unwrap();
        assert!(slot.candidate().join("kept").exists());
        assert_eq!(fs::read_dir(slot.temporary()).unwrap().count(), 0);
    }
}
