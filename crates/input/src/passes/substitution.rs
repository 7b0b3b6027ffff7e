//! Replaces a part of the text by a shorter part of a kind that may stand there.
//!
//! Parts inside of the replaced part are not tried here; the search over the tree tries them.

use std::collections::{BTreeMap, BTreeSet};

use whodunit_core::Delta;

use crate::edits::Change;
use crate::structure::Parsed;

/// Texts tried in each place, the lightest first. Chosen by hand.
const MAX_CANDIDATES: usize = 2;

/// Tokens of a text in which texts are substituted; in a larger one the pass has nothing to ask.
/// Chosen by hand.
const MAX_TEXT_TOKENS: u64 = 1000;

/// Tokens of the text for one question, but at least three are asked: the pass seldom succeeds.
/// Chosen by hand.
const TOKENS_PER_QUESTION: usize = 16;

/// Substitutes the lightest texts there are for each heavier one, the heaviest first.
pub(super) fn find(file: &Parsed<'_>) -> Vec<Change> {
    let tree = file.structure_tree();
    if file.weight(file.node()) > MAX_TEXT_TOKENS {
        return Vec::new();
    }
    let nodes = || tree.subtree(file.node()).skip(1).map(Delta);
    let mut offers: BTreeMap<(u64, usize, Vec<u8>), Delta> = BTreeMap::new();
    for node in nodes().filter(|&node| tree.facts(node).kind.0 != 0) {
        let text = file.bytes[file.text_range(node)].to_vec();
        if !text.is_empty() {
            offers.entry((file.weight(node), text.len(), text)).or_insert(node);
        }
    }
    let mut changes: Vec<(u64, Change)> = Vec::new();
    for node in nodes() {
        let (place, weight) = (tree.facts(node).place, file.weight(node));
        let range = file.text_range(node);
        let lighter = offers.iter().take_while(|((offered, ..), _)| *offered < weight);
        let fitting = lighter.filter(|(_, offered)| {
            tree.may_stand(place, tree.facts(**offered).kind) && !tree.is_within(node, **offered)
        });
        // One of each kind: of several names or numbers the next is hardly better than the first.
        let mut kinds = BTreeSet::new();
        let fitting = fitting.filter(|(_, offered)| kinds.insert(tree.facts(**offered).kind.0));
        for ((offered, _, text), _) in fitting.take(MAX_CANDIDATES) {
            let change = Change::replace(file.addresses(range.clone()), text.clone());
            if file.parses_after(&change) {
                changes.push((weight - offered, change));
            }
        }
    }
    changes.sort_by_key(|(gain, _)| std::cmp::Reverse(*gain));
    // At most one question for each `TOKENS_PER_QUESTION` tokens, but at least three.
    changes.truncate((file.weight(file.node()) as usize / TOKENS_PER_QUESTION).max(3));
    changes.into_iter().map(|(_, change)| change).collect()
}

#[cfg(test)]
mod tests {
    use crate::passes::listing::listed;

    use super::find;

    #[test]
    fn an_expression_becomes_a_number_or_a_name() {
        let changed = listed("c", "int f(int a) { return g(h(1), q[2]); }", find);
        for text in ["int f(int a) { return 1; }", "int f(int a) { return a; }"] {
            assert!(changed.contains(&text.to_owned()), "{changed:?}");
        }
    }
}
