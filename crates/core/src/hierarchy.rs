//! Deltas grouped into a tree: files hold hunks, hunks hold lines.
//!
//! The nodes lie in one shared table in the order in which they are opened, so a copy costs a
//! counter and nothing here recurses: ten thousand nodes inside each other are fine. Every node
//! covers a contiguous range of deltas: those of its children and, between them, its own.

use std::ops::Range;
use std::sync::Arc;

/// A tree of nodes over the deltas of a subject.
///
/// ```
/// use whodunit_core::Hierarchy;
///
/// let mut patch = Hierarchy::builder();
/// patch.open(); // a file
/// patch.open().deltas(3).close(); // a hunk of three lines
/// patch.open().deltas(2).close();
/// patch.close();
/// let patch = patch.build();
///
/// let file = patch.children(patch.root()).next().expect("one file was opened");
/// let hunks: Vec<_> = patch.children(file).map(|hunk| patch.deltas(hunk)).collect();
/// assert_eq!(hunks, [0..3, 3..5]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hierarchy {
    /// In the order of opening: a node, then everything below it, then its next sibling.
    entries: Arc<[Entry]>,
}

/// A node of a [`Hierarchy`], by its place in it; meaningless in another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);

/// One piece of a node: a child, or a run of the node's own deltas.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The range that the piece covers; never empty.
    pub deltas: Range<u32>,
    /// The child, or `None` for the node's own deltas.
    pub node: Option<Node>,
}

/// Builds a [`Hierarchy`] from the first delta to the last.
#[derive(Clone, Debug)]
pub struct HierarchyBuilder {
    entries: Vec<Entry>,
    /// The nodes that are not closed yet, the root first.
    open: Vec<Node>,
    /// The number of deltas so far.
    count: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Entry {
    deltas: Range<u32>,
    /// The place after the last node below this one, or after this node if it has none.
    after: u32,
}

impl Hierarchy {
    /// Returns a builder whose root is open.
    pub fn builder() -> HierarchyBuilder {
        let mut builder = HierarchyBuilder { entries: Vec::new(), open: Vec::new(), count: 0 };
        builder.open();
        builder
    }

    /// Returns a hierarchy without structure: the root holds `count` deltas itself.
    pub fn flat(count: usize) -> Self {
        Self::builder().deltas(count).build()
    }

    /// Returns the node that covers everything.
    pub fn root(&self) -> Node {
        Node(0)
    }

    /// Returns the deltas that a node covers, its own and those below it.
    pub fn deltas(&self, node: Node) -> Range<u32> {
        self.entry(node).deltas.clone()
    }

    /// Returns the nodes directly below a node, in order.
    pub fn children(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let after = self.entry(node).after;
        let mut next = Node(node.0 + 1);
        std::iter::from_fn(move || {
            let child = (next.0 < after).then_some(next)?;
            next = Node(self.entry(child).after);
            Some(child)
        })
    }

    /// Returns what a node consists of, in order: its children and the runs of its own deltas
    /// before, between and after them. Children without deltas are left out.
    pub fn parts(&self, node: Node) -> Vec<Part> {
        let Range { start: mut reached, end } = self.deltas(node);
        let mut parts = Vec::new();
        for child in self.children(node) {
            let deltas = self.deltas(child);
            if deltas.is_empty() {
                continue;
            }
            if reached < deltas.start {
                parts.push(Part { deltas: reached..deltas.start, node: None });
            }
            reached = deltas.end;
            parts.push(Part { deltas, node: Some(child) });
        }
        if reached < end {
            parts.push(Part { deltas: reached..end, node: None });
        }
        parts
    }

    fn entry(&self, node: Node) -> &Entry {
        &self.entries[node.0 as usize]
    }
}

impl HierarchyBuilder {
    /// Opens a node below the one that is open; what follows belongs to it until
    /// [`close`](Self::close).
    pub fn open(&mut self) -> &mut Self {
        self.open.push(Node(self.next()));
        // Both ends are set when the node is closed.
        self.entries.push(Entry { deltas: self.count..self.count, after: 0 });
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

    /// Adds `count` deltas to the node that is open.
    pub fn deltas(&mut self, count: usize) -> &mut Self {
        let count = u32::try_from(count).ok();
        self.count = count
            .and_then(|count| self.count.checked_add(count))
            .expect("a subject has fewer than 2^32 deltas");
        self
    }

    /// Returns the hierarchy; nodes still open are closed in it.
    pub fn build(&self) -> Hierarchy {
        let mut builder = self.clone();
        while !builder.open.is_empty() {
            builder.close_last();
        }
        Hierarchy { entries: builder.entries.into() }
    }

    fn close_last(&mut self) {
        let after = self.next();
        let node = self.open.pop().expect("the caller saw an open node");
        let entry = &mut self.entries[node.0 as usize];
        entry.deltas.end = self.count;
        entry.after = after;
    }

    /// The place of the node to be opened next.
    fn next(&self) -> u32 {
        u32::try_from(self.entries.len()).expect("a hierarchy has fewer than 2^32 nodes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_covers_its_own_deltas_and_those_below() {
        let mut builder = Hierarchy::builder();
        builder.deltas(1).open().deltas(2).open().deltas(1).close().close();
        builder.deltas(1).open().close().open().deltas(3).close();
        let hierarchy = builder.build();

        let parts = |node| {
            let parts = hierarchy.parts(node).into_iter();
            parts.map(|part| (part.deltas, part.node.is_some())).collect::<Vec<_>>()
        };
        let children: Vec<Node> = hierarchy.children(hierarchy.root()).collect();
        assert_eq!(hierarchy.deltas(hierarchy.root()), 0..8);
        assert_eq!(
            parts(hierarchy.root()),
            [(0..1, false), (1..4, true), (4..5, false), (5..8, true)]
        );
        assert_eq!(parts(children[0]), [(1..3, false), (3..4, true)]);
        assert_eq!(parts(children[1]), []);
        assert_eq!(parts(children[2]), [(5..8, false)]);
    }

    #[test]
    fn building_leaves_the_builder_as_it_was() {
        let mut builder = Hierarchy::builder();
        builder.open().deltas(1);
        let before = builder.build();
        builder.deltas(1);
        assert_eq!(before.deltas(before.root()), 0..1);
        assert_eq!(builder.build().deltas(Node(1)), 0..2);
    }

    #[test]
    #[should_panic(expected = "close without open")]
    fn the_root_cannot_be_closed() {
        Hierarchy::builder().close();
    }
}
