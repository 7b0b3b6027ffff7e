//! The part of a tree that is shown.
//!
//! A node is shown as itself, or its place shows only its minimal string, or it is hidden. Nodes
//! below a hidden node can still be shown: so a descendant takes a node's place (the rest of the
//! node is hidden), and the items of a nested list take the place of the item that holds it. So
//! three small sets describe a candidate, and equal sets are equal texts.

use std::ops::Range;
use std::sync::Arc;

use crate::tree::edit::Edit;
use crate::{Delta, DeltaSet, Removal, Tree};

/// A tree with parts left out, shrunk or moved up.
///
/// The shown text, in order: for each node [kept](Self::kept) its own tokens, and between them
/// what is shown of its descendants; for each node [shrunk](Self::shrunk) its minimal string. Of
/// any other node only its descendants may be shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TreeCandidate {
    kept: DeltaSet,
    /// Disjoint from what is kept; nothing below these is shown.
    shrunk: DeltaSet,
    /// Ascending by the node shown; all of those are kept.
    hoisted: Arc<[Hoist]>,
}

/// A kept node and the ancestor whose place it has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Hoist {
    shown: Delta,
    place: Delta,
}

/// One step of a walk over what is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// The own tokens of `node` begin, in the place of `place`; the two differ if `node` was
    /// hoisted. The pieces up to its [`Leave`](Piece::Leave) are shown inside it.
    Enter {
        /// The node whose tokens are shown.
        node: Delta,
        /// The node whose place they take.
        place: Delta,
    },
    /// The own tokens of this node end.
    Leave(Delta),
    /// The complete siblings from `first` to `last` with all below them; if there are several,
    /// also the tokens of their parent between them.
    Whole {
        /// The first one.
        first: Delta,
        /// The last one; more than one only if their parent is kept too.
        last: Delta,
        /// The node whose place the first one takes; another node only if it was hoisted.
        place: Delta,
    },
    /// The minimal string of this node.
    Minimal(Delta),
}

impl TreeCandidate {
    /// Returns the candidate that shows everything.
    pub fn whole(tree: &Tree) -> Self {
        TreeCandidate {
            kept: DeltaSet::full(tree.len()),
            shrunk: DeltaSet::empty(),
            hoisted: [].into(),
        }
    }

    /// Returns the nodes whose own tokens are shown.
    pub fn kept(&self) -> &DeltaSet {
        &self.kept
    }

    /// Returns the nodes of which only the minimal string is shown.
    pub fn shrunk(&self) -> &DeltaSet {
        &self.shrunk
    }

    /// Returns whether some node stands in the place of another one.
    pub fn moves(&self) -> bool {
        !self.hoisted.is_empty()
    }

    /// Returns the nodes that are shown in any form.
    pub fn nodes(&self) -> DeltaSet {
        self.kept.union(&self.shrunk)
    }

    /// Returns whether a node is shown in any form.
    pub fn shows(&self, node: Delta) -> bool {
        self.kept.contains(node) || self.shrunk.contains(node)
    }

    /// Returns the node in whose place a shown node stands: its own, unless it was hoisted.
    pub fn place(&self, node: Delta) -> Delta {
        let found = self.hoisted.binary_search_by_key(&node, |hoist| hoist.shown);
        found.map_or(node, |index| self.hoisted[index].place)
    }

    /// Returns the nodes shown directly inside a shown node, in order.
    pub fn children<'a>(&'a self, tree: &'a Tree, node: Delta) -> impl Iterator<Item = Delta> + 'a {
        let Range { start, end } = tree.subtree(node);
        let mut next = Delta(start + 1);
        std::iter::from_fn(move || {
            let child = self.first_from(next).filter(|child| child.0 < end)?;
            next = Delta(tree.subtree(child).end);
            Some(child)
        })
    }

    /// Returns the topmost shown nodes: the root, or what is left of it.
    pub fn tops<'a>(&'a self, tree: &'a Tree) -> impl Iterator<Item = Delta> + 'a {
        let whole = self.kept.contains(tree.root()).then_some(tree.root());
        let parts = whole.is_none().then(|| self.children(tree, tree.root()));
        let shrunk = self.shrunk.contains(tree.root()).then_some(tree.root());
        whole.into_iter().chain(shrunk).chain(parts.into_iter().flatten())
    }

    /// Returns the number of tokens that are shown.
    pub fn weight(&self, tree: &Tree) -> u64 {
        self.weight_within(tree, tree.subtree(tree.root()))
    }

    /// Returns the number of tokens that are shown of a node and all below it.
    pub fn weight_below(&self, tree: &Tree, node: Delta) -> u64 {
        self.weight_within(tree, tree.subtree(node))
    }

    /// Walks over the shown nodes in the order of the text, with complete neighbours as one
    /// [piece](Piece::Whole): the cost grows with the edits, not with the text.
    pub fn shown<'a>(&'a self, tree: &'a Tree) -> impl Iterator<Item = Piece> + 'a {
        Shown { tree, candidate: self, grain: Grain::Subtrees, next: tree.root(), open: Vec::new() }
    }

    /// Walks over the shown nodes in the order of the text, node by node.
    pub fn shown_nodes<'a>(&'a self, tree: &'a Tree) -> impl Iterator<Item = Piece> + 'a {
        Shown { tree, candidate: self, grain: Grain::Nodes, next: tree.root(), open: Vec::new() }
    }

    /// Returns the candidate after some edits.
    ///
    /// The edited nodes must be shown, and none of them below another.
    #[must_use]
    pub fn with<'a>(&self, tree: &Tree, edits: impl IntoIterator<Item = &'a Edit>) -> Self {
        let (mut hidden, mut shrunk, mut hoisted) = (Vec::new(), Vec::new(), Vec::new());
        for &edit in edits {
            edit.hide(tree, &mut hidden);
            match edit {
                Edit::Shrink(node) => shrunk.push(self.place(node)),
                Edit::Hoist { node, shown } => {
                    hoisted.push(Hoist { shown, place: self.place(node) });
                }
                Edit::Drop(_) | Edit::Splice { .. } => {}
            }
        }
        let hidden: DeltaSet = hidden.into_iter().collect();
        let kept = self.kept.minus(&hidden);
        let shrunk = self.shrunk.minus(&hidden).union(&shrunk.into_iter().collect());
        TreeCandidate { hoisted: self.hoisted_after(hoisted, &kept), kept, shrunk }
    }

    fn hoisted_after(&self, mut more: Vec<Hoist>, kept: &DeltaSet) -> Arc<[Hoist]> {
        let stays = |hoist: &Hoist| kept.contains(hoist.shown);
        if more.is_empty() && self.hoisted.iter().all(stays) {
            return self.hoisted.clone();
        }
        let earlier = self.hoisted.iter().filter(|&earlier| {
            stays(earlier) && more.iter().all(|hoist| hoist.shown != earlier.shown)
        });
        let earlier: Vec<Hoist> = earlier.copied().collect();
        more.extend(earlier);
        more.sort_unstable();
        more.into()
    }

    pub(crate) fn weight_within(&self, tree: &Tree, range: Range<u32>) -> u64 {
        let kept = self.kept.runs_within(range.clone()).map(|run| tree.weight_of_run(run));
        let shrunk = self.shrunk.runs_within(range).flatten().map(|node| {
            let minimal = tree.facts(Delta(node)).removal.minimal();
            minimal.map_or(0, u64::from)
        });
        kept.sum::<u64>() + shrunk.sum::<u64>()
    }

    fn first_from(&self, node: Delta) -> Option<Delta> {
        let (kept, shrunk) = (self.kept.first_from(node), self.shrunk.first_from(node));
        kept.into_iter().chain(shrunk).min()
    }
}

impl TreeCandidate {
    /// Returns whether anything is shown of a node and all below it.
    pub(super) fn shows_within(&self, tree: &Tree, node: Delta) -> bool {
        self.first_from(node).is_some_and(|first| tree.is_within(first, node))
    }

    /// Returns how the place of a shown node may be emptied.
    pub(super) fn removal(&self, tree: &Tree, node: Delta) -> Removal {
        tree.facts(self.place(node)).removal
    }
}

/// The walk over the shown nodes.
struct Shown<'a> {
    tree: &'a Tree,
    candidate: &'a TreeCandidate,
    grain: Grain,
    /// All nodes before this one were walked over.
    next: Delta,
    /// The nodes entered and not left.
    open: Vec<Delta>,
}

/// The size of the pieces of a walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grain {
    Nodes,
    Subtrees,
}

impl Iterator for Shown<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let next = self.candidate.first_from(self.next);
        if let Some(&innermost) = self.open.last()
            && next.is_none_or(|next| !self.tree.is_within(next, innermost))
        {
            self.open.pop();
            return Some(Piece::Leave(innermost));
        }
        let node = next?;
        self.next = Delta(node.0 + 1);
        if self.candidate.shrunk.contains(node) {
            return Some(Piece::Minimal(node));
        }
        let place = self.candidate.place(node);
        if self.grain == Grain::Subtrees
            && let Some(last) = self.last_whole(node)
        {
            self.next = Delta(self.tree.subtree(last).end);
            return Some(Piece::Whole { first: node, last, place });
        }
        self.open.push(node);
        Some(Piece::Enter { node, place })
    }
}

impl Shown<'_> {
    /// Returns the last sibling up to which everything from `first` on is complete; `None` if
    /// `first` is not.
    fn last_whole(&self, first: Delta) -> Option<Delta> {
        let run = self.candidate.kept.run_from(first)?;
        let is_whole = |node: Delta| self.tree.subtree(node).end <= run.end;
        if !is_whole(first) {
            return None;
        }
        let parent = self.tree.parent(first);
        let Some(parent) = parent.filter(|parent| self.open.last() == Some(parent)) else {
            return Some(first);
        };
        let siblings = self.tree.children(parent);
        let whole = &siblings[..siblings.partition_point(|&sibling| is_whole(sibling))];
        whole.last().copied()
    }
}
