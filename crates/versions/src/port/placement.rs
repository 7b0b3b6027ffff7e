//! Placements in a foreign text, and the text with all of them.

use std::ops::Range;

/// A range of a foreign text and its replacement.
#[derive(Clone, Debug)]
pub(super) struct Placement {
    pub(super) range: Range<usize>,
    pub(super) text: Vec<u8>,
    /// Whether it begins and ends where lines do.
    whole_lines: bool,
}

impl Placement {
    /// Puts lines in the place of others.
    pub(super) fn lines(range: Range<u32>, text: Vec<u8>) -> Self {
        Placement { range: range.start as usize..range.end as usize, text, whole_lines: true }
    }

    /// Puts tokens in the place of others.
    pub(super) fn tokens(range: Range<usize>, text: Vec<u8>) -> Self {
        Placement { range, text, whole_lines: false }
    }

    /// Returns it for a text that begins `bytes` earlier.
    pub(super) fn moved_by(mut self, bytes: usize) -> Self {
        self.range = self.range.start + bytes..self.range.end + bytes;
        self
    }

    fn key(&self) -> (usize, usize) {
        (self.range.start, self.range.end)
    }

    /// Whether not both can be written.
    fn clashes_with(&self, other: &Placement) -> bool {
        let (one, other) = (&self.range, &other.range);
        match (one.is_empty(), other.is_empty()) {
            (true, true) => false,
            (true, false) => other.start < one.start && one.start < other.end,
            (false, true) => one.start < other.start && other.start < one.end,
            (false, false) => one.start < other.end && other.start < one.end,
        }
    }
}

/// All that is written into one foreign text.
#[derive(Debug, Default)]
pub(super) struct Placements {
    /// In order; at one place, those that were added first come first.
    placed: Vec<Placement>,
}

impl Placements {
    /// Adds what belongs together, unless some of it is where something else is written.
    pub(super) fn add(&mut self, placements: Vec<Placement>) -> bool {
        let clashes = |new: &Placement| {
            // Placements that end before it or begin after it lie on either side in the order.
            let at = self.placed.partition_point(|placed| placed.key() <= new.key());
            let before = self.placed[..at].last();
            let after = self.placed[at..].iter().take_while(|it| it.range.start < new.range.end);
            before.into_iter().chain(after).any(|placed| placed.clashes_with(new))
        };
        if placements.iter().any(clashes) {
            return false;
        }
        for new in placements {
            let at = self.placed.partition_point(|placed| placed.key() <= new.key());
            self.placed.insert(at, new);
        }
        true
    }

    pub(super) fn is_empty(&self) -> bool {
        self.placed.is_empty()
    }

    /// Returns the text with all of it written.
    pub(super) fn write(&self, foreign: &[u8]) -> Vec<u8> {
        let grown: usize = self.placed.iter().map(|placed| placed.text.len() + 1).sum();
        let mut text = Vec::with_capacity(foreign.len() + grown);
        let mut at = 0;
        for placed in &self.placed {
            text.extend_from_slice(&foreign[at..placed.range.start]);
            let is_line = placed.whole_lines && !placed.text.is_empty();
            // A last line without line feed must not be glued to its neighbours.
            let is_glued = text.last().is_some_and(|&byte| byte != b'\n');
            if is_line && is_glued {
                text.push(b'\n');
            }
            text.extend_from_slice(&placed.text);
            if is_line && placed.range.end < foreign.len() && !placed.text.ends_with(b"\n") {
                text.push(b'\n');
            }
            at = placed.range.end;
        }
        text.extend_from_slice(&foreign[at..]);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_overlap_is_refused() {
        let mut placements = Placements::default();
        assert!(placements.add(vec![Placement::lines(2..4, b"X\n".to_vec())]));
        assert!(!placements.add(vec![Placement::lines(0..4, b"Y\n".to_vec())]));
        assert!(placements.add(vec![Placement::lines(2..2, b"1\n".to_vec())]));
        assert!(placements.add(vec![Placement::lines(2..2, b"2\n".to_vec())]));
        assert!(placements.add(vec![Placement::lines(6..6, b"end".to_vec())]));
        assert_eq!(placements.write(b"a\nb\nc\n"), b"a\n1\n2\nX\nc\nend");
    }

    #[test]
    fn no_line_is_glued_to_another() {
        let mut placements = Placements::default();
        assert!(placements.add(vec![Placement::lines(0..2, b"x".to_vec())]));
        assert!(placements.add(vec![Placement::lines(3..3, b"y\n".to_vec())]));
        assert_eq!(placements.write(b"a\nb"), b"x\nb\ny\n");
    }
}
