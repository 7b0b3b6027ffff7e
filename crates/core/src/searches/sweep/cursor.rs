//! Where a walk over a tree from right to left stands.

use crate::{Delta, DeltaSet, Tree};

/// A place in a walk that visits a node before the nodes below it, and children from last to
/// first.
///
/// Two nodes describe the place, so a copy costs nothing and there is no stack to overflow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    /// The walk is done with this node and all that follow it.
    pub(super) end: Delta,
    /// The walk looks at the nodes below this one, which it has passed like all those above it;
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

    /// Moves up to the next of the `pending` nodes that is `wanted`, and returns it: an upper
    /// node before those below it. Looks no further than the node `bounds`, if given.
    pub(super) fn find(
        &mut self,
        tree: &Tree,
        pending: &DeltaSet,
        bounds: Option<Delta>,
        wanted: impl Fn(Delta) -> bool,
    ) -> Option<Delta> {
        let climb = |mut from: Option<Delta>, last: Delta| {
            while let Some(inside) = from
                && !tree.is_within(last, inside)
            {
                from = tree.parent(inside);
            }
            from
        };
        // This node and all above it are known not to be wanted. Asking again for every node
        // below them would be quadratic in a deeply nested tree.
        let mut above = self.inside;
        loop {
            let last = pending.last_before(self.end)?;
            if bounds.is_some_and(|bounds| !tree.is_within(last, bounds)) {
                return None;
            }
            self.inside = climb(self.inside, last);
            above = climb(above, last);
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::Facts;

    #[test]
    fn each_node_of_deep_nesting_is_looked_at_once() {
        let mut builder = Tree::builder();
        for _ in 0..1_000 {
            builder.open(Facts::fixed(1));
        }
        for _ in 0..1_000 {
            builder.close();
        }
        let tree = builder.build();
        let looks = Cell::new(0);
        let wanted = |_| {
            looks.set(looks.get() + 1);
            false
        };
        let mut cursor = Cursor::new(&tree);
        assert_eq!(cursor.find(&tree, &DeltaSet::full(tree.len()), None, wanted), None);
        assert_eq!(looks.get(), tree.len());
    }
}
