//! The commits between two.

use std::collections::{BTreeMap, BTreeSet};

use super::store::{Links, Store};
use super::{CommitInfo, ancestry};
use crate::{Error, ObjectId};

/// The commits in the history of a bad commit that are not in that of a good one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// The commits, each after all its parents, the bad one last. Where several orders are
    /// possible, the older commit comes first.
    pub commits: Vec<CommitInfo>,
    /// For each commit the places of its parents in `commits`, in the order of the commit. Parents
    /// that are not among them belong to the good commit's history too.
    pub parents: Vec<Vec<usize>>,
    /// The places of a way from the good commit to the bad one, oldest first: each is a child of
    /// the one before, the first one a child of the good commit. At a merge the way takes the
    /// first parent that descends from the good commit. Empty if there is no such way.
    pub path: Vec<usize>,
    /// Whether commits are missing because the repository is shallow.
    pub is_cut_off: bool,
}

/// Returns the history between two commits; see [`History`].
pub(super) fn between(store: &Store, good: ObjectId, bad: ObjectId) -> Result<History, Error> {
    let mut known = BTreeMap::new();
    let ancestors = ancestry::without(store, bad, Some(good));
    for id in ancestors.map_err(|error| why_unreadable(store, [good, bad], error))? {
        known.insert(id, store.commit(id)?);
    }
    let shallow = store.shallow_commits()?;
    let is_cut_off = shallow.iter().any(|id| known.contains_key(id));
    let links = |commit: &CommitInfo| Links {
        id: commit.id,
        parents: commit.parents.clone(),
        committed: commit.committed,
    };
    let order = parents_first(&known.iter().map(|(id, commit)| (*id, links(commit))).collect());
    let places: BTreeMap<ObjectId, usize> =
        order.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    let commits: Vec<CommitInfo> = order.iter().filter_map(|id| known.remove(id)).collect();
    let places_of = |commit: &CommitInfo| {
        commit.parents.iter().filter_map(|parent| places.get(parent).copied()).collect()
    };
    let parents: Vec<Vec<usize>> = commits.iter().map(places_of).collect();

    let path = path(&commits, &places, good, bad);
    Ok(History { commits, parents, path, is_cut_off })
}

/// Returns a way from the good commit to the bad one; see [`History::path`].
fn path(
    commits: &[CommitInfo],
    places: &BTreeMap<ObjectId, usize>,
    good: ObjectId,
    bad: ObjectId,
) -> Vec<usize> {
    // Parents come first, so one pass finds all descendants of the good commit.
    let mut from_good: BTreeSet<ObjectId> = BTreeSet::from([good]);
    for commit in commits {
        if commit.parents.iter().any(|parent| from_good.contains(parent)) {
            from_good.insert(commit.id);
        }
    }
    let mut path = Vec::new();
    let mut next = places.get(&bad).filter(|_| from_good.contains(&bad));
    while let Some(&place) = next {
        path.push(place);
        let way = commits[place].parents.iter().find(|parent| from_good.contains(parent));
        next = way.and_then(|parent| places.get(parent));
    }
    path.reverse();
    path
}

/// Returns the commit at which two commits parted.
pub(super) fn merge_base(
    store: &Store,
    one: ObjectId,
    other: ObjectId,
) -> Result<Option<ObjectId>, Error> {
    let base = ancestry::merge_base(store, one, other);
    base.map_err(|error| why_unreadable(store, [one, other], error))
}

/// Finds an unreadable commit that explains the error, so that it can be named.
fn why_unreadable(store: &Store, tips: [ObjectId; 2], error: Error) -> Error {
    let Ok(shallow) = store.shallow_commits() else {
        return error;
    };
    let mut seen = BTreeSet::new();
    let mut left = tips.to_vec();
    while let Some(id) = left.pop() {
        if !seen.insert(id) {
            continue;
        }
        match store.links(id) {
            Ok(_) if shallow.contains(&id) => {}
            Ok(commit) => left.extend(commit.parents),
            Err(error) => return error,
        }
    }
    error
}

/// Sorts commits so that parents come before children; of possible next ones the oldest comes
/// first.
pub(super) fn parents_first(commits: &BTreeMap<ObjectId, Links>) -> Vec<ObjectId> {
    let mut children: BTreeMap<ObjectId, Vec<ObjectId>> = BTreeMap::new();
    let mut awaited: BTreeMap<ObjectId, usize> = BTreeMap::new();
    let mut ready = BTreeSet::new();
    for (id, commit) in commits {
        // A commit may name a parent twice.
        let parents: BTreeSet<&ObjectId> =
            commit.parents.iter().filter(|parent| commits.contains_key(parent)).collect();
        if parents.is_empty() {
            ready.insert((commit.committed.seconds, *id));
        }
        awaited.insert(*id, parents.len());
        for parent in parents {
            children.entry(*parent).or_default().push(*id);
        }
    }
    let mut order = Vec::with_capacity(commits.len());
    while let Some((_, id)) = ready.pop_first() {
        order.push(id);
        for child in children.get(&id).into_iter().flatten() {
            let left = awaited.get_mut(child).expect("every commit is counted");
            *left -= 1;
            if *left == 0 {
                ready.insert((commits[child].committed.seconds, *child));
            }
        }
    }
    order
}
