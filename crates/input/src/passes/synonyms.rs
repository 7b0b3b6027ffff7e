//! Shorter forms with the same meaning, as the profile of a language lists them: `class` for
//! `typename`, `<a/>` for `<a></a>`.

use std::collections::BTreeMap;
use std::ops::Range;

use super::words::words;
use crate::edits::Change;
use crate::structure::Parsed;
use crate::tokens;

/// Tokens of a text in which synonyms are searched; in a larger one the pass has nothing to ask.
/// Chosen by hand.
const MAX_TEXT_TOKENS: usize = 2000;

/// The words that stand in the places of a pattern.
type Places<'a> = BTreeMap<&'a [u8], &'a [u8]>;

/// Lists each shorter form wherever it fits.
pub(super) fn find(file: &Parsed<'_>) -> Vec<Change> {
    let tokens = words(file);
    let synonyms = &file.language.profile().synonyms;
    if tokens.len() > MAX_TEXT_TOKENS || synonyms.is_empty() {
        return Vec::new();
    }
    let mut changes = Vec::new();
    for (longer, shorter) in synonyms {
        let (pattern, shorter) = (split(longer), split(shorter));
        for first in 0..tokens.len() {
            let Some((count, places)) = matched(&pattern, file.bytes, &tokens[first..]) else {
                continue;
            };
            let range = tokens[first].start..tokens[first + count - 1].end;
            let text = filled(&shorter, &places);
            changes.push(Change::replace(file.addresses(range), text));
        }
    }
    changes.retain(|change| file.parses_after(change));
    changes
}

fn split(text: &str) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    tokens::tokens(text.as_bytes(), |range| {
        if !text.as_bytes()[range.start].is_ascii_whitespace() {
            parts.push(&text.as_bytes()[range]);
        }
    });
    parts
}

/// Returns whether a part of a pattern stands for any word: `_1`, `_2`.
fn is_any(part: &[u8]) -> bool {
    matches!(part, [b'_', digit] if digit.is_ascii_digit())
}

/// Returns the number of tokens that a pattern matches, and the words in its places; `None` if it
/// does not match.
fn matched<'a>(
    pattern: &[&'a [u8]],
    bytes: &'a [u8],
    tokens: &[Range<usize>],
) -> Option<(usize, Places<'a>)> {
    let (mut places, mut at) = (BTreeMap::new(), 0);
    for &part in pattern {
        let count = if is_any(part) { joined(bytes, &tokens[at..]) } else { 1 };
        let token = &bytes[tokens.get(at)?.start..tokens.get(at + count - 1)?.end];
        let fits = match is_any(part) {
            true => *places.entry(part).or_insert(token) == token,
            false => part.eq_ignore_ascii_case(token),
        };
        fits.then_some(())?;
        at += count;
    }
    Some((at, places))
}

/// Returns the number of tokens in the first word: `xsl:for-each` is one word of five.
fn joined(bytes: &[u8], tokens: &[Range<usize>]) -> usize {
    let is_joint = |sign: &Range<usize>| matches!(&bytes[sign.clone()], b"-" | b":" | b".");
    let goes_on = |three: &&[Range<usize>]| {
        three[0].end == three[1].start && three[1].end == three[2].start && is_joint(&three[1])
    };
    1 + 2 * tokens.windows(3).step_by(2).take_while(goes_on).count()
}

fn filled(pattern: &[&[u8]], places: &Places<'_>) -> Vec<u8> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let mut text: Vec<u8> = Vec::new();
    for part in pattern {
        let part = places.get(part).unwrap_or(part);
        if text.last().is_some_and(is_letter) && part.first().is_some_and(is_letter) {
            text.push(b' ');
        }
        text.extend_from_slice(part);
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::passes::listing::{all_made, listed};

    use super::find;

    #[test]
    fn a_shorter_form_takes_the_place_of_a_longer_one() {
        assert_eq!(all_made("cpp", "template<typename T> T a;", find), "template<class T> T a;");
        assert_eq!(listed("xml", "<a><b></b><c>x</c></a>", find), ["<a><b/><c>x</c></a>"]);
        assert_eq!(listed("smtlib", "(declare-fun x () Int)", find), ["(declare-const x Int)"]);
    }
}
