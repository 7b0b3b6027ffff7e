//! Which run a run's folder belongs to, and whether that run lives.
//!
//! A run holds a lock on its folder, which the system releases however the run ends. Process ids
//! are not enough: containers may share the place without seeing each other's processes, or use the
//! same numbers for different ones.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FlockOperation, Mode, fchmod, flock, fstat, mkdir, stat, unlinkat};
use rustix::io::Errno;
use rustix::process::{Pid, geteuid, getpid, test_kill_process};

use super::deletion::open;
use super::janitor;

/// The name of a run's folder is this prefix, the process id, and a random number.
const PREFIX: &str = "whodunit-";

/// The mode of a folder that its run has locked: if nobody holds the lock, the run is gone.
///
/// A folder that a test deleted, and that was made again, has neither the lock nor this bit.
const LOCKED: Mode = Mode::RWXU.union(Mode::SVTX);

/// Makes the folder of a run; it belongs to the run as long as the lock is open.
pub(super) fn make_owned(place: &Path) -> rustix::io::Result<(PathBuf, OwnedFd)> {
    loop {
        let random = RandomState::new().hash_one(place);
        let folder = place.join(format!("{PREFIX}{}-{random:016x}", getpid().as_raw_nonzero()));
        match mkdir(&folder, Mode::RWXU) {
            Err(Errno::EXIST) => continue,
            made => made?,
        }
        if let Some(lock) = own(&folder)? {
            return Ok((folder, lock));
        }
        let _ = unlinkat(CWD, &folder, AtFlags::REMOVEDIR);
    }
}

/// Locks a folder that was just made. `None` if another run, which cannot see our process, took the
/// folder for left behind before it was locked.
fn own(folder: &Path) -> rustix::io::Result<Option<OwnedFd>> {
    let lock = match open(CWD, folder) {
        Err(Errno::NOENT) => return Ok(None),
        opened => opened?,
    };
    match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => return Ok(None),
        // Without locks no other run can take one either, so nothing is ever deleted.
        Err(_) => return Ok(Some(lock)),
    }
    let locked = fstat(&lock)?;
    let is_still_there = stat(folder)
        .is_ok_and(|found| (found.st_dev, found.st_ino) == (locked.st_dev, locked.st_ino));
    if !is_still_there {
        return Ok(None);
    }
    // Where this fails, another run deletes the folder only if the process is gone as well.
    let _ = fchmod(&lock, LOCKED);
    Ok(Some(lock))
}

/// Deletes the folders of runs that are gone; a failure only leaves files.
pub(super) fn remove_left_behind(place: &Path) {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    entries.for_each(|entry| remove_if_left_behind(&entry.path()));
}

/// Deletes a folder if it is one of a run that is gone.
pub(crate) fn remove_if_left_behind(path: &Path) {
    let Some(process) = run_of(path) else { return };
    let is_ours = fs::symlink_metadata(path)
        .is_ok_and(|found| found.is_dir() && found.uid() == geteuid().as_raw());
    // The lock is held until all is deleted, so that nobody owns the folder meanwhile.
    if is_ours
        && let Ok(folder) = open(CWD, path)
        && (was_locked(&folder) || test_kill_process(process) == Err(Errno::SRCH))
        && flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok()
    {
        janitor::remove_or_hand_over(path);
    }
}

fn was_locked(folder: &OwnedFd) -> bool {
    fstat(folder).is_ok_and(|found| Mode::from_raw_mode(found.st_mode).contains(LOCKED))
}

/// Returns whether a folder is named like that of a run.
pub(crate) fn is_run_folder(folder: &Path) -> bool {
    run_of(folder).is_some()
}

/// Returns the process that the folder of a run belongs to.
fn run_of(folder: &Path) -> Option<Pid> {
    let name = folder.file_name()?.to_str()?.strip_prefix(PREFIX)?;
    let (pid, random) = name.split_once('-')?;
    let is_random = random.len() == 16 && random.bytes().all(|byte| byte.is_ascii_hexdigit());
    Pid::from_raw(pid.parse().ok().filter(|_| is_random)?)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// The largest process ids that the kernel gives are far below this.
    const GONE: u32 = 2_000_000_000;

    /// Makes the folder of a run with this process id, with a file in it.
    fn folder(place: &Path, process: u32, mode: Mode) -> PathBuf {
        let folder = place.join(format!("whodunit-{process}-0123456789abcdef"));
        fs::create_dir_all(folder.join("0/work/deep")).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode.bits())).unwrap();
        folder
    }

    #[test]
    fn folders_of_dead_runs_are_deleted_and_others_are_not() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path();
        let (living, _lock) = make_owned(place).unwrap();
        let dead = folder(place, GONE, LOCKED);
        let dead_and_never_locked = folder(place, GONE + 1, Mode::RWXU);
        let others = ["whodunit-2000000000-notes", "whodunit-x-0123456789abcdef", "else"];
        for other in others {
            fs::create_dir(place.join(other)).unwrap();
        }
        let link = place.join("whodunit-2000000002-0123456789abcdef");
        symlink(place.join("else"), &link).unwrap();

        remove_left_behind(place);
        assert!(!dead.exists() && !dead_and_never_locked.exists());
        assert!(link.exists() && living.exists());
        assert!(others.iter().all(|other| place.join(other).exists()));
    }

    #[test]
    fn a_run_whose_process_is_not_seen_keeps_its_folder() {
        let place = tempfile::tempdir().unwrap();
        for (process, mode) in [(GONE, LOCKED), (GONE + 1, Mode::RWXU)] {
            let folder = folder(place.path(), process, mode);
            let lock = open(CWD, &folder).unwrap();
            flock(&lock, FlockOperation::LockExclusive).unwrap();
            remove_left_behind(place.path());
            assert!(folder.join("0/work/deep").exists());
        }
    }

    #[test]
    fn another_process_with_the_same_number_keeps_no_folder() {
        let place = tempfile::tempdir().unwrap();
        let left_behind = folder(place.path(), std::process::id(), LOCKED);
        remove_left_behind(place.path());
        assert!(!left_behind.exists());
    }

    #[test]
    fn a_folder_that_was_made_again_is_kept_while_its_process_lives() {
        let place = tempfile::tempdir().unwrap();
        let (again, _lock) = make_owned(place.path()).unwrap();
        fs::remove_dir(&again).unwrap();
        fs::create_dir(&again).unwrap();
        remove_left_behind(place.path());
        assert!(again.exists());
    }

    #[test]
    fn a_new_folder_that_another_run_is_deleting_is_not_used() {
        let place = tempfile::tempdir().unwrap();
        let new = folder(place.path(), GONE, Mode::RWXU);
        let other = open(CWD, &new).unwrap();
        flock(&other, FlockOperation::LockExclusive).unwrap();
        assert!(own(&new).unwrap().is_none(), "it is locked");
        crate::scratch::remove(&new).unwrap();
        assert!(own(&new).unwrap().is_none(), "it is gone");
    }
}
