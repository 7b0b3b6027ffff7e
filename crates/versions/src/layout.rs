//! Lays out candidates as files. Cannot fail: for every set of deltas each file is present or
//! absent, at one path, with one content.
//!
//! Two files may want one path if the chosen deltas do not fit together, as a new file without the
//! removal of the old folder of that name. Then the first file in order gets the path and the other
//! is left out; the [dependencies](crate::dependencies) exclude such candidates.

mod locate;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use whodunit_core::{Delta, DeltaSet};

use whodunit_files::{Content, Entry, EntryKind, TreePath, Version};

use crate::decomposition::{
    Change, Decomposition, MemberOrder, Piece, Reordering, Text, Touched, clash,
};

/// A file as a candidate has it.
#[derive(Clone, Debug)]
pub struct LaidOut {
    /// Where it is.
    pub path: TreePath,
    /// The kind of file.
    pub kind: EntryKind,
    /// The content; a whole file of one of the versions is read when needed.
    pub content: Content,
}

/// The changes that turn a folder with one candidate into one with another.
///
/// First everything is removed, with the folders that become empty by it, then all is written.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    /// The files that go, in order.
    pub remove: Vec<TreePath>,
    /// The files that come or change, in order.
    pub write: Vec<LaidOut>,
}

impl Decomposition {
    /// Returns the files that differ between the versions, as a candidate has them, in order of
    /// their paths. All other files are those of the good version.
    pub fn lay_out(&self, candidate: &DeltaSet) -> Vec<LaidOut> {
        let mut files: Vec<LaidOut> = (0..self.files.len() as u32)
            .filter_map(|file| self.laid_out(file, candidate))
            .collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }

    /// Returns one of the files that differ, as a candidate has it, unless it is not there.
    pub fn file_in(&self, file: usize, candidate: &DeltaSet) -> Option<LaidOut> {
        self.laid_out(file as u32, candidate)
    }

    /// Returns all files of a candidate.
    pub fn version(&self, candidate: &DeltaSet) -> Version {
        let mut version = self.good.clone();
        for old in self.files.iter().filter_map(|file| file.old.as_ref()) {
            version.remove(&old.path);
        }
        for file in self.lay_out(candidate) {
            version.insert(file.path, Entry { kind: file.kind, content: file.content });
        }
        version
    }

    /// Returns the differences between two candidates. Takes time for the differing files only.
    pub fn differences(&self, from: &DeltaSet, to: &DeltaSet) -> Differences {
        let mut differences = Differences::default();
        let mut kept: BTreeSet<TreePath> = BTreeSet::new();
        let mut gone: BTreeSet<TreePath> = BTreeSet::new();
        for file in self.affected(from, to) {
            let before = self.laid_out(file, from);
            let after = self.laid_out(file, to);
            let path = |file: &Option<LaidOut>| file.as_ref().map(|file| file.path.clone());
            gone.extend(path(&before));
            kept.extend(path(&after));
            let is_new = |after: &LaidOut| !before.is_some_and(|before| before.is_same(after));
            differences.write.extend(after.filter(is_new));
        }
        differences.remove = gone.difference(&kept).cloned().collect();
        differences.write.sort_by(|a, b| a.path.cmp(&b.path));
        differences
    }

    /// Returns the files that may differ between two candidates, in order.
    pub(crate) fn affected(&self, from: &DeltaSet, to: &DeltaSet) -> BTreeSet<u32> {
        let mut affected = BTreeSet::new();
        for delta in from.minus(to).iter().chain(to.minus(from).iter()) {
            self.add_affected(delta, &mut affected);
        }
        let rivals: Vec<u32> =
            affected.iter().flat_map(|&file| self.rivals.of_file(file)).copied().collect();
        affected.extend(rivals);
        affected
    }

    fn add_affected(&self, delta: Delta, affected: &mut BTreeSet<u32>) {
        let mut last = None;
        for &grain in self.grains_of(delta) {
            let grain = self.grain(grain);
            if let Change::DirectoryRenamed(directory) = grain.change {
                let moves = |file: &Touched| {
                    [file.old_directory, file.new_directory].contains(&Some(directory))
                };
                affected
                    .extend((0..).zip(&self.files).filter(|(_, file)| moves(file)).map(|f| f.0));
            } else if last != Some(grain.file) {
                last = Some(grain.file);
                affected.insert(grain.file);
            }
        }
    }

    /// Returns a file as a candidate has it, unless it is not there.
    pub(crate) fn laid_out(&self, file: u32, candidate: &DeltaSet) -> Option<LaidOut> {
        let touched = &self.files[file as usize];
        let path = self.path_in(file, candidate)?;
        let takes = |grain: Option<u32>| grain.is_some_and(|grain| self.takes(candidate, grain));
        let whole = |entry: &Entry| (entry.kind, entry.content.clone());
        let (kind, content) = match (&touched.old, &touched.new) {
            (Some(old), Some(new)) => {
                let kind = if takes(touched.mode) { new.entry.kind } else { old.entry.kind };
                match &touched.text {
                    Some(text) => (kind, self.content(text, candidate)),
                    None if takes(touched.replaced) => whole(&new.entry),
                    None => (kind, old.entry.content.clone()),
                }
            }
            (None, Some(new)) => match &touched.text {
                Some(text) => (new.entry.kind, self.content(text, candidate)),
                None => whole(&new.entry),
            },
            (Some(old), None) => whole(&old.entry),
            (None, None) => return None,
        };
        Some(LaidOut { path, kind, content })
    }

    fn content(&self, text: &Text, candidate: &DeltaSet) -> Content {
        Content::bytes(self.text_of(text, candidate))
    }

    /// Returns the text of a file as a candidate has it.
    pub(crate) fn text_of(&self, text: &Text, candidate: &DeltaSet) -> Arc<[u8]> {
        let order = text.order.as_ref().filter(|order| !self.takes(candidate, order.grain));
        let taken = self.pieces(text).filter(|(grain, _)| self.takes(candidate, *grain));
        let mut taken = taken.map(|(_, piece)| piece).peekable();
        match order {
            None if taken.peek().is_none() => text.old.clone(),
            None => edited(text, 0..text.old.len(), taken).into(),
            Some(Reordering { order, .. }) if taken.peek().is_none() => order.good.clone(),
            Some(Reordering { order, .. }) => {
                let cells = cells(text, order, taken);
                let in_good = order.in_good();
                in_good.into_iter().flat_map(|at| &cells[at]).copied().collect()
            }
        }
    }

    /// Returns where a file is in a candidate, unless it is not there or another has its place.
    pub(crate) fn path_in(&self, file: u32, candidate: &DeltaSet) -> Option<TreePath> {
        let takes = |grain: u32| self.takes(candidate, grain);
        let path = self.wanted_path(file, &takes)?;
        let earlier = self.rivals.of_file(file).iter().filter(|&&rival| rival < file);
        let is_taken = earlier
            .filter_map(|&rival| self.wanted_path(rival, &takes))
            .any(|other| clash(&path, &other));
        (!is_taken).then_some(path)
    }
}

/// Returns the cells of a text that has another order, with some pieces.
fn cells<'a>(
    text: &Text,
    order: &MemberOrder,
    pieces: impl Iterator<Item = &'a Piece>,
) -> Vec<Vec<u8>> {
    let mut pieces = pieces.peekable();
    let cell = |(number, within): (usize, Range<u32>)| {
        let own = std::iter::from_fn(|| pieces.next_if(|piece| order.cell_of(piece) == number));
        edited(text, within.start as usize..within.end as usize, own)
    };
    order.moved().enumerate().map(cell).collect()
}

/// Returns a part of the old text with some pieces, all of which are in it.
fn edited<'a>(
    text: &Text,
    within: Range<usize>,
    pieces: impl Iterator<Item = &'a Piece>,
) -> Vec<u8> {
    let mut edited = Vec::with_capacity(within.len());
    let mut at = within.start;
    for piece in pieces {
        edited.extend_from_slice(&text.old[at..piece.old.start as usize]);
        edited.extend_from_slice(&text.new[piece.new.start as usize..piece.new.end as usize]);
        at = piece.old.end as usize;
    }
    edited.extend_from_slice(&text.old[at..within.end]);
    edited
}

impl LaidOut {
    /// Whether the file need not be written again.
    fn is_same(&self, other: &LaidOut) -> bool {
        self.path == other.path
            && self.kind == other.kind
            && self.content.same_as(&other.content) == Some(true)
    }
}
