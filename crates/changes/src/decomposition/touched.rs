//! One file that differs: both of its ends, and the grains that lead from one to the other.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::outline::{Outline, Outlines};
use crate::version::{Entry, TreePath};

/// A file that differs.
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    pub(crate) old: Option<End>,
    pub(crate) new: Option<End>,
    /// The renamed folder that the old path lies in.
    pub(crate) old_directory: Option<u32>,
    /// The renamed folder that the new path lies in.
    pub(crate) new_directory: Option<u32>,
    pub(crate) added: Option<u32>,
    pub(crate) deleted: Option<u32>,
    pub(crate) renamed: Option<u32>,
    pub(crate) mode: Option<u32>,
    pub(crate) replaced: Option<u32>,
    pub(crate) text: Option<Text>,
    /// All grains of the file.
    pub(crate) grains: Range<u32>,
}

/// One end of a file.
#[derive(Clone, Debug)]
pub(crate) struct End {
    pub(crate) path: TreePath,
    pub(crate) entry: Entry,
}

/// A text that differs.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) old: Arc<[u8]>,
    pub(crate) new: Arc<[u8]>,
    /// The grains of its pieces.
    pub(crate) pieces: Range<u32>,
    /// What its syntax tells; found when first needed if there was too much to parse.
    pub(crate) outlines: OnceLock<Arc<Outlines>>,
}

impl Text {
    /// Returns what the syntax of the good version's text tells, as far as it was looked at.
    pub(crate) fn old_outline(&self) -> Option<&Outline> {
        self.outlines.get()?.old.as_ref()
    }

    /// Returns what the syntax of the bad version's text tells, as far as it was looked at.
    pub(crate) fn new_outline(&self) -> Option<&Outline> {
        self.outlines.get()?.new.as_ref()
    }
}
