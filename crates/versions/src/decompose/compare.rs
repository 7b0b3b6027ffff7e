//! Finds the files that differ between two versions. Files that are known to be equal are not read.

use std::sync::Arc;

use whodunit_files::{Entry, ReadError, TreePath, Version};

/// One end of a file that differs, with its bytes.
#[derive(Clone, Debug)]
pub(crate) struct FileEnd {
    pub(crate) path: TreePath,
    pub(crate) entry: Entry,
    pub(crate) bytes: Arc<[u8]>,
}

/// Both ends of a file; one of them may be missing.
pub(crate) type Ends = (Option<FileEnd>, Option<FileEnd>);

/// The files that differ.
#[derive(Debug, Default)]
pub(crate) struct Differing {
    /// In both versions, but not the same.
    pub(crate) modified: Vec<(FileEnd, FileEnd)>,
    /// Only in the good version.
    pub(crate) removed: Vec<FileEnd>,
    /// Only in the bad version.
    pub(crate) added: Vec<FileEnd>,
}

/// Compares two versions.
pub(crate) fn compare(good: &Version, bad: &Version) -> Result<Differing, ReadError> {
    let mut differing = Differing::default();
    for (path, old) in good.entries() {
        match bad.get(path) {
            Some(new) => differing.modified.extend(modified(path, old, new)?),
            None => differing.removed.push(side(path, old)?),
        }
    }
    for (path, new) in bad.entries().filter(|(path, _)| good.get(path).is_none()) {
        differing.added.push(side(path, new)?);
    }
    Ok(differing)
}

fn modified(
    path: &TreePath,
    old: &Entry,
    new: &Entry,
) -> Result<Option<(FileEnd, FileEnd)>, ReadError> {
    let same_kind = old.kind == new.kind;
    if same_kind && old.content.same_as(&new.content) == Some(true) {
        return Ok(None);
    }
    let (old, new) = (side(path, old)?, side(path, new)?);
    Ok((!same_kind || old.bytes != new.bytes).then_some((old, new)))
}

fn side(path: &TreePath, entry: &Entry) -> Result<FileEnd, ReadError> {
    let bytes = entry.content.read_at(path)?;
    Ok(FileEnd { path: path.clone(), entry: entry.clone(), bytes })
}
