//! A definition is removed, and a text that needs no definition replaces its name: `int` for a
//! type, `0` for a variable.
//!
//! A text may stand in if the grammar allows it in the place of every use and it is one token of a
//! kind that is not a name.

use std::collections::HashMap;

use whodunit_grammar::shape::{Child, KindId, Shapes};
use whodunit_syntax::language::{NodeKind, NodeRole};
use whodunit_syntax::names::Names;
use whodunit_syntax::tree::{NodeId, SyntaxTree};

use super::joint;
use crate::edits::{Change, Edit};
use crate::structure::{ChildKinds, Parsed};

/// Texts tried for one definition, the shortest first: mostly a number, a word and a string. Chosen
/// by hand.
const MAX_STAND_INS: usize = 3;

/// Tokens of a text in which stand-ins are tried; in a larger one the pass has nothing to ask.
/// Chosen by hand.
const MAX_TEXT_TOKENS: u64 = 1000;

/// Leaves out a definition and puts the same short text wherever it is used.
pub(super) fn find(file: &Parsed<'_>) -> Vec<Change> {
    let Some(shapes) = file.language.shapes() else { return Vec::new() };
    if file.weight(file.node()) > MAX_TEXT_TOKENS {
        return Vec::new();
    }
    let tree = file.tree();
    let mut places = StandInTexts::new(&tree, &shapes);
    let mut changes = Vec::new();
    for target in joint::targets(file, &tree, &Names::of(&tree)) {
        for text in places.texts_for(&target.uses) {
            let mut change = file.leave_out(target.goes.clone());
            change.edits.extend(target.uses.iter().map(|&id| Edit {
                range: file.addresses(tree.node(id).range()),
                text: text.clone().into_bytes(),
            }));
            changes.push(change);
        }
    }
    changes
}

/// Finds the texts that may stand in each place.
pub(super) struct StandInTexts<'a> {
    tree: &'a SyntaxTree,
    shapes: &'a Shapes,
    kinds: ChildKinds<'a>,
    /// The texts for places that were asked about before: kinds of a node's children, and which
    /// child.
    known: HashMap<(NodeKind, Vec<Child>, usize), Vec<String>>,
}

impl<'a> StandInTexts<'a> {
    pub(super) fn new(tree: &'a SyntaxTree, shapes: &'a Shapes) -> Self {
        let kinds = ChildKinds::new(tree, Some(shapes));
        StandInTexts { tree, shapes, kinds, known: HashMap::new() }
    }

    /// Returns the texts that may stand in for all of these, the shortest first.
    pub(super) fn texts_for(&mut self, uses: &[NodeId]) -> Vec<String> {
        let Some((&first, others)) = uses.split_first() else { return Vec::new() };
        let mut texts = self.texts(first);
        for &id in others {
            if texts.is_empty() {
                break;
            }
            let here = self.texts(id);
            texts.retain(|text| here.contains(text));
        }
        texts.truncate(MAX_STAND_INS);
        texts
    }

    fn texts(&mut self, id: NodeId) -> Vec<String> {
        let tree = self.tree;
        let Some(parent) = tree.parent(id) else { return Vec::new() };
        let siblings: Vec<NodeId> = tree.children(parent).collect();
        let Some(place) = siblings.iter().position(|&sibling| sibling == id) else {
            return Vec::new();
        };
        let kinds: Vec<Child> = siblings.iter().map(|&sibling| self.kinds.child(sibling)).collect();
        let Some(node) = self.kinds.kind(parent) else { return Vec::new() };
        let key = (tree.node(parent).kind(), kinds, place);
        if let Some(texts) = self.known.get(&key) {
            return texts.clone();
        }
        let mut texts: Vec<(bool, String)> = self
            .shapes
            .fit(node, &key.1)
            .kinds_at(place)
            .into_iter()
            .filter_map(|symbol| self.text(symbol))
            .collect();
        texts.sort_by(|a, b| (a.0, a.1.len(), &a.1).cmp(&(b.0, b.1.len(), &b.1)));
        texts.dedup();
        let texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
        self.known.insert(key, texts.clone());
        texts
    }

    /// Returns the shortest text of a kind if it is one token that needs no definition, and
    /// whether it is anything else than a number or a word.
    fn text(&self, symbol: KindId) -> Option<(bool, String)> {
        let phrase = self.shapes.minimal(symbol)?;
        let (name, is_named) = self.shapes.name(symbol);
        let language = self.tree.language();
        let mut kinds = language.kinds();
        let kind = kinds.find(|&kind| {
            language.kind_name(kind) == name && language.is_named(kind) == is_named
        })?;
        let is_text = phrase.guesses() == 0 && phrase.tokens() == 1 && is_named;
        let is_name = language.role(kind) == Some(NodeRole::Identifier);
        let is_word = phrase.text().bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_text && !is_name).then(|| (!is_word, phrase.text().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::listing::listed;

    use super::find;

    #[test]
    fn a_plain_type_stands_in_for_a_name_of_one() {
        let changed = listed("c", "typedef struct { int x; } T; T a; T *f(T b);", find);
        assert!(changed.contains(&" int a; int *f(int b);".to_owned()), "{changed:?}");
    }

    #[test]
    fn a_number_stands_in_for_a_variable() {
        let changed = listed("javascript", "let x = f(1); g(x + x);", find);
        assert!(changed.contains(&" g(0 + 0);".to_owned()), "{changed:?}");
    }

    #[test]
    fn a_parameter_can_go_too() {
        let changed = listed("c", "int f(int a, int b) { return a; } int c = f(2, 3);", find);
        assert!(
            changed.contains(&"int f( int b) { return 0; } int c = f( 3);".to_owned()),
            "{changed:?}"
        );
    }
}
