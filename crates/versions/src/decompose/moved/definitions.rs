//! The functions, classes and the like of a text, each with where its head ends.

use std::ops::Range;
use std::sync::Arc;

use whodunit_syntax::language::DefinitionKind;
use whodunit_syntax::language::Language;
use whodunit_syntax::names::{Definition, Names};
use whodunit_syntax::parse::parse;
use whodunit_syntax::tree::SyntaxTree;

use super::super::pieces::{Sign, bag};
use crate::syntax_facts::is_item;

/// A function, a class or the like.
#[derive(Debug)]
pub(crate) struct Defined {
    pub(crate) name: Vec<u8>,
    pub(crate) is_type: bool,
    /// All of it, without what separates it from the next.
    pub(crate) whole: Range<usize>,
    /// The text after its name: parameters and body.
    pub(crate) tail: Range<usize>,
    /// The words and signs of the tail.
    pub(crate) signs: Vec<Sign>,
}

/// Finds the definitions of a text, outer ones before inner ones.
pub(super) fn find(language: &Language, text: &Arc<[u8]>) -> Vec<Defined> {
    let tree = parse(language, text.clone());
    let names = Names::of(&tree);
    let items = names.definitions().iter().filter(|definition| is_item(definition, &tree));
    let mut found: Vec<Defined> =
        items.filter_map(|definition| defined(definition, &tree)).collect();
    found.sort_by_key(|defined| (defined.whole.start, std::cmp::Reverse(defined.whole.end)));
    found.dedup_by(|next, kept| next.whole == kept.whole);
    found
}

fn defined(definition: &Definition, tree: &SyntaxTree) -> Option<Defined> {
    let text = tree.source();
    let range = tree.node(definition.item).range();
    let separates = |byte: &u8| byte.is_ascii_whitespace() || b";,".contains(byte);
    let length = text[range.clone()].iter().rposition(|byte| !separates(byte))? + 1;
    let whole = range.start..range.start + length;
    let named = tree.node(definition.name).range().end;
    // Between the name and the parameters there may be more: `name = function (…)`.
    let parameters = || text.get(named..whole.end)?.iter().position(|&byte| byte == b'(');
    let lists = definition.parameters.is_some();
    let tail = named + lists.then(parameters).flatten().unwrap_or(0)..whole.end;
    (tail.start < tail.end).then(|| Defined {
        name: tree.text(definition.name).to_vec(),
        is_type: matches!(definition.kind, DefinitionKind::Type | DefinitionKind::Module),
        signs: bag(&text[tail.clone()]),
        whole,
        tail,
    })
}
