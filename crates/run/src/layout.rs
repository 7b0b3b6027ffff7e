//! Subjects whose candidates are files: laid out in an empty folder, or over one another.

use std::io;
use std::path::Path;
use std::sync::Arc;

use whodunit_files::EntryKind;

use crate::subject::Subject;

/// A subject whose candidates are files.
pub trait LayOut: Subject {
    /// Puts `candidate` into an empty folder.
    fn lay_out(&self, candidate: &Self::Candidate, folder: &Path) -> io::Result<()>;
}

/// A subject whose candidates are trees of files, of which two differ in few.
///
/// Paths are bytes, relative, with `/` between their parts; none is empty, `.` or `..`. In one
/// candidate no file lies below another one.
pub trait LayOutOver: Subject {
    /// Hands over every file of `candidate`. Fastest if files of one folder follow each other.
    /// An error of `found` ends it and is returned.
    fn each_file(
        &self,
        candidate: &Self::Candidate,
        found: &mut dyn FnMut(TreeFile) -> io::Result<()>,
    ) -> io::Result<()>;

    /// Returns one file of `candidate`, `None` if it has no such file.
    fn file(&self, candidate: &Self::Candidate, path: &[u8]) -> io::Result<Option<TreeFile>>;

    /// Returns the steps from one candidate to another, in any order. A file that is the same in
    /// both should be left out: builds would take it for changed.
    fn differences(
        &self,
        from: &Self::Candidate,
        to: &Self::Candidate,
    ) -> io::Result<Vec<FileChange>>;
}

/// One file of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFile {
    /// Where it is.
    pub path: Arc<[u8]>,
    /// The kind of file.
    pub kind: EntryKind,
    /// The content; of a link its target, of a submodule nothing.
    pub bytes: Arc<[u8]>,
}

/// One difference between two trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileChange {
    /// The file is new or another one now.
    Write(TreeFile),
    /// The file at this path is gone.
    Remove(Arc<[u8]>),
}

impl<B: LayOutOver> LayOutOver for &B {
    fn each_file(
        &self,
        candidate: &Self::Candidate,
        found: &mut dyn FnMut(TreeFile) -> io::Result<()>,
    ) -> io::Result<()> {
        (**self).each_file(candidate, found)
    }

    fn file(&self, candidate: &Self::Candidate, path: &[u8]) -> io::Result<Option<TreeFile>> {
        (**self).file(candidate, path)
    }

    fn differences(
        &self,
        from: &Self::Candidate,
        to: &Self::Candidate,
    ) -> io::Result<Vec<FileChange>> {
        (**self).differences(from, to)
    }
}
