//! The order of contents from simple to complex, for all of `reduce`: fewer files, then fewer
//! tokens, then fewer bytes, then the text that comes first in the order of bytes.
//!
//! This is a total order of contents, and only finitely many contents are simpler than any given
//! one. Deleting something always makes a content simpler. Bytes are the tokens of a file that
//! holds a zero byte.

use super::tokens::Counter;

/// How much there is of a content; ordered as the words of this module say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Amount {
    files: usize,
    tokens: usize,
    bytes: usize,
}

impl Amount {
    /// Adds a file that consists of these pieces.
    pub(super) fn add_file(&mut self, pieces: &[&[u8]]) {
        let mut counter = Counter::default();
        pieces.iter().for_each(|piece| counter.add(piece));
        let bytes: usize = pieces.iter().map(|piece| piece.len()).sum();
        let is_text = pieces.iter().all(|piece| !piece.contains(&0));
        self.files += 1;
        self.tokens += if is_text { counter.words } else { bytes };
        self.bytes += bytes;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::candidate::InputCandidate;
    use crate::snapshot::{InputFile, Snapshot};

    fn content(texts: &[&[u8]]) -> InputCandidate {
        let file = |(place, text): (usize, &&[u8])| InputFile {
            name: format!("{place}").into(),
            bytes: (*text).into(),
            mode: 0o644,
        };
        let files = texts.iter().enumerate().map(file).collect();
        InputCandidate::whole(Arc::new(Snapshot::new(files)))
    }

    fn check(simpler: &[&[u8]], other: &[&[u8]]) {
        let (simpler, other) = (content(simpler), content(other));
        assert!(simpler.is_simpler_than(&other));
        assert!(!other.is_simpler_than(&simpler));
        assert!(!other.is_simpler_than(&other));
    }

    #[test]
    fn files_count_before_tokens_before_bytes_before_letters() {
        check(&[b"a b c d"], &[b"a", b"b"]);
        check(&[b"longer words"], &[b"a + b"]);
        check(&[b"a b"], &[b"a  b"]);
        check(&[b"a b"], &[b"a c"]);
    }

    #[test]
    fn what_has_a_zero_byte_is_measured_in_bytes() {
        check(&[b"ab\0"], &[b"a\0 c"]);
        check(&[b"a b c"], &[b"abcde\0"]);
    }

    #[test]
    fn what_is_deleted_makes_a_text_simpler_whatever_its_encoding() {
        let text = b"a\xe2\x80\x9cb\xff c\0\xc3\xa9d,\xe2\x82";
        for start in 0..text.len() {
            for end in start + 1..=text.len() {
                let left = [&text[..start], &text[end..]].concat();
                check(&[&left], &[text]);
            }
        }
    }
}
