//! A definition is removed, and a part of it takes the place of its name: the value of a variable,
//! the type behind a name for it, the base of a class. `typedef long word; word f(word a);` becomes
//! `long f(long a);`. A name of the same kind that is used but not defined here can also take the
//! place: it is part of the language or of a library.
//!
//! Where the definition is a part of something that holds all uses, such as a binding in `let`, the
//! part that holds the uses takes the place of the whole.

use std::ops::Range;

use whodunit_syntax::language::DefinitionKind;
use whodunit_syntax::names::{Definition, Names};
use whodunit_syntax::tree::{NodeId, SyntaxTree};

use crate::edits::{Change, Edit};
use crate::structure::Parsed;
use crate::tokens;

/// Tokens of a text in which definitions are put in the places of their uses; in a larger one the pass
/// has nothing to ask. Chosen by hand.
const MAX_TEXT_TOKENS: u64 = 1000;

/// Tokens of a part that takes the place of a name; a larger one would only make the text longer.
/// Chosen by hand.
const MAX_VALUE_TOKENS: usize = 16;

/// Parts of one definition that are tried. Chosen by hand.
const MAX_VALUES: usize = 2;

/// Nodes above a definition that are tried for what holds all uses. Chosen by hand.
const MAX_LEVELS: usize = 3;

/// Puts parts of each definition in the places of its uses.
pub(super) fn find(file: &Parsed<'_>) -> Vec<Change> {
    if file.weight(file.node()) > MAX_TEXT_TOKENS {
        return Vec::new();
    }
    let tree = file.tree();
    let names = Names::of(&tree);
    let mut changes = Vec::new();
    for definition in names.definitions() {
        let uses: Vec<Range<usize>> =
            names.uses(definition).map(|id| tree.node(id).range()).collect();
        let mut found: Vec<Change> = Vec::new();
        let known = undefined(&tree, &names, definition);
        for value in values(&tree, definition).into_iter().chain(known) {
            let text = tree.text(value);
            found.extend(without_definition(file, &tree, definition, &uses, text));
            found.extend(without_what_is_around(file, &tree, definition, &uses, text));
        }
        found.retain(|change| file.parses_after(change));
        found.truncate(MAX_VALUES);
        changes.extend(found);
    }
    changes
}

/// Returns the parts of a definition that may stand for its name: those beside the name, the longest
/// first, and names of the same kind further down.
fn values(tree: &SyntaxTree, definition: &Definition) -> Vec<NodeId> {
    let name = tree.node(definition.name);
    let is_small = |id: &NodeId| {
        let text = tree.text(*id);
        !text.is_empty()
            && text != tree.text(definition.name)
            && tokens::count(text) <= MAX_VALUE_TOKENS
    };
    let mut beside = Vec::new();
    let mut around = Some(definition.name);
    while let Some(id) = around.filter(|&id| id != definition.item) {
        around = tree.parent(id);
        let siblings = around.into_iter().flat_map(|above| tree.children(above));
        beside.extend(siblings.filter(|&other| other != id && tree.node(other).is_named()));
    }
    // A value comes after the name; a node before the name is a type, and only replaces the name of
    // a type.
    let is_type = definition.kind == DefinitionKind::Type;
    beside.retain(|id| is_small(id) && (is_type || *id > definition.name));
    beside.sort_by_key(|&id| std::cmp::Reverse(tree.text(id).len()));
    let alike = tree.subtree(definition.item).filter(|&id| tree.node(id).kind() == name.kind());
    beside.extend(alike.filter(is_small).filter(|_| is_type));
    let mut texts = std::collections::BTreeSet::new();
    beside.retain(|&id| texts.insert(tree.text(id)));
    beside
}

/// Returns the name, of those that are used as the defined one is and not defined here, that is
/// written most often.
fn undefined(tree: &SyntaxTree, names: &Names, definition: &Definition) -> Option<NodeId> {
    let context = |id: NodeId| {
        let above = tree.parent(id).map(|above| tree.node(above).kind());
        (tree.node(id).kind(), above)
    };
    let used = context(names.uses(definition).next()?);
    let is_defined = |group: &[NodeId]| {
        let text = tree.text(group[0]);
        names.definitions().iter().any(|other| tree.text(other.name) == text)
    };
    let groups = names.identifiers().iter();
    let others = groups.filter(|group| context(group[0]) == used && !is_defined(group));
    others.max_by_key(|group| group.len()).map(|group| group[0])
}

/// Leaves out a definition, with a text in the place of each use outside of it.
fn without_definition(
    file: &Parsed<'_>,
    tree: &SyntaxTree,
    definition: &Definition,
    uses: &[Range<usize>],
    text: &[u8],
) -> Option<Change> {
    let goes = file.removable_around(&tree.node(definition.item).range())?;
    let gone = file.text_range(goes);
    let mut left =
        uses.iter().filter(|place| place.end <= gone.start || gone.end <= place.start).peekable();
    left.peek()?;
    let mut change = file.leave_out(vec![goes]);
    change.edits.extend(left.map(|place| replaced(file, place, text)));
    change.edits.sort_by_key(|edit| edit.range.start);
    Some(change)
}

/// Puts the part that holds all uses in the place of a node that also holds the definition.
fn without_what_is_around(
    file: &Parsed<'_>,
    tree: &SyntaxTree,
    definition: &Definition,
    uses: &[Range<usize>],
    text: &[u8],
) -> Option<Change> {
    let mut around = tree.parent(definition.item);
    for _ in 0..MAX_LEVELS {
        let outer = tree.node(around?).range();
        let holds = |part: &Range<usize>| {
            uses.iter().all(|place| part.start <= place.start && place.end <= part.end)
        };
        let mut parts = tree.children(around?).map(|child| tree.node(child).range());
        if let Some(inner) = parts.find(|part| !uses.is_empty() && holds(part)) {
            let item = tree.node(definition.item).range();
            if inner.start <= item.start && item.end <= inner.end {
                return None;
            }
            let mut edits: Vec<Edit> =
                uses.iter().map(|place| replaced(file, place, text)).collect();
            edits.push(Edit::delete(file.addresses(outer.start..inner.start)));
            edits.push(Edit::delete(file.addresses(inner.end..outer.end)));
            edits.retain(|edit| !edit.range.is_empty());
            edits.sort_by_key(|edit| edit.range.start);
            return Some(Change { edits, drops: Vec::new() });
        }
        around = tree.parent(around?);
    }
    None
}

fn replaced(file: &Parsed<'_>, place: &Range<usize>, text: &[u8]) -> Edit {
    Edit { range: file.addresses(place.clone()), text: text.to_vec() }
}

#[cfg(test)]
mod tests {
    use crate::passes::listing::listed;

    use super::find;

    #[test]
    fn a_type_takes_the_place_of_its_name() {
        let changed = listed("c", "typedef unsigned long word; word f(word a);", find);
        assert!(changed.contains(&" unsigned long f(unsigned long a);".to_owned()), "{changed:?}");
    }

    #[test]
    fn a_value_takes_the_place_of_a_bound_name() {
        let changed = listed("smtlib", "(assert (let ((a 0)) (= a (f a))))", find);
        assert!(changed.contains(&"(assert (= 0 (f 0)))".to_owned()), "{changed:?}");
        let changed = listed("javascript", "let x = f(1); g(x + x);", find);
        assert!(changed.contains(&" g(f(1) + f(1));".to_owned()), "{changed:?}");
    }

    #[test]
    fn a_known_sort_takes_the_place_of_a_declared_one() {
        let text = "(declare-sort A)(declare-const a(Array Int A))";
        assert!(listed("smtlib", text, find).contains(&"(declare-const a(Array Int Int))".into()));
    }

    #[test]
    fn a_base_takes_the_place_of_a_class() {
        let changed = listed("cpp", "class A {}; class B : A {}; class C : B {};", find);
        assert!(changed.contains(&"class A {}; class C : A {};".to_owned()), "{changed:?}");
    }
}
