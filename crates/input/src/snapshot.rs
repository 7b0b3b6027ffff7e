//! The files of an input at one moment, as one stretch of bytes.
//!
//! Every byte has an address in a space that runs through all files, so that a delta is a range
//! of addresses whichever file it lies in.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// One file of the input.
#[derive(Clone, Debug)]
pub struct InputFile {
    /// Its path within the folder that a test sees.
    pub name: PathBuf,
    /// Its content.
    pub bytes: Arc<[u8]>,
    /// Its permission bits.
    pub mode: u32,
}

/// The files of an input, in a fixed order.
#[derive(Clone, Debug)]
pub struct Snapshot {
    files: Vec<InputFile>,
    /// Address of the first byte of each file, and one past the last byte of all.
    starts: Vec<u64>,
}

impl Snapshot {
    /// Lines the files up.
    pub fn new(files: Vec<InputFile>) -> Self {
        let mut starts = vec![0];
        let mut end = 0;
        for file in &files {
            end += file.bytes.len() as u64;
            starts.push(end);
        }
        Snapshot { files, starts }
    }

    /// Returns the files.
    pub fn files(&self) -> &[InputFile] {
        &self.files
    }

    /// Returns the bytes of all files, one after the other.
    pub(super) fn text(&self) -> Vec<u8> {
        self.files.iter().flat_map(|file| file.bytes.iter().copied()).collect()
    }

    /// Returns the number of bytes in all files.
    pub fn len(&self) -> u64 {
        self.starts[self.files.len()]
    }

    /// Returns whether there is not a single byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the addresses of one file.
    pub fn addresses(&self, file: usize) -> Range<u64> {
        self.starts[file]..self.starts[file + 1]
    }

    /// Returns the bytes at some addresses within one file.
    pub fn slice(&self, file: usize, addresses: Range<u64>) -> &[u8] {
        let start = self.starts[file];
        &self.files[file].bytes
            [(addresses.start - start) as usize..(addresses.end - start) as usize]
    }

    /// Returns the bytes at some addresses, which must lie in one file.
    pub fn bytes(&self, addresses: Range<u64>) -> &[u8] {
        self.slice(self.file_at(addresses.start.min(self.len().saturating_sub(1))), addresses)
    }

    /// Returns whether a file begins at `address`, or would if it were not empty.
    pub fn begins_file(&self, address: u64) -> bool {
        self.starts[..self.files.len()].binary_search(&address).is_ok()
    }

    /// Returns the file that holds the byte at `address`.
    pub fn file_at(&self, address: u64) -> usize {
        self.starts.partition_point(|&start| start <= address) - 1
    }
}
