//! The edits of a shown node, and which of them are worth asking about.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::ops::Range;

use crate::{Delta, Removal, Tree, TreeCandidate};

/// How many levels below a node its substitutes are searched, as in Perses.
const REACH: usize = 4;

/// At most this many substitutes for a node are asked about. In a long list every item may be one,
/// and hardly any will do; the heaviest are the likeliest.
const SUBSTITUTES: usize = 4;

/// A substitute must hold at least one part in this many of what the node holds. Removing more at
/// once succeeds so rarely that it is cheaper to remove the rest bit by bit first.
const PARTS: u64 = 3;

/// One change to a [`TreeCandidate`]. It never leaves more tokens, and it leaves fewer nodes shown
/// as themselves, or as many of those and fewer minimal strings: so any sequence of edits ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edit {
    /// Leaves a node out, with all below it.
    Drop(Delta),
    /// Shows the minimal string of a node's place instead of it.
    Shrink(Delta),
    /// Shows a descendant in a node's place.
    Hoist {
        /// The node that is removed.
        node: Delta,
        /// The descendant that takes its place.
        shown: Delta,
    },
    /// Shows the items of a list in the place of the item that holds the list.
    Splice {
        /// The item that is removed.
        node: Delta,
        /// The list, below the item or the item itself.
        list: Delta,
    },
}

impl Edit {
    /// Returns the node that is removed.
    pub fn node(self) -> Delta {
        match self {
            Edit::Drop(node) | Edit::Shrink(node) => node,
            Edit::Hoist { node, .. } | Edit::Splice { node, .. } => node,
        }
    }

    /// Adds the ranges that the edit hides.
    pub(super) fn hide(self, tree: &Tree, hidden: &mut Vec<Range<u32>>) {
        match self {
            Edit::Drop(node) | Edit::Shrink(node) => hidden.push(tree.subtree(node)),
            Edit::Hoist { node, shown } => {
                hidden.push(node.0..shown.0);
                hidden.push(tree.subtree(shown).end..tree.subtree(node).end);
            }
            Edit::Splice { node, list } => {
                hidden.push(node.0..list.0 + 1);
                let others = tree.children(list).iter().filter(|&&child| !is_free(tree, child));
                hidden.extend(others.map(|&other| tree.subtree(other)));
                hidden.push(tree.subtree(list).end..tree.subtree(node).end);
            }
        }
    }
}

impl TreeCandidate {
    /// Returns the edit that leaves a shown node out: drops it or, where something must remain,
    /// shrinks it. `None` if the node is fixed, or lighter than its minimal string.
    pub fn leave_out(&self, tree: &Tree, node: Delta) -> Option<Edit> {
        match self.removal(tree, node) {
            Removal::Free | Removal::Either(_) => Some(Edit::Drop(node)),
            Removal::Minimal(_) => self.shrink(tree, node),
            Removal::Fixed => None,
        }
    }

    /// Returns the edit that shows the minimal string of a kept node, if it has one that is no
    /// heavier than what is shown of the node.
    pub fn shrink(&self, tree: &Tree, node: Delta) -> Option<Edit> {
        let minimal = self.removal(tree, node).minimal()?;
        let lighter = u64::from(minimal) <= self.weight_below(tree, node);
        (self.kept().contains(node) && lighter).then_some(Edit::Shrink(node))
    }

    /// Returns the edit that shrinks a node which could also be dropped, if there is one.
    pub fn shrink_instead(&self, tree: &Tree, node: Delta) -> Option<Edit> {
        self.shrink(tree, node).filter(|_| self.removal(tree, node).is_free())
    }

    /// Returns the edits that show a near descendant, of a kind that may stand there, in a node's
    /// place; the lightest descendant first.
    pub fn hoists(&self, tree: &Tree, node: Delta) -> Vec<Edit> {
        let place = tree.facts(self.place(node)).place;
        let fits = |below: &Delta| tree.may_stand(place, tree.facts(*below).kind);
        let near = self.near(tree, node, |_| true);
        let kept = near.into_iter().filter(|below| self.kept().contains(*below));
        let mut weighed: Vec<(u64, Delta)> =
            kept.filter(fits).map(|below| (self.weight_below(tree, below), below)).collect();
        let enough = self.weight_below(tree, node).div_ceil(PARTS);
        weighed.retain(|&(weight, _)| weight >= enough);
        weighed.sort_unstable_by_key(|&(weight, below)| (Reverse(weight), below));
        weighed.truncate(SUBSTITUTES);
        weighed.into_iter().rev().map(|(_, shown)| Edit::Hoist { node, shown }).collect()
    }

    /// Returns the edits that replace a list item by the items of a list within it.
    pub fn splices(&self, tree: &Tree, node: Delta) -> Vec<Edit> {
        let place = self.place(node);
        let sort = tree.parent(place).and_then(|parent| tree.facts(parent).list);
        if sort.is_none() || !is_free(tree, place) || !self.kept().contains(node) {
            return Vec::new();
        }
        let is_list = |below: Delta| tree.facts(below).list == sort;
        // Lists further in can follow when the items of this one are spliced.
        let near = self.near(tree, node, |below| !is_list(below));
        let shows_items = |list: &Delta| {
            let mut items = tree.children(*list).iter().filter(|&&item| is_free(tree, item));
            items.any(|&item| self.shows_within(tree, item))
        };
        let lists = std::iter::once(node).chain(near);
        let lists = lists.filter(|&below| is_list(below)).filter(shows_items);
        lists.take(SUBSTITUTES).map(|list| Edit::Splice { node, list }).collect()
    }

    /// Returns all edits of a shown node other than leaving it out, in the order of asking.
    pub fn in_place(&self, tree: &Tree, node: Delta) -> Vec<Edit> {
        let mut edits = Vec::from_iter(self.shrink_instead(tree, node));
        edits.extend(self.hoists(tree, node));
        edits.extend(self.splices(tree, node));
        edits
    }

    /// Returns the nodes shown at most [`REACH`] levels below a node, level by level, without
    /// looking below nodes that are not to be `passed`.
    fn near(&self, tree: &Tree, node: Delta, passed: impl Fn(Delta) -> bool) -> Vec<Delta> {
        let mut found = Vec::new();
        let mut ahead = VecDeque::from([(node, 0)]);
        while let Some((next, depth)) = ahead.pop_front() {
            if depth > 0 {
                found.push(next);
            }
            if depth < REACH && passed(next) {
                ahead.extend(self.children(tree, next).map(|child| (child, depth + 1)));
            }
        }
        found
    }
}

fn is_free(tree: &Tree, node: Delta) -> bool {
    tree.facts(node).removal.is_free()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::trees::{Named, tree};

    fn edited(named: &Named, edits: &[Edit]) -> String {
        let whole = TreeCandidate::whole(&named.tree);
        let edit = |current: TreeCandidate, edit| current.with(&named.tree, [edit]);
        named.row(&edits.iter().fold(whole, edit))
    }

    #[test]
    fn only_kinds_that_fit_are_hoisted_and_the_lightest_is_first() {
        let named = tree("a:e!(b:e!(c:e! d:f!) e:e!(f:e! g:f! h:f!))");
        let [a, b, e] = ["a", "b", "e"].map(|name| named.node(name));
        let hoists = TreeCandidate::whole(&named.tree).hoists(&named.tree, a);
        // Only descendants of a third of the weight or more.
        assert_eq!(hoists, [b, e].map(|shown| Edit::Hoist { node: a, shown }));
        assert_eq!(edited(&named, &hoists[..1]), "b(c d)");
    }

    #[test]
    fn a_hoisted_node_goes_by_the_rules_of_its_place() {
        // An item of a list stands where something must be.
        let named = tree("if(body:s!(item:s))");
        let [body, item] = ["body", "item"].map(|name| named.node(name));
        let hoist = Edit::Hoist { node: body, shown: item };
        let hoisted = TreeCandidate::whole(&named.tree).with(&named.tree, [&hoist]);
        assert_eq!(named.row(&hoisted), "if(item)");
        assert_eq!(hoisted.place(item), body);
        assert_eq!(hoisted.leave_out(&named.tree, item), Some(Edit::Shrink(item)));
        assert_eq!(edited(&named, &[hoist, Edit::Shrink(item)]), "if(0)");
    }

    #[test]
    fn only_items_of_the_list_are_spliced() {
        let named = tree("a if(test! body=[b c= d]) e");
        let [whole, body] = ["if", "body"].map(|name| named.node(name));
        let splice = Edit::Splice { node: whole, list: body };
        assert_eq!(TreeCandidate::whole(&named.tree).splices(&named.tree, whole), [splice]);
        assert_eq!(edited(&named, &[splice]), "a b d e");
        assert_eq!(edited(&named, &[Edit::Drop(named.node("b")), splice]), "a d e");
    }

    #[test]
    fn nothing_is_shrunk_to_something_heavier() {
        let mut builder = Tree::builder();
        builder.open(crate::Facts::minimal(1, 2)).leaf(crate::Facts::free(1));
        let tree = builder.build();
        let whole = TreeCandidate::whole(&tree);
        assert_eq!(whole.leave_out(&tree, Delta(1)), Some(Edit::Shrink(Delta(1))));
        let lighter = whole.with(&tree, [&Edit::Drop(Delta(2))]);
        assert_eq!(lighter.leave_out(&tree, Delta(1)), None);
    }
}
