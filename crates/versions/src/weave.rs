//! A linear history as one text for each file: all lines that it ever had, each with the commit
//! that inserted it and the one that deleted it.
//!
//! A line is there if the commit that inserted it is chosen and the one that deleted it is not, so
//! every set of commits can be laid out, in whatever way it was chosen (as in SCCS; Rochkind 1975).

mod labels;
mod lines;
mod thread;

use std::collections::{BTreeMap, BTreeSet};

use whodunit_core::DeltaSet;
use whodunit_files::{Entry, ReadError, TreePath, Version};

use crate::decompose::compare::{Ends, compare};
use crate::decompose::renames;
use crate::decomposition::clash;
use crate::layout::LaidOut;
use thread::Thread;

/// Returns a version with the changes between two other versions: deleted lines are removed where
/// they still are, inserted lines are put where they belong. Fails only for files that cannot be
/// read; a test decides whether the outcome makes sense.
pub fn carried(onto: &Version, from: &Version, to: &Version) -> Result<Version, ReadError> {
    let weave = Weave::new(&[onto.clone(), from.clone(), to.clone()])?;
    Ok(weave.version(&DeltaSet::run(1..2)))
}

/// A history between two versions. The first commit is delta 0; without any commit it is the good
/// version, with all of them the bad one.
#[derive(Debug)]
pub struct Weave {
    good: Version,
    /// The files that some commit touches, in the order in which they were first touched.
    threads: Vec<Thread>,
}

impl Weave {
    /// Weaves versions that follow each other; the first is the good one.
    ///
    /// Reads what differs between neighbours.
    pub fn new(versions: &[Version]) -> Result<Weave, ReadError> {
        let good = versions.first().cloned().unwrap_or_default();
        let mut weave = Weave { good, threads: Vec::new() };
        let mut places: BTreeMap<TreePath, usize> = BTreeMap::new();
        for (commit, pair) in (0..).zip(versions.windows(2)) {
            weave.add(commit, &pair[0], &pair[1], &mut places)?;
        }
        Ok(weave)
    }

    /// Returns the files that any commit touches, as these commits have them, in order of their
    /// paths. All other files are those of the good version.
    pub fn lay_out(&self, commits: &DeltaSet) -> Vec<LaidOut> {
        let paths = self.paths(commits);
        paths
            .into_iter()
            .filter_map(|(path, thread)| self.threads[thread].laid_out(commits, path))
            .collect()
    }

    /// Returns all files as these commits have them.
    pub fn version(&self, commits: &DeltaSet) -> Version {
        let mut version = self.good.clone();
        for path in self.threads.iter().filter_map(Thread::first_path) {
            version.remove(path);
        }
        for file in self.lay_out(commits) {
            version.insert(file.path, Entry { kind: file.kind, content: file.content });
        }
        version
    }

    /// Returns where the files are. If two files want one path, the file that was touched first
    /// gets it.
    fn paths(&self, commits: &DeltaSet) -> BTreeMap<TreePath, usize> {
        let mut paths: BTreeMap<TreePath, usize> = BTreeMap::new();
        let mut folders: BTreeSet<TreePath> = BTreeSet::new();
        for (number, thread) in self.threads.iter().enumerate() {
            let Some(path) = thread.path(commits) else { continue };
            let above = |folder: &TreePath| paths.contains_key(folder);
            let is_free = !paths.contains_key(path)
                && !folders.contains(path)
                && !path.folders().any(|folder| above(&folder));
            if is_free {
                folders.extend(path.folders());
                paths.insert(path.clone(), number);
            }
        }
        debug_assert!(paths.keys().zip(paths.keys().skip(1)).all(|(a, b)| !clash(a, b)));
        paths
    }

    /// Adds a commit.
    fn add(
        &mut self,
        commit: u32,
        before: &Version,
        after: &Version,
        places: &mut BTreeMap<TreePath, usize>,
    ) -> Result<(), ReadError> {
        let differing = compare(before, after)?;
        let mut files: Vec<Ends> =
            renames::pair(before, after, differing.removed, differing.added).files;
        files.extend(differing.modified.into_iter().map(|(old, new)| (Some(old), Some(new))));
        let mut arrived = Vec::new();
        for (old, new) in files {
            let number = match &old {
                Some(old) => places.remove(&old.path).unwrap_or_else(|| {
                    self.threads.push(Thread::since_the_beginning(old));
                    self.threads.len() - 1
                }),
                None => {
                    self.threads.push(Thread::default());
                    self.threads.len() - 1
                }
            };
            let thread = &mut self.threads[number];
            match new {
                Some(new) => {
                    thread.change(commit, old.as_ref(), &new);
                    arrived.push((new.path, number));
                }
                None => thread.delete(commit),
            }
        }
        places.extend(arrived);
        Ok(())
    }
}
