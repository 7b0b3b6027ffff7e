//! A walk over the tree: which nodes it looks at, and how far it has come.

use std::sync::Arc;

use crate::searches::sweep::cursor::Cursor;
use crate::{Delta, Tree, TreeCandidate};

/// A list gets a walk of its own if it holds more than one part in this many of all that is
/// shown.
const HEAVY: u64 = 16;

/// The state of a walk.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub(super) course: Course,
    pub(super) cursor: Cursor,
    /// A node that cannot be left out, until a node below it explains why.
    pub(super) suspect: Option<Delta>,
    /// How many nodes a group holds in walks after the first.
    pub(super) stride: usize,
}

/// The nodes that a walk looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    /// The items of this list, and nothing below them.
    Items(Delta),
    /// All nodes, few of which have been asked about.
    First,
    /// All nodes, most of which are needed.
    Later,
}

impl Walk {
    pub(super) fn new(tree: &Tree, course: Course) -> Self {
        let cursor = match course {
            Course::Items(list) => Cursor::below(tree, list),
            Course::First | Course::Later => Cursor::new(tree),
        };
        Walk { course, cursor, suspect: None, stride: 1 }
    }

    /// Returns the node that a group must not reach beyond, if there is one.
    pub(super) fn bounds(&self) -> Option<Delta> {
        match self.course {
            Course::Items(list) => Some(list),
            Course::First | Course::Later => self.suspect,
        }
    }
}

impl Course {
    pub(super) fn looks_into(self) -> bool {
        !matches!(self, Course::Items(_))
    }

    /// Returns the list, if the walk looks at the items of one.
    pub(super) fn list(self) -> Option<Delta> {
        match self {
            Course::Items(list) => Some(list),
            Course::First | Course::Later => None,
        }
    }
}

/// Returns the lists that hold much of what is shown, the heaviest one last.
pub(super) fn heavy_lists(tree: &Tree, current: &TreeCandidate) -> Arc<[Delta]> {
    let least = current.weight(tree) / HEAVY;
    let lists = current.kept().iter().filter(|&node| tree.facts(node).list.is_some());
    let mut heavy: Vec<(u64, Delta)> = lists
        .map(|list| (current.weight_below(tree, list), list))
        .filter(|&(weight, _)| weight > least)
        .collect();
    heavy.sort_unstable();
    heavy.into_iter().map(|(_, list)| list).collect()
}
