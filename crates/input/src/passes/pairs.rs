//! Two or more places at once: a bracket with the other one, and everything that has a word in
//! common.
//!
//! By word and not by name, so that it also finds what the grammar does not know as a name: an
//! attribute's value, a word in a string.

use std::collections::BTreeMap;
use std::ops::Range;

use whodunit_core::Delta;

use super::windows::{MAX_TEXT_TOKENS, words};
use crate::edits::Change;
use crate::structure::Parsed;

/// Deletes pairs without which the text parses; one for eight tokens, but a few in any case.
pub(super) fn find(file: &Parsed<'_>) -> Vec<Change> {
    let tokens = words(file);
    if tokens.len() > MAX_TEXT_TOKENS {
        return Vec::new();
    }
    let mut changes = with_common_word(file, &tokens);
    changes.extend(brackets(file, &tokens).map(|pair| file.delete(&pair)));
    changes.retain(|change| file.parses_after(change));
    changes.truncate((tokens.len() / 8).max(6));
    changes
}

/// Leaves out what is around two neighbouring places of a word, and around all of them: the least
/// that can go, and a step more.
fn with_common_word(file: &Parsed<'_>, tokens: &[Range<usize>]) -> Vec<Change> {
    let mut places: BTreeMap<&[u8], Vec<Delta>> = BTreeMap::new();
    for range in tokens {
        let text = &file.bytes[range.clone()];
        if text[0].is_ascii_alphanumeric() || text[0] == b'_' || text[0] >= 0x80 {
            places.entry(text).or_default().extend(file.removable_around(range));
        }
    }
    let mut changes: Vec<(u64, Change)> = Vec::new();
    for nodes in places.values_mut() {
        let above = nodes.iter().filter_map(|&node| file.removable_above(node)).collect();
        for mut nodes in [std::mem::take(nodes), above] {
            nodes.dedup();
            let pairs = nodes.windows(2).map(<[Delta]>::to_vec);
            let all = (nodes.len() > 2).then(|| nodes.clone());
            changes.extend(pairs.chain(all).map(|nodes| {
                (nodes.iter().map(|&node| file.weight(node)).sum(), file.leave_out(nodes))
            }));
        }
    }
    // A pair with little text around it is the likeliest to go.
    changes.sort_by_key(|(weight, _)| *weight);
    let mut changes: Vec<Change> = changes.into_iter().map(|(_, change)| change).collect();
    changes.dedup();
    changes
}

/// Returns the brackets that belong together.
fn brackets(file: &Parsed<'_>, tokens: &[Range<usize>]) -> impl Iterator<Item = [Range<usize>; 2]> {
    let brackets = &file.language.profile().brackets;
    let mut open: Vec<&Range<usize>> = Vec::new();
    let mut pairs = Vec::new();
    for range in tokens {
        let text = &file.bytes[range.clone()];
        if brackets.iter().any(|(opening, _)| opening.as_bytes() == text) {
            open.push(range);
        } else if let Some((opening, _)) =
            brackets.iter().find(|(_, closing)| closing.as_bytes() == text)
            && let Some(first) =
                open.pop_if(|first| &file.bytes[(*first).clone()] == opening.as_bytes())
        {
            pairs.push([first.clone(), range.clone()]);
        }
    }
    pairs.into_iter()
}

#[cfg(test)]
mod tests {
    use crate::passes::listing::listed;

    use super::find;

    #[test]
    fn both_brackets_go() {
        let changed = listed("c", "int a = (1); int f() { { g(); } }", find);
        assert!(changed.contains(&"int a = 1; int f() { { g(); } }".to_owned()), "{changed:?}");
        assert!(changed.contains(&"int a = (1); int f() {  g();  }".to_owned()), "{changed:?}");
    }

    #[test]
    fn what_has_a_word_in_common_goes() {
        let changed = listed("xml", "<a x='k'><b y='k'/><c/></a>", find);
        assert!(changed.contains(&"<a><b/><c/></a>".to_owned()), "{changed:?}");
    }
}
