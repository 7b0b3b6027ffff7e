//! A row of commits, as candidates.

use std::io;
use std::sync::{Arc, OnceLock};

use whodunit_core::DeltaSet;
use whodunit_run::Key;
use whodunit_vcs::git::CommitInfo;
use whodunit_versions::{Version, carried};

use super::content::{name_of_version, unreadable};
use super::in_space::Space;
use super::trees::{TreeState, Versions, at};
use super::versions::Source;

/// A version and a row of commits after it.
pub(crate) struct Commits {
    pub(super) source: Arc<Source>,
    pub(super) before: CommitInfo,
    pub(super) row: Vec<CommitInfo>,
    /// Changes that are added to each commit.
    carried: Option<Carried>,
    versions: Vec<OnceLock<Version>>,
    names: Vec<OnceLock<Key>>,
}

/// Changes that are added to versions that lack them.
pub(super) struct Carried {
    pub(super) from: Version,
    pub(super) to: Version,
}

impl Commits {
    pub(super) fn new(source: Arc<Source>, before: CommitInfo, row: Vec<CommitInfo>) -> Self {
        let versions = (0..=row.len()).map(|_| OnceLock::new()).collect();
        let names = (0..=row.len()).map(|_| OnceLock::new()).collect();
        Commits { source, before, row, carried: None, versions, names }
    }

    /// Adds changes to each commit.
    pub(super) fn carrying(self, carried: Carried) -> Self {
        Commits { carried: Some(carried), ..self }
    }

    /// Returns the commit after `count` commits of the row.
    pub(super) fn at(&self, count: usize) -> &CommitInfo {
        count.checked_sub(1).map_or(&self.before, |last| &self.row[last])
    }

    fn read(&self, count: usize) -> io::Result<&Version> {
        let cell = &self.versions[count];
        if let Some(version) = cell.get() {
            return Ok(version);
        }
        let mut version = self.source.version(self.at(count).id).map_err(io::Error::other)?;
        if let Some(Carried { from, to }) = &self.carried {
            version = carried(&version, from, to).map_err(io::Error::other)?;
        }
        Ok(cell.get_or_init(|| version))
    }
}

impl Versions for Commits {
    fn version(&self, place: usize) -> io::Result<Version> {
        self.read(place).cloned()
    }

    fn key(&self, place: usize) -> Key {
        *self.names[place].get_or_init(|| {
            let version = self.read(place);
            let name = version.and_then(|it| name_of_version(it).map_err(io::Error::other));
            name.unwrap_or_else(|_| unreadable())
        })
    }
}

/// The tree of a set is the version after as many commits as the set has: each commit needs those
/// before it.
impl Space for Commits {
    fn tree(self: &Arc<Self>, first: DeltaSet) -> TreeState {
        at(self.clone(), first.len())
    }
}
