//! Candidates of `changes` as trees of files.
//!
//! All searches of a run share one subject, so that the folder of a worker stays warm from one
//! search to the next. A candidate knows in which space it is a set.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use whodunit_core::{Delta, DeltaSet, Lesson, Reason, Verdict};
use whodunit_run::hints::{self, Mention};
use whodunit_run::{FileChange, Key, LayOutOver, Refutation, Size, Subject, TreeFile};
use whodunit_vcs::git::CommitInfo;
use whodunit_versions::{
    ChangeKind, Decomposition, Entry, EntryKind, Mentions, ParseGate, TreePath, Version, carried,
};

use super::content::{hash_of, name_of_sum, name_of_version, sum_of};
use super::locate::Locator;
use super::reworded::Reworded;
use super::versions::Source;

/// The subject of `changes`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trees;

/// A tree of files: a set of changes.
#[derive(Clone)]
pub(crate) struct TreeState {
    pub(crate) space: Arc<Space>,
    pub(crate) set: DeltaSet,
}

/// What sets of changes are sets of.
pub(crate) enum Space {
    /// Commits, the older ones first; a set stands for its newest.
    Commits(Commits),
    /// Changes between two versions.
    Deltas(Deltas),
    /// Versions in a row, the first one first; a set of so many stands for the version that so many
    /// come before.
    Row(Arc<dyn Versions>),
    /// Lines of the bad version that can be worded as in the good one; a set is of those that are not.
    Reworded(Reworded),
}

/// Versions in a row, each with what is put onto it.
pub(crate) trait Versions: Send + Sync {
    /// Returns a version with what is put onto it.
    fn version(&self, place: usize) -> io::Result<Version>;

    /// Returns its name.
    fn key(&self, place: usize) -> Key;

    /// Returns whether what is put onto a version fits.
    fn fits(&self, place: usize) -> bool;

    /// Returns whether a version has another test than the tracked one.
    fn has_other_test(&self, place: usize) -> bool;
}

/// A row of commits after a version.
pub(crate) struct Commits {
    pub(super) source: Arc<Source>,
    pub(super) before: CommitInfo,
    pub(super) row: Vec<CommitInfo>,
    /// What is put on top of each of them.
    carried: Option<Carried>,
    versions: Vec<OnceLock<Version>>,
    names: Vec<OnceLock<Key>>,
}

/// Changes that are put on top of versions that do not have them.
pub(super) struct Carried {
    pub(super) from: Version,
    pub(super) to: Version,
}

/// The changes between two versions.
pub(crate) struct Deltas {
    pub(super) parts: Arc<Decomposition>,
    /// Foretells what no longer parses, unless the search is to be left alone.
    pub(super) gate: Option<Arc<ParseGate>>,
    pub(super) mentions: OnceLock<Mentions>,
    /// Deltas that add, delete or rename a file, by its path.
    pub(super) makers: BTreeMap<TreePath, Vec<Delta>>,
    /// The deltas that decide about each file.
    deciding: Vec<DeltaSet>,
    /// The name of each file's content, by what of it is chosen.
    hashes: Mutex<HashMap<(u32, DeltaSet), Option<u128>>>,
    /// The sum of the hashes of the files that do not differ.
    unchanged: OnceLock<Option<u128>>,
}

impl Commits {
    pub(super) fn new(source: Arc<Source>, before: CommitInfo, row: Vec<CommitInfo>) -> Self {
        let versions = (0..=row.len()).map(|_| OnceLock::new()).collect();
        let names = (0..=row.len()).map(|_| OnceLock::new()).collect();
        Commits { source, before, row, carried: None, versions, names }
    }

    /// Puts changes on top of each commit.
    pub(super) fn carrying(self, carried: Carried) -> Self {
        Commits { carried: Some(carried), ..self }
    }

    /// Returns the commit that so many commits lead to.
    pub(super) fn at(&self, count: usize) -> &CommitInfo {
        count.checked_sub(1).map_or(&self.before, |last| &self.row[last])
    }

    pub(super) fn version(&self, count: usize) -> io::Result<&Version> {
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

    fn name(&self, count: usize) -> Key {
        *self.names[count].get_or_init(|| {
            let version = self.version(count);
            let name = version.and_then(|it| name_of_version(it).map_err(io::Error::other));
            name.unwrap_or_else(|_| unreadable())
        })
    }
}

impl Deltas {
    pub(crate) fn new(parts: Arc<Decomposition>, is_gated: bool) -> Self {
        let mut makers: BTreeMap<TreePath, Vec<Delta>> = BTreeMap::new();
        for delta in parts.all().iter() {
            let part = parts.part(delta);
            let makes = matches!(
                part.change,
                ChangeKind::Added | ChangeKind::Deleted | ChangeKind::Renamed | ChangeKind::Several
            );
            for path in [part.old_path, part.new_path].into_iter().flatten().filter(|_| makes) {
                makers.entry(path.clone()).or_default().push(delta);
            }
        }
        let renames: DeltaSet = parts
            .all()
            .iter()
            .filter(|&delta| parts.part(delta).change == ChangeKind::DirectoryRenamed)
            .collect();
        let deciding =
            (0..parts.file_count()).map(|file| parts.deltas_of_file(file).union(&renames));
        Deltas {
            deciding: deciding.collect(),
            gate: is_gated.then(|| Arc::new(ParseGate::new(parts.clone()))),
            mentions: OnceLock::new(),
            makers,
            hashes: Mutex::default(),
            unchanged: OnceLock::new(),
            parts,
        }
    }

    pub(super) fn mentions(&self) -> &Mentions {
        self.mentions.get_or_init(|| Mentions::of(&self.parts))
    }

    /// Returns the name of the tree that a set makes.
    fn name(&self, set: &DeltaSet) -> Key {
        let unchanged = || {
            let good = DeltaSet::empty();
            let all = sum_of(&self.parts.version(&good)).ok()?;
            Some(all.wrapping_sub(self.changed(&good)?))
        };
        let unchanged = *self.unchanged.get_or_init(unchanged);
        let sum = unchanged.zip(self.changed(set)).map(|(a, b)| a.wrapping_add(b));
        sum.map_or_else(unreadable, name_of_sum)
    }

    /// Returns the sum of the hashes of the files that differ, as a set makes them; nothing if one
    /// cannot be read.
    fn changed(&self, set: &DeltaSet) -> Option<u128> {
        let mut sum = 0u128;
        let mut unknown: Vec<(u32, DeltaSet)> = Vec::new();
        {
            let hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
            for (file, deciding) in (0u32..).zip(&self.deciding) {
                let chosen = (file, deciding.intersection(set));
                match hashes.get(&chosen) {
                    Some(hash) => sum = sum.wrapping_add(hash.unwrap_or(0)),
                    None => unknown.push(chosen),
                }
            }
        }
        for (file, chosen) in unknown {
            let laid_out = self.parts.file_in(file as usize, &chosen);
            let hash = laid_out.map(|it| hash_of(&it.path, it.kind, &it.content));
            let hash = hash.transpose().ok()?;
            sum = sum.wrapping_add(hash.unwrap_or(0));
            let mut hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
            hashes.insert((file, chosen), hash);
        }
        Some(sum)
    }
}

/// Returns the name of a tree that cannot be read. Nothing known has this name, so it comes to
/// laying out, which is an error.
fn unreadable() -> Key {
    Key::of_bytes(b"cannot be read")
}

/// Returns the name of a candidate.
pub(crate) fn name_of(state: &TreeState) -> Key {
    Trees.key(state)
}

impl TreeState {
    /// Returns a version of a row.
    pub(crate) fn at(row: Arc<dyn Versions>, place: usize) -> Self {
        TreeState { space: Arc::new(Space::Row(row)), set: DeltaSet::full(place) }
    }

    /// Returns the files.
    pub(crate) fn version(&self) -> io::Result<Version> {
        match &*self.space {
            Space::Commits(commits) => commits.version(self.set.len()).cloned(),
            Space::Deltas(deltas) => Ok(deltas.parts.version(&self.set)),
            Space::Row(row) => row.version(self.set.len()),
            Space::Reworded(reworded) => Ok(reworded.version(&self.set)),
        }
    }
}

impl Subject for Trees {
    type Candidate = TreeState;

    fn key(&self, candidate: &TreeState) -> Key {
        match &*candidate.space {
            Space::Commits(commits) => commits.name(candidate.set.len()),
            Space::Deltas(deltas) => deltas.name(&candidate.set),
            Space::Row(row) => row.key(candidate.set.len()),
            Space::Reworded(reworded) => reworded.key(&candidate.set),
        }
    }

    fn size(&self, candidate: &TreeState) -> Size {
        let deltas = candidate.set.len();
        Size { deltas, bytes: deltas as u64 }
    }

    fn foretell(&self, candidate: &TreeState) -> Option<Verdict> {
        let is_possible = match &*candidate.space {
            Space::Commits(_) => true,
            Space::Deltas(deltas) => deltas.gate.as_ref()?.lets_through(&candidate.set),
            Space::Row(row) => row.fits(candidate.set.len()),
            Space::Reworded(reworded) => reworded.fits(&candidate.set),
        };
        (!is_possible).then_some(Verdict::Unresolved)
    }

    fn lessons(&self, candidate: &TreeState, mentions: &[Mention]) -> Vec<Lesson> {
        let Space::Deltas(deltas) = &*candidate.space else { return Vec::new() };
        let locator = Locator { deltas, set: &candidate.set };
        hints::lessons(mentions, &candidate.set, &DeltaSet::empty(), &locator)
    }

    fn reason(&self, candidate: &TreeState, refutation: &Refutation) -> Option<Reason> {
        matches!(*candidate.space, Space::Row(_)).then(|| refutation.reason())
    }

    fn has_other_test(&self, candidate: &TreeState) -> bool {
        match &*candidate.space {
            Space::Row(row) => row.has_other_test(candidate.set.len()),
            Space::Commits(_) | Space::Deltas(_) | Space::Reworded(_) => false,
        }
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
        if let Space::Deltas(deltas) = &*to.space
            && Arc::ptr_eq(&from.space, &to.space)
        {
            let differences = deltas.parts.differences(&from.set, &to.set);
            let removed = differences.remove.iter().map(|path| Ok(remove(path)));
            let written = differences.write.into_iter().map(|it| {
                let entry = Entry { kind: it.kind, content: it.content };
                Ok(FileChange::Write(file(&it.path, &entry)?))
            });
            return removed.chain(written).collect();
        }
        between(&from.version()?, &to.version()?)
    }
}

/// Returns what has to be done to get from one version to another.
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
            changes.push(FileChange::Write(file(path, entry)?));
        }
    }
    Ok(changes)
}

fn remove(path: &TreePath) -> FileChange {
    FileChange::Remove(path.as_bytes().into())
}

fn file(path: &TreePath, entry: &Entry) -> io::Result<TreeFile> {
    let bytes = match entry.kind {
        EntryKind::Submodule => Ok(Arc::from([])),
        EntryKind::Regular | EntryKind::Executable | EntryKind::Link => entry.content.read(),
    };
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{path}: {error}"));
    Ok(TreeFile { path: path.as_bytes().into(), kind: entry.kind, bytes: bytes.map_err(named)? })
}
