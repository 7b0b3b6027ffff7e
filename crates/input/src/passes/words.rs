//! Single tokens, whatever the grammar demands: some parsers accept more than their grammar does.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::changes::Changes;
use crate::edits::Change;
use crate::languages::Languages;
use crate::structure::{Parsed, Structure};
use crate::tokens;

/// Tokens tried of those without which the text does not parse, and one more for each
/// [`TOKENS_FOR_ONE_MORE`] of them. If one of these can go, all are tried. Chosen by hand.
const MIN_TRIED: usize = 8;

/// Equal tokens tried of those that are not part of a longer text: if one of them is needed the
/// others mostly are, too. The rest is tried if an unexpected token can be removed. Chosen by hand.
const MAX_ALIKE: usize = 2;

/// Tokens for which one more is tried. Chosen by hand.
const TOKENS_FOR_ONE_MORE: usize = 16;

/// A list of tokens that may be removable.
pub(crate) struct Words {
    /// First the deletions after which the text still parses, then the others, then further
    /// deletions of equal tokens after which it parses.
    pub(crate) changes: Changes,
    /// The length of the first part.
    pub(crate) legal: usize,
    /// How many of the second part are tried.
    pub(crate) tried: usize,
}

/// Lists the deletion of each token.
pub(crate) fn find(structure: &Arc<Structure>, languages: &Languages) -> Option<Words> {
    let (mut legal, mut others): (Vec<Change>, Vec<Change>) = (Vec::new(), Vec::new());
    let mut alike = Vec::new();
    // Texts with errors are cut into tokens like any text.
    for file in structure.parsed().filter(|file| !languages.reads_with_errors(file.input())) {
        let mut seen: HashMap<&[u8], usize> = HashMap::new();
        for word in words(&file) {
            let change = file.delete(std::slice::from_ref(&word));
            match file.parses_after(&change) {
                true => {
                    let before = seen.entry(&file.bytes[word]).or_default();
                    *before += 1;
                    if *before <= MAX_ALIKE { &mut legal } else { &mut alike }.push(change);
                }
                false if !file.is_protected(&word) => others.push(change),
                false => {}
            }
        }
    }
    let tried = MIN_TRIED + others.len() / TOKENS_FOR_ONE_MORE;
    let count = legal.len();
    legal.extend(spread(others, tried));
    legal.extend(alike);
    let changes = (!legal.is_empty()).then(|| Changes::ungated(structure.clone(), legal))?;
    Some(Words { changes, legal: count, tried })
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

/// Puts some items that are far from each other first.
fn spread<T>(items: Vec<T>, first: usize) -> Vec<T> {
    let step = items.len().div_ceil(first.max(1)).max(1);
    let (chosen, rest): (Vec<_>, Vec<_>) =
        items.into_iter().enumerate().partition(|(place, _)| place % step == 0);
    chosen.into_iter().chain(rest).map(|(_, item)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_ones_are_far_from_each_other() {
        assert_eq!(spread((0..7).collect(), 3), [0, 3, 6, 1, 2, 4, 5]);
        assert_eq!(spread(Vec::<u8>::new(), 3), [0u8; 0]);
    }
}
