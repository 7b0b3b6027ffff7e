//! The format of a file, by its first bytes.

use std::io::{self, Read};

/// The place of the magic of a tar archive.
const TAR_MAGIC: std::ops::Range<usize> = 257..262;

/// The length of the first header of a tar archive.
const TAR_HEADER: usize = 512;

/// The format of an archive.
pub(super) enum Format {
    Tar,
    Gzip,
    Xz,
    Zip,
    /// Known by name only.
    Unreadable(&'static str),
    Unknown,
}

impl Format {
    /// Reads the beginning of a file.
    pub(super) fn of(file: &mut impl Read) -> io::Result<Self> {
        let mut beginning = Vec::new();
        file.take(TAR_HEADER as u64).read_to_end(&mut beginning)?;
        let starts = |magic: &[u8]| beginning.starts_with(magic);
        Ok(match () {
            () if starts(b"\x1f\x8b") => Self::Gzip,
            () if starts(b"\xfd7zXZ\0") => Self::Xz,
            () if starts(b"PK\x03\x04") || starts(b"PK\x05\x06") => Self::Zip,
            () if starts(b"BZh") => Self::Unreadable("bzip2"),
            () if starts(b"\x28\xb5\x2f\xfd") => Self::Unreadable("zstd"),
            () if starts(b"\x1f\x9d") => Self::Unreadable("compress"),
            () if starts(b"LZIP") => Self::Unreadable("lzip"),
            () if starts(b"7z\xbc\xaf\x27\x1c") => Self::Unreadable("7z"),
            () if starts(b"Rar!") => Self::Unreadable("rar"),
            () if is_tar(&beginning) => Self::Tar,
            () => Self::Unknown,
        })
    }
}

/// Old archives have no magic, but their first header has a right checksum.
fn is_tar(beginning: &[u8]) -> bool {
    let Ok(header) = <[u8; TAR_HEADER]>::try_from(beginning) else {
        return false;
    };
    if header[TAR_MAGIC] == *b"ustar" {
        return true;
    }
    let header = tar::Header::from_byte_slice(&header);
    let bytes = header.as_bytes();
    let sum = |bytes: &[u8]| bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    // The checksum itself counts as blanks.
    let counted = sum(&bytes[..148]) + 8 * u32::from(b' ') + sum(&bytes[156..]);
    bytes[0] != 0 && header.cksum().is_ok_and(|stated| stated == counted)
}
