//! Words inside literals and in plain text, shortened wherever they stand: `session 48400` and
//! `lost 48400` become `session 4` and `lost 4`.
//!
//! Names have passes of their own, by their definitions. A word in a string, or in a text without
//! a grammar, is recognised by its looks alone; half of it, or its first letter, takes its place.

use std::collections::BTreeMap;
use std::ops::Range;

use whodunit_syntax::language::NodeRole;
use whodunit_syntax::tree::NodeId;

use crate::edits::{Change, Edit};
use crate::structure::{Outlined, Parsed};
use crate::tokens;

/// Bytes of a text whose words are shortened; in a larger one the pass has nothing to ask: what
/// remains is small, or not worth a test for each word. Chosen by hand.
const MAX_TEXT_BYTES: usize = 4000;

/// Nodes above a leaf among which the literal is searched that it is a part of. Chosen by hand.
const MAX_LEVELS: usize = 3;

/// Signs that may join parts of a word.
const JOINTS: &[u8] = b"-.";

/// Shortens words inside literals: strings, numbers, patterns, comments.
pub(super) fn in_literals(file: &Parsed<'_>) -> Vec<Change> {
    if file.bytes.len() > MAX_TEXT_BYTES {
        return Vec::new();
    }
    let tree = file.tree();
    let leaves: Vec<NodeId> = tree.leaves().collect();
    let is_text = |id: NodeId| {
        let mut around = std::iter::successors(Some(id), |&id| tree.parent(id)).take(MAX_LEVELS);
        // A name within a string stands for a value.
        tree.role(id) != Some(NodeRole::Identifier)
            && around.any(|id| matches!(tree.role(id), Some(NodeRole::String | NodeRole::Comment)))
    };
    let is_literal = |word: &Range<usize>| {
        let after = leaves.partition_point(|&leaf| tree.node(leaf).range().start <= word.start);
        let leaf = after.checked_sub(1).map(|before| leaves[before]);
        leaf.is_some_and(|leaf| {
            let range = tree.node(leaf).range();
            // Quotes may be leaves of their own, with the text between them in none.
            range.end < word.end && is_text(leaf)
                || range.end >= word.end && (range.len() > word.len() || is_text(leaf))
        })
    };
    shorter(file.bytes, |places| places.iter().any(is_literal), |range| file.addresses(range))
}

/// Shortens words that stand in several places of a text without a grammar. Other words lose
/// single letters in other passes.
pub(super) fn in_text(file: &Outlined<'_>) -> Vec<Change> {
    if file.bytes.len() > MAX_TEXT_BYTES || tokens::is_binary(file.bytes) {
        return Vec::new();
    }
    shorter(file.bytes, |places| places.len() > 1, |range| file.addresses(&range))
}

/// Lists the possible replacements of each wanted word: its first letter, its halves.
fn shorter(
    bytes: &[u8],
    is_wanted: impl Fn(&[Range<usize>]) -> bool,
    addresses: impl Fn(Range<usize>) -> Range<u64>,
) -> Vec<Change> {
    let mut places: BTreeMap<&[u8], Vec<Range<usize>>> = BTreeMap::new();
    for word in words(bytes) {
        places.entry(&bytes[word.clone()]).or_default().push(word);
    }
    places.retain(|word, places| word.len() > 1 && word.is_ascii() && is_wanted(places));
    let mut words: Vec<(&[u8], Vec<Range<usize>>)> = places.into_iter().collect();
    // The longest words first: they have most to lose.
    words.sort_by_key(|(word, places)| std::cmp::Reverse(word.len() * places.len()));
    let change = |text: &[u8], places: &[Range<usize>]| {
        let edit =
            |place: &Range<usize>| Edit { range: addresses(place.clone()), text: text.to_vec() };
        Change { edits: places.iter().map(edit).collect(), drops: Vec::new() }
    };
    // First all words of a kind get the same form, so that groups of changes grow.
    let first = words.iter().map(|(word, places)| change(&word[..1], places));
    let long = || words.iter().filter(|(word, _)| word.len() > 2);
    let middle = |word: &[u8]| word.len().div_ceil(2);
    let left = long().map(|(word, places)| change(&word[..middle(word)], places));
    let right = long().map(|(word, places)| change(&word[middle(word)..], places));
    first.chain(left).chain(right).collect()
}

/// Returns the words of a text; those that are joined by a sign are one.
fn words(bytes: &[u8]) -> Vec<Range<usize>> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let mut words: Vec<Range<usize>> = Vec::new();
    tokens::tokens(bytes, |range| {
        if !is_letter(bytes[range.start]) {
            return;
        }
        match words.last_mut().filter(|last| last.end + 1 == range.start) {
            Some(last) if JOINTS.contains(&bytes[last.end]) => last.end = range.end,
            _ => words.push(range),
        }
    });
    words
}

#[cfg(test)]
mod tests {
    use crate::passes::listing::listed;

    use super::*;

    #[test]
    fn a_word_in_a_string_is_shortened_wherever_it_stands() {
        let changed = listed("xml", "<a b='by-key'><c d=\"k('by-key')\"/></a>", in_literals);
        assert_eq!(
            changed,
            [
                "<a b='b'><c d=\"k('b')\"/></a>",
                "<a b='by-'><c d=\"k('by-')\"/></a>",
                "<a b='key'><c d=\"k('key')\"/></a>",
            ]
        );
    }

    #[test]
    fn a_string_of_one_word_is_shortened() {
        assert!(listed("xml", "<a b=\"columns\"/>", in_literals).contains(&"<a b=\"c\"/>".into()));
        assert!(listed("json", "{\"kind\": 1}", in_literals).contains(&"{\"k\": 1}".into()));
        assert!(listed("rust", "const A: &str = \"word\";", in_literals)[0].contains("\"w\""));
    }

    #[test]
    fn names_are_left_to_others() {
        assert_eq!(listed("c", "int name = 12 + name;", in_literals), [""; 0]);
    }
}
