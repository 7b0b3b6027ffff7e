//! Where lines, tokens and bytes begin, for text of any encoding.

use std::ops::Range;

pub use whodunit_syntax::is_binary;

/// Calls `found` with the range of each line, its line feed included.
pub(crate) fn lines(bytes: &[u8], mut found: impl FnMut(Range<usize>)) {
    let mut start = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        found(start..start + line.len());
        start += line.len();
    }
}

/// Calls `found` with the range of each token: a word, a run of white space, or one other
/// character. Bytes that are not ASCII count as parts of words, whatever the encoding.
pub(crate) fn tokens(bytes: &[u8], mut found: impl FnMut(Range<usize>)) {
    let mut start = 0;
    while start < bytes.len() {
        let class = Class::of(bytes[start]);
        let length = match class {
            Class::Mark => 1,
            _ => bytes[start..].iter().take_while(|&&byte| Class::of(byte) == class).count(),
        };
        found(start..start + length);
        start += length;
    }
}

/// Calls `found` with the range of each byte, also within characters: a program may read half of
/// one.
pub(crate) fn bytes(bytes: &[u8], mut found: impl FnMut(Range<usize>)) {
    (0..bytes.len()).for_each(|start| found(start..start + 1));
}

/// Calls `found` with the range of each character of more than one byte.
pub(crate) fn wide_characters(bytes: &[u8], mut found: impl FnMut(Range<usize>)) {
    let mut start = 0;
    for chunk in bytes.utf8_chunks() {
        for (at, sign) in chunk.valid().char_indices() {
            if sign.len_utf8() > 1 {
                found(start + at..start + at + sign.len_utf8());
            }
        }
        start += chunk.valid().len() + chunk.invalid().len();
    }
}

/// Counts words and marks: the tokens that are not white space.
///
/// No deletion makes the count grow: bytes that are not ASCII are parts of words, so half a
/// character is no new token.
pub fn count(bytes: &[u8]) -> usize {
    let mut counter = Counter::default();
    counter.add(bytes);
    counter.words
}

/// Counts the words and marks of a text that comes in pieces.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counter {
    pub(super) words: usize,
    /// Whether a word reached to the end of the last piece.
    in_word: bool,
}

impl Counter {
    pub(super) fn add(&mut self, piece: &[u8]) {
        for &byte in piece {
            let class = Class::of(byte);
            self.words += usize::from(match class {
                Class::Word => !self.in_word,
                Class::Mark => true,
                Class::Space => false,
            });
            self.in_word = class == Class::Word;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    Mark,
}

impl Class {
    fn of(byte: u8) -> Self {
        match byte {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => Class::Word,
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => Class::Space,
            _ => Class::Mark,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pieces that `split` finds.
    fn pieces(bytes: &[u8], split: impl Fn(&[u8], &mut Vec<Range<usize>>)) -> Vec<String> {
        let mut ranges = Vec::new();
        split(bytes, &mut ranges);
        ranges.into_iter().map(|range| String::from_utf8_lossy(&bytes[range]).into()).collect()
    }

    #[test]
    fn lines_keep_their_ends() {
        let pieces = pieces(b"a\r\n\nb", |bytes, found| lines(bytes, |range| found.push(range)));
        assert_eq!(pieces, ["a\r\n", "\n", "b"]);
    }

    #[test]
    fn words_spaces_and_marks_are_tokens() {
        let text = "x1 +=\n  fü;".as_bytes();
        let pieces = pieces(text, |bytes, found| tokens(bytes, |range| found.push(range)));
        assert_eq!(pieces, ["x1", " ", "+", "=", "\n  ", "fü", ";"]);
        assert_eq!(count(text), 5);
    }
}
