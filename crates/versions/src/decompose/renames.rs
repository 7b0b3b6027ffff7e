//! Which removed file is which added one under another name.
//!
//! As git does it: equal contents first, then contents that share at least half of their lines.
//! Before that, a folder that is gone and another that is new with mostly the same files in it is
//! one renamed folder.

use std::collections::BTreeMap;

use whodunit_files::{EntryKind, Version};

use super::compare::{Ends, FileEnd};
use super::directories;
use super::similarity::{Fingerprint, Index};
use crate::decomposition::DirectoryRename;

/// Share that two files must have in common to be one file that was renamed. A half, as in git.
pub(super) const MIN_SIMILARITY: f64 = 0.5;

/// Removed and added files, those that are the same file together.
pub(crate) struct Paired {
    pub(crate) directories: Vec<DirectoryRename>,
    pub(crate) files: Vec<Ends>,
}

/// Pairs removed and added files.
pub(crate) fn pair(
    good: &Version,
    bad: &Version,
    removed: Vec<FileEnd>,
    added: Vec<FileEnd>,
) -> Paired {
    let mut pairs = alike(&removed, &added, &BTreeMap::new());
    let directories = directories::renamed(good, bad, &removed, &added, &pairs);
    if !directories.is_empty() {
        let by_name = directories::pair_by_name(&directories, &removed, &added);
        pairs = alike(&removed, &added, &by_name);
    }
    let mut added: Vec<Option<FileEnd>> = added.into_iter().map(Some).collect();
    let mut files: Vec<Ends> = Vec::new();
    for (from, old) in removed.into_iter().enumerate() {
        let new = pairs.get(&from).and_then(|&to| added[to].take());
        files.push((Some(old), new));
    }
    files.extend(added.into_iter().flatten().map(|new| (None, Some(new))));
    Paired { directories, files }
}

/// Pairs similar files among the unpaired ones; each removed file with its added one.
fn alike(
    removed: &[FileEnd],
    added: &[FileEnd],
    settled: &BTreeMap<usize, usize>,
) -> BTreeMap<usize, usize> {
    let mut pairs = settled.clone();
    let mut taken: Vec<bool> = vec![false; added.len()];
    for &to in pairs.values() {
        taken[to] = true;
    }
    let old: Vec<usize> = (0..removed.len())
        .filter(|from| !pairs.contains_key(from) && can_be_renamed(&removed[*from]))
        .collect();
    let new: Vec<usize> =
        (0..added.len()).filter(|&to| !taken[to] && can_be_renamed(&added[to])).collect();
    if old.is_empty() || new.is_empty() {
        return pairs;
    }
    let prints: Vec<Fingerprint> =
        old.iter().map(|&from| Fingerprint::of(&removed[from].bytes)).collect();
    let index = Index::of(&prints);
    let mut candidates = Vec::new();
    for &to in &new {
        let print = Fingerprint::of(&added[to].bytes);
        for nearby in index.nearby(&print) {
            let from = old[nearby];
            if !same_sort(removed[from].entry.kind, added[to].entry.kind) {
                continue;
            }
            let score = prints[nearby].similarity(&print);
            let equal = removed[from].bytes == added[to].bytes;
            let same_name = removed[from].path.name() == added[to].path.name();
            let links = removed[from].entry.kind == EntryKind::Link;
            if equal || (score >= MIN_SIMILARITY && !links) {
                // Parts of a thousand, so that the order does not hang on the last bit.
                let score = (score * 1000.0) as u32;
                candidates.push(((equal, same_name, score), from, to));
            }
        }
    }
    candidates.sort_by(|a, b| b.0.cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    for (_, from, to) in candidates {
        if !taken[to] && !pairs.contains_key(&from) {
            taken[to] = true;
            pairs.insert(from, to);
        }
    }
    pairs
}

/// Empty files are all alike, so they are never renames.
pub(super) fn can_be_renamed(side: &FileEnd) -> bool {
    side.entry.kind != EntryKind::Submodule && !side.bytes.is_empty()
}

/// Whether both are files, or both links.
pub(crate) fn same_sort(one: EntryKind, other: EntryKind) -> bool {
    one == other || (one.is_file() && other.is_file())
}
