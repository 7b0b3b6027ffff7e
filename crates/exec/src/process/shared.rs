//! Memory that is in no process: files that only descriptors name (`memfd`), files in `/dev/shm`, and
//! System V segments.
//!
//! A test can fill such memory without mapping it, so the sizes of its processes do not show it. A
//! control group would show it, but nobody would remove the control group if all our processes were
//! killed; so the descriptors and tables in `/proc` are read. Two kinds are missed: a file on its
//! way through a socket, and a mapping whose pages were given back by `madvise`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::folder::BLOCK;
use super::tree::Process;

/// How the target of a link in `/proc/PID/fd` begins if the file is in memory.
const IN_MEMORY: [&[u8]; 2] = [b"/memfd:", b"/dev/shm/"];

/// The table of System V segments, in the IPC namespace of the process that opens it.
pub(super) const TABLE: &str = "/proc/sysvipc/shm";

/// The columns of the table: the process that made a segment, and the bytes that are in memory.
const MAKER: usize = 4;
const RESIDENT: usize = 14;

/// Bytes of the table that are read: more than two thousand segments. Segments beyond it are not
/// counted.
const LONGEST_TABLE: usize = 256 * 1024;

/// The places of memory outside of processes.
#[derive(Debug)]
pub(super) struct SharedMemory {
    /// The folder of the tests. Files that have a name there are counted elsewhere.
    folder: PathBuf,
    segments: Option<Segments>,
    /// The bytes of segments at the start of the test, which others left.
    before: u64,
}

#[derive(Debug)]
struct Segments {
    table: File,
    whose: Whose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// All of them belong to tests of this launcher.
    Ours,
    /// Segments of all programs of this machine are among them.
    Everybodys,
}

impl SharedMemory {
    /// Counts the segments that tests make in the IPC namespace of the launcher.
    pub(super) fn new(folder: &Path) -> SharedMemory {
        let table = File::open(TABLE).ok();
        let segments = table.map(|table| Segments { table, whose: Whose::Everybodys });
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.into());
        SharedMemory { folder, segments, before: 0 }
    }

    /// From now on counts all segments of a namespace that only the tests are in.
    pub(super) fn look_at(&mut self, table: File) {
        self.segments = Some(Segments { table, whose: Whose::Ours });
    }

    /// Notes the segments that exist before a test starts.
    pub(super) fn begin(&mut self) {
        self.before = self.segments.as_ref().map_or(0, |segments| segments.size(&[]));
    }

    /// Returns how many bytes these processes have taken beyond their resident memory.
    pub(super) fn size(&self, processes: &[Process]) -> u64 {
        let in_files: u64 = self.files(processes).values().sum();
        let in_segments = self.segments.as_ref().map_or(0, |segments| segments.size(processes));
        let all = in_files + in_segments.saturating_sub(self.before);
        // Mapped parts are already counted in the processes.
        all - all.min(if all > 0 { mapped(processes) } else { 0 })
    }

    /// Returns the sizes of files in memory that these processes have open, each file once.
    fn files(&self, processes: &[Process]) -> BTreeMap<(u64, u64), u64> {
        let folders = processes.iter().map(|process| format!("/proc/{}/fd", process.pid));
        let links = folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        links.filter_map(|link| self.file(&link.path())).collect()
    }

    fn file(&self, link: &Path) -> Option<((u64, u64), u64)> {
        let target = fs::read_link(link).ok()?;
        let name = target.as_os_str().as_bytes();
        let is_in_folder = target.starts_with(&self.folder);
        if !is_in_folder && !IN_MEMORY.iter().any(|beginning| name.starts_with(beginning)) {
            return None;
        }
        let found = fs::metadata(link).ok().filter(fs::Metadata::is_file)?;
        let is_counted_elsewhere = is_in_folder && found.nlink() > 0;
        let size = found.blocks() * BLOCK;
        (!is_counted_elsewhere).then(|| ((found.dev(), found.ino()), size))
    }
}

impl Segments {
    fn size(&self, processes: &[Process]) -> u64 {
        let table = self.read();
        let table = String::from_utf8_lossy(&table);
        let made_by_us = |pid: i32| processes.iter().any(|process| process.pid == pid);
        let segments = table.lines().skip(1).filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            Some((fields.get(MAKER)?.parse().ok()?, fields.get(RESIDENT)?.parse::<u64>().ok()?))
        });
        let counted = segments.filter(|(maker, _)| self.whose == Whose::Ours || made_by_us(*maker));
        counted.map(|(_, resident)| resident).sum()
    }

    /// Reads the table; the kernel gives at most a page at once.
    fn read(&self) -> Vec<u8> {
        let mut table = Vec::new();
        let mut page = [0; 4096];
        while table.len() < LONGEST_TABLE
            && let Ok(length @ 1..) = self.table.read_at(&mut page, table.len() as u64)
        {
            table.extend(&page[..length]);
        }
        table
    }
}

/// Returns how many bytes of shared memory are resident in these processes, counted for each
/// process.
fn mapped(processes: &[Process]) -> u64 {
    let resident = |process: &Process| {
        let status = fs::read_to_string(format!("/proc/{}/status", process.pid)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("RssShmem:"))?;
        Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
    };
    processes.iter().filter_map(resident).sum()
}
