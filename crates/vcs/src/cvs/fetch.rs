//! Fetches revisions of files, each once.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::log::{self, LoggedFile};
use super::number::Number;
use crate::client::{Cache, Client, make_folder_of, unusable};
use crate::listing::{Gathered, is_in_repository, is_safe};
use crate::{Content, Error, FileKind, Listing};

/// How long the arguments of one call may be. Systems allow more; what matters is that it is one
/// call for many files.
const LONGEST_CALL: usize = 60_000;

/// Reads from a repository.
#[derive(Debug)]
pub(super) struct Fetcher {
    client: Client,
    root: String,
    module: String,
    cache: Cache,
}

/// A file of a version.
pub(super) struct Wanted<'a> {
    /// The path in the repository.
    pub(super) place: &'a [u8],
    /// The path in the version.
    pub(super) path: &'a [u8],
    pub(super) revision: &'a Number,
}

impl Fetcher {
    pub(super) fn new(
        client: Client,
        root: &str,
        module: &str,
        cache: &Path,
    ) -> Result<Self, Error> {
        let cache = Cache::new(cache, "cvs", &[root.as_bytes()])?;
        Ok(Self { client, root: root.to_owned(), module: module.to_owned(), cache })
    }

    /// Reads the log; with the names of branches if they are needed, for there can be many.
    pub(super) fn log(&self, with_names: bool) -> Result<Vec<LoggedFile>, Error> {
        let arguments: &[&str] =
            if with_names { &["rlog", &self.module] } else { &["rlog", "-N", &self.module] };
        let answer = self.client.run(None, arguments)?;
        log::read(&answer, &self.root).map_err(|source| self.garbled(arguments, source))
    }

    /// Lists files, fetching what is missing.
    pub(super) fn list(&self, wanted: &[Wanted<'_>]) -> Result<Listing, Error> {
        for file in wanted {
            if !is_safe(file.place) || file.path.is_empty() {
                let path = String::from_utf8_lossy(file.place).into_owned();
                return Err(Error::UnsafePath { version: self.module.clone(), path });
            }
        }
        let is_missing = |file: &&Wanted<'_>| !self.kept(file).exists();
        if wanted.iter().any(|file| is_missing(&file)) {
            let _lock = self.cache.lock()?;
            let missing: Vec<&Wanted<'_>> = wanted.iter().filter(is_missing).collect();
            self.fetch(&missing)?;
        }
        let mut gathered = Gathered::default();
        for file in wanted.iter().filter(|file| !is_in_repository(file.path)) {
            let path = self.kept(file);
            let metadata = path.metadata().map_err(unusable(&path))?;
            let may_run = metadata.mode() & 0o100 != 0;
            let kind = if may_run { FileKind::Executable } else { FileKind::Regular };
            let content = Content::OnDisk { path, length: metadata.len() };
            gathered.add(file.path.to_vec(), kind, content);
        }
        Ok(gathered.into_listing())
    }

    /// Fetches files: those with the same number in one call.
    fn fetch(&self, missing: &[&Wanted<'_>]) -> Result<(), Error> {
        let folder = self.cache.join("fetched");
        let mut numbers: BTreeMap<&Number, Vec<&Wanted<'_>>> = BTreeMap::new();
        for file in missing {
            numbers.entry(file.revision).or_default().push(file);
        }
        for (number, files) in numbers {
            let mut left = &files[..];
            while !left.is_empty() {
                let lengths = left.iter().scan(0, |sum, file| {
                    *sum += file.place.len() + 1;
                    Some(*sum)
                });
                let count = lengths.take_while(|sum| *sum < LONGEST_CALL).count().max(1);
                let (now, later) = left.split_at(count);
                left = later;
                self.empty(&folder)?;
                self.check_out(&folder, number, now)?;
                for file in now {
                    let (from, to) = (folder.join(OsStr::from_bytes(file.place)), self.kept(file));
                    let moved = make_folder_of(&to).and_then(|()| fs::rename(&from, &to));
                    moved.map_err(unusable(&from))?;
                }
            }
        }
        self.empty(&folder)
    }

    fn check_out(
        &self,
        folder: &Path,
        number: &Number,
        files: &[&Wanted<'_>],
    ) -> Result<(), Error> {
        let number = number.to_string();
        // As checked in: no keywords, no other line ends.
        let options = ["checkout", "-kb", "-r", &number].map(OsString::from);
        let places = files.iter().map(|file| OsString::from_vec(file.place.to_vec()));
        let arguments: Vec<OsString> = options.into_iter().chain(places).collect();
        self.client.run(Some(folder), &arguments).map(|_| ())
    }

    fn empty(&self, folder: &Path) -> Result<(), Error> {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(unusable(folder))?;
        }
        fs::create_dir_all(folder).map_err(unusable(folder))
    }

    /// Returns where a revision is kept. The folder is named so that no folder of the repository
    /// has its name.
    fn kept(&self, file: &Wanted<'_>) -> PathBuf {
        let folder = [file.place, b",v"].concat();
        let folder = self.cache.join("revisions").join(OsStr::from_bytes(&folder));
        folder.join(file.revision.to_string())
    }

    fn garbled(&self, arguments: &[&str], source: crate::Cause) -> Error {
        Error::Garbled { command: self.client.name_of(arguments), source }
    }
}
