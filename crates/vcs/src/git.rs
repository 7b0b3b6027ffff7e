//! Versions and history of git repositories.
//!
//! Contents are the blobs as they are stored: attributes are not honoured, so there is no
//! conversion of line ends or keywords and no filter is run, and a pointer of large file storage
//! stays a pointer.

mod ancestry;
mod commit;
mod grafts;
mod history;
mod lineage;
mod pipes;
mod revision;
mod store;
mod submodules;
mod touched;
mod tree;

use std::path::Path;
use std::sync::Arc;

use self::store::Store;
use crate::{Error, Listing, ObjectId, Span};

pub use crate::Time;
pub use commit::{CommitInfo, Person};
pub use history::History;
pub use lineage::Commits;

/// A repository, opened for reading. Copies are cheap and can be used by several threads.
#[derive(Clone, Debug)]
pub struct Repository {
    store: Arc<Store>,
}

impl Repository {
    /// Opens the repository that a folder belongs to: its own, or the nearest one above. Bare
    /// repositories and linked work trees are supported.
    pub fn discover(path: &Path) -> Result<Self, Error> {
        Ok(Self { store: Arc::new(Store::discover(path)?) })
    }

    /// Returns the folder with the checkout; a bare repository has none.
    pub fn work_folder(&self) -> Option<&Path> {
        self.store.work_folder()
    }

    /// Returns whether the repository was fetched to a limited depth.
    pub fn is_shallow(&self) -> Result<bool, Error> {
        self.store.is_shallow()
    }

    /// Returns the commit that a text names: a branch, a tag, an id or the beginning of one, an
    /// expression of these (`HEAD~3`, `v1^2`), or a date.
    ///
    /// A date is `2026-03-01` or `2026-03-01T12:00`, optionally with seconds and a zone (`Z`,
    /// `+02:00`); without a zone it is in UTC. It names the last commit made until then (until the
    /// end of that day, if no time is given) among `HEAD` and its first parents; with a name as in
    /// `main@{2026-03-01}` among those of another branch. The times of commits count, and not, as
    /// in git itself, what this clone had checked out then. A branch or tag named like a date comes
    /// first.
    pub fn resolve(&self, spec: &str) -> Result<CommitInfo, Error> {
        revision::resolve(&self.store, spec)
    }

    /// Returns a commit.
    pub fn commit(&self, id: ObjectId) -> Result<CommitInfo, Error> {
        self.store.commit(id)
    }

    /// Lists the files of a commit; their contents are read on demand.
    ///
    /// A submodule is an entry. If its commit is in this clone, in the repository's own folder or in
    /// the checkout, the submodule's files are listed as well.
    pub fn list(&self, commit: ObjectId) -> Result<Listing, Error> {
        tree::list(&self.store, commit)
    }

    /// Returns the commits that are in the history of a bad commit and not in that of a good one.
    pub fn history(&self, good: ObjectId, bad: ObjectId) -> Result<History, Error> {
        history::between(&self.store, good, bad)
    }

    /// Returns a commit and its first parents, the newest first; without `until` the commit is
    /// `HEAD`.
    ///
    /// The end of a shallow repository is distinguished from the first commit. Parents of `git
    /// replace` and `info/grafts` are honoured. A date in `since` ends the walk at the first commit
    /// made before it.
    pub fn lineage(&self, span: &Span) -> Result<Commits, Error> {
        lineage::walk(&self.store, span)
    }

    /// Returns the commit at which two commits parted: a common ancestor that is no ancestor of
    /// another one. If there are several, one of them, always the same; `None` if there is none.
    pub fn merge_base(&self, one: ObjectId, other: ObjectId) -> Result<Option<ObjectId>, Error> {
        history::merge_base(&self.store, one, other)
    }

    /// Returns whether a commit has another one in its history, which includes the commit itself.
    pub fn is_ancestor(&self, ancestor: ObjectId, of: ObjectId) -> Result<bool, Error> {
        Ok(history::merge_base(&self.store, ancestor, of)? == Some(ancestor))
    }
}
