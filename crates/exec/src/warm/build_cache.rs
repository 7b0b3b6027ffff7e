//! Outputs of builds, kept by the content that was built and by the builder.
//!
//! A tree that was built before, in this run or another one with the same commands, is not built
//! again: the output of its build is copied to its files. A test there counts like one in a warm
//! folder, so it proves nothing. An entry appears complete, by one rename, or not at all.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use whodunit_run::{Key, KeyHasher};

use crate::oracle::Oracle;

/// A folder with outputs of builds.
#[derive(Clone, Debug)]
pub struct BuildCache {
    folder: PathBuf,
    /// The builder: the commands, the programs they name, and the listed variables.
    builder: Key,
}

impl BuildCache {
    /// Keeps the outputs of this oracle's builds in a folder, which is made if it is missing.
    pub fn new(folder: PathBuf, oracle: &Oracle) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        remove_unfinished(&folder)?;
        Ok(BuildCache { folder, builder: oracle.builder() })
    }

    fn entry(&self, content: Key) -> PathBuf {
        let mut hasher = KeyHasher::new();
        hasher.update(&u128::from(self.builder).to_le_bytes());
        hasher.update(&u128::from(content).to_le_bytes());
        self.folder.join(hasher.finish().to_string())
    }

    pub(super) fn has(&self, content: Key) -> bool {
        self.entry(content).is_dir()
    }

    /// Copies the output of the build of a content into the folder with its files.
    pub(super) fn restore(&self, content: Key, work: &Path) -> io::Result<()> {
        let entry = self.entry(content);
        let mut outputs = Vec::new();
        list(&entry, &entry, &mut outputs)?;
        // Copy in the order of building: a product must not become older than what it was built
        // from.
        outputs.sort_by_key(|output| output.modified);
        for output in &outputs {
            copy(&entry.join(&output.path), &work.join(&output.path))?;
        }
        Ok(())
    }

    /// Keeps the output of a build in a folder: all files but those of the content that the build
    /// left alone.
    pub(super) fn store(
        &self,
        content: Key,
        work: &Path,
        untouched: &HashSet<Arc<[u8]>>,
    ) -> io::Result<()> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let entry = self.entry(content);
        if entry.exists() {
            return Ok(());
        }
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let new = self.folder.join(format!(".{}-{count}", std::process::id()));
        let mut outputs = Vec::new();
        list(work, work, &mut outputs)?;
        outputs.retain(|output| !untouched.contains(output.path.as_os_str().as_bytes()));
        outputs.sort_by_key(|output| output.modified);
        let kept = fs::create_dir(&new).and_then(|()| {
            outputs
                .iter()
                .try_for_each(|output| copy(&work.join(&output.path), &new.join(&output.path)))
        });
        // Another worker may have been faster.
        let kept = kept.and_then(|()| fs::rename(&new, &entry));
        if kept.is_err() {
            let _ = fs::remove_dir_all(&new);
        }
        kept
    }
}

/// Removes unfinished entries of processes that are gone, such as killed ones.
fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let process =
            name.to_str().and_then(|name| Some(name.strip_prefix('.')?.split_once('-')?.0));
        let process = process.and_then(|process| process.parse::<u32>().ok());
        if process.is_some_and(|process| !Path::new(&format!("/proc/{process}")).exists()) {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// A file or link that a build left.
struct BuildOutput {
    path: PathBuf,
    modified: SystemTime,
}

/// Lists the files and links below a folder; an error if there is anything else, such as a pipe.
fn list(root: &Path, folder: &Path, found: &mut Vec<BuildOutput>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let (path, metadata) = entry.and_then(|entry| Ok((entry.path(), entry.metadata()?)))?;
        if metadata.is_dir() {
            list(root, &path, found)?;
        } else if metadata.is_file() || metadata.is_symlink() {
            let path = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
            found.push(BuildOutput { path, modified: metadata.modified()? });
        } else {
            return Err(io::Error::other("a build left something that is no file"));
        }
    }
    Ok(())
}

/// Copies a file with its mode, or a link as it is, over whatever is there.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    if fs::symlink_metadata(to).is_ok() {
        fs::remove_file(to)?;
    }
    let metadata = fs::symlink_metadata(from)?;
    if metadata.is_symlink() {
        return symlink(fs::read_link(from)?, to);
    }
    fs::copy(from, to)?;
    fs::set_permissions(to, fs::Permissions::from_mode(metadata.permissions().mode() & 0o777))
}
