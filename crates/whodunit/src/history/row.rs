//! The versions of a history, with the patch that is carried onto each.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use whodunit_core::Reason;
use whodunit_run::{Key, KeyHasher, Refutation};
use whodunit_vcs::{Beginning, Lineage, Revision};
use whodunit_versions::{Patch, Rung, TreePath, Version, port};

use super::HistoryError;
use super::overlay::Overlay;
use super::own::Own;
use crate::changes::{TreeState, Versions, at, name_of_version, version_of};

/// A row of versions.
pub(super) struct Row {
    source: Source,
    /// The versions that were read.
    read: Mutex<HashMap<usize, Version>>,
}

/// The origin of the versions.
enum Source {
    /// A history, the newest version first. Each version gets the files of `overlay`, and the
    /// newest one also the tests that are not committed.
    Back { lineage: Arc<dyn Lineage>, overlay: Overlay, uncommitted: Overlay },
    /// The versions of another row from a place to the newest one, each with the back-port of that
    /// place if it fits.
    Forward { carried: Arc<Patched>, from: usize },
}

impl Row {
    pub(super) fn back(lineage: Arc<dyn Lineage>, overlay: Overlay, uncommitted: Overlay) -> Self {
        Row { source: Source::Back { lineage, overlay, uncommitted }, read: Mutex::default() }
    }

    pub(super) fn forward(carried: &Arc<Patched>, from: usize) -> Self {
        let source = Source::Forward { carried: carried.clone(), from };
        Row { source, read: Mutex::default() }
    }

    /// Returns the row that continues into a branch that was merged in a version, if there is one.
    pub(super) fn through(
        &self,
        place: usize,
        branch: usize,
    ) -> Result<Option<Self>, whodunit_vcs::Error> {
        let Source::Back { lineage, overlay, uncommitted } = &self.source else { return Ok(None) };
        let lineage = lineage.through(place, branch)?;
        let row =
            |lineage: Box<_>| Row::back(Arc::from(lineage), overlay.clone(), uncommitted.clone());
        Ok(lineage.map(row))
    }

    /// Returns the row in which each version keeps its own script of the test, and the path of the
    /// script, if the script may be the program under test.
    pub(super) fn with_own_scripts(&self) -> Result<Option<(TreePath, Self)>, HistoryError> {
        let Source::Back { lineage, overlay, uncommitted } = &self.source else { return Ok(None) };
        let own = overlay.with_own_scripts(&version_of(lineage.list(0)?))?;
        let row =
            |(path, overlay)| (path, Row::back(lineage.clone(), overlay, uncommitted.clone()));
        Ok(own.map(row))
    }

    pub(super) fn len(&self) -> usize {
        match &self.source {
            Source::Back { lineage, .. } => lineage.len(),
            Source::Forward { from, .. } => from + 1,
        }
    }

    /// Returns the tests of the newest version that are not committed.
    pub(super) fn uncommitted(&self) -> impl Iterator<Item = &TreePath> {
        let uncommitted = match &self.source {
            Source::Back { uncommitted, .. } => Some(uncommitted),
            Source::Forward { .. } => None,
        };
        uncommitted.into_iter().flat_map(Overlay::paths)
    }

    /// Returns why the row has no older versions.
    pub(super) fn beginning(&self) -> Beginning {
        match &self.source {
            Source::Back { lineage, .. } => lineage.beginning(),
            Source::Forward { .. } => Beginning::Bound,
        }
    }

    /// Returns whether the oldest version replaces another one that the user named.
    pub(super) fn has_stand_in(&self) -> bool {
        match &self.source {
            Source::Back { lineage, .. } => lineage.has_stand_in(),
            Source::Forward { .. } => false,
        }
    }

    pub(super) fn revision(&self, place: usize) -> Result<Revision, whodunit_vcs::Error> {
        match &self.source {
            Source::Back { lineage, .. } => lineage.revision(place),
            Source::Forward { carried, from } => carried.row.revision(from - place),
        }
    }

    /// Reads a version.
    pub(super) fn version(&self, place: usize) -> io::Result<Version> {
        if let Some(version) = self.known().get(&place) {
            return Ok(version.clone());
        }
        let version = match &self.source {
            Source::Back { lineage, overlay, uncommitted } => {
                let listing = lineage.list(place).map_err(io::Error::other)?;
                let version = overlay.over(version_of(listing));
                if place == 0 { uncommitted.over(version) } else { version }
            }
            Source::Forward { carried, from } => match from - place {
                0 => carried.row.version(0)?,
                place => match carried.made(place)? {
                    Some(made) => made.version.clone(),
                    None => carried.row.version(place)?,
                },
            },
        };
        Ok(self.known().entry(place).or_insert(version).clone())
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<usize, Version>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A row of versions with a patch on each of them.
pub(crate) struct Patched {
    row: Arc<Row>,
    /// The test of the newest version, if it is put over each version after the patch.
    own: Option<Arc<Own>>,
    /// The test of the newest version, if versions are tested with their own tests and must be
    /// distinguished by these.
    tracked: Option<Arc<Own>>,
    /// The patch, if one is carried.
    patch: Option<Arc<Patch>>,
    /// A key that distinguishes this patch and test from others.
    name: Key,
    /// The versions with the patch; `None` if the patch does not fit.
    made: Mutex<HashMap<usize, Option<Arc<Made>>>>,
    /// The keys of versions with the patch.
    keys: Mutex<HashMap<usize, Key>>,
}

/// A version with the patch on it.
pub(super) struct Made {
    pub(super) version: Version,
    /// How the place of the least certain part of the patch was found.
    pub(super) rung: Option<Rung>,
}

impl Patched {
    pub(super) fn new(row: &Arc<Row>, patch: Option<Arc<Patch>>) -> io::Result<Self> {
        let mut hasher = KeyHasher::new();
        if let Some(patch) = &patch {
            hasher.update(&patch.to_text().map_err(io::Error::other)?);
        }
        let (made, keys) = (Mutex::default(), Mutex::default());
        let (own, tracked, name) = (None, None, hasher.finish());
        Ok(Patched { row: row.clone(), own, tracked, patch, name, made, keys })
    }

    /// Puts the test of the newest version over each version.
    pub(super) fn with_own(row: &Arc<Row>, own: Arc<Own>) -> io::Result<Self> {
        Patched::new(row, None)?.and_own(own)
    }

    /// Puts the test of the newest version over each version with the patch.
    pub(super) fn and_own(&self, own: Arc<Own>) -> io::Result<Self> {
        let patched = Patched::new(&self.row, self.patch.clone())?;
        let mut hasher = KeyHasher::new();
        hasher.update(&u128::from(patched.name).to_le_bytes());
        hasher.update(&u128::from(own.name()).to_le_bytes());
        Ok(Patched { own: Some(own), name: hasher.finish(), ..patched })
    }

    /// Leaves versions unchanged, and notes which have another test than `tracked`.
    pub(super) fn untouched(row: &Arc<Row>, tracked: Option<&Arc<Own>>) -> io::Result<Self> {
        Ok(Patched { tracked: tracked.cloned(), ..Patched::new(row, None)? })
    }

    /// Carries the same patch and test in another row.
    pub(super) fn in_row(&self, row: &Arc<Row>) -> io::Result<Self> {
        let patched = Patched::new(row, self.patch.clone())?;
        match &self.own {
            Some(own) => patched.and_own(own.clone()),
            None => Ok(Patched { tracked: self.tracked.clone(), ..patched }),
        }
    }

    /// Returns the candidate at a place.
    pub(super) fn at(self: &Arc<Self>, place: usize) -> TreeState {
        at(self.clone(), place)
    }

    /// Returns whether versions stay unchanged.
    pub(super) fn is_nothing(&self) -> bool {
        self.own.is_none() && self.patch.is_none()
    }

    pub(super) fn own(&self) -> Option<&Arc<Own>> {
        self.own.as_ref()
    }

    pub(super) fn patch(&self) -> Option<&Arc<Patch>> {
        self.patch.as_ref()
    }

    /// Returns a key that distinguishes the patch and test from others.
    pub(super) fn name(&self) -> Key {
        self.name
    }

    /// Returns whether the patch and test change a version. A patch that fits may change nothing,
    /// because the lines that it deletes are not there.
    pub(super) fn changes(&self, place: usize) -> io::Result<bool> {
        let Some(made) = self.made(place)? else { return Ok(false) };
        let name = |version: &Version| name_of_version(version).map_err(io::Error::other);
        Ok(name(&made.version)? != name(&self.row.version(place)?)?)
    }

    /// Returns a version with the patch; `None` if the patch does not fit.
    pub(super) fn made(&self, place: usize) -> io::Result<Option<Arc<Made>>> {
        let known = self.made.lock().unwrap_or_else(PoisonError::into_inner).get(&place).cloned();
        if let Some(made) = known {
            return Ok(made);
        }
        let version = self.row.version(place)?;
        let mut made = match &self.patch {
            None => Some(Made { version, rung: None }),
            Some(patch) => {
                let ported = port(patch, &version).map_err(io::Error::other)?;
                let rung = ported.rung();
                ported.whole().map(|whole| Made { version: whole.clone(), rung })
            }
        };
        if let (Some(own), Some(made)) = (&self.own, &mut made) {
            made.version = own.over(&made.version)?;
        }
        let made = made.map(Arc::new);
        let mut known = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(known.entry(place).or_insert(made).clone())
    }
}

impl Versions for Patched {
    /// Returns a version with the patch.
    fn version(&self, place: usize) -> io::Result<Version> {
        let made = self.made(place)?;
        let made = made.ok_or_else(|| io::Error::other("the patch does not fit this version"))?;
        Ok(made.version.clone())
    }

    /// Returns whether the patch fits a version. A version that cannot be read gives an error
    /// later.
    fn fits(&self, place: usize) -> bool {
        self.made(place).map_or(true, |made| made.is_some())
    }

    /// Returns the key of a version with the patch.
    fn key(&self, place: usize) -> Key {
        let known = self.keys.lock().unwrap_or_else(PoisonError::into_inner).get(&place).copied();
        if let Some(key) = known {
            return key;
        }
        let made = self.made(place).ok().flatten();
        let name = made.and_then(|made| name_of_version(&made.version).ok());
        let key = name.unwrap_or_else(|| {
            // No tested content has this key. A version that the patch does not fit is not tested,
            // and one that cannot be read gives an error when it is laid out.
            let mut hasher = KeyHasher::new();
            hasher.update(b"no tree");
            hasher.update(&u128::from(self.name).to_le_bytes());
            hasher.update(&place.to_le_bytes());
            hasher.finish()
        });
        self.keys.lock().unwrap_or_else(PoisonError::into_inner).insert(place, key);
        key
    }

    fn reason(&self, refutation: &Refutation) -> Option<Reason> {
        Some(refutation.reason())
    }

    /// Returns whether a version has another test than the tracked one, if that makes a difference.
    /// A version that cannot be read gives an error when it is laid out.
    fn has_other_test(&self, place: usize) -> bool {
        let differs = |own: &Arc<Own>| own.differs(&self.row.version(place)?);
        self.tracked.as_ref().is_some_and(|own| differs(own).unwrap_or(true))
    }
}
