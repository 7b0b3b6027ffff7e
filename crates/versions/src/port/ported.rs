//! The result of putting a patch onto a foreign version: the outcome of each part, and the new
//! version.

use std::ops::Range;

use whodunit_core::DeltaSet;
use whodunit_files::{TreePath, Version};

use super::ladder::Rung;

/// The result of putting a patch onto a foreign version.
#[derive(Clone, Debug)]
pub struct Ported {
    pub(super) version: Version,
    pub(super) parts: Vec<PortedPart>,
}

/// A part of a patch, with its outcome on the foreign version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortedPart {
    /// The deltas of the patch in it. At levels coarser than hunks, several parts have the same.
    pub deltas: DeltaSet,
    /// The file, as it is called in the version that the patch was made for.
    pub path: TreePath,
    /// The lines that it replaces there, counted from 1; none if it only adds, or is about the
    /// file as a whole.
    pub lines: Range<u32>,
    /// Its outcome.
    pub outcome: Outcome,
}

/// The outcome of a part of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the version that came out.
    Applied {
        /// How its place was found.
        rung: Rung,
        /// The file of the foreign version that it was applied to.
        path: TreePath,
    },
    /// The foreign version had it already.
    AlreadyThere,
    /// It was left out.
    Conflict(Conflict),
}

/// Why a part of a patch was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Conflict {
    /// The file is missing, and it is unknown where it went.
    NoFile,
    /// The lines that it changes are others, or two parts want the same ones.
    Text,
    /// The foreign version has another content that is not a text: binary data, a link, a
    /// submodule, or another kind of file.
    Content,
    /// Its executable bit changed in the foreign version for another reason.
    Mode,
    /// The file was renamed to something else, or another one has the name.
    Path,
}

impl Ported {
    /// Returns the parts of the patch with their outcomes, in the order of its files.
    pub fn parts(&self) -> &[PortedPart] {
        &self.parts
    }

    /// Returns the foreign version with the patch, if all of it was applied or was there.
    pub fn whole(&self) -> Option<&Version> {
        self.conflicting().is_empty().then_some(&self.version)
    }

    /// Returns the foreign version with the applicable parts of the patch.
    pub fn partial(&self) -> &Version {
        &self.version
    }

    /// Returns the deltas that were left out, or of which some part was.
    pub fn conflicting(&self) -> DeltaSet {
        self.with(|outcome| matches!(outcome, Outcome::Conflict(_)))
    }

    /// Returns the least certain rung on which a part found its place; `None` if no part was
    /// placed.
    pub fn rung(&self) -> Option<Rung> {
        let rung = |part: &PortedPart| match part.outcome {
            Outcome::Applied { rung, .. } => Some(rung),
            _ => None,
        };
        self.parts.iter().filter_map(rung).max()
    }

    fn with(&self, is_meant: impl Fn(&Outcome) -> bool) -> DeltaSet {
        let meant = self.parts.iter().filter(|part| is_meant(&part.outcome));
        meant.flat_map(|part| part.deltas.iter()).collect()
    }
}
