//! The output of a test: its beginning and its end.
//!
//! A test may print gigabytes. Only the first and the last 64 KiB are kept, because the telling
//! line of a failure is near the beginning or the end.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// Bytes kept at each end of an output. Bytes between the two ends are dropped. Chosen by hand: the
/// telling line of a failure is within the first or the last 64 KiB.
const KEPT_BYTES: usize = 64 * 1024;

/// The beginning and the end of the output of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Output {
    /// The first bytes, at most 64 KiB.
    #[serde(with = "crate::word::bytes", default, skip_serializing_if = "Vec::is_empty")]
    pub head: Vec<u8>,
    /// The last bytes of the rest, at most 64 KiB.
    #[serde(with = "crate::word::bytes", default, skip_serializing_if = "Vec::is_empty")]
    pub tail: Vec<u8>,
    /// How many bytes were printed.
    pub length: u64,
}

impl Output {
    /// Returns everything that was printed, unless bytes between head and tail were dropped.
    pub fn whole(&self) -> Option<Cow<'_, [u8]>> {
        if self.is_cut() {
            return None;
        }
        if self.tail.is_empty() {
            return Some(Cow::Borrowed(&self.head));
        }
        Some(Cow::Owned([self.head.as_slice(), self.tail.as_slice()].concat()))
    }

    /// Returns whether bytes between head and tail were dropped.
    pub fn is_cut(&self) -> bool {
        self.length > (self.head.len() + self.tail.len()) as u64
    }

    /// Returns the same with at most `bytes` of the beginning and the end.
    #[must_use]
    pub fn shortened(&self, bytes: usize) -> Self {
        let whole = self.whole();
        let end = whole.as_deref().unwrap_or(&self.tail);
        let head = &self.head[..self.head.len().min(bytes)];
        let rest = (self.length as usize).saturating_sub(head.len());
        let tail = &end[end.len() - end.len().min(bytes).min(rest)..];
        Output { head: head.into(), tail: tail.into(), length: self.length }
    }

    /// Returns the kept bytes as text: the beginning and the end, on lines of their own if bytes
    /// between them were dropped.
    pub fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.head).into_owned();
        if self.is_cut() {
            text.push('\n');
        }
        text.push_str(&String::from_utf8_lossy(&self.tail));
        text
    }

    /// Adds the next bytes. The tail may hold twice its size until [`Output::close`].
    pub fn push(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        let (first, rest) = bytes.split_at(bytes.len().min(KEPT_BYTES - self.head.len()));
        self.head.extend(first);
        self.tail.extend(&rest[rest.len().saturating_sub(KEPT_BYTES)..]);
        if self.tail.len() > 2 * KEPT_BYTES {
            self.close();
        }
    }

    /// Cuts the tail to its size.
    pub fn close(&mut self) {
        self.tail.drain(..self.tail.len().saturating_sub(KEPT_BYTES));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(length: usize, piece: usize) -> (Vec<u8>, Output) {
        let bytes: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
        let mut output = Output::default();
        bytes.chunks(piece).for_each(|bytes| output.push(bytes));
        output.close();
        (bytes, output)
    }

    #[test]
    fn short_output_is_kept_whole() {
        for length in [0, 1, KEPT_BYTES, KEPT_BYTES + 1, 2 * KEPT_BYTES] {
            let (bytes, output) = printed(length, 1000);
            assert_eq!(output.whole().as_deref(), Some(bytes.as_slice()));
        }
    }

    #[test]
    fn long_output_keeps_its_two_ends() {
        for piece in [777, 3 * KEPT_BYTES, 10 * KEPT_BYTES] {
            let (bytes, output) = printed(7 * KEPT_BYTES + 5, piece);
            assert_eq!(output.whole(), None);
            assert_eq!(output.head, bytes[..KEPT_BYTES]);
            assert_eq!(output.tail, bytes[bytes.len() - KEPT_BYTES..]);
            assert_eq!(output.length, bytes.len() as u64);
        }
    }
}
