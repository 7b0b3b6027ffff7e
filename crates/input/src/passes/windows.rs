//! Two to four neighbouring tokens at a time, whatever the grammar takes them for.

use std::ops::{Range, RangeInclusive};

use crate::edits::Change;
use crate::structure::Parsed;
use crate::tokens;

/// Tokens of a text in which windows and pairs are tried; in a larger one other passes find more.
/// Chosen by hand.
pub(super) const MAX_TEXT_TOKENS: usize = 300;

/// How many tokens go together.
const SIZES: RangeInclusive<usize> = 2..=4;

/// How many tokens a window has in which one stays.
const SIZES_AROUND: RangeInclusive<usize> = 3..=6;

/// Deletes the windows without which the text parses, the smallest first: one for eight tokens, but a
/// few in any case, and as many again in which one token stays.
pub(super) fn find(file: &Parsed<'_>) -> Vec<Change> {
    let tokens = words(file);
    if tokens.len() > MAX_TEXT_TOKENS {
        return Vec::new();
    }
    let few = (tokens.len() / 8).max(6);
    let parses = |change: &Change| file.parses_after(change);
    let windows = nearest(file, SIZES.flat_map(|size| tokens.windows(size)));
    let windows = windows.into_iter().map(|window| file.delete(&[around(window)]));
    let mut changes: Vec<Change> = windows.filter(parses).take(few).collect();
    // The token that stays is a sign: `<a></a>` without `>`, `<` and `a` around the slash is
    // `<a/>`.
    let windows = nearest(file, SIZES_AROUND.flat_map(|size| tokens.windows(size)));
    let windows = windows.into_iter().flat_map(|window| {
        let kept = (1..window.len() - 1).filter(|&kept| window[kept].len() == 1);
        let kept = kept.filter(|&kept| file.bytes[window[kept].start].is_ascii_punctuation());
        kept.map(|kept| file.delete(&[around(&window[..kept]), around(&window[kept + 1..])]))
    });
    changes.extend(windows.filter(parses).take(few));
    changes
}

/// Sorts windows by the size of the node they are in: what is close together in the grammar too
/// is likelier to go together. A window within one word or string is the last.
fn nearest<'t>(
    file: &Parsed<'_>,
    windows: impl Iterator<Item = &'t [Range<usize>]>,
) -> Vec<&'t [Range<usize>]> {
    let tree = file.tree();
    let leaves: Vec<usize> = tree.leaves().map(|leaf| tree.node(leaf).range().start).collect();
    let leaf_of = |token: &Range<usize>| leaves.partition_point(|&start| start <= token.start);
    let mut windows: Vec<&[Range<usize>]> = windows.collect();
    windows.sort_by_cached_key(|window| {
        let is_within = leaf_of(&window[0]) == leaf_of(&window[window.len() - 1]);
        (is_within, file.weight_around(&around(window)))
    });
    windows
}

fn around(tokens: &[Range<usize>]) -> Range<usize> {
    tokens[0].start..tokens[tokens.len() - 1].end
}

/// Returns the tokens that are not white space.
pub(super) fn words(file: &Parsed<'_>) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    tokens::tokens(file.bytes, |range| {
        if !file.bytes[range.start].is_ascii_whitespace() {
            words.push(range);
        }
    });
    words
}

#[cfg(test)]
mod tests {
    use crate::passes::listing::listed;

    use super::find;

    #[test]
    fn neighbours_go_together_if_the_rest_parses() {
        let changed = listed("c", "int a[2][3];", find);
        for text in ["int a[3];", "int a[2];"] {
            assert!(changed.contains(&text.to_owned()), "{changed:?}");
        }
    }

    #[test]
    fn a_token_may_stay_in_the_midst() {
        let changed = listed("xml", "<a><b></b><c></c></a>", find);
        assert!(changed.contains(&"<a><b/><c></c></a>".to_owned()), "{changed:?}");
    }
}
