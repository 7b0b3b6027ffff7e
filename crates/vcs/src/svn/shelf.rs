//! The files of fetched versions, as the cache keeps them.
//!
//! Contents are kept once, under their checksums; a version is a text with a line for each file.

use std::path::{Path, PathBuf};

use whodunit_files::{Content, EntryKind, regular};

use super::answers::{Kept, SvnFolder};
use crate::client::Cache;
use crate::listing::{Gathered, is_in_repository, is_safe, on_disk};
use crate::{Error, Listing};

/// The beginning of a symbolic link in the repository; its target follows.
const LINK: &[u8] = b"link ";

/// The cache of fetched versions.
#[derive(Debug)]
pub(super) struct Shelf {
    pub(super) cache: Cache,
}

impl Shelf {
    /// Returns a version, if it was fetched before.
    pub(super) fn find(&self, place: &SvnFolder) -> Result<Option<Listing>, Error> {
        let Ok(text) = regular::read_to_string(&self.version(place)) else {
            return Ok(None);
        };
        let mut gathered = Gathered::default();
        for line in text.lines() {
            let mut fields = line.splitn(3, ' ');
            let (Some(kind), Some(checksum), Some(path)) =
                (fields.next(), fields.next(), fields.next())
            else {
                return Ok(None);
            };
            if !is_checksum(checksum) {
                return Ok(None);
            }
            let content = self.content(checksum);
            let unreadable = |source| Error::File { path: content.clone(), source };
            let (kind, content) = match kind {
                "l" => {
                    let bytes = regular::read(&content).map_err(unreadable)?;
                    let target = bytes.strip_prefix(LINK).unwrap_or(&bytes);
                    (EntryKind::Link, Content::bytes(target))
                }
                kind => {
                    let metadata = content.metadata().map_err(unreadable)?;
                    let may_run = kind == "x";
                    let kind = if may_run { EntryKind::Executable } else { EntryKind::Regular };
                    let on_disk = on_disk(content.clone(), &metadata);
                    (kind, on_disk.map_err(unreadable)?)
                }
            };
            gathered.add(path.as_bytes().to_vec(), kind, content);
        }
        Ok(Some(gathered.into_listing()))
    }

    /// Keeps the files of a checkout as a version.
    pub(super) fn keep(
        &self,
        place: &SvnFolder,
        checkout: &Path,
        files: &[Kept],
    ) -> Result<(), Error> {
        let mut text = String::new();
        for Kept { path, checksum } in files {
            if is_in_repository(path.as_bytes()) {
                continue;
            }
            if !is_safe(path.as_bytes()) || !is_checksum(checksum) {
                let version = format!("revision {}", place.revision);
                return Err(Error::UnsafePath { version, path: path.clone() });
            }
            let within = format!(".svn/pristine/{}/{checksum}.svn-base", &checksum[..2]);
            self.cache.link(&checkout.join(within), &self.content(checksum))?;
            text += &format!("{} {checksum} {path}\n", kind_of(&checkout.join(path))?);
        }
        self.cache.write(&self.version(place), text.as_bytes())
    }

    fn content(&self, checksum: &str) -> PathBuf {
        self.cache.join("contents").join(&checksum[..2]).join(checksum)
    }

    fn version(&self, place: &SvnFolder) -> PathBuf {
        // The path is written as in URLs, so only these of its characters cannot be in the name
        // of a file.
        let path = place.path.replace('%', "%25").replace('/', "%2F");
        self.cache.join("versions").join(place.revision.to_string()).join(path)
    }
}

/// Returns whether a text can be the name of a content; other texts could lead out of the cache.
fn is_checksum(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|it| it.is_ascii_hexdigit())
}

/// Returns the letter for the kind of a file, as the client has written it.
fn kind_of(path: &Path) -> Result<char, Error> {
    use std::os::unix::fs::MetadataExt;
    let metadata = path.symlink_metadata();
    let metadata = metadata.map_err(|source| Error::File { path: path.to_path_buf(), source })?;
    Ok(match () {
        () if metadata.is_symlink() => 'l',
        () if metadata.mode() & 0o100 != 0 => 'x',
        () => '-',
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_note_of_a_version_counts_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf { cache: Cache::new(folder.path(), "svn", &[]).unwrap() };
        let place = SvnFolder {
            url: String::new(),
            path: "trunk".into(),
            uuid: String::new(),
            revision: 3,
        };
        for line in ["- a\u{e9} x", "- ../../secret x", "l", "\u{0} \u{0} \u{0}"] {
            shelf.cache.write(&shelf.version(&place), line.as_bytes()).unwrap();
            assert!(shelf.find(&place).unwrap().is_none(), "{line:?}");
        }
    }
}
