//! Append-only files of checksummed lines, the form of journals.
//!
//! Each line is a checksum, a space and one JSON value. If a crash or a full disk cut the file off
//! at any byte, the lines up to the last whole one are used, and the rest is ignored.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use whodunit_files::regular;

/// The first line of a file, with its kind and version.
#[derive(Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Header {
    /// The kind of the file.
    pub(crate) whodunit: String,
    /// The version of its format.
    pub(crate) version: u32,
}

/// Why a file of records cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordsError {
    /// The file cannot be read or written.
    #[error("cannot read or write `{}`", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file is of another kind.
    #[error("`{}` is not a {kind} of whodunit", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The kind that was expected.
        kind: &'static str,
    },
    /// The file was written by another version of the program.
    #[error("`{}` has version {found}, but this program reads version {known}", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that this program reads.
        known: u32,
    },
    /// Another process is using the file.
    #[error("`{}` is in use by another run", .path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
}

/// A kind of file with the version of its format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) version: u32,
}

/// A file of records, open for appending.
#[derive(Debug)]
pub(crate) struct Records {
    file: File,
    path: PathBuf,
    line: Vec<u8>,
}

impl Records {
    /// Creates a new file; there must be none yet.
    pub(crate) fn create(path: &Path, kind: Kind) -> Result<Self, RecordsError> {
        let file = OpenOptions::new().append(true).create_new(true).mode(0o600).open(path);
        let file = file.map_err(|source| io_error(path, source))?;
        let mut records = Records { file, path: path.into(), line: Vec::new() };
        let header = Header { whodunit: kind.name.into(), version: kind.version };
        records.append(&header).map_err(|error| match error.downcast() {
            Ok(error) => error,
            Err(source) => io_error(path, source),
        })?;
        Ok(records)
    }

    /// Opens a file to continue it, and cuts off an incomplete end.
    pub(crate) fn reopen<T: DeserializeOwned>(
        path: &Path,
        kind: Kind,
        found: impl FnMut(T),
    ) -> Result<Self, RecordsError> {
        regular::open(path).map_err(|source| io_error(path, source))?;
        let file = OpenOptions::new().append(true).open(path);
        let file = file.map_err(|source| io_error(path, source))?;
        let records = Records { file, path: path.into(), line: Vec::new() };
        records.lock()?;
        let good = read(path, kind, found)?;
        records.file.set_len(good).map_err(|source| io_error(path, source))?;
        Ok(records)
    }

    /// Keeps other processes from appending to the file.
    pub(crate) fn lock(&self) -> Result<(), RecordsError> {
        let lock = rustix::fs::FlockOperation::NonBlockingLockExclusive;
        match rustix::fs::flock(&self.file, lock) {
            Ok(()) => Ok(()),
            Err(rustix::io::Errno::WOULDBLOCK) => {
                Err(RecordsError::InUse { path: self.path.clone() })
            }
            Err(error) => Err(io_error(&self.path, error.into())),
        }
    }

    /// Appends a record in one write. The error names the file.
    pub(crate) fn append(&mut self, record: &impl Serialize) -> io::Result<()> {
        self.line.clear();
        self.line.extend_from_slice(b"00000000 ");
        serde_json::to_writer(&mut self.line, record)?;
        let checksum = format!("{:08x}", crc32fast::hash(&self.line[9..]));
        self.line[..8].copy_from_slice(checksum.as_bytes());
        self.line.push(b'\n');
        self.file.write_all(&self.line).map_err(|error| {
            io::Error::new(
                error.kind(),
                RecordsError::Io { path: self.path.clone(), source: error },
            )
        })
    }

    /// Makes sure that the file survives a power failure.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Reads the first record of a file.
pub(crate) fn first<T: DeserializeOwned>(
    path: &Path,
    kind: Kind,
) -> Result<Option<T>, RecordsError> {
    let file = regular::open(path).map_err(|source| io_error(path, source))?;
    let mut lines = BufReader::new(file).split(b'\n').map_while(Result::ok).map(|mut line| {
        line.push(b'\n');
        line
    });
    check_header(path, kind, lines.next().as_deref().and_then(whole))?;
    let record = lines.next();
    Ok(record.as_deref().and_then(whole).and_then(|json| serde_json::from_slice(json).ok()))
}

/// Reads the records of a file and returns the length of its good part in bytes.
pub(crate) fn read<T: DeserializeOwned>(
    path: &Path,
    kind: Kind,
    mut found: impl FnMut(T),
) -> Result<u64, RecordsError> {
    let file = regular::open(path).map_err(|source| io_error(path, source))?;
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    let mut good = 0;
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line);
        let length = length.map_err(|source| io_error(path, source))? as u64;
        let json = whole(&line);
        if good == 0 {
            check_header(path, kind, json)?;
        } else if let Some(record) = json.and_then(|json| serde_json::from_slice(json).ok()) {
            found(record);
        } else {
            return Ok(good);
        }
        good += length;
    }
}

fn check_header(path: &Path, kind: Kind, json: Option<&[u8]>) -> Result<(), RecordsError> {
    let header: Option<Header> = json.and_then(|json| serde_json::from_slice(json).ok());
    match header {
        Some(header) if header.whodunit != kind.name => Err(None),
        Some(header) if header.version != kind.version => Err(Some(header.version)),
        Some(_) => Ok(()),
        None => Err(None),
    }
    .map_err(|version| match version {
        Some(found) => RecordsError::Version { path: path.into(), found, known: kind.version },
        None => RecordsError::Foreign { path: path.into(), kind: kind.name },
    })
}

/// Returns the JSON of a line if the line is whole.
fn whole(line: &[u8]) -> Option<&[u8]> {
    let (checksum, json) = line.strip_suffix(b"\n")?.split_at_checked(9)?;
    let checksum = std::str::from_utf8(&checksum[..8]).ok()?;
    let checksum = u32::from_str_radix(checksum, 16).ok()?;
    (crc32fast::hash(json) == checksum).then_some(json)
}

fn io_error(path: &Path, source: io::Error) -> RecordsError {
    RecordsError::Io { path: path.into(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind { name: "test", version: 3 };

    fn sample(folder: &Path) -> PathBuf {
        let path = folder.join("records");
        let mut records = Records::create(&path, KIND).unwrap();
        for number in 0..5 {
            records.append(&format!("record {number}")).unwrap();
        }
        path
    }

    fn all(path: &Path, kind: Kind) -> Result<Vec<String>, RecordsError> {
        let mut found = Vec::new();
        read(path, kind, |record| found.push(record)).map(|_| found)
    }

    #[test]
    fn a_file_cut_off_anywhere_is_good_up_to_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = sample(folder.path());
        let bytes = std::fs::read(&path).unwrap();
        let header = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for cut in header..bytes.len() {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let whole = bytes[header..cut].iter().filter(|&&byte| byte == b'\n').count();
            let mut before = Vec::new();
            let mut records =
                Records::reopen(&path, KIND, |record: String| before.push(record)).unwrap();
            assert_eq!(before.len(), whole);
            records.append(&"after").unwrap();
            assert_eq!(all(&path, KIND).unwrap().len(), whole + 1);
        }
    }

    #[test]
    fn a_flipped_bit_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let path = sample(folder.path());
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 3;
        bytes[last] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(all(&path, KIND).unwrap().len(), 4);
    }

    #[test]
    fn other_versions_and_other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = sample(folder.path());
        let newer = Kind { version: 4, ..KIND };
        let error = all(&path, newer).unwrap_err();
        assert!(matches!(error, RecordsError::Version { found: 3, known: 4, .. }));
        std::fs::write(&path, "something else\n").unwrap();
        assert!(matches!(all(&path, KIND).unwrap_err(), RecordsError::Foreign { .. }));
    }

    #[test]
    fn two_processes_cannot_go_on_with_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = sample(folder.path());
        let _first = Records::reopen(&path, KIND, |_: String| ()).unwrap();
        let second = Records::reopen(&path, KIND, |_: String| ());
        assert!(matches!(second, Err(RecordsError::InUse { .. })));
    }
}
