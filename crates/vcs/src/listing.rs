//! A version as a list of files, wherever it comes from.
//!
//! Paths of a listing never collide: no file lies below another file or below a symbolic link, so
//! laying out its contents cannot write elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::io;
use std::path::PathBuf;

use whodunit_files::{Content, Entry, EntryKind, TreePath, Version};

use crate::ObjectId;

/// A version: its files in the order of their paths.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The files, sorted by path, each path once. Folders are not listed, so an empty one is
    /// lost.
    pub files: Vec<ListedFile>,
    /// Files that are no part of the version, sorted by path.
    pub skipped: Vec<Skipped>,
    /// The folder that held everything in an archive and was removed from the paths.
    pub top_folder: Option<Vec<u8>>,
}

/// One file of a version.
#[derive(Clone, Debug)]
pub struct ListedFile {
    /// The path in the version, parts separated by `/`; any bytes but zero.
    pub path: Vec<u8>,
    /// The kind of file.
    pub kind: EntryKind,
    /// The content; of a symbolic link its target, of a submodule its commit in hexadecimal.
    pub content: Content,
    /// Whether it is a submodule whose files are in the listing too.
    pub is_expanded: bool,
}

/// A file that is no part of the version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// Its path in the version.
    pub path: Vec<u8>,
    /// Its kind.
    pub what: &'static str,
}

impl Listing {
    /// Returns the files as a version. A submodule whose files are listed is represented by
    /// these.
    pub fn into_version(self) -> Version {
        let files = self.files.into_iter().filter(|file| !file.is_expanded);
        let entry = |file: ListedFile| {
            (TreePath::new(&file.path), Entry { kind: file.kind, content: file.content })
        };
        files.map(entry).collect()
    }
}

/// Makes the content of a file on disk.
pub(crate) fn on_disk(path: PathBuf, metadata: &Metadata) -> io::Result<Content> {
    Ok(Content::file(path, metadata.len(), metadata.modified()?))
}

/// Gathers files; of two at one place the later one stays.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    files: BTreeMap<Vec<u8>, (EntryKind, Content)>,
    /// The submodules whose files are listed.
    expanded: BTreeSet<Vec<u8>>,
    skipped: Vec<Skipped>,
}

impl Gathered {
    /// Adds a file. Files that collide with it are dropped: at a folder of its path, or below it.
    pub(crate) fn add(&mut self, path: Vec<u8>, kind: EntryKind, content: Content) {
        for (place, _) in path.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            let above = &path[..place];
            if self.files.get(above).is_some_and(|(kind, _)| *kind != EntryKind::Submodule) {
                self.files.remove(above);
            }
        }
        // `0` is the byte after `/`.
        let [below, past] = [b'/', b'0'].map(|byte| [path.as_slice(), &[byte]].concat());
        let hidden: Vec<Vec<u8>> =
            self.files.range(below..past).map(|(path, _)| path.clone()).collect();
        for path in hidden {
            self.files.remove(&path);
        }
        self.files.insert(path, (kind, content));
    }

    /// Adds a submodule; files below it may follow.
    pub(crate) fn add_submodule(&mut self, path: Vec<u8>, commit: ObjectId, is_expanded: bool) {
        if is_expanded {
            self.expanded.insert(path.clone());
        }
        let content = Content::bytes(commit.to_string().into_bytes());
        self.add(path, EntryKind::Submodule, content);
    }

    /// Notes a file that is no part of the version.
    pub(crate) fn skip(&mut self, path: Vec<u8>, what: &'static str) {
        self.skipped.push(Skipped { path, what });
    }

    /// Returns a file that was gathered.
    pub(crate) fn get(&self, path: &[u8]) -> Option<&(EntryKind, Content)> {
        self.files.get(path)
    }

    pub(crate) fn into_listing(mut self) -> Listing {
        self.skipped.sort();
        let files = self.files.into_iter();
        let files = files.map(|(path, (kind, content))| {
            let is_expanded = kind == EntryKind::Submodule && self.expanded.contains(&path);
            ListedFile { path, kind, content, is_expanded }
        });
        Listing { files: files.collect(), skipped: self.skipped, top_folder: None }
    }
}

/// Returns whether a path stays below the folder it is laid out in, and names a file there.
pub(crate) fn is_safe(path: &[u8]) -> bool {
    parts(path).all(|part| !matches!(part, b"" | b"." | b"..") && !part.contains(&0))
}

/// Returns whether a path leads into a repository's own folder, on any file system.
pub(crate) fn is_in_repository(path: &[u8]) -> bool {
    parts(path).any(|part| part.eq_ignore_ascii_case(b".git"))
}

fn parts(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|byte| *byte == b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(added: &[&str]) -> Vec<String> {
        let mut gathered = Gathered::default();
        for path in added {
            let content = Content::bytes(path.as_bytes());
            gathered.add(path.as_bytes().to_vec(), EntryKind::Regular, content);
        }
        let files = gathered.into_listing().files.into_iter();
        files.map(|file| String::from_utf8(file.path).unwrap()).collect()
    }

    #[test]
    fn files_are_sorted_and_each_is_there_once() {
        assert_eq!(names(&["b", "a/z", "a.c", "b"]), ["a.c", "a/z", "b"]);
    }

    #[test]
    fn no_file_lies_below_a_file() {
        assert_eq!(names(&["a", "a/b/c"]), ["a/b/c"]);
        assert_eq!(names(&["a/b/c", "a/b.c", "a0", "a/b"]), ["a/b", "a/b.c", "a0"]);
    }

    #[test]
    fn paths_that_lead_out_are_not_safe() {
        for path in ["/a", "../a", "a/../b", "a//b", "a/", "", "."] {
            assert!(!is_safe(path.as_bytes()), "{path}");
        }
        for path in ["a", "a/b", "...", ".gitignore", "a b", "-"] {
            assert!(is_safe(path.as_bytes()), "{path}");
            assert!(!is_in_repository(path.as_bytes()), "{path}");
        }
    }

    #[test]
    fn a_repository_is_known_in_any_case() {
        assert!(is_in_repository(b".git/config") && is_in_repository(b"a/.GIT"));
    }
}
