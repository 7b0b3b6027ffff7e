//! Candidates of `changes` and `history`: trees of files.
//!
//! All searches of a run share one subject, so that the folder of a worker stays warm from one
//! search to the next. Each kind of candidate is defined where it is made: changes between two
//! versions in `deltas`, commits in `commit_row`, reworded lines in `reworded`, and versions with
//! carried patches in `history`.

use std::any::Any;
use std::io;
use std::sync::Arc;

use whodunit_core::{Lesson, Reason, Verdict};
use whodunit_run::hints::Mention;
use whodunit_run::{FileChange, Key, LayOutOver, Refutation, Size, Subject, TreeFile};
use whodunit_versions::{Entry, EntryKind, ReadError, TreePath, Version};

/// The subject of `changes` and `history`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trees;

/// A candidate of `changes` or `history`.
pub(crate) type TreeState = Arc<dyn Tree>;

/// A tree of files that a search asks about.
pub(crate) trait Tree: Any + Send + Sync {
    /// Returns the files.
    fn version(&self) -> io::Result<Version>;

    /// Returns the key of the files.
    fn key(&self) -> Key;

    /// Returns the number of its deltas; for a version of a row, the number of versions before it.
    fn count(&self) -> usize;

    /// Returns whether a test can decide about this tree; if not, the tree is unresolved without a
    /// test.
    fn is_possible(&self) -> bool {
        true
    }

    /// Returns the lessons of a test whose output mentions these places.
    fn lessons(&self, _mentions: &[Mention]) -> Vec<Lesson> {
        Vec::new()
    }

    /// Returns the reason of an unresolved test, if searches distinguish reasons.
    fn reason(&self, _refutation: &Refutation) -> Option<Reason> {
        None
    }

    /// Returns whether the candidate has another test than the tracked one.
    fn has_other_test(&self) -> bool {
        false
    }

    /// Returns the file changes that make this tree from another one, if they are known without
    /// comparing the files.
    fn since(&self, _from: &dyn Tree) -> Option<io::Result<Vec<FileChange>>> {
        None
    }
}

/// Versions in a row. The place of a version is the number of versions before it.
pub(crate) trait Versions: Send + Sync + 'static {
    /// Returns the files of a version.
    fn version(&self, place: usize) -> io::Result<Version>;

    /// Returns the key of the files of a version.
    fn key(&self, place: usize) -> Key;

    /// Returns whether the patch for a version fits.
    fn fits(&self, _place: usize) -> bool {
        true
    }

    /// Returns the reason of an unresolved test, if searches distinguish reasons.
    fn reason(&self, _refutation: &Refutation) -> Option<Reason> {
        None
    }

    /// Returns whether a version has another test than the tracked one.
    fn has_other_test(&self, _place: usize) -> bool {
        false
    }
}

/// Returns a version of a row as a candidate.
pub(crate) fn at<R: Versions>(row: Arc<R>, place: usize) -> TreeState {
    Arc::new(OfRow { row, place })
}

/// A version of a row.
struct OfRow<R> {
    row: Arc<R>,
    place: usize,
}

impl<R: Versions> Tree for OfRow<R> {
    fn version(&self) -> io::Result<Version> {
        self.row.version(self.place)
    }

    fn key(&self) -> Key {
        self.row.key(self.place)
    }

    fn count(&self) -> usize {
        self.place
    }

    fn is_possible(&self) -> bool {
        self.row.fits(self.place)
    }

    fn reason(&self, refutation: &Refutation) -> Option<Reason> {
        self.row.reason(refutation)
    }

    fn has_other_test(&self) -> bool {
        self.row.has_other_test(self.place)
    }
}

impl Subject for Trees {
    type Candidate = TreeState;

    fn key(&self, candidate: &TreeState) -> Key {
        candidate.key()
    }

    fn size(&self, candidate: &TreeState) -> Size {
        let deltas = candidate.count();
        Size { deltas, bytes: deltas as u64 }
    }

    fn foretell(&self, candidate: &TreeState) -> Option<Verdict> {
        (!candidate.is_possible()).then_some(Verdict::Unresolved)
    }

    fn lessons(&self, candidate: &TreeState, mentions: &[Mention]) -> Vec<Lesson> {
        candidate.lessons(mentions)
    }

    fn reason(&self, candidate: &TreeState, refutation: &Refutation) -> Option<Reason> {
        candidate.reason(refutation)
    }

    fn has_other_test(&self, candidate: &TreeState) -> bool {
        candidate.has_other_test()
    }
}

impl LayOutOver for Trees {
    fn each_file(
        &self,
        candidate: &TreeState,
        found: &mut dyn FnMut(TreeFile) -> io::Result<()>,
    ) -> io::Result<()> {
        candidate.version()?.entries().try_for_each(|(path, entry)| found(file(path, entry)?))
    }

    fn file(&self, candidate: &TreeState, path: &[u8]) -> io::Result<Option<TreeFile>> {
        let (version, path) = (candidate.version()?, TreePath::new(path));
        version.get(&path).map(|entry| file(&path, entry)).transpose()
    }

    fn differences(&self, from: &TreeState, to: &TreeState) -> io::Result<Vec<FileChange>> {
        to.since(&**from).unwrap_or_else(|| between(&from.version()?, &to.version()?))
    }
}

/// Returns the file changes that make one version from another.
fn between(from: &Version, to: &Version) -> io::Result<Vec<FileChange>> {
    let gone = from.entries().filter(|(path, _)| to.get(path).is_none());
    let mut changes: Vec<FileChange> = gone.map(|(path, _)| remove(path)).collect();
    for (path, entry) in to.entries() {
        let same = match from.get(path) {
            Some(old) if old.kind == entry.kind => match old.content.same_as(&entry.content) {
                Some(same) => same,
                None => old.content.read()? == entry.content.read()?,
            },
            _ => false,
        };
        if !same {
            changes.push(write(path, entry)?);
        }
    }
    Ok(changes)
}

pub(super) fn remove(path: &TreePath) -> FileChange {
    FileChange::Remove(path.as_bytes().into())
}

pub(super) fn write(path: &TreePath, entry: &Entry) -> io::Result<FileChange> {
    Ok(FileChange::Write(file(path, entry)?))
}

fn file(path: &TreePath, entry: &Entry) -> io::Result<TreeFile> {
    let bytes = match entry.kind {
        EntryKind::Submodule => Ok(Arc::from([])),
        EntryKind::Regular | EntryKind::Executable | EntryKind::Link => entry.content.read(),
    };
    let named =
        |source: io::Error| io::Error::new(source.kind(), ReadError { path: path.clone(), source });
    Ok(TreeFile { path: path.as_bytes().into(), kind: entry.kind, bytes: bytes.map_err(named)? })
}
