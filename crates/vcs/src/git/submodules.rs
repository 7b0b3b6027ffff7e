//! Finds the repositories of submodules.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use whodunit_files::EntryKind;

use super::store::{Store, TreeEntry, read_modules};
use crate::listing::is_safe;
use crate::{Error, ObjectId};

/// The file that lists the paths of submodules.
const MODULES: &[u8] = b".gitmodules";

/// The submodules of one version.
pub(super) struct Submodules {
    /// Names and paths.
    modules: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Submodules {
    /// Reads the submodules from the top folder of a version.
    pub(super) fn of(store: &Store, top: &[TreeEntry]) -> Result<Self, Error> {
        let is_ours = |entry: &&TreeEntry| {
            entry.name == MODULES
                && matches!(entry.kind, Some(EntryKind::Regular | EntryKind::Executable))
        };
        let modules = match top.iter().find(is_ours) {
            Some(entry) => read_modules(&store.blob(entry.id)?),
            None => Vec::new(),
        };
        Ok(Self { modules })
    }

    /// Opens the repository of the submodule at a path, if it is in this clone and has the commit.
    ///
    /// It is searched where git keeps it, under the submodule's name, and then in the checkout.
    pub(super) fn open(&self, store: &Store, path: &[u8], commit: ObjectId) -> Option<Store> {
        let named = self.modules.iter().filter(|(name, place)| place == path && is_safe(name));
        let kept = named
            .map(|(name, _)| store.common_folder().join("modules").join(OsStr::from_bytes(name)));
        let checked_out = store.work_folder().map(|folder| folder.join(OsStr::from_bytes(path)));
        let places: Vec<PathBuf> = kept.chain(checked_out).collect();
        places.iter().filter_map(|place| Store::open(place)).find(|store| store.has(commit))
    }
}
