//! A folder for data fetched from one repository.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use twox_hash::XxHash3_64;

use crate::Error;

/// The cache of one repository. Several processes may use it at once.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Makes the folder for a repository, which is identified by the given words.
    pub(crate) fn new(below: &Path, system: &str, words: &[&[u8]]) -> Result<Self, Error> {
        let folder = below.join(format!("{system}-{:016x}", hash(words)));
        fs::create_dir_all(&folder).map_err(unusable(&folder))?;
        // Clients are run in other folders.
        let folder = folder.canonicalize().map_err(unusable(&folder))?;
        Ok(Self { folder })
    }

    /// Returns the path of an entry.
    pub(crate) fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }

    /// Keeps other processes and threads from fetching, until the returned file is closed.
    pub(crate) fn lock(&self) -> Result<File, Error> {
        let path = self.join("lock");
        let lock = File::create(&path).and_then(|file| file.lock().map(|()| file));
        lock.map_err(unusable(&path))
    }

    /// Writes a file atomically: it is there as a whole or not at all.
    pub(crate) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let unfinished = self.join("unfinished");
        let written = make_folder_of(path)
            .and_then(|()| fs::write(&unfinished, bytes))
            .and_then(|()| fs::rename(&unfinished, path));
        written.map_err(unusable(path))
    }

    /// Gives a file a second path, unless that exists already.
    pub(crate) fn link(&self, from: &Path, to: &Path) -> Result<(), Error> {
        if to.exists() {
            return Ok(());
        }
        let copy = || -> io::Result<()> {
            let unfinished = self.join("unfinished");
            fs::copy(from, &unfinished)?;
            fs::rename(&unfinished, to)
        };
        let linked = make_folder_of(to).and_then(|()| match fs::hard_link(from, to) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
            // Some file systems have no hard links.
            Err(_) => copy(),
            Ok(()) => Ok(()),
        });
        linked.map_err(unusable(from))
    }
}

pub(crate) fn make_folder_of(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

pub(crate) fn unusable(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_path_buf();
    move |source| Error::File { path, source }
}

/// Returns a hash that is the same on every machine and in every run.
fn hash(words: &[&[u8]]) -> u64 {
    let ended: Vec<u8> = words.iter().flat_map(|word| word.iter().copied().chain([0])).collect();
    XxHash3_64::oneshot(&ended)
}
