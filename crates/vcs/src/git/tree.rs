//! The files of a commit.

use std::io;
use std::sync::Arc;

use whodunit_files::{Content, EntryKind};

use super::store::{Store, TreeEntry};
use super::submodules::Submodules;
use crate::listing::{Gathered, is_in_repository, is_safe};
use crate::{Error, Listing, ObjectId};

/// Lists the files of a commit, and those of submodules whose repositories are in this clone.
pub(super) fn list(store: &Arc<Store>, commit: ObjectId) -> Result<Listing, Error> {
    let mut gathered = Gathered::default();
    // Repositories still to be listed, each with its commit and the path of its files in the
    // version.
    let mut repositories = vec![(store.clone(), commit, Vec::new())];
    while let Some((store, commit, prefix)) = repositories.pop() {
        let objects = Arc::new(Objects(store.clone()));
        let top = store.commit_tree(commit)?;
        let submodules = Submodules::of(&store, &store.tree(top)?)?;
        // Folders still to be listed, with their paths in this repository.
        let mut folders = vec![(top, Vec::new())];
        while let Some((tree, folder)) = folders.pop() {
            for entry in store.tree(tree)? {
                let inner = [folder.as_slice(), &entry.name].concat();
                check_name(tree, &entry, &inner)?;
                let path = [prefix.as_slice(), &inner].concat();
                let within = |path: &[u8]| [path, b"/"].concat();
                match entry.kind {
                    None => folders.push((entry.id, within(&inner))),
                    Some(EntryKind::Submodule) => {
                        let found = submodules.open(&store, &inner, entry.id);
                        let is_expanded = found.is_some();
                        repositories
                            .extend(found.map(|found| (Arc::new(found), entry.id, within(&path))));
                        gathered.add_submodule(path, entry.id, is_expanded);
                    }
                    Some(kind) => {
                        let content = Content::stored(objects.clone(), entry.id.as_bytes());
                        gathered.add(path, kind, content);
                    }
                }
            }
        }
    }
    Ok(gathered.into_listing())
}

/// The objects of a repository, for the contents of one listing.
///
/// Contents of two listings are not known to be equal before they are read, even with equal ids.
struct Objects(Arc<Store>);

impl whodunit_files::Store for Objects {
    fn read(&self, id: &[u8]) -> io::Result<Vec<u8>> {
        let id = ObjectId::new(id).ok_or_else(|| io::Error::other("no name of an object"))?;
        self.0.blob(id).map_err(io::Error::other)
    }
}

/// Refuses names that no checkout can have: they would lead elsewhere.
fn check_name(tree: ObjectId, entry: &TreeEntry, path: &[u8]) -> Result<(), Error> {
    let is_one_name = is_safe(&entry.name) && !entry.name.contains(&b'/');
    if is_one_name && !is_in_repository(&entry.name) {
        return Ok(());
    }
    let path = String::from_utf8_lossy(path).into_owned();
    Err(Error::UnsafePath { version: format!("the tree {tree}"), path })
}
