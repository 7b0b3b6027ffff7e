//! Renamed folders: one change for all the files in them.

use std::collections::{BTreeMap, HashMap};

use whodunit_files::{TreePath, Version};

use super::compare::FileEnd;
use super::renames::same_sort;
use crate::decomposition::DirectoryRename;

/// Finds renamed folders: those of whose files at least half are found under the other name.
pub(crate) fn renamed(
    good: &Version,
    bad: &Version,
    removed: &[FileEnd],
    added: &[FileEnd],
    pairs: &BTreeMap<usize, usize>,
) -> Vec<DirectoryRename> {
    let mut votes: BTreeMap<(TreePath, TreePath), usize> = BTreeMap::new();
    let mut whole: HashMap<(TreePath, TreePath), bool> = HashMap::new();
    for (&from, &to) in pairs {
        let (old, new) = (&removed[from].path, &added[to].path);
        for (from, to) in folders_of_equal_rest(old, new) {
            let is_whole = whole
                .entry((from.clone(), to.clone()))
                .or_insert_with(|| !bad.has_below(&from) && !good.has_below(&to));
            if *is_whole {
                *votes.entry((from, to)).or_default() += 1;
            }
        }
    }
    let mut candidates: Vec<(usize, TreePath, TreePath)> = votes
        .into_iter()
        .filter(|((from, _), votes)| votes * 2 >= good.below(from).count())
        .map(|((from, to), votes)| (votes, from, to))
        .collect();
    // The outermost have the most votes; of equal ones the shorter name is the outer one.
    candidates.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| (&a.1, &a.2).cmp(&(&b.1, &b.2))));
    let mut renames: Vec<DirectoryRename> = Vec::new();
    for (_, from, to) in candidates {
        let apart = |one: &TreePath, other: &TreePath| {
            one != other && !one.is_below(other) && !other.is_below(one)
        };
        if renames.iter().all(|known| apart(&known.from, &from) && apart(&known.to, &to)) {
            renames.push(DirectoryRename { from, to });
        }
    }
    renames.sort_by(|a, b| a.to.compare_by_folder(&b.to));
    renames
}

/// Returns the folders that two paths lie in alike: `x/a/f` and `y/a/f` in `x/a`, `y/a` and `x`, `y`.
fn folders_of_equal_rest(old: &TreePath, new: &TreePath) -> Vec<(TreePath, TreePath)> {
    let mut found = Vec::new();
    for (from, to) in old.folders().zip(new.folders()) {
        if old.rest_below(&from) != new.rest_below(&to) {
            break;
        }
        if from != to {
            found.push((from, to));
        }
    }
    found
}

/// Pairs the files of renamed folders that have the same place in them.
pub(crate) fn pair_by_name(
    renames: &[DirectoryRename],
    removed: &[FileEnd],
    added: &[FileEnd],
) -> BTreeMap<usize, usize> {
    let places: HashMap<&TreePath, usize> =
        added.iter().enumerate().map(|(at, side)| (&side.path, at)).collect();
    let mut pairs = BTreeMap::new();
    for (from, side) in removed.iter().enumerate() {
        let Some(rename) = renames.iter().find(|rename| side.path.is_below(&rename.from)) else {
            continue;
        };
        let rest = side.path.rest_below(&rename.from).unwrap_or_default();
        let same_place = places.get(&rename.to.join(rest));
        let is_same = |to: &&usize| same_sort(side.entry.kind, added[**to].entry.kind);
        pairs.extend(same_place.filter(is_same).map(|&to| (from, to)));
    }
    pairs
}
