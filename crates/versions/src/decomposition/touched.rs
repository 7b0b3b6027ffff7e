//! One file that differs: both of its ends, and the grains that lead from one to the other.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use whodunit_files::{Entry, TreePath};

use super::MemberOrder;
use crate::syntax_facts::{FactsOfBoth, SyntaxFacts};

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
    /// The text of the good version, in the order of the bad one if that is another.
    pub(crate) old: Arc<[u8]>,
    pub(crate) new: Arc<[u8]>,
    pub(crate) order: Option<Reordering>,
    /// The grains of its pieces.
    pub(crate) pieces: Range<u32>,
    /// Facts from its syntax; read when first needed if there was too much to parse.
    pub(crate) facts: OnceLock<Arc<FactsOfBoth>>,
}

/// The order of a text in both versions, and the grain that changes it.
#[derive(Clone, Debug)]
pub(crate) struct Reordering {
    pub(crate) grain: u32,
    pub(crate) order: Arc<MemberOrder>,
}

impl Text {
    /// Returns where lines of the old text are in the good version.
    pub(crate) fn good_lines(&self, lines: &Range<u32>) -> Range<u32> {
        match &self.order {
            Some(reordering) => reordering.order.good_lines(lines),
            None => lines.clone(),
        }
    }

    /// Returns the syntax facts of the good version's text, if it was parsed.
    pub(crate) fn old_facts(&self) -> Option<&SyntaxFacts> {
        self.facts.get()?.old.as_ref()
    }

    /// Returns the syntax facts of the bad version's text, if it was parsed.
    pub(crate) fn new_facts(&self) -> Option<&SyntaxFacts> {
        self.facts.get()?.new.as_ref()
    }
}
