//! An archive as a version: tar, plain or compressed by gzip or xz, and zip.
//!
//! The format is recognised by the bytes, not by the name. Everything is read into memory. The
//! folder that releases are packed in is removed from the paths.

mod expansion;
mod format;
mod tape;
mod zipped;

use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;

use whodunit_files::{Content, regular};

use self::expansion::{Expansion, Meter, TooMuch};
use self::format::Format;
use crate::listing::{Gathered, is_in_repository, is_safe};
use crate::{Error, ListedFile, Listing};

/// Memory for the window of xz in KiB; an archive that asks for more is refused. The highest preset
/// of `xz` takes 64 MiB, and four times as much is room for archives with a window of their own.
const MAX_XZ_KIB: u32 = 256 << 10;

/// Lists an archive.
///
/// Symbolic links and the right to be run are kept; a hard link becomes a copy. If everything lies
/// in one folder, that folder is removed from the paths. Of several entries of one name the last
/// counts. An entry that would be written outside is an error, and so is an archive that unpacks to
/// more than 4 GiB, or to more than 200 times its own size (small archives may unpack to 16 MiB).
pub fn list(path: &Path) -> Result<Listing, Error> {
    list_within(path, Expansion::DEFAULT)
}

/// Lists an archive with given limits.
fn list_within(path: &Path, expansion: Expansion) -> Result<Listing, Error> {
    let unreadable = |source| Error::File { path: path.to_path_buf(), source };
    let mut file = regular::open(path).map_err(unreadable)?;
    let format = Format::of(&mut file).map_err(unreadable)?;
    file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    let packed = file.metadata().map_err(unreadable)?.len();
    let file = BufReader::new(file);
    let (meter, contents) = (expansion.of(packed), expansion.of(packed));
    let mut unpacking = Unpacking { archive: path, gathered: Gathered::default(), contents };
    match format {
        Format::Tar => tape::unpack(file, &mut unpacking)?,
        Format::Gzip => tape::unpack(meter.over(MultiGzDecoder::new(file)), &mut unpacking)?,
        Format::Xz => {
            let unpacked = XzReader::new_mem_limit(file, true, MAX_XZ_KIB);
            tape::unpack(meter.over(unpacked), &mut unpacking)?;
        }
        Format::Zip => zipped::unpack(file, &mut unpacking)?,
        Format::Unreadable(format) => {
            return Err(Error::UnreadableFormat { path: path.to_path_buf(), format });
        }
        Format::Unknown => return Err(Error::UnknownFormat { path: path.to_path_buf() }),
    }
    Ok(without_top_folder(unpacking.gathered.into_listing()))
}

/// Returns whether a file is an archive, readable or not.
pub(crate) fn is_archive(path: &Path) -> Result<bool, Error> {
    if !path.is_file() {
        return Ok(false);
    }
    let format = regular::open(path).and_then(|mut file| Format::of(&mut file));
    let format = format.map_err(|source| Error::File { path: path.to_path_buf(), source })?;
    Ok(!matches!(format, Format::Unknown))
}

/// An archive being unpacked.
struct Unpacking<'a> {
    archive: &'a Path,
    gathered: Gathered,
    /// Counts the bytes of the contents: those of a sparse file are more than those of the archive.
    contents: Meter,
}

impl Unpacking<'_> {
    /// Reads an entry to its end.
    fn read(&mut self, mut entry: impl Read) -> Result<Content, Error> {
        let mut bytes = Vec::new();
        let read = self.contents.over(entry.by_ref()).read_to_end(&mut bytes);
        read.map_err(|source| self.broken(source))?;
        Ok(Content::bytes(bytes))
    }

    /// Returns the path of an entry in the version; `None` if it belongs to a repository's own
    /// folder.
    fn path(&self, name: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let mut name = name;
        while let Some(rest) = name.strip_prefix(b"./") {
            name = rest;
        }
        if is_safe(name) {
            return Ok((!is_in_repository(name)).then(|| name.to_vec()));
        }
        Err(Error::UnsafePath {
            version: format!("the archive `{}`", self.archive.display()),
            path: String::from_utf8_lossy(name).into_owned(),
        })
    }

    fn broken(&self, source: impl Into<crate::Cause>) -> Error {
        let (path, source) = (self.archive.to_path_buf(), source.into());
        match expansion::exceeded(&*source) {
            Some(TooMuch { limit, packed }) => Error::TooLarge { path, limit, packed },
            None => Error::Archive { path, source },
        }
    }
}

/// Removes the folder that holds everything from the paths.
fn without_top_folder(mut listing: Listing) -> Listing {
    let top_of = |path: &[u8]| {
        let end = path.iter().position(|byte| *byte == b'/')?;
        Some(path[..end].to_vec())
    };
    let Some(top) = listing.files.first().and_then(|file| top_of(&file.path)) else {
        return listing;
    };
    let is_within = |path: &[u8]| top_of(path).as_ref() == Some(&top);
    let whole = listing.files.iter().all(|file| is_within(&file.path))
        && listing.skipped.iter().all(|skipped| is_within(&skipped.path));
    if !whole {
        return listing;
    }
    let shorten = |path: &mut Vec<u8>| *path = path.split_off(top.len() + 1);
    listing.files.iter_mut().for_each(|ListedFile { path, .. }| shorten(path));
    listing.skipped.iter_mut().for_each(|skipped| shorten(&mut skipped.path));
    Listing { top_folder: Some(top), ..listing }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use lzma_rust2::{XzOptions, XzWriter};
    use tar::{EntryType, Header};
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// Limits that small archives reach.
    const SMALL: Expansion = Expansion { total: 1 << 20, always: 10_000, ratio: 50 };

    fn tape(kind: EntryType, name: &str, content: &[u8]) -> Vec<u8> {
        let mut tape = tar::Builder::new(Vec::new());
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_size(content.len() as u64);
        tape.append_data(&mut header, name, content).unwrap();
        tape.into_inner().unwrap()
    }

    fn zip(content: &[u8]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        zip.start_file("a", SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
        zip.finish().unwrap().into_inner()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    }

    fn xz(bytes: &[u8]) -> Vec<u8> {
        let mut xz = XzWriter::new(Vec::new(), XzOptions::with_preset(1)).unwrap();
        xz.write_all(bytes).unwrap();
        xz.finish().unwrap()
    }

    fn unpacked(bytes: &[u8], expansion: Expansion) -> Result<Listing, Error> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("archive");
        std::fs::write(&path, bytes).unwrap();
        list_within(&path, expansion)
    }

    /// The limit that an archive exceeded.
    fn limit_of(bytes: &[u8], expansion: Expansion) -> u64 {
        match unpacked(bytes, expansion) {
            Err(Error::TooLarge { limit, packed, .. }) => {
                assert_eq!(packed, bytes.len() as u64);
                limit
            }
            other => panic!("{other:?}"),
        }
    }

    /// Bytes that hardly get smaller.
    fn noise(count: usize) -> Vec<u8> {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn what_expands_too_much_is_refused_in_every_format() {
        let zeros = vec![0; 500_000];
        let tape = tape(EntryType::Regular, "a", &zeros);
        for packed in [zip(&zeros), gzip(&tape), xz(&tape)] {
            let limit = limit_of(&packed, SMALL);
            assert_eq!(limit, (packed.len() as u64 * SMALL.ratio).max(SMALL.always));
            let roomy = Expansion { always: 1 << 20, ..SMALL };
            assert_eq!(unpacked(&packed, roomy).unwrap().files.len(), 1);
        }
    }

    #[test]
    fn the_total_holds_however_large_the_archive_is() {
        let noise = noise(50_000);
        let small = Expansion { total: 40_000, ..SMALL };
        for packed in [tape(EntryType::Regular, "a", &noise), zip(&noise)] {
            assert_eq!(limit_of(&packed, small), 40_000);
            assert!(unpacked(&packed, SMALL).is_ok());
        }
    }

    #[test]
    fn notes_that_expand_too_much_are_refused_too() {
        // The name of an entry in an entry before it is read as a whole.
        let long_name = gzip(&tape(EntryType::GNULongName, "x", &vec![b'a'; 500_000]));
        assert_eq!(limit_of(&long_name, SMALL), SMALL.always.max(50 * long_name.len() as u64));
    }

    #[test]
    fn many_small_files_count_together() {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for name in 0..100 {
            zip.start_file(name.to_string(), SimpleFileOptions::default()).unwrap();
            zip.write_all(&[b'x'; 2_000]).unwrap();
        }
        let zip = zip.finish().unwrap().into_inner();
        let tight = Expansion { ratio: 1, ..SMALL };
        assert_eq!(limit_of(&zip, tight), tight.always.max(zip.len() as u64));
        assert_eq!(unpacked(&zip, SMALL).unwrap().files.len(), 100);
    }

    #[test]
    fn a_bomb_is_refused_by_the_limits_for_users() {
        let bomb = zip(&vec![0; 40 << 20]);
        assert!(bomb.len() < 1 << 16, "{}", bomb.len());
        assert_eq!(limit_of(&bomb, Expansion::DEFAULT), 16 << 20);
    }

    #[test]
    fn a_window_that_takes_all_memory_is_refused() {
        // The size of the window is the only property of LZMA2, in the header of the block.
        let mut xz = xz(&tape(EntryType::Regular, "a", b"1"));
        let at = 12 + 4;
        assert_eq!(xz[14..16], [0x21, 1]);
        xz[at] = 40;
        let header = 12 + (usize::from(xz[12]) + 1) * 4;
        let crc = crc32(&xz[12..header - 4]);
        xz[header - 4..header].copy_from_slice(&crc.to_le_bytes());
        let error = unpacked(&xz, Expansion::DEFAULT).unwrap_err();
        let said = std::error::Error::source(&error).unwrap().to_string();
        assert!(said.contains("memory"), "{said}");
    }

    fn crc32(bytes: &[u8]) -> u32 {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        crc.sum()
    }
}
