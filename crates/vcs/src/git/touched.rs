//! Which commits change certain files.

use std::cell::RefCell;
use std::collections::BTreeMap;

use whodunit_files::EntryKind;

use super::store::Store;
use crate::{Error, ObjectId};

/// The entry at a path: its kind, `None` for a folder, and its id.
type PathEntry = Option<(Option<EntryKind>, ObjectId)>;

/// Finds commits that change certain files.
pub(super) struct Touched<'a> {
    store: &'a Store,
    paths: Vec<Vec<u8>>,
    /// The entries at the paths, by commit: the parent of a commit is needed next.
    seen: RefCell<BTreeMap<ObjectId, Vec<PathEntry>>>,
}

impl<'a> Touched<'a> {
    /// Compares these files and folders; everything if there are none.
    pub(super) fn by(store: &'a Store, paths: Vec<Vec<u8>>) -> Self {
        Self { store, paths, seen: RefCell::default() }
    }

    /// Returns whether a commit differs from its parent there. A commit without a parent changes
    /// every file that it has.
    pub(super) fn has_changes(
        &self,
        commit: ObjectId,
        parent: Option<ObjectId>,
    ) -> Result<bool, Error> {
        if self.paths.is_empty() {
            return Ok(true);
        }
        let ours = self.entries(commit)?;
        match parent {
            Some(parent) => Ok(self.entries(parent)? != ours),
            None => Ok(ours.iter().any(Option::is_some)),
        }
    }

    fn entries(&self, commit: ObjectId) -> Result<Vec<PathEntry>, Error> {
        if let Some(entries) = self.seen.borrow().get(&commit) {
            return Ok(entries.clone());
        }
        let top = self.store.commit_tree(commit)?;
        let entries = self.paths.iter().map(|path| self.entry(top, path));
        let entries: Vec<PathEntry> = entries.collect::<Result<_, Error>>()?;
        self.seen.borrow_mut().insert(commit, entries.clone());
        Ok(entries)
    }

    fn entry(&self, top: ObjectId, path: &[u8]) -> Result<PathEntry, Error> {
        let mut found = (None, top);
        for name in path.split(|byte| *byte == b'/') {
            if found.0.is_some() {
                return Ok(None);
            }
            let entries = self.store.tree(found.1)?;
            match entries.into_iter().find(|entry| entry.name == name) {
                Some(entry) => found = (entry.kind, entry.id),
                None => return Ok(None),
            }
        }
        Ok(Some(found))
    }
}
