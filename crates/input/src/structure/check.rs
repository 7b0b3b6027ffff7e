//! Whether a candidate still is of the kind of the file: text that parses.

use std::sync::Arc;

use whodunit_grammar::arena::Arena;
use whodunit_grammar::cfg;
use whodunit_syntax::parse_check::{ByteEdit, ParseCheck};

use crate::languages::OwnGrammar;

/// Tokens of a sentence that is checked against a grammar of the user's own. A longer one is tested
/// unchecked, because checking takes as long as many a test; candidates of the tree are sentences
/// but for rare cases. Chosen by hand.
const MAX_CHECKED_TOKENS: usize = 20_000;

/// Tells whether a candidate of a file parses.
#[derive(Debug)]
pub(super) enum Check {
    Parser(ParseCheck),
    Grammar(Arc<OwnGrammar>),
}

impl Check {
    /// Returns the check of candidates of a sentence, unless it would take too long.
    pub(super) fn grammar(grammar: Arc<OwnGrammar>, tree: &Arena<cfg::CfgKind>) -> Option<Check> {
        let tokens = tree.ids().filter(|&id| tree.is_leaf(id)).count();
        (tokens <= MAX_CHECKED_TOKENS).then_some(Check::Grammar(grammar))
    }

    /// Returns whether a text with these edits, in order and apart, still parses.
    pub(super) fn lets_through(&self, original: &[u8], edits: &[ByteEdit]) -> bool {
        match self {
            Check::Parser(gate) => gate.lets_through(edits),
            Check::Grammar(grammar) => grammar.cfg().accepts(&edited(original, edits)),
        }
    }
}

fn edited(original: &[u8], edits: &[ByteEdit]) -> Vec<u8> {
    let (mut text, mut kept_from) = (Vec::with_capacity(original.len()), 0);
    for edit in edits {
        text.extend_from_slice(&original[kept_from..edit.range.start]);
        text.extend_from_slice(&edit.text);
        kept_from = edit.range.end;
    }
    text.extend_from_slice(&original[kept_from..]);
    text
}
