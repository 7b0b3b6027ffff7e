//! Which changes to a version belong together, by the files and functions that they touch.

use std::collections::{BTreeMap, BTreeSet};

use whodunit_core::DeltaSet;
use whodunit_versions::{ChangeKind, Decomposition, Patch, TreePath};

/// Returns the changes of each new file.
pub(super) fn new_files(parts: &Decomposition) -> Vec<DeltaSet> {
    let is_new = |delta| parts.part(delta).change == ChangeKind::Added;
    let files = (0..parts.file_count()).filter(|&file| parts.paths(file).0.is_none());
    let files = files.map(|file| parts.deltas_of_file(file));
    files.filter(|deltas| deltas.iter().any(is_new)).collect()
}

/// Returns the changes of the functions that some changes touch; for changes outside of functions, the
/// other such changes of the same file.
pub(super) fn beside(parts: &Decomposition, set: &DeltaSet) -> DeltaSet {
    let place = |delta| {
        let part = parts.part(delta);
        (part.file, part.item_id)
    };
    let touched: BTreeSet<_> = set.iter().map(place).collect();
    parts.all().iter().filter(|&delta| touched.contains(&place(delta))).collect()
}

/// Returns the changes in the files that a patch changes. `made` is the effect of the patch on the version
/// that it was made for: in a file that exists before and after, only the changes in the functions touched by
/// it are kept, because the others were not seen to be needed by the test and may be the cause.
pub(super) fn kept(
    parts: &Decomposition,
    patch: Option<&Patch>,
    made: Option<&Decomposition>,
) -> DeltaSet {
    let Some(patch) = patch else { return DeltaSet::empty() };
    let paths: BTreeSet<&TreePath> =
        patch.paths().flat_map(|(before, after)| [before, after]).flatten().collect();
    let touched = made.map(Touched::of).unwrap_or_default();
    let mut kept = DeltaSet::empty();
    for file in 0..parts.file_count() {
        let (old, new) = parts.paths(file);
        if [old, new].into_iter().flatten().any(|path| paths.contains(path)) {
            let changes = parts.deltas_of_file(file);
            kept = match new.and_then(|path| touched.items.get(path)) {
                Some(items) if old == new => {
                    let item = |delta| parts.part(delta).item;
                    let changes = changes.iter().filter(|&delta| items.contains(&item(delta)));
                    kept.union(&changes.collect())
                }
                _ => kept.union(&changes),
            };
        }
    }
    kept
}

/// The places that some changes touch.
#[derive(Default)]
struct Touched<'a> {
    /// For each file that exists before and after: the touched functions and other definitions, and `None`
    /// for changes outside of them.
    items: BTreeMap<&'a TreePath, BTreeSet<Option<&'a str>>>,
}

impl<'a> Touched<'a> {
    fn of(parts: &'a Decomposition) -> Self {
        let mut items: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for delta in parts.all().iter() {
            let part = parts.part(delta);
            if let (Some(old), Some(new)) = (part.old_path, part.new_path)
                && old == new
            {
                items.entry(new).or_default().insert(part.item);
            }
        }
        Touched { items }
    }
}
