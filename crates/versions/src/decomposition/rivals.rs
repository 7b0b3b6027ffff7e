//! Files that may want the same place.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use whodunit_files::TreePath;

use super::Decomposition;

/// For each file those that may want its place: its path, a folder that it is in, or below it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rivals {
    rivals: BTreeMap<u32, Vec<u32>>,
}

impl Rivals {
    /// Finds the rivals among all paths that files may have in any candidate.
    pub(crate) fn of(decomposition: &Decomposition) -> Rivals {
        let mut owners: HashMap<TreePath, Vec<u32>> = HashMap::new();
        for file in 0..decomposition.files.len() as u32 {
            for path in possible_paths(decomposition, file) {
                owners.entry(path).or_default().push(file);
            }
        }
        let mut pairs: BTreeSet<(u32, u32)> = BTreeSet::new();
        for (path, files) in &owners {
            let above = path.folders().filter_map(|folder| owners.get(&folder)).flatten();
            for &other in above.chain(files) {
                for &file in files.iter().filter(|&&file| file != other) {
                    pairs.insert((file, other));
                    pairs.insert((other, file));
                }
            }
        }
        let mut rivals: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (file, other) in pairs {
            rivals.entry(file).or_default().push(other);
        }
        Rivals { rivals }
    }

    /// Returns the rivals of a file, in order.
    pub(crate) fn of_file(&self, file: u32) -> &[u32] {
        self.rivals.get(&file).map_or(&[], Vec::as_slice)
    }

    /// Returns every pair of rivals once.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let of = |(&file, others): (&u32, &'_ Vec<u32>)| (file, others.clone());
        self.rivals.iter().map(of).flat_map(|(file, others)| {
            others.into_iter().filter(move |&other| file < other).map(move |other| (file, other))
        })
    }
}

impl Decomposition {
    /// Returns where a file would be, were it alone.
    pub(crate) fn wanted_path(&self, file: u32, takes: &dyn Fn(u32) -> bool) -> Option<TreePath> {
        let file = &self.files[file as usize];
        let is_taken = |grain: Option<u32>| grain.is_some_and(takes);
        if (file.old.is_none() && !is_taken(file.added)) || is_taken(file.deleted) {
            return None;
        }
        let renamed = |directory: u32| takes(self.directory_grains[directory as usize]);
        match (&file.old, &file.new) {
            (Some(old), new) if new.is_none() || !is_taken(file.renamed) => {
                let rename = file.old_directory.filter(|&at| renamed(at));
                let rename = rename.map(|at| &self.directories[at as usize]);
                let mapped = rename.and_then(|to| Some(to.to.join(old.path.rest_below(&to.from)?)));
                Some(mapped.unwrap_or_else(|| old.path.clone()))
            }
            (_, Some(new)) => {
                let rename = file.new_directory.filter(|&at| !renamed(at));
                let rename = rename.map(|at| &self.directories[at as usize]);
                let mapped = rename.and_then(|to| Some(to.from.join(new.path.rest_below(&to.to)?)));
                Some(mapped.unwrap_or_else(|| new.path.clone()))
            }
            _ => None,
        }
    }
}

/// Whether two files cannot both be there: one path, or one in the other as if it were a folder.
pub(crate) fn clash(one: &TreePath, other: &TreePath) -> bool {
    one == other || one.is_below(other) || other.is_below(one)
}

/// Returns the paths that a file may have.
fn possible_paths(decomposition: &Decomposition, file: u32) -> BTreeSet<TreePath> {
    let touched = &decomposition.files[file as usize];
    let grains = deciding_grains(decomposition, file);
    let mut paths = BTreeSet::new();
    for choice in 0..1u32 << grains.len() {
        let takes = |grain: u32| {
            let at = grains.iter().position(|&known| known == grain);
            at.is_some_and(|at| choice & (1 << at) != 0)
        };
        paths.extend(decomposition.wanted_path(file, &takes));
    }
    debug_assert!(!paths.is_empty(), "{touched:?} is nowhere");
    paths
}

/// Returns the grains that decide where a file is; there are at most three.
pub(crate) fn deciding_grains(decomposition: &Decomposition, file: u32) -> Vec<u32> {
    let touched = &decomposition.files[file as usize];
    let directories = [touched.old_directory, touched.new_directory];
    let directories =
        directories.into_iter().flatten().map(|at| decomposition.directory_grains[at as usize]);
    let own = [touched.added, touched.deleted, touched.renamed].into_iter().flatten();
    let mut grains: Vec<u32> = own.chain(directories).collect();
    grains.sort_unstable();
    grains.dedup();
    grains
}
