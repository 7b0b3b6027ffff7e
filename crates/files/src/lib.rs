//! A version of a project as a value: its files and their content.
//!
//! Contents are shared and read when needed, so that a version of many thousand files costs little
//! more than their names.

#[cfg(not(target_os = "linux"))]
compile_error!(
    "whodunit runs on Linux only: it confines, ends and waits for tests as only Linux can"
);

mod content;
mod path;
pub mod regular;

use std::collections::BTreeMap;

pub use content::{Content, ReadError, Store};
pub use path::TreePath;

/// A version: the files by their paths. Folders exist as far as there are files in them.
#[derive(Clone, Debug, Default)]
pub struct Version {
    entries: BTreeMap<TreePath, Entry>,
}

/// One file of a version.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The kind of file.
    pub kind: EntryKind,
    /// Its content.
    pub content: Content,
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntryKind {
    /// An ordinary file.
    Regular,
    /// An ordinary file that can be run.
    Executable,
    /// A symbolic link; its content is where it leads.
    Link,
    /// Another repository; its content is the name of its revision. On disk it is a folder, which is
    /// there even if nothing is in it.
    Submodule,
}

impl EntryKind {
    /// Whether it is a file with bytes of its own, and neither a link nor a submodule.
    pub fn is_file(self) -> bool {
        matches!(self, EntryKind::Regular | EntryKind::Executable)
    }
}

impl Version {
    /// Returns the version without files.
    pub fn new() -> Self {
        Version::default()
    }

    /// Adds a file; replaces one at the same path.
    pub fn insert(&mut self, path: TreePath, entry: Entry) {
        self.entries.insert(path, entry);
    }

    /// Removes a file.
    pub fn remove(&mut self, path: &TreePath) -> Option<Entry> {
        self.entries.remove(path)
    }

    /// Returns the file at a path.
    pub fn get(&self, path: &TreePath) -> Option<&Entry> {
        self.entries.get(path)
    }

    /// Returns the files in order of their paths.
    pub fn entries(&self) -> impl Iterator<Item = (&TreePath, &Entry)> {
        self.entries.iter()
    }

    /// Returns the first file that has changed since it was first read.
    pub fn first_changed(&self) -> Option<&TreePath> {
        self.entries().find(|(_, entry)| !entry.content.is_as_it_was()).map(|(path, _)| path)
    }

    /// Returns how many files there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether there is a file at this path or below it.
    pub fn has_below(&self, path: &TreePath) -> bool {
        self.entries.contains_key(path) || self.below(path).next().is_some()
    }

    /// Returns the files below a folder.
    pub fn below<'a>(
        &'a self,
        folder: &'a TreePath,
    ) -> impl Iterator<Item = (&'a TreePath, &'a Entry)> {
        // Everything below a folder begins with its name and a slash, and so lies together.
        let first = folder.join(b"");
        self.entries.range(first..).take_while(|(path, _)| path.is_below(folder))
    }
}

impl FromIterator<(TreePath, Entry)> for Version {
    fn from_iter<I: IntoIterator<Item = (TreePath, Entry)>>(entries: I) -> Self {
        Version { entries: entries.into_iter().collect() }
    }
}
