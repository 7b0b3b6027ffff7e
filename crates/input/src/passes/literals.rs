//! Numbers and other words that may be others: `0`, `1`, `int`.
//!
//! A literal is only replaced by a plainer one, as names are.

use std::collections::BTreeMap;

use whodunit_grammar::shape::Shapes;
use whodunit_syntax::language::NodeRole;
use whodunit_syntax::tree::{NodeId, SyntaxTree};

use super::names::is_plainer;
use crate::edits::{Change, Edit};
use crate::structure::Parsed;

/// Up to this many equal literals are asked about one by one. More are replaced all at once or not
/// at all, because if one of them is needed the others mostly are, too. Chosen by hand.
const MAX_ALIKE: usize = 3;

/// Makes numbers 0.
pub(super) fn zeros(file: &Parsed<'_>) -> Vec<Change> {
    replaced(file, b"0")
}

/// Makes numbers 1, for those that cannot be 0.
pub(super) fn ones(file: &Parsed<'_>) -> Vec<Change> {
    replaced(file, b"1")
}

/// Replaces words that are neither names nor literals by the shortest word of their kind, in all
/// places: one built-in type by another.
pub(super) fn plain_words(file: &Parsed<'_>) -> Vec<Change> {
    let Some(shapes) = file.language.shapes() else { return Vec::new() };
    let tree = file.tree();
    let is_word =
        |text: &[u8]| text.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let is_plain = |id: NodeId| tree.node(id).is_named() && tree.role(id).is_none();
    let in_literal = |id: NodeId| tree.parent(id).is_some_and(|above| tree.role(above).is_some());
    let mut changes: BTreeMap<(&[u8], Vec<u8>), Change> = BTreeMap::new();
    for id in tree.leaves().filter(|&id| is_plain(id) && !in_literal(id)) {
        let text = tree.text(id);
        let plainer = shortest(&shapes, &tree, id).filter(|plainer| is_plainer(plainer, text));
        let Some(plainer) = plainer.filter(|plainer| is_word(plainer) && is_word(text)) else {
            continue;
        };
        let range = file.addresses(tree.node(id).range());
        let edit = Edit { range, text: plainer.clone() };
        changes.entry((text, plainer)).or_default().edits.push(edit);
    }
    changes.into_values().collect()
}

/// Returns the shortest text of a node's kind, unless that is a guess.
fn shortest(shapes: &Shapes, tree: &SyntaxTree, id: NodeId) -> Option<Vec<u8>> {
    let (kind, language) = (tree.node(id).kind(), tree.language());
    let symbol = shapes.symbol(language.kind_name(kind), language.is_named(kind))?;
    let phrase = shapes.minimal(symbol).filter(|phrase| phrase.guesses() == 0)?;
    Some(phrase.text().as_bytes().to_vec())
}

/// Replaces each number by a plainer one.
fn replaced(file: &Parsed<'_>, plainer: &[u8]) -> Vec<Change> {
    let tree = file.tree();
    let is_literal = |id: NodeId| tree.role(id) == Some(NodeRole::Number);
    let is_within = |id: NodeId| tree.parent(id).is_some_and(is_literal);
    let literals = tree.ids().filter(|&id| is_literal(id) && !is_within(id));
    let mut alike: BTreeMap<&[u8], Vec<Edit>> = BTreeMap::new();
    let mut order = Vec::new();
    for id in literals {
        let former = tree.text(id);
        if !is_plainer(plainer, former) {
            continue;
        }
        let edits = alike.entry(former).or_default();
        if edits.is_empty() {
            order.push(former);
        }
        edits.push(Edit { range: file.addresses(tree.node(id).range()), text: plainer.to_vec() });
    }
    let mut changes = Vec::new();
    for former in order {
        let edits = alike.remove(former).unwrap_or_default();
        if edits.len() > MAX_ALIKE {
            changes.push(Change { edits, drops: Vec::new() });
        } else {
            changes.extend(
                edits.into_iter().map(|edit| Change { edits: vec![edit], drops: Vec::new() }),
            );
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use crate::passes::listing::listed;

    use super::*;

    #[test]
    fn numbers_become_zero_or_one() {
        let text = "int a = 12, b = 1, c = 0;";
        assert_eq!(
            listed("c", text, zeros),
            ["int a = 0, b = 1, c = 0;", "int a = 12, b = 0, c = 0;"]
        );
        assert_eq!(listed("c", text, ones), ["int a = 1, b = 1, c = 0;"]);
    }

    #[test]
    fn a_word_of_the_language_becomes_the_shortest_of_its_kind() {
        assert_eq!(
            listed("c", "int32_t a; char b; int32_t c; void *d;", plain_words)[1],
            "int a; char b; int c; void *d;"
        );
    }
}
