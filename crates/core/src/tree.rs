//! Trees of removable things: statements in blocks, elements in lists, operands in expressions.
//!
//! A node is named by its [`Delta`], its place in the order of opening; the nodes below a node
//! follow it directly. The nodes lie in one shared table, so a copy costs a counter and nothing
//! here recurses: ten thousand nodes inside each other are fine. The tree knows no text; its
//! builder knows which text belongs to which node.

mod candidate;
mod edit;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::{Delta, DeltaSet};

pub use candidate::{Piece, TreeCandidate};
pub use edit::Edit;

/// A tree, and the edits allowed at each of its nodes.
///
/// ```
/// use whodunit_core::{Facts, Kind, Tree};
///
/// const EXPRESSION: Kind = Kind(1);
///
/// // while (x + 1) { y; }
/// let mut program = Tree::builder();
/// program.open(Facts::free(3)); // while ( )
/// program.open(Facts::minimal(1, 1).kind(EXPRESSION)); // +
/// program.leaf(Facts::minimal(1, 1).kind(EXPRESSION)).leaf(Facts::minimal(1, 1).kind(EXPRESSION));
/// program.close();
/// program.open(Facts::fixed(2)).leaf(Facts::free(2)).close(); // { y; }
/// program.close();
/// program.stands_for(EXPRESSION, EXPRESSION);
/// let program = program.build();
///
/// let statement = program.children(program.root())[0];
/// assert_eq!(program.children(statement).len(), 2);
/// assert_eq!(program.len(), 7);
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    shape: Arc<Shape>,
}

/// The kind of a node, or of the nodes that may stand in its place. The numbers mean something to
/// the builder of the tree; here they are only compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(pub u32);

/// How a node may be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Removal {
    /// It can be left out: a list item, or an optional part.
    Free,
    /// It can be replaced by its minimal string, which has this weight.
    Minimal(u32),
    /// It can be left out, or be replaced by its minimal string of this weight where leaving it out
    /// does not do.
    Either(u32),
    /// It can be neither left out nor replaced by a minimal string. Nodes below it may still be
    /// removed, and a descendant may take its place.
    Fixed,
}

/// The facts about one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Facts {
    /// The number of its own tokens, without those of the nodes below it.
    pub weight: u32,
    /// How it may be removed.
    pub removal: Removal,
    /// Its kind, when it is offered for the place of another node.
    pub kind: Kind,
    /// The kind that its place asks for, when another node is offered for it.
    pub place: Kind,
    /// The sort of list, if its removable children are the items of a list. Items may move from one
    /// list to another of the same sort.
    pub list: Option<Kind>,
}

/// Builds a [`Tree`] from the root down, in the order of the text.
#[derive(Clone, Debug)]
pub struct TreeBuilder {
    entries: Vec<Entry>,
    /// The nodes that are not closed yet, the root first.
    open: Vec<Delta>,
    substitutes: BTreeSet<(Kind, Kind)>,
}

#[derive(Debug)]
struct Shape {
    entries: Vec<Entry>,
    /// For each place, the weight of all nodes before it; one more entry for the total.
    sums: Vec<u64>,
    /// The children of the root, then those of the next node, and so on.
    children: Vec<Delta>,
    /// For each node, where its children begin in `children`; one more entry for the end.
    families: Vec<u32>,
    /// Pairs of a place and a kind that may stand there.
    substitutes: BTreeSet<(Kind, Kind)>,
}

#[derive(Clone, Debug)]
struct Entry {
    facts: Facts,
    parent: Option<Delta>,
    depth: u32,
    /// The place after the last node below this one.
    after: u32,
}

impl Tree {
    /// Returns a builder whose root, which is fixed and weighs nothing, is open.
    pub fn builder() -> TreeBuilder {
        Self::builder_with(Facts::fixed(0))
    }

    /// Returns a builder whose root is open.
    pub fn builder_with(root: Facts) -> TreeBuilder {
        let mut builder =
            TreeBuilder { entries: Vec::new(), open: Vec::new(), substitutes: BTreeSet::new() };
        builder.open(root);
        builder
    }

    /// Returns the root, the node above all others.
    pub fn root(&self) -> Delta {
        Delta(0)
    }

    /// Returns the number of nodes.
    #[allow(clippy::len_without_is_empty)] // there is always a root
    pub fn len(&self) -> usize {
        self.shape.entries.len()
    }

    /// Returns what is known about a node.
    pub fn facts(&self, node: Delta) -> &Facts {
        &self.entry(node).facts
    }

    /// Returns the node directly above; the root has none.
    pub fn parent(&self, node: Delta) -> Option<Delta> {
        self.entry(node).parent
    }

    /// Returns how many nodes are above a node.
    pub fn depth(&self, node: Delta) -> u32 {
        self.entry(node).depth
    }

    /// Returns the node and all below it.
    pub fn subtree(&self, node: Delta) -> Range<u32> {
        node.0..self.entry(node).after
    }

    /// Returns whether `node` is `other` or below it.
    pub fn is_within(&self, node: Delta, other: Delta) -> bool {
        self.subtree(other).contains(&node.0)
    }

    /// Returns the nodes directly below a node, in order.
    pub fn children(&self, node: Delta) -> &[Delta] {
        let families = &self.shape.families[node.0 as usize..];
        &self.shape.children[families[0] as usize..families[1] as usize]
    }

    /// Returns the child of `node` that is `below` or above it.
    ///
    /// # Panics
    ///
    /// If `below` is not below `node`.
    pub fn child_towards(&self, node: Delta, below: Delta) -> Delta {
        let children = self.children(node);
        let after = children.partition_point(|&child| child <= below);
        let child = children[..after].last().copied();
        child.filter(|&child| self.is_within(below, child)).expect("below is below the node")
    }

    /// Returns whether a node of kind `offered` may stand in a place.
    pub fn may_stand(&self, place: Kind, offered: Kind) -> bool {
        self.shape.substitutes.contains(&(place, offered))
    }

    /// Returns the own weight of some nodes together.
    pub fn weight(&self, nodes: &DeltaSet) -> u64 {
        nodes.runs().map(|run| self.weight_of_run(run)).sum()
    }

    fn weight_of_run(&self, run: Range<u32>) -> u64 {
        self.shape.sums[run.end as usize] - self.shape.sums[run.start as usize]
    }

    fn entry(&self, node: Delta) -> &Entry {
        &self.shape.entries[node.0 as usize]
    }
}

impl Removal {
    /// Returns whether the node can be left out.
    pub fn is_free(self) -> bool {
        matches!(self, Removal::Free | Removal::Either(_))
    }

    /// Returns the weight of the minimal string, if there is one.
    pub fn minimal(self) -> Option<u32> {
        match self {
            Removal::Minimal(weight) | Removal::Either(weight) => Some(weight),
            Removal::Free | Removal::Fixed => None,
        }
    }
}

impl Facts {
    /// A node that can be left out.
    pub fn free(weight: u32) -> Self {
        Self::new(weight, Removal::Free)
    }

    /// A node that can be replaced by a minimal string of weight `minimal`.
    pub fn minimal(weight: u32, minimal: u32) -> Self {
        Self::new(weight, Removal::Minimal(minimal))
    }

    /// A node that can be left out or replaced by a minimal string of weight `minimal`.
    pub fn either(weight: u32, minimal: u32) -> Self {
        Self::new(weight, Removal::Either(minimal))
    }

    /// A node that cannot go by itself.
    pub fn fixed(weight: u32) -> Self {
        Self::new(weight, Removal::Fixed)
    }

    /// Sets the kind of the node; its place asks for the same kind unless [`place`](Self::place)
    /// follows.
    #[must_use]
    pub fn kind(self, kind: Kind) -> Self {
        Facts { kind, place: kind, ..self }
    }

    /// Sets the kind that the node's place asks for.
    #[must_use]
    pub fn place(self, place: Kind) -> Self {
        Facts { place, ..self }
    }

    /// Marks the removable children as items of a list of this sort.
    #[must_use]
    pub fn list(self, sort: Kind) -> Self {
        Facts { list: Some(sort), ..self }
    }

    fn new(weight: u32, removal: Removal) -> Self {
        let kind = Kind::default();
        Facts { weight, removal, kind, place: kind, list: None }
    }
}

impl TreeBuilder {
    /// Opens a node below the one that is open; what follows is below it until
    /// [`close`](Self::close).
    pub fn open(&mut self, facts: Facts) -> &mut Self {
        let node = self.next();
        let parent = self.open.last().copied();
        let depth = self.open.len().try_into().expect("no deeper than there are nodes");
        // The end is set when the node is closed.
        self.entries.push(Entry { facts, parent, depth, after: 0 });
        self.open.push(node);
        self
    }

    /// Closes the node opened last.
    ///
    /// # Panics
    ///
    /// If there is none; the root is not closed but [built](Self::build).
    pub fn close(&mut self) -> &mut Self {
        assert!(self.open.len() > 1, "close without open");
        self.close_last();
        self
    }

    /// Adds a node with nothing below it.
    pub fn leaf(&mut self, facts: Facts) -> &mut Self {
        self.open(facts).close()
    }

    /// Lets nodes of kind `offered` stand in places of kind `place`.
    pub fn stands_for(&mut self, place: Kind, offered: Kind) -> &mut Self {
        self.substitutes.insert((place, offered));
        self
    }

    /// Returns the node that will be opened next.
    pub fn next(&self) -> Delta {
        Delta(u32::try_from(self.entries.len()).expect("a tree has fewer than 2^32 nodes"))
    }

    /// Returns the tree; nodes still open are closed in it.
    pub fn build(&self) -> Tree {
        let mut builder = self.clone();
        while !builder.open.is_empty() {
            builder.close_last();
        }
        let mut total = 0;
        let mut sums = vec![0];
        for entry in &builder.entries {
            total += u64::from(entry.facts.weight);
            sums.push(total);
        }
        let (children, families) = families(&builder.entries);
        let TreeBuilder { entries, substitutes, .. } = builder;
        Tree { shape: Arc::new(Shape { entries, sums, children, families, substitutes }) }
    }

    fn close_last(&mut self) {
        let after = self.next().0;
        let node = self.open.pop().expect("the caller saw an open node");
        self.entries[node.0 as usize].after = after;
    }
}

/// Returns the children of all nodes, and the place where those of each node begin.
fn families(entries: &[Entry]) -> (Vec<Delta>, Vec<u32>) {
    let mut starts = vec![0; entries.len() + 1];
    let parents = || entries.iter().filter_map(|entry| entry.parent);
    for parent in parents() {
        starts[parent.0 as usize + 1] += 1;
    }
    for place in 1..starts.len() {
        starts[place] += starts[place - 1];
    }
    let mut filled = starts.clone();
    let mut children = vec![Delta(0); entries.len() - 1];
    // All but the root have a parent, so the first parent is that of the second node.
    for (child, parent) in (1..).zip(parents()) {
        let free = &mut filled[parent.0 as usize];
        children[*free as usize] = Delta(child);
        *free += 1;
    }
    (children, starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_knows_what_is_above_and_below_it() {
        let mut builder = Tree::builder();
        builder.open(Facts::free(1)).leaf(Facts::free(2)).close();
        let last = builder.next();
        builder.leaf(Facts::free(4));
        let tree = builder.build();

        assert_eq!(tree.children(tree.root()), [Delta(1), last]);
        assert_eq!(tree.children(last), []);
        assert_eq!(tree.child_towards(tree.root(), Delta(2)), Delta(1));
        assert_eq!(tree.subtree(Delta(1)), 1..3);
        assert_eq!(tree.parent(Delta(2)), Some(Delta(1)));
        assert_eq!(tree.parent(tree.root()), None);
        assert_eq!(tree.depth(Delta(2)), 2);
        assert_eq!(tree.weight(&DeltaSet::run(1..4)), 7);
    }

    #[test]
    fn only_what_was_said_may_stand_in_a_place() {
        let (statement, block) = (Kind(1), Kind(2));
        let mut builder = Tree::builder();
        builder.stands_for(statement, block);
        let tree = builder.build();
        assert!(tree.may_stand(statement, block));
        assert!(!tree.may_stand(block, statement));
        assert!(!tree.may_stand(statement, statement));
    }

    #[test]
    #[should_panic(expected = "close without open")]
    fn the_root_cannot_be_closed() {
        Tree::builder().close();
    }
}
