//! A syntax tree in one flat list, each node before its children.
//!
//! The nodes of a subtree follow each other, so skipping a subtree is one step, walking the tree
//! is walking the list, and no depth of nesting is a danger to the stack. Leaves lie in order and
//! do not overlap; the text between two of them is a gap, and holds nothing but white space.

mod builder;

use std::ops::Range;
use std::sync::Arc;

pub(crate) use builder::{Builder, Visited};

use crate::language::{Field, Language, NodeKind, NodeRole};

/// A text and the tree of its nodes.
#[derive(Clone, Debug)]
pub struct SyntaxTree {
    language: Language,
    text: Arc<[u8]>,
    nodes: Vec<Node>,
}

/// A node of a [`SyntaxTree`], by its place in it; a parent comes before its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    start: u32,
    end: u32,
    parent: u32,
    /// The node that follows its subtree.
    after: u32,
    kind: NodeKind,
    marks: Marks,
}

/// Four flags and the number of a field; no grammar has anywhere near 4096 fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Marks(u16);

impl Marks {
    const FIELD: u16 = 0x0fff;
    const NAMED: u16 = 0x1000;
    const EXTRA: u16 = 0x2000;
    const MISSING: u16 = 0x4000;
    const BROKEN: u16 = 0x8000;

    fn has(self, mark: u16) -> bool {
        self.0 & mark != 0
    }
}

impl SyntaxTree {
    /// Returns the language it was parsed in.
    pub fn language(&self) -> &Language {
        &self.language
    }

    /// Returns the text it was parsed from.
    pub fn source(&self) -> &Arc<[u8]> {
        &self.text
    }

    /// Returns the node that everything else is below; its range is the whole text.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// Returns how many nodes there are; never none.
    #[expect(clippy::len_without_is_empty, reason = "there always is a root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns all nodes, a parent before its children and the first child first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..offset(self.nodes.len())).map(NodeId)
    }

    /// Returns the data of a node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Returns the text of a node, without the gaps around it.
    pub fn text(&self, id: NodeId) -> &[u8] {
        &self.text[self.node(id).range()]
    }

    /// Returns the parent of a node; the root has none.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != self.root()).then(|| NodeId(self.node(id).parent))
    }

    /// Returns the children of a node, tokens without a name among them.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let after = self.node(id).after;
        let child = move |id: u32| (id < after).then_some(NodeId(id));
        std::iter::successors(child(id.0 + 1), move |&id| child(self.node(id).after))
    }

    /// Returns the node and everything below it.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (id.0..self.node(id).after).map(NodeId)
    }

    /// Whether it has no children.
    pub fn is_leaf(&self, id: NodeId) -> bool {
        self.node(id).after == id.0 + 1
    }

    /// Returns the nodes without children, in the order of the text.
    pub fn leaves(&self) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        self.ids().filter(|&id| self.is_leaf(id))
    }

    /// Returns the role of a node, if it has one.
    pub fn role(&self, id: NodeId) -> Option<NodeRole> {
        let role = self.language.role(self.node(id).kind)?;
        let number = || matches!(self.text(id), [b'0'..=b'9' | b'+' | b'-' | b'.', ..]);
        match role {
            NodeRole::Literal if number() => Some(NodeRole::Number),
            NodeRole::Literal => Some(NodeRole::String),
            role => Some(role),
        }
    }

    /// Whether the text has syntax errors.
    pub fn has_errors(&self) -> bool {
        self.node(self.root()).has_errors()
    }

    /// Returns the text, put together from leaves and gaps.
    pub fn print(&self) -> Vec<u8> {
        let mut printed = Vec::with_capacity(self.text.len());
        for leaf in self.leaves() {
            let Range { start, end } = self.node(leaf).range();
            printed.extend_from_slice(&self.text[printed.len()..start]);
            printed.extend_from_slice(&self.text[start..end]);
        }
        printed.extend_from_slice(&self.text[printed.len()..]);
        printed
    }

    /// Returns the size of the tree in memory, without the text.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }
}

impl Node {
    /// Returns where its text is.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns what sort of node it is.
    pub fn kind(&self) -> NodeKind {
        self.kind
    }

    /// Returns its field in the parent, if the grammar names one.
    pub fn field(&self) -> Option<Field> {
        std::num::NonZeroU16::new(self.marks.0 & Marks::FIELD).map(Field)
    }

    /// Whether the grammar has a name for it; keywords and signs have none.
    pub fn is_named(&self) -> bool {
        self.marks.has(Marks::NAMED)
    }

    /// Whether it may stand anywhere, as a comment may.
    pub fn is_extra(&self) -> bool {
        self.marks.has(Marks::EXTRA)
    }

    /// Whether it is not in the text, but would have to be; it is empty then.
    pub fn is_missing(&self) -> bool {
        self.marks.has(Marks::MISSING)
    }

    /// Whether it is something that the grammar does not expect.
    pub fn is_error(&self) -> bool {
        self.kind == NodeKind::ERROR
    }

    /// Whether it or anything below it is missing or an error.
    pub fn has_errors(&self) -> bool {
        self.marks.has(Marks::BROKEN)
    }
}

/// Returns a place as it is kept in a node. Texts that are parsed are much shorter than 4 GiB.
fn offset(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

#[cfg(all(feature = "lang-c", feature = "lang-sql"))]
#[cfg(test)]
mod tests {
    use crate::parse::parse;

    use super::*;

    fn tree(language: &str, text: &str) -> SyntaxTree {
        parse(&Language::by_name(language).unwrap(), text.as_bytes())
    }

    /// Draws a tree, one node a line; tokens without a name in quotes.
    fn drawing(tree: &SyntaxTree) -> String {
        let mut drawing = String::new();
        for id in tree.ids() {
            let node = tree.node(id);
            let depth = std::iter::successors(tree.parent(id), |&id| tree.parent(id)).count();
            let field =
                node.field().map(|field| format!("{}: ", tree.language().field_name(field)));
            let name = tree.language().kind_name(node.kind());
            let name = if node.is_named() { name.to_owned() } else { format!("{name:?}") };
            let text = String::from_utf8_lossy(tree.text(id)).into_owned();
            let text = if tree.is_leaf(id) && node.is_named() { text } else { String::new() };
            let missing = if node.is_missing() { "missing" } else { "" };
            let line = format!("{:depth$}{}{name} {text}{missing}", "", field.unwrap_or_default());
            drawing.push_str(line.trim_end());
            drawing.push('\n');
        }
        drawing
    }

    #[test]
    fn a_node_is_small() {
        assert_eq!(size_of::<Node>(), 20);
    }

    #[test]
    fn a_tree_has_names_fields_and_tokens() {
        let tree = tree("c", "int f() { return 1; } // one\n");
        assert_eq!(
            drawing(&tree),
            "\
translation_unit
 function_definition
  type: primitive_type int
  declarator: function_declarator
   declarator: identifier f
   parameters: parameter_list
    \"(\"
    \")\"
  body: compound_statement
   \"{\"
   return_statement
    \"return\"
    number_literal 1
    \";\"
   \"}\"
 comment // one
"
        );
        assert!(!tree.has_errors());
    }

    #[test]
    fn what_is_missing_is_a_leaf_without_text() {
        let tree = tree("c", "int x = 1");
        let missing: Vec<NodeId> = tree.leaves().filter(|&id| tree.node(id).is_missing()).collect();
        assert_eq!(missing.len(), 1, "{}", drawing(&tree));
        assert_eq!(tree.text(missing[0]), b"");
        assert!(tree.has_errors());
    }

    #[test]
    fn an_error_marks_the_nodes_above_it_and_no_others() {
        let tree = tree("c", "int a; int b(@) { } int c;");
        let broken = |id| tree.node(id).has_errors();
        let items: Vec<bool> = tree.children(tree.root()).map(broken).collect();
        assert_eq!(items, [false, true, false], "{}", drawing(&tree));
    }

    #[test]
    fn the_first_character_tells_a_number_from_a_string() {
        let tree = tree("sql", "SELECT 1, 'one' FROM t;");
        let role = |text: &[u8]| {
            let named = |&id: &NodeId| tree.text(id) == text && tree.role(id).is_some();
            tree.ids().find(named).and_then(|id| tree.role(id))
        };
        assert_eq!(role(b"1"), Some(NodeRole::Number));
        assert_eq!(role(b"'one'"), Some(NodeRole::String));
        assert_eq!(role(b"t"), Some(NodeRole::Identifier));
    }
}
