//! Fetches revisions of files, each once.
//!
//! If many files are missing, a whole version is checked out by its date. The result need not be
//! the version, because CVS has none; but each file shows its revision. Files that are still
//! missing are fetched by their numbers.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use whodunit_files::EntryKind;

use super::admin;
use super::log::{self, LoggedFile};
use super::number::RevisionNumber;
use crate::client::{Cache, Client, make_folder_of, unusable};
use crate::listing::{Gathered, is_in_repository, is_safe, on_disk};
use crate::{Error, Listing, date};

/// Bytes of the arguments of one call; more files are fetched with further calls. Systems allow
/// more; one call for many files is all that matters.
const MAX_CALL_BYTES: usize = 60_000;

/// Different revision numbers fetched one after the other; with more a whole version is fetched.
/// The client takes a second for each number, and as long for a whole version of a small project.
const MAX_SINGLE_NUMBERS: usize = 3;

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
    pub(super) revision: &'a RevisionNumber,
}

/// The date and the branch to check out if a whole version is missing.
pub(super) struct Near<'a> {
    pub(super) seconds: i64,
    pub(super) branch: Option<&'a str>,
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

    /// Reads the log; with the names of branches only if they are needed, because there can be
    /// many.
    pub(super) fn log(&self, with_names: bool) -> Result<Vec<LoggedFile>, Error> {
        let arguments: &[&str] =
            if with_names { &["rlog", &self.module] } else { &["rlog", "-N", &self.module] };
        let answer = self.client.run(None, arguments)?;
        log::read(&answer, &self.root).map_err(|source| self.garbled(arguments, source))
    }

    /// Lists files, and fetches missing ones.
    pub(super) fn list(&self, wanted: &[Wanted<'_>], near: &Near<'_>) -> Result<Listing, Error> {
        for file in wanted {
            if !is_safe(file.place) || file.path.is_empty() {
                let path = String::from_utf8_lossy(file.place).into_owned();
                return Err(Error::UnsafePath { version: self.module.clone(), path });
            }
        }
        if !self.missing(wanted).is_empty() {
            let _lock = self.cache.lock()?;
            self.fetch(wanted, near)?;
        }
        let mut gathered = Gathered::default();
        for file in wanted.iter().filter(|file| !is_in_repository(file.path)) {
            let path = self.kept(file.place, file.revision);
            let metadata = path.metadata().map_err(unusable(&path))?;
            let may_run = metadata.mode() & 0o100 != 0;
            let kind = if may_run { EntryKind::Executable } else { EntryKind::Regular };
            let content = on_disk(path.clone(), &metadata).map_err(unusable(&path))?;
            gathered.add(file.path.to_vec(), kind, content);
        }
        Ok(gathered.into_listing())
    }

    fn fetch(&self, wanted: &[Wanted<'_>], near: &Near<'_>) -> Result<(), Error> {
        if self.missing(wanted).len() > MAX_SINGLE_NUMBERS {
            self.fetch_near(near)?;
        }
        for (number, files) in self.missing(wanted) {
            let mut left = &files[..];
            while !left.is_empty() {
                let lengths = left.iter().scan(0, |sum, file| {
                    *sum += file.place.len() + 1;
                    Some(*sum)
                });
                let count = lengths.take_while(|sum| *sum < MAX_CALL_BYTES).count().max(1);
                let (now, later) = left.split_at(count);
                self.fetch_number(number, now)?;
                left = later;
            }
        }
        Ok(())
    }

    /// Returns the files that were not fetched yet, by their numbers.
    fn missing<'a>(
        &self,
        wanted: &'a [Wanted<'a>],
    ) -> BTreeMap<&'a RevisionNumber, Vec<&'a Wanted<'a>>> {
        let mut numbers: BTreeMap<&RevisionNumber, Vec<&Wanted<'_>>> = BTreeMap::new();
        for file in wanted.iter().filter(|file| !self.kept(file.place, file.revision).exists()) {
            numbers.entry(file.revision).or_default().push(file);
        }
        numbers
    }

    /// Fetches the module as it was at some time; of a branch its present state.
    fn fetch_near(&self, near: &Near<'_>) -> Result<(), Error> {
        let date = format!("{} +0000", date::format(near.seconds));
        let version = near.branch.map_or(["-D", &date], |branch| ["-r", branch]);
        // A module can name programs to run after a checkout; `-n` refuses them.
        let arguments = [&["checkout", "-n", "-kb"], &version[..], &[&self.module]].concat();
        self.in_folder(|folder| self.client.run(Some(folder), &arguments).map(|_| ()))
    }

    /// Fetches files that have the same number.
    fn fetch_number(&self, number: &RevisionNumber, files: &[&Wanted<'_>]) -> Result<(), Error> {
        // `-kb`: as checked in, without keywords or other line ends.
        let options = ["update", "-kb", "-r", &number.to_string()].map(OsString::from);
        let places = files.iter().map(|file| admin::argument(file.place));
        let arguments: Vec<OsString> = options.into_iter().chain(places).collect();
        self.in_folder(|folder| {
            for file in files {
                let end = file.place.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
                let prepared = admin::prepare(folder, &self.root, &file.place[..end]);
                prepared.map_err(unusable(folder))?;
            }
            self.client.run(Some(folder), &arguments).map(|_| ())
        })
    }

    /// Calls `fetch` with an empty folder, and keeps the fetched files.
    fn in_folder(&self, fetch: impl FnOnce(&Path) -> Result<(), Error>) -> Result<(), Error> {
        let folder = &self.cache.join("fetched");
        // A run that was ended in the middle may have left it.
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(unusable(folder))?;
        }
        fs::create_dir_all(folder).map_err(unusable(folder))?;
        fetch(folder)?;
        for file in admin::checked_out(folder, &self.root).map_err(unusable(folder))? {
            let to = self.kept(&file.place, &file.revision);
            let moved = make_folder_of(&to).and_then(|()| fs::rename(&file.at, &to));
            moved.map_err(unusable(&file.at))?;
        }
        fs::remove_dir_all(folder).map_err(unusable(folder))
    }

    /// Returns the path of a kept revision. Its folder has a name that no folder of the
    /// repository has.
    fn kept(&self, place: &[u8], revision: &RevisionNumber) -> PathBuf {
        let folder = [place, b",v"].concat();
        let folder = self.cache.join("revisions").join(OsStr::from_bytes(&folder));
        folder.join(revision.to_string())
    }

    fn garbled(&self, arguments: &[&str], source: crate::Cause) -> Error {
        Error::Garbled { command: self.client.name_of(arguments), source }
    }
}
