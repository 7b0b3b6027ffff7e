//! Java's text cut into words, signs and groups in brackets, without its grammar.

use std::ops::Range;

/// A piece of text at the top level of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) range: Range<usize>,
    pub(super) sort: TokenSort,
}

/// The sort of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenSort {
    Word,
    Sign(u8),
    /// Something in round or square brackets, with them.
    Group,
}

/// One member of a class, or of a file.
#[derive(Debug)]
pub(super) struct Item {
    /// The tokens before the body, or all.
    pub(super) head: Vec<Token>,
    /// The text between the braces.
    pub(super) body: Option<Range<usize>>,
    /// All of it.
    pub(super) range: Range<usize>,
}

/// Returns the next item, and nothing at the end.
pub(super) fn item(text: &[u8], from: usize, end: usize) -> Option<Item> {
    let start = skip_space(text, from, end);
    if start >= end {
        return None;
    }
    let mut head = Vec::new();
    let mut at = start;
    while at < end {
        let next = match text[at] {
            b';' => return Some(Item { head, body: None, range: start..at + 1 }),
            b'{' => {
                let close = group_end(text, at, end);
                let body = at + 1..close.saturating_sub(1).max(at + 1);
                // An array of values is part of a field, which ends with a semicolon.
                let is_value = head.iter().any(|token: &Token| token.sort == TokenSort::Sign(b'='));
                if !is_value {
                    return Some(Item { head, body: Some(body), range: start..close });
                }
                close
            }
            b'}' => at + 1,
            b'(' | b'[' => {
                let close = group_end(text, at, end);
                head.push(Token { range: at..close, sort: TokenSort::Group });
                close
            }
            byte if is_word(byte) => {
                let close = (at..end).find(|&at| !is_word(text[at])).unwrap_or(end);
                head.push(Token { range: at..close, sort: TokenSort::Word });
                close
            }
            byte => {
                let close = quoted_end(text, at, end);
                head.push(Token { range: at..close, sort: TokenSort::Sign(byte) });
                close
            }
        };
        at = skip_space(text, next, end);
    }
    Some(Item { head, body: None, range: start..end })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// Returns where space and comments end.
fn skip_space(text: &[u8], from: usize, end: usize) -> usize {
    let mut at = from;
    while at < end {
        let rest = &text[at..end];
        if rest[0].is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with(b"//") || rest.starts_with(b"/*") {
            at = comment_end(text, at, end);
        } else {
            break;
        }
    }
    at
}

fn comment_end(text: &[u8], at: usize, end: usize) -> usize {
    if text[at + 1] == b'/' {
        return text[at..end].iter().position(|&byte| byte == b'\n').map_or(end, |n| at + n);
    }
    let close = text[at + 2..end].windows(2).position(|two| two == b"*/");
    close.map_or(end, |n| at + 2 + n + 2)
}

/// Returns where a string or character ends; any other sign is one byte.
fn quoted_end(text: &[u8], at: usize, end: usize) -> usize {
    let quote = text[at];
    if quote != b'"' && quote != b'\'' {
        return at + 1;
    }
    if text[at..end].starts_with(b"\"\"\"") {
        let close = text[at + 3..end].windows(3).position(|three| three == b"\"\"\"");
        return close.map_or(end, |n| at + 3 + n + 3);
    }
    let mut at = at + 1;
    while at < end && text[at] != quote && text[at] != b'\n' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(end)
}

/// Returns where the group ends that begins here.
fn group_end(text: &[u8], open: usize, end: usize) -> usize {
    let mut depth = 0usize;
    let mut at = open;
    while at < end {
        match text[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            b'"' | b'\'' => {
                at = quoted_end(text, at, end);
                continue;
            }
            b'/' if matches!(text.get(at + 1), Some(b'/' | b'*')) => {
                at = comment_end(text, at, end);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    end
}
