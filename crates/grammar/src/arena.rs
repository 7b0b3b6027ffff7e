//! A tree over the bytes of a text, in one table.
//!
//! The nodes lie in the order in which they open: a node, then everything below it, then its next
//! sibling. So the table is walked without recursion, however deep the tree is. Ranges of children
//! lie inside that of their parent, in order and apart; what is between them belongs to the parent.

use std::ops::Range;

/// A text and a tree over it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arena<K> {
    text: Vec<u8>,
    nodes: Vec<Node<K>>,
}

/// A node of an [`Arena`], by its place in it; meaningless in another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<K> {
    /// Its kind.
    pub kind: K,
    /// The bytes that it covers.
    pub range: Range<usize>,
    /// The node that it is a child of; none for the root.
    pub parent: Option<NodeId>,
    /// The place after the last node below this one.
    after: u32,
}

impl<K> Arena<K> {
    /// Returns the whole text, as it was read.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the node that everything else is below of.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// Returns how many nodes there are; at least one.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns what is known about a node.
    pub fn node(&self, id: NodeId) -> &Node<K> {
        &self.nodes[id.0 as usize]
    }

    /// Returns the bytes that a node covers.
    pub fn bytes(&self, id: NodeId) -> &[u8] {
        &self.text[self.node(id).range.clone()]
    }

    /// Returns all nodes, parents before children.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<K> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Returns a node and all below it, parents before children.
    pub fn below(&self, id: NodeId) -> impl Iterator<Item = NodeId> + use<K> {
        (id.0..self.node(id).after).map(NodeId)
    }

    /// Returns the children of a node, from left to right.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let end = self.node(id).after;
        let mut next = id.0 + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(NodeId(next))?;
            next = self.node(child).after;
            Some(child)
        })
    }

    /// Returns whether a node has no children.
    pub fn is_leaf(&self, id: NodeId) -> bool {
        self.node(id).after == id.0 + 1
    }

    /// Returns how deep the deepest node is; the root alone has depth one.
    pub fn depth(&self) -> usize {
        let mut ends: Vec<u32> = Vec::new();
        let mut deepest = 0;
        for (place, node) in self.nodes.iter().enumerate() {
            while ends.last().is_some_and(|&end| end as usize <= place) {
                ends.pop();
            }
            ends.push(node.after);
            deepest = deepest.max(ends.len());
        }
        deepest
    }

    /// Prints the tree: every leaf, and before it what was between it and the leaf before.
    pub fn print(&self) -> Vec<u8> {
        self.print_with(|_| None)
    }

    /// Prints the tree with the nodes for which `replaced` has other bytes replaced by them.
    ///
    /// Asked about every node that is not below a replaced one. Text between two nodes is kept, so
    /// that tokens do not run together.
    pub fn print_with<'r>(&self, mut replaced: impl FnMut(NodeId) -> Option<&'r [u8]>) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.text.len());
        let mut printed = 0;
        let mut place = 0;
        while let Some(node) = self.nodes.get(place) {
            let id = NodeId(place as u32);
            let bytes = replaced(id);
            if bytes.is_some() || self.is_leaf(id) {
                out.extend_from_slice(&self.text[printed..node.range.start]);
                out.extend_from_slice(bytes.unwrap_or(&self.text[node.range.clone()]));
                printed = node.range.end;
                place = node.after as usize;
            } else {
                place += 1;
            }
        }
        out.extend_from_slice(&self.text[printed..]);
        out
    }
}

/// Builds an [`Arena`], from the root down and from left to right.
#[derive(Clone, Debug)]
pub struct ArenaBuilder<K> {
    nodes: Vec<Node<K>>,
    /// The nodes that are not closed yet, the root first.
    open: Vec<NodeId>,
}

impl<K> Default for ArenaBuilder<K> {
    /// Begins a tree without nodes.
    fn default() -> Self {
        ArenaBuilder { nodes: Vec::new(), open: Vec::new() }
    }
}

impl<K> ArenaBuilder<K> {
    /// Opens a node below the last one that is still open.
    pub fn open(&mut self, kind: K, range: Range<usize>) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let parent = self.open.last().copied();
        self.nodes.push(Node { kind, range, parent, after: id.0 + 1 });
        self.open.push(id);
        id
    }

    /// Returns the node that is to be closed next.
    pub fn last(&mut self) -> Option<&mut Node<K>> {
        let id = self.open.last()?;
        self.nodes.get_mut(id.0 as usize)
    }

    /// Closes the node that was opened last.
    pub fn close(&mut self) {
        if let Some(id) = self.open.pop() {
            self.nodes[id.0 as usize].after = self.nodes.len() as u32;
        }
    }

    /// Returns the tree over its text; every node is closed by now, and there is a root.
    pub fn build(self, text: Vec<u8>) -> Arena<K> {
        debug_assert!(self.open.is_empty() && !self.nodes.is_empty());
        Arena { text, nodes: self.nodes }
    }
}
