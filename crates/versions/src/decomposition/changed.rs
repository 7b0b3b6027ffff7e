//! The files that differ, each with the deltas that lead from one version of it to the other.

use std::ops::Range;
use std::sync::Arc;

use whodunit_core::Delta;
use whodunit_files::{Entry, TreePath};

use super::{Change, Decomposition, DirectoryRename, Piece, Text, Touched};

/// A file that differs.
#[derive(Clone, Copy, Debug)]
pub struct ChangedFile<'a> {
    parts: &'a Decomposition,
    file: &'a Touched,
}

/// A text that differs.
#[derive(Clone, Copy, Debug)]
pub struct ChangedText<'a> {
    parts: &'a Decomposition,
    text: &'a Text,
}

impl Decomposition {
    /// Returns the files that differ, in order.
    pub fn changed_files(&self) -> impl ExactSizeIterator<Item = ChangedFile<'_>> {
        self.files.iter().map(|file| ChangedFile { parts: self, file })
    }

    /// Returns a file that differs, by its number.
    pub fn changed_file(&self, file: usize) -> Option<ChangedFile<'_>> {
        self.files.get(file).map(|file| ChangedFile { parts: self, file })
    }

    /// Returns the deltas that rename folders.
    pub fn directory_deltas(&self) -> impl Iterator<Item = (Delta, &DirectoryRename)> {
        self.directory_grains.iter().filter_map(|&grain| match self.grain(grain).change {
            Change::DirectoryRenamed(directory) => {
                Some((self.delta_of(grain), &self.directories[directory as usize]))
            }
            _ => None,
        })
    }

    /// Returns the pieces of text that a delta is made of.
    pub fn pieces_of(&self, delta: Delta) -> impl Iterator<Item = &Piece> {
        self.grains_of(delta).iter().filter_map(|&grain| match &self.grain(grain).change {
            Change::Text(piece) => Some(piece),
            _ => None,
        })
    }
}

impl<'a> ChangedFile<'a> {
    /// Returns the file of the good version.
    pub fn good(self) -> Option<(&'a TreePath, &'a Entry)> {
        self.file.old.as_ref().map(|end| (&end.path, &end.entry))
    }

    /// Returns the file of the bad version.
    pub fn bad(self) -> Option<(&'a TreePath, &'a Entry)> {
        self.file.new.as_ref().map(|end| (&end.path, &end.entry))
    }

    /// Returns the delta by which the file comes.
    pub fn added(self) -> Option<Delta> {
        self.delta(self.file.added)
    }

    /// Returns the delta that deletes the file.
    pub fn deleted(self) -> Option<Delta> {
        self.delta(self.file.deleted)
    }

    /// Returns the delta that gives the file another name.
    pub fn renamed(self) -> Option<Delta> {
        self.delta(self.file.renamed)
    }

    /// Returns the delta that changes the executable bit.
    pub fn mode(self) -> Option<Delta> {
        self.delta(self.file.mode)
    }

    /// Returns the delta that replaces all of the file.
    pub fn replaced(self) -> Option<Delta> {
        self.delta(self.file.replaced)
    }

    /// Returns the text that differs, if the file is one.
    pub fn text(self) -> Option<ChangedText<'a>> {
        self.file.text.as_ref().map(|text| ChangedText { parts: self.parts, text })
    }

    fn delta(self, grain: Option<u32>) -> Option<Delta> {
        grain.map(|grain| self.parts.delta_of(grain))
    }
}

impl<'a> ChangedText<'a> {
    /// Returns the text of the good version, in the order of the bad one if that is another.
    pub fn before(self) -> &'a Arc<[u8]> {
        &self.text.old
    }

    /// Returns the text of the bad version.
    pub fn after(self) -> &'a Arc<[u8]> {
        &self.text.new
    }

    /// Returns the delta that puts the text into another order.
    pub fn reordered(self) -> Option<Delta> {
        self.text.order.as_ref().map(|reordering| self.parts.delta_of(reordering.grain))
    }

    /// Returns the pieces that differ, in order, each with its delta.
    pub fn pieces(self) -> impl DoubleEndedIterator<Item = (Delta, &'a Piece)> {
        self.parts.pieces(self.text).map(move |(grain, piece)| (self.parts.delta_of(grain), piece))
    }

    /// Returns where lines of the text before are in the good version.
    pub fn good_lines(self, lines: &Range<u32>) -> Range<u32> {
        self.text.good_lines(lines)
    }
}
