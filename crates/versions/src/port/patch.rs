//! A patch as a value: some deltas between two versions, with all that is needed to put them onto
//! a third.

use std::sync::Arc;

use whodunit_core::{Delta, DeltaSet};
use whodunit_files::{ReadError, TreePath, Version};
use whodunit_syntax::is_binary;

use crate::decomposition::Piece;
use crate::decomposition::{Decomposition, Touched};
use crate::layout::LaidOut;
use crate::lines::{Lines, hunks};
use crate::patch::patch;

/// Chosen deltas between two versions, kept apart from their decomposition.
///
/// Texts are shared with it, not copied.
#[derive(Clone, Debug)]
pub struct Patch {
    /// The version that it was made for.
    pub(super) base: Version,
    pub(super) deltas: DeltaSet,
    pub(super) files: Vec<FilePatch>,
}

/// The change of one file.
#[derive(Clone, Debug)]
pub(super) struct FilePatch {
    pub(super) before: Option<LaidOut>,
    pub(super) after: Option<LaidOut>,
    /// The deltas by the kind of change: all that are not listed are parts of the text.
    pub(super) existence: DeltaSet,
    pub(super) path: DeltaSet,
    pub(super) mode: DeltaSet,
    pub(super) content: DeltaSet,
    /// The change of its text, if it is a text before and after.
    pub(super) text: Option<TextPatch>,
}

/// The change of a text.
#[derive(Clone, Debug)]
pub(super) struct TextPatch {
    pub(super) old: Arc<[u8]>,
    /// The text of the bad version, which may have more than the patch takes.
    pub(super) new: Arc<[u8]>,
    /// In order; no two overlap.
    pub(super) chosen: Vec<Chosen>,
}

/// A piece of a text that the patch takes.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    pub(super) piece: Piece,
    pub(super) delta: Delta,
}

impl Chosen {
    /// Returns it in a part of the old text that begins at this byte, on this line.
    pub(super) fn within(&self, byte: u32, line: u32) -> Chosen {
        let Piece { old, new, old_lines, new_lines } = &self.piece;
        let piece = Piece {
            old: old.start - byte..old.end - byte,
            new: new.clone(),
            old_lines: old_lines.start - line..old_lines.end - line,
            new_lines: new_lines.clone(),
        };
        Chosen { piece, delta: self.delta }
    }
}

/// How large a patch is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatchSize {
    /// Files that it touches.
    pub files: usize,
    /// Runs of changed lines in them.
    pub hunks: usize,
    /// Lines that come and lines that go.
    pub lines: usize,
}

impl Patch {
    /// Takes some deltas of a decomposition as a patch on its good version.
    pub fn of(decomposition: &Decomposition, deltas: &DeltaSet) -> Patch {
        let none = DeltaSet::empty();
        let of_file = |file: u32| FilePatch::of(decomposition, file, deltas);
        let files = decomposition.affected(&none, deltas).into_iter().filter_map(of_file);
        Patch { base: decomposition.good().clone(), deltas: deltas.clone(), files: files.collect() }
    }

    /// Returns the deltas it was made of, as their decomposition numbers them.
    pub fn deltas(&self) -> &DeltaSet {
        &self.deltas
    }

    /// Returns the version it was made for.
    pub fn base(&self) -> &Version {
        &self.base
    }

    /// Returns whether it does nothing.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the path of each file that it touches, before and after it.
    pub fn paths(&self) -> impl Iterator<Item = (Option<&TreePath>, Option<&TreePath>)> {
        self.files.iter().map(|file| {
            (file.before.as_ref().map(|it| &it.path), file.after.as_ref().map(|it| &it.path))
        })
    }

    /// Returns it in git's format.
    pub fn to_text(&self) -> Result<Vec<u8>, ReadError> {
        patch(self.files.iter().map(|file| (file.before.clone(), file.after.clone())).collect())
    }

    /// Counts its files, hunks and lines. A file that is not a text counts as a file only.
    pub fn size(&self) -> Result<PatchSize, ReadError> {
        let mut size = PatchSize { files: self.files.len(), hunks: 0, lines: 0 };
        for file in &self.files {
            let read = |end: &Option<LaidOut>| match end {
                Some(end) if end.kind.is_file() => end.content.read_at(&end.path),
                _ => Ok(Arc::from([])),
            };
            let (old, new) = (read(&file.before)?, read(&file.after)?);
            if is_binary(&old) || is_binary(&new) {
                continue;
            }
            for hunk in hunks(&Lines::of(&old), &Lines::of(&new)) {
                size.hunks += 1;
                size.lines += hunk.old.len() + hunk.new.len();
            }
        }
        Ok(size)
    }
}

impl FilePatch {
    fn of(decomposition: &Decomposition, file: u32, deltas: &DeltaSet) -> Option<FilePatch> {
        let touched: &Touched = &decomposition.files[file as usize];
        let before = decomposition.laid_out(file, &DeltaSet::empty());
        let after = decomposition.laid_out(file, deltas);
        let directories = [touched.old_directory, touched.new_directory];
        let directories = directories.into_iter().flatten();
        let directories = directories.map(|at| decomposition.directory_grains[at as usize]);
        let taken = |grains: &[Option<u32>]| -> DeltaSet {
            let grains = grains.iter().flatten().copied();
            let deltas = grains.filter(|&grain| decomposition.takes(deltas, grain));
            deltas.map(|grain| decomposition.delta_of(grain)).collect()
        };
        let path: Vec<Option<u32>> = directories.map(Some).chain([touched.renamed]).collect();
        let mut existence = taken(&[touched.added, touched.deleted]);
        let chosen: Vec<Chosen> = touched
            .text
            .iter()
            .flat_map(|text| decomposition.pieces(text))
            .filter(|(grain, _)| decomposition.takes(deltas, *grain))
            .map(|(grain, piece)| Chosen {
                piece: piece.clone(),
                delta: decomposition.delta_of(grain),
            })
            .collect();
        let stays = before.is_some() && after.is_some();
        if !stays {
            // A file is added or deleted as a whole.
            existence = existence.union(&chosen.iter().map(|chosen| chosen.delta).collect());
        }
        let order = touched.text.as_ref().and_then(|text| text.order.as_ref());
        let mut content = taken(&[touched.replaced, order.map(|order| order.grain)]);
        if order.is_some() {
            // A text in another order is replaced as a whole: its pieces are not in the order of
            // the old text.
            content = content.union(&chosen.iter().map(|chosen| chosen.delta).collect());
        }
        let is_cut = stays && !chosen.is_empty() && order.is_none();
        let text = touched.text.as_ref().filter(|_| is_cut);
        let text =
            text.map(|text| TextPatch { old: text.old.clone(), new: text.new.clone(), chosen });
        let file = FilePatch {
            existence,
            path: taken(&path),
            mode: taken(&[touched.mode]),
            content,
            text,
            before,
            after,
        };
        (!file.does_nothing()).then_some(file)
    }

    /// Whether no part changes the file.
    fn does_nothing(&self) -> bool {
        match (&self.before, &self.after) {
            (None, None) => true,
            (Some(before), Some(after)) => {
                before.path == after.path
                    && before.kind == after.kind
                    && self.text.is_none()
                    && self.content.is_empty()
            }
            _ => false,
        }
    }
}
