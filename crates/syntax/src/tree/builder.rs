//! Makes a tree from nodes as they are visited, and ensures the guarantees of a tree.
//!
//! Text that a grammar reads without making a node of it, a byte order mark for example, becomes a
//! leaf of its own. Ranges that overlapped would be cut; a tree then still prints its text.

use std::sync::Arc;

use super::{Marks, Node, SyntaxTree, offset};
use crate::language::{Field, Language, NodeKind};

/// A tree that is being made.
pub(crate) struct Builder {
    tree: SyntaxTree,
    /// The nodes whose children are being added, outermost first.
    open: Vec<u32>,
    /// Where the text begins that is in no leaf yet.
    at: u32,
}

/// A node as it is met on a walk through the parser's own tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visited {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: NodeKind,
    pub(crate) field: Option<Field>,
    pub(crate) named: bool,
    pub(crate) extra: bool,
    pub(crate) missing: bool,
    pub(crate) broken: bool,
}

impl Builder {
    /// Begins a tree of about `nodes` nodes with its root.
    pub(crate) fn new(language: &Language, text: Arc<[u8]>, nodes: usize, root: Visited) -> Self {
        let whole = Visited { start: 0, end: text.len(), ..root };
        let nodes = Vec::with_capacity(nodes);
        let tree = SyntaxTree { language: language.clone(), text, nodes };
        let mut builder = Builder { tree, open: Vec::new(), at: 0 };
        builder.open(whole);
        builder
    }

    /// Adds a node to the one that was opened last; nodes that are added before it is closed are
    /// below it.
    pub(crate) fn open(&mut self, visited: Visited) {
        let (start, end) = self.fitting(visited);
        self.add_text(start);
        self.at = start;
        let marks = [
            (visited.named, Marks::NAMED),
            (visited.extra, Marks::EXTRA),
            (visited.missing, Marks::MISSING),
            (visited.broken, Marks::BROKEN),
        ];
        let marks = marks.iter().filter(|(set, _)| *set).fold(0, |marks, (_, mark)| marks | mark);
        let field = visited.field.map_or(0, |field| field.0.get());
        let field = if field <= Marks::FIELD { field } else { 0 };
        let id = self.push(start, end, visited.kind, Marks(marks | field));
        self.open.push(id);
    }

    /// Ends the node that was opened last.
    pub(crate) fn close(&mut self) {
        let Some(&id) = self.open.last() else { return };
        let Node { end, .. } = self.tree.nodes[id as usize];
        let is_leaf = self.tree.nodes.len() == id as usize + 1;
        if !is_leaf {
            self.add_text(end);
        }
        self.at = end;
        self.open.pop();
        self.tree.nodes[id as usize].after = offset(self.tree.nodes.len());
    }

    /// Ends the root.
    pub(crate) fn finish(mut self) -> SyntaxTree {
        while !self.open.is_empty() {
            self.close();
        }
        self.tree
    }

    /// Returns the range of a node, cut to its parent's and to what follows its sisters.
    fn fitting(&self, visited: Visited) -> (u32, u32) {
        let parent = self.open.last().map(|&id| self.tree.nodes[id as usize]);
        let limit = parent.map_or(u32::MAX, |parent| parent.end);
        let start = offset(visited.start).clamp(self.at, limit);
        (start, offset(visited.end).clamp(start, limit))
    }

    /// Makes a leaf of the text up to here that is in no leaf, if it is more than white space.
    fn add_text(&mut self, end: u32) {
        let skipped = &self.tree.text[self.at as usize..end as usize];
        let text = skipped.trim_ascii();
        if text.is_empty() {
            return;
        }
        let start = end - offset(skipped.trim_ascii_start().len());
        let id = self.push(start, start + offset(text.len()), NodeKind::TEXT, Marks::default());
        self.tree.nodes[id as usize].after = id + 1;
    }

    fn push(&mut self, start: u32, end: u32, kind: NodeKind, marks: Marks) -> u32 {
        let id = offset(self.tree.nodes.len());
        let parent = self.open.last().copied().unwrap_or_default();
        self.tree.nodes.push(Node { start, end, parent, after: id, kind, marks });
        id
    }
}
