//! Words of a text: what looks like an identifier, known by its hash.

use std::ops::Range;

use twox_hash::XxHash3_64;

/// A word by the hash of its bytes; that two share one is too rare to matter to a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WordHash(pub u64);

impl WordHash {
    /// Returns the word with these bytes.
    pub fn of(bytes: &[u8]) -> WordHash {
        WordHash(hash(bytes))
    }
}

/// Hashes bytes: the same on every machine, because hashes decide the order of results.
pub fn hash(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// Returns the words of a text: runs of letters, digits, `_`, `$` and non-ASCII characters.
pub fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    runs(text, is_word).filter(|word| !text[word.start].is_ascii_digit())
}

/// Returns the tokens by which lines are compared: words, numbers, single signs.
pub fn tokens(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = *text.get(at)?;
        let start = at;
        at += 1;
        let class: fn(u8) -> bool = if is_word(first) {
            is_word
        } else if is_blank(first) {
            is_blank
        } else {
            return Some(start..at);
        };
        while text.get(at).is_some_and(|&byte| class(byte)) {
            at += 1;
        }
        Some(start..at)
    })
}

fn runs(text: &[u8], class: fn(u8) -> bool) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].iter().position(|&byte| class(byte))?;
        at = text[start..].iter().position(|&byte| !class(byte)).map_or(text.len(), |n| start + n);
        Some(start..at)
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// Line feeds stand alone, so that no token reaches over the end of a line.
fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_identifiers() {
        let text = b"x1 = foo(2y, $bar)";
        let found: Vec<&[u8]> = words(text).map(|word| &text[word]).collect();
        assert_eq!(found, [b"x1".as_slice(), b"foo", b"$bar"]);
    }

    #[test]
    fn tokens_cover_the_text() {
        let text = b"if  (a==12)\r\n";
        let found: Vec<&[u8]> = tokens(text).map(|token| &text[token]).collect();
        assert_eq!(found.concat(), text);
        assert_eq!(found[..4], [b"if".as_slice(), b"  ", b"(", b"a"]);
    }
}
