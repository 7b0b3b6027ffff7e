//! The deltas between two versions, in order, with a description of each.
//!
//! Inside there are *grains*, the finest parts, and deltas are made of them: at the level of lines
//! each is one, at coarser levels a delta is several. Grains lie in the order folder, file, place.

mod changed;
mod count;
mod describe;
mod levels;
mod order;
mod quiet;
mod reach;
mod refine;
mod rivals;
mod tokens;
mod touched;

use std::ops::Range;
use std::sync::Arc;

use whodunit_core::{Delta, DeltaSet};

pub use changed::{ChangedFile, ChangedText};
pub use count::Counts;
pub use describe::{ChangeKind, Part};
pub(crate) use levels::Deltas;
pub use levels::{Boundary, Level};
pub(crate) use order::{MemberOrder, is_shuffled};
pub(crate) use rivals::{Rivals, clash, deciding_grains};
pub(crate) use tokens::cut_into_tokens;
pub(crate) use touched::{End, Reordering, Text, Touched};

use whodunit_files::{TreePath, Version};

use crate::lines::Hunk;
use crate::parallel;
use crate::syntax_facts::FactsOfBoth;

/// The difference between two versions as deltas.
///
/// A candidate is the set of the deltas that are taken from the bad version: the empty set is the
/// good version, the full set the bad one, and every set can be laid out.
#[derive(Debug)]
pub struct Decomposition {
    pub(crate) good: Version,
    pub(crate) directories: Vec<DirectoryRename>,
    pub(crate) files: Vec<Arc<Touched>>,
    pub(crate) grains: Vec<Grain>,
    /// The names of items; an item is known by its file and its name.
    pub(crate) items: Vec<Arc<str>>,
    pub(crate) rivals: Rivals,
    /// The grains of the renamed folders.
    pub(crate) directory_grains: Vec<u32>,
    pub(crate) deltas: Deltas,
}

/// A folder that has another name in the bad version.
///
/// Nothing is left at the old name, and nothing was at the new one before: a file of the folder,
/// be it changed, added or removed, can be laid out under either name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryRename {
    /// Its name in the good version.
    pub from: TreePath,
    /// Its name in the bad version.
    pub to: TreePath,
}

/// Old text and the new text in its place, as bytes and as lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The bytes of the old text, which is in the order of the new one.
    pub old: Range<u32>,
    /// The bytes of the new text.
    pub new: Range<u32>,
    /// The lines of the old text, counted from 0.
    pub old_lines: Range<u32>,
    /// The lines of the new text, counted from 0.
    pub new_lines: Range<u32>,
}

/// The finest part of a difference.
#[derive(Clone, Debug)]
pub(crate) struct Grain {
    pub(crate) change: Change,
    /// Its file; a renamed folder has none.
    pub(crate) file: u32,
    /// The folder that it is in.
    pub(crate) folder: u32,
    pub(crate) item: u32,
    pub(crate) hunk: u32,
    /// The tokens of one changed line share a number.
    pub(crate) line: u32,
}

/// Stands for no file, item or hunk.
pub(crate) const NONE: u32 = u32::MAX;

/// The change that a grain makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// A folder, by its number, has another name.
    DirectoryRenamed(u32),
    /// There is a file; if it is a text, its lines are grains of their own.
    Added,
    Deleted,
    Renamed,
    /// Its executable bit changed.
    Mode,
    /// Its whole content changed.
    Replaced,
    /// The members of a text are in another order.
    Reordered,
    Text(Piece),
}

impl Decomposition {
    /// Returns how many deltas there are.
    pub fn len(&self) -> usize {
        self.deltas.starts.len() - 1
    }

    /// Returns whether the versions do not differ.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the set of all deltas: the bad version.
    pub fn all(&self) -> DeltaSet {
        DeltaSet::full(self.len())
    }

    /// Returns the good version.
    pub fn good(&self) -> &Version {
        &self.good
    }

    /// Returns the folders that have another name in the bad version.
    pub fn renamed_directories(&self) -> &[DirectoryRename] {
        &self.directories
    }

    /// Returns how many files differ; they are numbered in order.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// Returns the path of a file in the good and in the bad version.
    pub fn paths(&self, file: usize) -> (Option<&TreePath>, Option<&TreePath>) {
        let file = &self.files[file];
        (file.old.as_ref().map(|end| &end.path), file.new.as_ref().map(|end| &end.path))
    }

    /// Returns the deltas of a file, without those of the folders that it is in.
    pub fn deltas_of_file(&self, file: usize) -> DeltaSet {
        self.files[file].grains.clone().map(|grain| self.delta_of(grain)).collect()
    }

    /// Returns the deltas on which it depends how a candidate has a file: its own, those of folders, and
    /// those that put another file in its place.
    pub fn deltas_deciding(&self, file: usize) -> DeltaSet {
        let file = file as u32;
        let rivals = self.rivals.of_file(file).iter().copied();
        let places = rivals.chain([file]).flat_map(|it| deciding_grains(self, it));
        let own = self.files[file as usize].grains.clone();
        own.chain(places).map(|grain| self.delta_of(grain)).collect()
    }

    pub(crate) fn delta_of(&self, grain: u32) -> Delta {
        Delta(self.deltas.of_grain[grain as usize])
    }

    pub(crate) fn grains_of(&self, delta: Delta) -> &[u32] {
        let starts = &self.deltas.starts[delta.0 as usize..];
        &self.deltas.members[starts[0] as usize..starts[1] as usize]
    }

    pub(crate) fn grain(&self, grain: u32) -> &Grain {
        &self.grains[grain as usize]
    }

    /// Whether a grain is taken from the bad version.
    pub(crate) fn takes(&self, candidate: &DeltaSet, grain: u32) -> bool {
        candidate.contains(self.delta_of(grain))
    }

    /// Parses the files of some deltas that were not parsed yet.
    pub(crate) fn look_at_syntax(&self, deltas: &DeltaSet) {
        let is_put_off = |text: &Text| {
            text.facts.get().is_none() && text.pieces.clone().any(|grain| self.takes(deltas, grain))
        };
        let files = self.files.iter().filter(|file| file.text.as_ref().is_some_and(is_put_off));
        let files: Vec<&Touched> = files.map(|file| &**file).collect();
        parallel::map(&files, |file| {
            let (Some(text), Some(new)) = (&file.text, &file.new) else { return };
            let hunk = |(_, piece): (u32, &Piece)| Hunk {
                old: piece.old_lines.clone(),
                new: piece.new_lines.clone(),
            };
            // An added file has the language of the file that it was copied from.
            let old = match &file.old {
                Some(end) => Some((&end.path, &text.old)),
                None => (!text.old.is_empty()).then_some((&new.path, &text.old)),
            };
            let changes: Vec<Hunk> = self.pieces(text).map(hunk).collect();
            let facts = || Arc::new(FactsOfBoth::of(old, (&new.path, &text.new), &changes));
            text.facts.get_or_init(facts);
        });
    }

    /// Returns the pieces of a text in order, with their grains.
    pub(crate) fn pieces<'a>(
        &'a self,
        text: &'a Text,
    ) -> impl DoubleEndedIterator<Item = (u32, &'a Piece)> {
        let range: Range<u32> = text.pieces.clone();
        range.filter_map(|grain| match &self.grain(grain).change {
            Change::Text(piece) => Some((grain, piece)),
            _ => None,
        })
    }
}
