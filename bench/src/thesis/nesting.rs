//! Patterns of syntax: nodes inside each other.

use whodunit_jobs::syntax::tree::{NodeId, SyntaxTree};

/// One node of a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Its kind in the grammar.
    pub(super) kind: &'static str,
    pub(super) sign: Sign,
}

/// The required text of a node, beside its kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sign {
    /// Nothing.
    Any,
    /// A token of its own with this text.
    Token(&'static str),
    /// A text that begins like this, where the word ends.
    Begins(&'static str),
    /// A text that ends like this, without white space.
    Ends(&'static str),
}

/// Returns whether a tree has nodes inside each other, at any distance, that are wanted in this
/// order.
pub(super) fn nests(tree: &SyntaxTree, wanted: &[Wanted]) -> bool {
    // The number of wanted nodes on the way down to each node; ids increase from the root down.
    let mut found: Vec<usize> = Vec::with_capacity(tree.len());
    for id in tree.ids() {
        let above = tree.parent(id).map_or(0, |parent| found[parent.0 as usize]);
        let next = wanted.get(above).is_some_and(|wanted| wanted.is(tree, id));
        found.push(above + usize::from(next));
    }
    found.contains(&wanted.len())
}

impl Wanted {
    fn is(&self, tree: &SyntaxTree, id: NodeId) -> bool {
        let text = tree.text(id);
        kind(tree, id) == self.kind
            && match self.sign {
                Sign::Any => true,
                Sign::Token(token) => tree
                    .children(id)
                    .any(|child| tree.is_leaf(child) && tree.text(child) == token.as_bytes()),
                Sign::Begins(start) => text
                    .strip_prefix(start.as_bytes())
                    .is_some_and(|rest| rest.first().is_none_or(|byte| !is_word(*byte))),
                Sign::Ends(end) => {
                    let signs = text.iter().rev().filter(|byte| !byte.is_ascii_whitespace());
                    signs.take(end.len()).eq(end.as_bytes().iter().rev())
                }
            }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':')
}

/// Returns the kind of a node in the grammar.
pub(super) fn kind(tree: &SyntaxTree, id: NodeId) -> &str {
    tree.language().kind_name(tree.node(id).kind())
}
