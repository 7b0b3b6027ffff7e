//! Where a walk over a tree from right to left stands.

use crate::{Delta, DeltaSet, Tree};

/// A place in a walk that comes to a node before what is below it, and to the last child first.
///
/// Two nodes say it all, so a copy costs nothing and there is no stack to overflow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    /// The walk is done with this node and all that follow it.
    pub(super) end: Delta,
    /// The walk looks at what is below this node, which it has passed like all those above it;
    /// `None` before the root.
    pub(super) inside: Option<Delta>,
}

impl Cursor {
    /// Starts before the root.
    pub(super) fn new(tree: &Tree) -> Self {
        Cursor { end: Delta(tree.subtree(tree.root()).end), inside: None }
    }

    /// Starts below a node.
    pub(super) fn below(tree: &Tree, node: Delta) -> Self {
        Cursor { end: Delta(tree.subtree(node).end), inside: Some(node) }
    }

    /// Moves up to the next of the `pending` nodes that is wanted, and returns it. Where one is
    /// above another it is the upper one.
    pub(super) fn find(
        &mut self,
        tree: &Tree,
        pending: &DeltaSet,
        wanted: impl Fn(Delta) -> bool,
    ) -> Option<Delta> {
        loop {
            let last = pending.last_before(self.end)?;
            while let Some(inside) = self.inside
                && !tree.is_within(last, inside)
            {
                self.inside = tree.parent(inside);
            }
            let mut above = self.inside;
            while above != Some(last) {
                let node = above.map_or(tree.root(), |above| tree.child_towards(above, last));
                if pending.contains(node) && wanted(node) {
                    return Some(node);
                }
                above = Some(node);
            }
            self.end = last;
        }
    }
}
