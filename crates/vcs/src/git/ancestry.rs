//! The ancestors of commits.
//!
//! The library walks along the commits and git's own index of them. If the owner has replaced the
//! parents of commits, that index is wrong, and the library does not know all ways of replacing;
//! then the walk is done here.

use std::collections::BTreeSet;

use super::store::Store;
use crate::{Error, ObjectId};

/// Returns the commits in the history of one commit, itself included, that are not in that of
/// another.
pub(super) fn without(
    store: &Store,
    of: ObjectId,
    without: Option<ObjectId>,
) -> Result<Vec<ObjectId>, Error> {
    if !store.is_rewritten() {
        return store.ancestors_without(of, without);
    }
    let hidden = without.map(|id| ancestors(store, id)).transpose()?.unwrap_or_default();
    Ok(ancestors(store, of)?.difference(&hidden).copied().collect())
}

/// Returns the commit at which two commits parted: of several such commits the newest.
pub(super) fn merge_base(
    store: &Store,
    one: ObjectId,
    other: ObjectId,
) -> Result<Option<ObjectId>, Error> {
    if !store.is_rewritten() {
        return store.merge_base(one, other);
    }
    let both: BTreeSet<ObjectId> =
        ancestors(store, one)?.intersection(&ancestors(store, other)?).copied().collect();
    // The common commits include all their ancestors, so the last ones are those that are no parent
    // of another.
    let mut last = both.clone();
    for id in &both {
        for parent in store.links(*id)?.parents {
            last.remove(&parent);
        }
    }
    let dated: Result<Vec<_>, Error> =
        last.into_iter().map(|id| Ok((store.links(id)?.committed.seconds, id))).collect();
    Ok(dated?.into_iter().max().map(|(_, id)| id))
}

fn ancestors(store: &Store, of: ObjectId) -> Result<BTreeSet<ObjectId>, Error> {
    let shallow: BTreeSet<ObjectId> = store.shallow_commits()?.into_iter().collect();
    let mut found = BTreeSet::new();
    let mut left = vec![of];
    while let Some(id) = left.pop() {
        if found.insert(id) && !shallow.contains(&id) {
            left.extend(store.links(id)?.parents);
        }
    }
    Ok(found)
}
