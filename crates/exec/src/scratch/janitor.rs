//! Deletes folders with very many files in the background.
//!
//! A run that is done, or that a signal ends, does not wait for the seconds that hundreds of
//! thousands of files take. It hands the folder over to a process that outlives it and ends when
//! the folder is gone. That process is this program again, started with a hidden argument.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::deletion::{remove, remove_while};
use super::ownership::is_run_folder;

/// The argument that makes the program delete a folder.
const ARGUMENT: &str = "--delete-folder-of-parent";

/// A folder is handed over if its deletion takes longer than this, which is enough for some
/// thousand files. Most runs need less than a millisecond, and starting a program takes several.
const PATIENCE: Duration = Duration::from_millis(100);

/// Whether this program handles the hidden argument.
static IS_KNOWN: AtomicBool = AtomicBool::new(false);

/// Deletes the folder of a run that is over; if that takes long, starts a process for the rest. A
/// failure only leaves files until the next run deletes the folder.
pub(super) fn remove_or_hand_over(folder: &Path) {
    if !IS_KNOWN.load(Ordering::Relaxed) {
        let _ = remove(folder);
        return;
    }
    let begun = Instant::now();
    if remove_while(folder, &|| begun.elapsed() < PATIENCE).is_err() && hand_over(folder).is_err() {
        let _ = remove(folder);
    }
}

/// Notes that this program calls [`delete_if_asked`] first, so that it can be started to delete a
/// folder.
pub(crate) fn is_known_here() {
    IS_KNOWN.store(true, Ordering::Relaxed);
}

/// Deletes a folder if this process was started for that; returns the exit status then.
pub(crate) fn delete_if_asked(mut args: impl Iterator<Item = OsString>) -> Option<i32> {
    let folder = args.next().filter(|argument| argument == ARGUMENT).and(args.next())?;
    // The argument works only for folders of runs, whatever process passes it.
    let is_done = is_run_folder(folder.as_ref()) && remove(folder.as_ref()).is_ok();
    Some(if is_done { 0 } else { 1 })
}

/// Starts a process that deletes a folder. It is in no process group that a terminal interrupts,
/// and in our session, so that it is not taken for a process that a test left.
fn hand_over(folder: &Path) -> io::Result<()> {
    let mut process = Command::new("/proc/self/exe")
        .arg(ARGUMENT)
        .arg(folder)
        .current_dir("/")
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    // Reaps it, in case this process lives on for long.
    thread::spawn(move || process.wait());
    Ok(())
}
