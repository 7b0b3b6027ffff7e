//! A checkout of our own, in which versions are fetched.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use super::answers::{self, SvnFolder};
use super::shelf::Shelf;
use super::{Folder, trouble};
use crate::client::{Cache, unusable};
use crate::{Error, Listing};

/// Fetches versions of a folder, each once; a call transfers only the difference to the last
/// one.
#[derive(Debug)]
pub(super) struct Checkout {
    folder: Arc<Folder>,
    shelf: Shelf,
}

impl Checkout {
    pub(super) fn new(folder: &Arc<Folder>) -> Result<Self, Error> {
        let cache = Cache::new(&folder.cache, "svn", &[folder.place.uuid.as_bytes()])?;
        Ok(Self { folder: folder.clone(), shelf: Shelf { cache } })
    }

    /// Lists the files of a revision, and fetches missing ones.
    pub(super) fn list(&self, revision: u64) -> Result<Listing, Error> {
        let place = self.place(revision)?;
        if let Some(listing) = self.shelf.find(&place)? {
            return Ok(listing);
        }
        let _lock = self.shelf.cache.lock()?;
        self.go_to(revision)?;
        let path = self.path();
        let info = ["info", "--xml", "--recursive", "."];
        let files = self.folder.ask(Some(&path), &info, answers::kept)?;
        self.shelf.keep(&place, &path, &files)?;
        self.shelf.find(&place)?.ok_or(Error::Changed { path })
    }

    /// Returns the path of the folder in a revision, which may differ from the present one.
    fn place(&self, revision: u64) -> Result<SvnFolder, Error> {
        let (number, target) = (revision.to_string(), self.folder.target());
        self.folder.ask(None, &["info", "--xml", "-r", &number, &target], answers::place)
    }

    /// Updates the checkout to a revision.
    fn go_to(&self, revision: u64) -> Result<(), Error> {
        // The mark stays if a run is ended in the middle.
        let (path, mark) = (self.path(), self.shelf.cache.join("under-way"));
        let was_ended = mark.exists();
        fs::write(&mark, "").map_err(unusable(&mark))?;
        let mut is_there = path.exists();
        if is_there && was_ended {
            is_there = usable(self.folder.client.run(Some(&path), &["cleanup"]).map(|_| ()))?;
        }
        if is_there {
            is_there = usable(self.switch(revision))?;
        }
        if !is_there {
            // Everything in it can be fetched again.
            if path.exists() {
                fs::remove_dir_all(&path).map_err(unusable(&path))?;
            }
            self.check_out(revision)?;
        }
        fs::remove_file(&mark).map_err(unusable(&mark))
    }

    fn check_out(&self, revision: u64) -> Result<(), Error> {
        let (number, target) = (revision.to_string(), self.folder.target());
        let options = ["checkout", "--quiet", "--ignore-externals", "-r"];
        let arguments = [&options[..], &[&number, &target, "checkout"]].concat();
        self.folder.client.run(Some(&self.shelf.cache.join("")), &arguments).map(|_| ())
    }

    fn switch(&self, revision: u64) -> Result<(), Error> {
        let (number, target) = (revision.to_string(), self.folder.target());
        let options = ["switch", "--quiet", "--ignore-ancestry", "--ignore-externals", "-r"];
        let arguments = [&options[..], &[&number, &target, "."]].concat();
        self.folder.client.run(Some(&self.path()), &arguments).map(|_| ())
    }

    fn path(&self) -> PathBuf {
        self.shelf.cache.join("checkout")
    }
}

/// Returns whether a call succeeded; `false` if it failed because the checkout is in
/// disorder.
fn usable(done: Result<(), Error>) -> Result<bool, Error> {
    match done {
        Ok(()) => Ok(true),
        Err(Error::Client { said, .. }) if trouble::is_disorder(&said) => Ok(false),
        Err(error) => Err(error),
    }
}
