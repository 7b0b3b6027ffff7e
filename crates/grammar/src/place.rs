//! A place in a text, as people count: lines and columns.

use std::fmt;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// The place in bytes, from zero.
    pub byte: usize,
    /// The line, from one.
    pub line: usize,
    /// The character in the line, from one.
    pub column: usize,
}

impl TextPosition {
    /// Finds the line and column of a byte of a text.
    pub fn of(byte: usize, text: &[u8]) -> Self {
        let before = &text[..byte.min(text.len())];
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        // Bytes that go on with a character of UTF-8 do not begin one.
        let characters = before[start..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        TextPosition { byte, line, column: 1 + characters }
    }
}

impl fmt::Display for TextPosition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}, column {}", self.line, self.column)
    }
}
