//! A walk over the tree: what it looks at, and how far it has come.

use std::sync::Arc;

use crate::searches::sweep::cursor::Cursor;
use crate::{Delta, Tree, TreeCandidate};

/// Lists that hold less than one part in so many of the whole are not worth a walk of their own.
const HEAVY: u64 = 16;

/// Where a walk stands.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub(super) course: Course,
    pub(super) cursor: Cursor,
    /// A node that cannot go, as long as nothing below it explains that.
    pub(super) suspect: Option<Delta>,
    /// How many nodes a group holds in walks after the first.
    pub(super) stride: usize,
}

/// What a walk looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    /// The items of this list, and nothing below them.
    Items(Delta),
    /// Everything, not much of which has been asked about.
    First,
    /// Everything, most of which is needed.
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

    /// Returns the list whose items it looks at, if it does.
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
