//! Names that may be others: one name for two things, and late renaming to the shortest names.
//!
//! A name is only replaced by a plainer one, which is a shorter one or, of the same length, one
//! that comes first in the alphabet: so it ends, however often it is done.

use std::collections::{BTreeSet, HashMap};

use whodunit_syntax::language::DefinitionKind;
use whodunit_syntax::names::Names;
use whodunit_syntax::tree::{NodeId, SyntaxTree};

use crate::edits::{Change, Edit};
use crate::structure::Parsed;
use crate::tokens;

/// Other names tried for each name. Chosen by hand.
const MAX_PARTNERS: usize = 2;

/// Names of a text in which names are shortened; in a larger one the pass has nothing to ask.
/// Chosen by hand.
const MAX_SHORTENED_NAMES: usize = 1000;

/// Names of a text in which a name is replaced by another; in a larger one the pass has nothing to
/// ask. Chosen by hand.
const MAX_UNIFIED_NAMES: usize = 100;

/// Gives each name in turn the name of something else of its kind.
pub(super) fn unify(file: &Parsed<'_>) -> Vec<Change> {
    let tree = file.tree();
    let names = Names::of(&tree);
    let sorts = sorts(&tree, &names);
    let groups = names.identifiers();
    if groups.len() > MAX_UNIFIED_NAMES {
        return Vec::new();
    }
    let text = |group: &Vec<NodeId>| tree.text(group[0]).to_vec();
    // A name that is not defined here means something elsewhere.
    let sort = |group: &Vec<NodeId>| {
        sorts.get(tree.text(group[0])).map(|&sort| (sort, tree.node(group[0]).kind()))
    };
    let mut changes = Vec::new();
    for group in groups {
        let fits = |other: &&Vec<NodeId>| {
            let same_sort = sort(group).is_some() && sort(group) == sort(other);
            same_sort && is_plainer(&text(other), &text(group))
        };
        let mut others: Vec<&Vec<NodeId>> = groups.iter().filter(fits).collect();
        // The most frequent name is the likeliest to fit.
        others.sort_by_key(|other| std::cmp::Reverse(other.len()));
        changes.extend(
            others.iter().take(MAX_PARTNERS).map(|other| rename(file, &tree, group, &text(other))),
        );
    }
    changes
}

/// Gives each name the shortest one that is free, the longest first.
pub(super) fn shorten(file: &Parsed<'_>) -> Vec<Change> {
    let tree = file.tree();
    let names = Names::of(&tree);
    let sorts = sorts(&tree, &names);
    if names.identifiers().len() > MAX_SHORTENED_NAMES {
        return Vec::new();
    }
    // A name that is not defined here means something elsewhere.
    let is_defined = |group: &&Vec<NodeId>| sorts.contains_key(tree.text(group[0]));
    let mut groups: Vec<&Vec<NodeId>> = names.identifiers().iter().filter(is_defined).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(tree.text(group[0]).len()));
    let mut taken = taken(&tree);
    let mut changes = Vec::new();
    for group in groups {
        let former = tree.text(group[0]);
        let name = free_name(former, &taken).filter(|name| is_plainer(name, former));
        changes.extend(name.map(|name| {
            let change = rename(file, &tree, group, &name);
            taken.insert(name);
            change
        }));
    }
    changes
}

fn rename(file: &Parsed<'_>, tree: &SyntaxTree, group: &[NodeId], name: &[u8]) -> Change {
    let edits = group
        .iter()
        .map(|&id| Edit { range: file.addresses(tree.node(id).range()), text: name.to_vec() });
    Change { edits: edits.collect(), drops: Vec::new() }
}

/// Returns the kind of definition of each name that is defined.
fn sorts<'a>(tree: &'a SyntaxTree, names: &Names) -> HashMap<&'a [u8], DefinitionKind> {
    let definitions = names.definitions().iter().rev();
    definitions.map(|definition| (tree.text(definition.name), definition.kind)).collect()
}

pub(super) fn is_plainer(name: &[u8], than: &[u8]) -> bool {
    (name.len(), name) < (than.len(), than)
}

/// Returns the words of a text and of its language.
fn taken(tree: &SyntaxTree) -> BTreeSet<Vec<u8>> {
    let mut taken = BTreeSet::new();
    tokens::tokens(tree.source(), |range| {
        taken.insert(tree.source()[range].to_vec());
    });
    let language = tree.language();
    let signs = language.kinds().filter(|&kind| !language.is_named(kind));
    taken.extend(signs.map(|kind| language.kind_name(kind).as_bytes().to_vec()));
    taken
}

/// Returns the shortest free name that begins in the same manner: in many languages a capital
/// letter, a dollar or an at sign has a meaning.
fn free_name(former: &[u8], taken: &BTreeSet<Vec<u8>>) -> Option<Vec<u8>> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let (sign, first) = match former {
        [sign @ (b'$' | b'@' | b'\''), first, ..] if is_letter(first) => (Some(*sign), *first),
        [first, ..] => (None, *first),
        [] => return None,
    };
    let letters = if first.is_ascii_uppercase() { b'A'..=b'Z' } else { b'a'..=b'z' };
    let longer =
        letters.clone().flat_map(|first| (b'a'..=b'z').map(move |second| vec![first, second]));
    let mut words = letters.map(|letter| vec![letter]).chain(longer);
    let is_free = |word: &Vec<u8>| {
        let whole: Vec<u8> = sign.into_iter().chain(word.iter().copied()).collect();
        !taken.contains(word) && !taken.contains(&whole)
    };
    let word = words.find(is_free)?;
    Some(sign.into_iter().chain(word).collect())
}

#[cfg(test)]
mod tests {
    use crate::passes::listing::{all_made, listed};

    use super::*;

    #[test]
    fn a_name_becomes_a_plainer_one_of_its_kind() {
        assert_eq!(
            listed("c", "int foo; int ab; void f() { foo = ab; }", unify),
            ["int ab; int ab; void f() { ab = ab; }"]
        );
    }

    #[test]
    fn names_become_single_letters() {
        assert_eq!(
            all_made("c", "typedef int number; number b; void func(void) { b = 1; }", shorten),
            "typedef int a; a b; void c(void) { b = 1; }"
        );
    }

    #[test]
    fn a_capital_and_a_dollar_stay() {
        assert_eq!(
            all_made("php", "<?php class Foo {} $bar = new Foo;", shorten),
            "<?php class A {} $a = new A;"
        );
    }

    #[test]
    fn a_short_name_stays() {
        assert_eq!(listed("c", "int a;", shorten), [""; 0]);
    }
}
