//! How much memory the files in a folder take.
//!
//! Folders of tests are mostly in memory, where a file takes as much of it as a program that holds the
//! same bytes.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The numbers of file systems that are in memory (tmpfs and ramfs).
const IN_MEMORY: [u64; 2] = [0x0102_1994, 0x8584_58f6];

/// The unit of `st_blocks`.
pub(super) const BLOCK: u64 = 512;

/// A folder whose files are in memory.
#[derive(Clone, Debug)]
pub(super) struct MemoryFolder(PathBuf);

impl MemoryFolder {
    /// Returns the folder if its files are in memory.
    pub(super) fn at(folder: &Path) -> Option<MemoryFolder> {
        let system = rustix::fs::statfs(folder).ok()?;
        let number = u64::try_from(system.f_type).ok()?;
        IN_MEMORY.contains(&number).then(|| MemoryFolder(folder.into()))
    }

    /// Returns how many bytes its files take. Unreadable files and folders count nothing.
    pub(super) fn size(&self) -> u64 {
        size(&self.0)
    }
}

fn size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let each = entries.flatten().filter_map(|entry| {
        let metadata = entry.metadata().ok()?;
        let below = if metadata.is_dir() { size(&entry.path()) } else { 0 };
        Some(below + metadata.blocks() * BLOCK)
    });
    each.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_below_count() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        let before = size(folder.path());
        fs::write(folder.path().join("a/b/c"), vec![1; 100_000]).unwrap();
        fs::write(folder.path().join("d"), vec![1; 50_000]).unwrap();
        let more = size(folder.path()) - before;
        assert!((150_000..250_000).contains(&more), "{more}");
    }
}
