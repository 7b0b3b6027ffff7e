//! Where the files of one version are in another: under their own names, or renamed.

use std::collections::{BTreeMap, BTreeSet};

use whodunit_files::{Entry, ReadError, TreePath, Version};

use super::patch::Patch;
use crate::decompose::compare::FileEnd;
use crate::decompose::renames;
use crate::decomposition::DirectoryRename;

/// Leads from paths of the version that a patch was made for to those of a foreign one.
#[derive(Default)]
pub(super) struct Trail {
    renamed: BTreeMap<TreePath, TreePath>,
    directories: Vec<DirectoryRename>,
    /// The foreign files that the patch takes from where they are.
    leaving: BTreeSet<TreePath>,
}

impl Trail {
    /// Finds renamed files and folders, if one that the patch needs is missing. Then it reads all
    /// files that are only in one of the versions.
    pub(super) fn of(patch: &Patch, foreign: &Version) -> Result<Trail, ReadError> {
        let mut trail = Trail::between(patch, foreign)?;
        let leaving = patch.paths().filter(|(before, after)| before != after);
        let leaving = leaving.filter_map(|(before, _)| trail.find(before?, foreign));
        trail.leaving = leaving.map(|(path, _)| path).collect();
        Ok(trail)
    }

    fn between(patch: &Patch, foreign: &Version) -> Result<Trail, ReadError> {
        let base = patch.base();
        let is_lost = |path: &TreePath| {
            let folder = path.folder();
            let lost = base.get(path).is_some() && foreign.get(path).is_none();
            lost || (base.has_below(&folder) && !foreign.has_below(&folder))
        };
        let mut paths = patch.paths().flat_map(|(before, after)| [before, after]).flatten();
        if !paths.any(is_lost) {
            return Ok(Trail::default());
        }
        let removed = only_in(base, foreign)?;
        let added = only_in(foreign, base)?;
        let paired = renames::pair(base, foreign, removed, added);
        let renamed = paired.files.into_iter().filter_map(|ends| match ends {
            (Some(old), Some(new)) => Some((old.path, new.path)),
            _ => None,
        });
        Ok(Trail {
            renamed: renamed.collect(),
            directories: paired.directories,
            leaving: BTreeSet::new(),
        })
    }

    /// Returns where a file is, if it is there.
    pub(super) fn find<'a>(
        &self,
        path: &TreePath,
        foreign: &'a Version,
    ) -> Option<(TreePath, &'a Entry)> {
        let path = if foreign.get(path).is_some() { path } else { self.renamed.get(path)? };
        Some((path.clone(), foreign.get(path)?))
    }

    /// Returns the file that is at a path and stays there.
    pub(super) fn staying<'a>(&self, path: &TreePath, foreign: &'a Version) -> Option<&'a Entry> {
        foreign.get(path).filter(|_| !self.leaving.contains(path))
    }

    /// Returns where a file would be that is not there yet: in the renamed folder.
    pub(super) fn lead(&self, path: &TreePath) -> TreePath {
        let mapped =
            |rename: &DirectoryRename| Some(rename.to.join(path.rest_below(&rename.from)?));
        self.directories.iter().find_map(mapped).unwrap_or_else(|| path.clone())
    }
}

/// Returns the files that only one of two versions has.
fn only_in(one: &Version, other: &Version) -> Result<Vec<FileEnd>, ReadError> {
    one.entries()
        .filter(|(path, _)| other.get(path).is_none())
        .map(|(path, entry)| {
            let bytes = entry.content.read_at(path)?;
            Ok(FileEnd { path: path.clone(), entry: entry.clone(), bytes })
        })
        .collect()
}
