//! The key of a tree of files depends only on its content, not on how the tree was made.
//!
//! It is made from the sum of one hash per file. If two trees differ in a few files, the key of one
//! follows from the other by hashing only these files.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use whodunit_run::{Key, KeyHasher};
use whodunit_versions::{Content, EntryKind, ReadError, TreePath, Version};

/// Hashes of contents that a repository keeps, by the names of its objects. Those names are hashes
/// of the contents, so one table is valid for all repositories.
static STORED: LazyLock<Mutex<HashMap<Arc<[u8]>, u128>>> = LazyLock::new(Mutex::default);

/// Returns the hash of one file of a tree.
pub(super) fn hash_of(path: &TreePath, kind: EntryKind, content: &Content) -> io::Result<u128> {
    let mut hasher = KeyHasher::new();
    hasher.update_delimited(path.as_bytes());
    hasher.update_delimited(&[kind as u8]);
    hasher.update(&bytes_of(content)?.to_le_bytes());
    Ok(hasher.finish().into())
}

/// Returns the sum of the hashes of all files of a version.
pub(super) fn sum_of(version: &Version) -> Result<u128, ReadError> {
    let mut sum = 0u128;
    for (path, entry) in version.entries() {
        let hash = hash_of(path, entry.kind, &entry.content);
        sum = sum.wrapping_add(hash.map_err(|source| ReadError { path: path.clone(), source })?);
    }
    Ok(sum)
}

/// Returns the key of a tree with this sum.
pub(super) fn name_of_sum(sum: u128) -> Key {
    Key::of_bytes(&sum.to_le_bytes())
}

/// Returns the key of a version.
pub(crate) fn name_of_version(version: &Version) -> Result<Key, ReadError> {
    sum_of(version).map(name_of_sum)
}

/// Returns the key of several versions in their order.
pub(crate) fn key_of(versions: &[&Version]) -> Result<Key, ReadError> {
    let mut hasher = KeyHasher::new();
    for version in versions {
        hasher.update(&sum_of(version)?.to_le_bytes());
    }
    Ok(hasher.finish())
}

/// Returns the key of a tree that cannot be read. No tested content has this key, so the tree is
/// laid out, which gives the error.
pub(super) fn unreadable() -> Key {
    Key::of_bytes(b"cannot be read")
}

fn bytes_of(content: &Content) -> io::Result<u128> {
    let table = || STORED.lock().unwrap_or_else(PoisonError::into_inner);
    let id = content.stored_as();
    if let Some(hash) = id.and_then(|id| table().get(id).copied()) {
        return Ok(hash);
    }
    let hash = u128::from(Key::of_bytes(&content.read()?));
    if let Some(id) = id {
        table().insert(id.clone(), hash);
    }
    Ok(hash)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;
    use whodunit_core::{Delta, DeltaSet};
    use whodunit_versions::{Entry, Level, decompose};

    use super::super::deltas::Deltas;
    use super::super::in_space::Space;
    use super::*;

    fn version(files: &[(String, String)]) -> Version {
        let entry = |text: &str| Entry {
            kind: EntryKind::Regular,
            content: Content::bytes(text.as_bytes().to_vec()),
        };
        let files = files.iter().map(|(path, text)| (TreePath::new(path.as_bytes()), entry(text)));
        Version::from_iter(files)
    }

    fn files() -> impl Strategy<Value = Vec<(String, String)>> {
        let text = prop::collection::vec("[ab]\n", 0..6).prop_map(|lines| lines.concat());
        // `a` may be a file in one version and a folder in the other.
        prop::collection::btree_map("[abc]|a/[ab]", text, 0..4).prop_map(|mut files| {
            if files.contains_key("a") {
                files.retain(|path, _| !path.starts_with("a/"));
            }
            files.into_iter().collect()
        })
    }

    proptest! {
        /// A tree has one key, whether it is a version or consists of changes on another one.
        #[test]
        fn equal_trees_have_equal_names(
            old in files(),
            new in files(),
            chosen in any::<u64>(),
        ) {
            let parts = Arc::new(decompose(&version(&old), &version(&new), Level::Line).unwrap());
            let set: DeltaSet =
                (0..parts.len() as u32).filter(|it| chosen >> (it % 64) & 1 == 1).map(Delta).collect();
            let space = Arc::new(Deltas::new(parts.clone(), false));
            for set in [set, DeltaSet::empty(), parts.all()] {
                let tree = parts.version(&set);
                let state = space.tree(set);
                prop_assert_eq!(state.key(), name_of_version(&tree).unwrap());
            }
            let ends = [DeltaSet::empty(), parts.all()]
                .map(|set| space.tree(set).key());
            prop_assert_eq!(ends[0], name_of_version(&version(&old)).unwrap());
            prop_assert_eq!(ends[1], name_of_version(&version(&new)).unwrap());
        }
    }
}
