//! The path of a file within a version: bytes with `/` between the names.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

/// A path within a version; need not be UTF-8. The empty path is the root folder.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TreePath(Arc<[u8]>);

impl TreePath {
    /// Makes a path of its bytes; slashes around it are left out.
    pub fn new(bytes: impl AsRef<[u8]>) -> Self {
        let mut bytes = bytes.as_ref();
        while let [b'/', rest @ ..] | [rest @ .., b'/'] = bytes {
            bytes = rest;
        }
        TreePath(Arc::from(bytes))
    }

    /// Returns the bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the path as the file system takes it.
    pub fn as_os_str(&self) -> &OsStr {
        OsStr::from_bytes(&self.0)
    }

    /// Returns the folder it is in.
    pub fn folder(&self) -> TreePath {
        TreePath(Arc::from(self.folder_bytes()))
    }

    /// Returns the last name.
    pub fn name(&self) -> &[u8] {
        match self.0.iter().rposition(|&byte| byte == b'/') {
            Some(slash) => &self.0[slash + 1..],
            None => &self.0,
        }
    }

    /// Returns the path of what is in this folder at `rest`.
    pub fn join(&self, rest: &[u8]) -> TreePath {
        if self.0.is_empty() {
            return TreePath(Arc::from(rest));
        }
        TreePath([&self.0, b"/".as_slice(), rest].concat().into())
    }

    /// Whether it lies in this folder, at any depth.
    pub fn is_below(&self, folder: &TreePath) -> bool {
        self.rest_below(folder).is_some()
    }

    /// Returns the path as seen from a folder that it lies in.
    pub fn rest_below(&self, folder: &TreePath) -> Option<&[u8]> {
        if folder.0.is_empty() {
            return Some(&self.0);
        }
        self.0.strip_prefix(folder.as_bytes())?.strip_prefix(b"/")
    }

    /// Returns the folders it lies in, the nearest first; the root is not among them.
    pub fn folders(&self) -> impl Iterator<Item = TreePath> + '_ {
        let slashes = self.0.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/');
        slashes.map(|(at, _)| TreePath(Arc::from(&self.0[..at])))
    }

    /// Returns the path as text, with what is not UTF-8 replaced.
    pub fn display(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// Compares folder by folder, so that the files of a folder come before what is deeper in it.
    pub fn compare_by_folder(&self, other: &TreePath) -> Ordering {
        let slash = |byte: &u8| *byte == b'/';
        let folders = self.folder_bytes().split(slash).cmp(other.folder_bytes().split(slash));
        folders.then_with(|| self.name().cmp(other.name()))
    }

    fn folder_bytes(&self) -> &[u8] {
        let slash = self.0.iter().rposition(|&byte| byte == b'/');
        &self.0[..slash.unwrap_or(0)]
    }
}

impl From<&str> for TreePath {
    fn from(text: &str) -> Self {
        TreePath::new(text)
    }
}

impl fmt::Debug for TreePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.display())
    }
}

impl fmt::Display for TreePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_knows_its_folders() {
        let path = TreePath::from("a/b/c.txt");
        assert_eq!(path.name(), b"c.txt");
        assert_eq!(path.folder(), TreePath::from("a/b"));
        let folders: Vec<TreePath> = path.folders().collect();
        assert_eq!(folders, [TreePath::from("a/b"), TreePath::from("a")]);
        assert_eq!(path.rest_below(&TreePath::from("a")), Some(b"b/c.txt".as_slice()));
        assert_eq!(path.rest_below(&TreePath::from("a/b/c")), None);
    }

    #[test]
    fn files_of_a_folder_come_before_its_folders() {
        let mut paths = ["a/d/e", "a-b/x", "a/z", "a/b", "y"].map(TreePath::from);
        paths.sort_by(TreePath::compare_by_folder);
        assert_eq!(paths, ["y", "a/b", "a/z", "a/d/e", "a-b/x"].map(TreePath::from));
    }
}
