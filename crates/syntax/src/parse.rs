//! Parses any text into a tree.
//!
//! tree-sitter makes a tree of any text, with errors if necessary. In text with very many errors it
//! can take hours, so it is stopped after a fixed amount of work. Work is counted and not timed, so
//! that the same text gives the same tree on every machine.

use std::sync::Arc;

use tree_sitter::{Node, Tree, TreeCursor};

use crate::bounded::{self, Errors, Text, Whole};
use crate::language::{Field, Language, NodeKind};
use crate::tree::{Builder, SyntaxTree, Visited};

/// Texts longer than this are not parsed: the parser takes some 50 bytes of memory for each byte.
pub const LONGEST: usize = 32 << 20;

/// How much work parsing a text may take, in allocations: this much, or one for each byte if that
/// is more. Beyond that the text counts as one that does not parse.
///
/// Real files take one for every 2 to 20 bytes, text that is all nesting up to 3 for each byte, and
/// two million take less than a second.
const MAX_WORK: u64 = 2_000_000;

/// Parses a text.
///
/// Always gives a tree that prints the very text, also for text that is not UTF-8. If the parser
/// gives up, or if the text is longer than [`LONGEST`], the tree is an error with one leaf.
pub fn parse(language: &Language, text: impl Into<Arc<[u8]>>) -> SyntaxTree {
    let text = text.into();
    match read(language, &Whole(&text), None, Errors::Tolerated) {
        Some(tree) => copy(language, text, &tree, &Straight),
        None => unread(language, text),
    }
}

/// Whether a text has no syntax errors. Faster than [`parse`]: stops at the first error, and makes
/// no tree.
///
/// For candidates of one text a [`ParseCheck`](crate::parse_check::ParseCheck) is faster still.
pub fn parses(language: &Language, text: &[u8]) -> bool {
    let tree = read(language, &Whole(text), None, Errors::Fatal);
    tree.is_some_and(|tree| !tree.root_node().has_error())
}

/// Parses a text with tree-sitter, using the edited tree of a former one if given.
///
/// Returns nothing if it gave up.
pub(crate) fn read(
    language: &Language,
    text: &impl Text,
    former: Option<&Tree>,
    errors: Errors,
) -> Option<Tree> {
    if text.len() > LONGEST {
        return None;
    }
    let most = MAX_WORK.max(text.len() as u64);
    bounded::parse(language.parser(), text, former, errors, most)
}

/// Maps places of the parser to places in a text.
pub(crate) trait Places {
    /// Returns where something starts that starts there for the parser.
    fn start(&self, seen: usize) -> usize;
    /// Returns where something ends that ends there for the parser.
    fn end(&self, seen: usize) -> usize;
}

/// The parser saw the very text.
pub(crate) struct Straight;

impl Places for Straight {
    fn start(&self, seen: usize) -> usize {
        seen
    }

    fn end(&self, seen: usize) -> usize {
        seen
    }
}

/// Copies the parser's tree into ours, without recursion.
pub(crate) fn copy(
    language: &Language,
    text: Arc<[u8]>,
    tree: &Tree,
    places: &impl Places,
) -> SyntaxTree {
    let root = tree.root_node();
    let broken = root.has_error();
    let mut cursor = root.walk();
    let nodes = root.descendant_count();
    let visited = |cursor: &TreeCursor<'_>, node| visited(cursor, node, broken, places);
    let mut builder = Builder::new(language, text, nodes, visited(&cursor, root));
    if !cursor.goto_first_child() {
        return builder.finish();
    }
    loop {
        builder.open(visited(&cursor, cursor.node()));
        if cursor.goto_first_child() {
            continue;
        }
        builder.close();
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return builder.finish();
            }
            builder.close();
        }
    }
}

/// Notes down one node; what only trees with errors have is not asked of others.
fn visited(cursor: &TreeCursor<'_>, node: Node<'_>, broken: bool, places: &impl Places) -> Visited {
    Visited {
        start: places.start(node.start_byte()),
        end: places.end(node.end_byte()),
        kind: NodeKind(node.kind_id()),
        field: cursor.field_id().map(Field),
        named: node.is_named(),
        extra: node.is_extra(),
        missing: broken && node.is_missing(),
        broken: broken && node.has_error(),
    }
}

/// Returns the tree of a text that was not parsed.
pub(crate) fn unread(language: &Language, text: Arc<[u8]>) -> SyntaxTree {
    let root = Visited {
        start: 0,
        end: text.len(),
        kind: NodeKind::ERROR,
        field: None,
        named: true,
        extra: false,
        missing: false,
        broken: true,
    };
    let leaf = Visited { kind: NodeKind::TEXT, named: false, broken: false, ..root };
    let mut builder = Builder::new(language, text, 2, root);
    builder.open(leaf);
    builder.finish()
}
