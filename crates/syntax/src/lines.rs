//! Where the lines of a text begin.

use std::ops::Range;

/// The lines of a text of at most 4 GiB; each has its line feed, but for the last that may lack it.
#[derive(Clone, Debug)]
pub struct LineStarts {
    /// One more than there are lines: the last is the end of the text.
    starts: Vec<u32>,
}

impl LineStarts {
    /// Finds the lines of a text.
    ///
    /// # Panics
    ///
    /// If the text is longer than 4 GiB.
    pub fn of(text: &[u8]) -> LineStarts {
        let mut starts = vec![0];
        let mut at = 0;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            at += line.len();
            starts.push(u32::try_from(at).expect("texts are shorter than 4 GiB"));
        }
        LineStarts { starts }
    }

    /// Returns how many lines there are.
    pub fn count(&self) -> u32 {
        (self.starts.len() - 1) as u32
    }

    /// Returns where lines are in the text.
    pub fn bytes(&self, lines: &Range<u32>) -> Range<u32> {
        self.starts[lines.start as usize]..self.starts[lines.end as usize]
    }

    /// Returns the line that a byte is in.
    pub fn line_at(&self, byte: usize) -> u32 {
        let after = self.starts.partition_point(|&start| start as usize <= byte);
        (after.saturating_sub(1) as u32).min(self.count().saturating_sub(1))
    }
}
