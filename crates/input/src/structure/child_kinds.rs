//! The nodes of a syntax tree as the grammar's shapes see them.

use std::collections::HashMap;

use whodunit_grammar::shape::{Child, KindId, Shapes};
use whodunit_syntax::language::NodeKind;
use whodunit_syntax::tree::{NodeId, SyntaxTree};

/// Finds the kinds of nodes in the grammar of their language; remembers each kind that was found.
pub(crate) struct ChildKinds<'a> {
    tree: &'a SyntaxTree,
    /// Absent for a language that came without its rules.
    shapes: Option<&'a Shapes>,
    known: HashMap<NodeKind, Option<KindId>>,
}

impl<'a> ChildKinds<'a> {
    pub(crate) fn new(tree: &'a SyntaxTree, shapes: Option<&'a Shapes>) -> Self {
        ChildKinds { tree, shapes, known: HashMap::new() }
    }

    /// Returns the kind of a node; `None` for an error, or a kind that the grammar does not have.
    pub(crate) fn kind(&mut self, id: NodeId) -> Option<KindId> {
        let (kind, language) = (self.tree.node(id).kind(), self.tree.language());
        let shapes = self.shapes?;
        let find = || shapes.symbol(language.kind_name(kind), language.is_named(kind));
        *self.known.entry(kind).or_insert_with(find)
    }

    /// Returns a node as a child of its parent.
    pub(crate) fn child(&mut self, id: NodeId) -> Child {
        let node = self.tree.node(id);
        if node.is_extra() {
            return Child::Extra;
        }
        if node.kind() == NodeKind::TEXT {
            return Child::Hidden;
        }
        self.kind(id).map_or(Child::Unknown, Child::Kind)
    }
}
