//! Statements of languages with significant indentation.
//!
//! Grammars of such languages accept a statement that is indented deeper than the one before, and
//! an empty block; the languages do not. The profiles in `languages/` list the kinds of nodes.

use std::collections::BTreeSet;

use tree_sitter::{Node, Tree};

use super::goto_next;
use crate::language::Language;

/// Finds wrong indentation.
#[derive(Clone, Debug)]
pub(super) struct IndentationRule {
    /// The kinds of lists of statements.
    lists: BTreeSet<u16>,
}

impl IndentationRule {
    /// Returns the rule of a language, if indentation counts in it.
    pub(super) fn of(language: &Language) -> Option<IndentationRule> {
        let listed = &language.profile().indented;
        let is_list = |name: &str| listed.iter().any(|kind| kind == name);
        let kinds = language.kinds().filter(|&kind| is_list(language.kind_name(kind)));
        let lists: BTreeSet<u16> = kinds.map(|kind| kind.0).collect();
        (!lists.is_empty()).then_some(IndentationRule { lists })
    }

    /// Whether no block is empty, and the statements of each begin in the same column.
    pub(super) fn holds(&self, tree: &Tree) -> bool {
        let root = tree.root_node();
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            if self.lists.contains(&node.kind_id()) && !is_in_line(node, node == root) {
                return false;
            }
            if !cursor.goto_first_child() && !goto_next(&mut cursor) {
                return true;
            }
        }
    }
}

/// Whether the statements of a list are where they may be; outermost they are not indented, and
/// there need not be any.
fn is_in_line(list: Node<'_>, is_outermost: bool) -> bool {
    let mut column = is_outermost.then_some(0);
    let mut last_row = None;
    let mut cursor = list.walk();
    for statement in list.named_children(&mut cursor).filter(|child| !child.is_extra()) {
        let start = statement.start_position();
        // A statement after another one on its line may be anywhere.
        if last_row.is_none_or(|row| row < start.row)
            && *column.get_or_insert(start.column) != start.column
        {
            return false;
        }
        last_row = Some(statement.end_position().row);
    }
    is_outermost || last_row.is_some()
}
