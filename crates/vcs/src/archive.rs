//! An archive as a version: tar, plain or compressed by gzip or xz, and zip.
//!
//! The format is recognised by the bytes, not by the name. Everything is read into memory. The
//! folder that releases are packed in is removed from the paths.

mod format;
mod tape;
mod zipped;

use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;

use whodunit_files::{Content, regular};

use self::format::Format;
use crate::listing::{Gathered, is_in_repository, is_safe};
use crate::{Error, ListedFile, Listing};

/// Bytes unpacked at most; an archive with more is refused. Sources of large projects are well
/// below it, and a larger archive is more likely made to fill the memory. Chosen by hand.
const MAX_UNPACKED_BYTES: u64 = 4 << 30;

/// Lists an archive.
///
/// Symbolic links and the right to be run are kept, a hard link is a copy. If everything lies in
/// one folder, the paths are those in it. Of several entries of one name the last counts. An entry
/// that would be written outside is an error.
pub fn list(path: &Path) -> Result<Listing, Error> {
    let unreadable = |source| Error::File { path: path.to_path_buf(), source };
    let mut file = regular::open(path).map_err(unreadable)?;
    let format = Format::of(&mut file).map_err(unreadable)?;
    file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    let file = BufReader::new(file);
    let mut unpacking =
        Unpacking { archive: path, gathered: Gathered::default(), left: MAX_UNPACKED_BYTES };
    match format {
        Format::Tar => tape::unpack(file, &mut unpacking)?,
        Format::Gzip => tape::unpack(MultiGzDecoder::new(file), &mut unpacking)?,
        Format::Xz => tape::unpack(XzReader::new(file, true), &mut unpacking)?,
        Format::Zip => zipped::unpack(file, &mut unpacking)?,
        Format::Unreadable(format) => {
            return Err(Error::UnreadableFormat { path: path.to_path_buf(), format });
        }
        Format::Unknown => return Err(Error::UnknownFormat { path: path.to_path_buf() }),
    }
    Ok(without_top_folder(unpacking.gathered.into_listing()))
}

/// Returns whether a file is an archive, be it one that cannot be read.
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
    /// How many more bytes may come.
    left: u64,
}

impl Unpacking<'_> {
    /// Reads an entry to its end.
    fn read(&mut self, mut entry: impl Read) -> Result<Content, Error> {
        let mut bytes = Vec::new();
        let mut limited = entry.by_ref().take(self.left.saturating_add(1));
        limited.read_to_end(&mut bytes).map_err(|source| self.broken(source))?;
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else {
            return Err(Error::TooLarge {
                path: self.archive.to_path_buf(),
                limit: MAX_UNPACKED_BYTES,
            });
        };
        self.left = left;
        Ok(Content::bytes(bytes))
    }

    /// Returns the path of an entry in the version; nothing if it belongs to a repository's own
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
        Error::Archive { path: self.archive.to_path_buf(), source: source.into() }
    }
}

/// Takes the folder that everything lies in off the paths.
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
