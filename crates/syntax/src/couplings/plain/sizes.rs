//! Numbers that are the length of the text that follows them, in bytes.

use std::ops::Range;

use super::parts::{MAX_NAME_BYTES, Number, Text};
use crate::couplings::{Measure, lines};

/// A number below this is not taken for a size: any short text has it by chance. Chosen by hand.
const MIN_BYTES: usize = 2;

/// Finds the text that is as long as a number says, or the lines that are as many.
pub(super) fn of(text: &Text<'_>, number: &Number) -> Option<Measure> {
    let hints = number.hints;
    let length = text.whole(number)? as usize;
    let all = 0..text.bytes.len();
    if hints.lines && length >= MIN_BYTES && length == lines(text.bytes) {
        return Some(Measure::Lines { of: all });
    }
    if !(hints.size || hints.length) || length < MIN_BYTES {
        return None;
    }
    let stretch = |start: usize| start..start.saturating_add(length);
    let mut starts = starts(text, number).into_iter().flatten().map(stretch);
    starts.find(|stretch| ends_well(text, number, stretch)).map(|of| Measure::Size { of })
}

/// Returns where a text that is measured may begin: in the same line, after the blank line that ends
/// the header, in the next line.
fn starts(text: &Text<'_>, number: &Number) -> [Option<usize>; 3] {
    let header = text.paragraph(number.line());
    let body = text.bytes[text.lines[header.end - 1].range.end..].iter();
    let blank = body.take_while(|byte| byte.is_ascii_whitespace()).position(|&byte| byte == b'\n');
    let after_header = blank.map(|end| text.lines[header.end - 1].range.end + end + 1);
    let line = &text.lines[number.line()].range;
    let rest = &text.bytes[number.range().end..line.end];
    let has_more = !rest.trim_ascii().is_empty();
    let same_line = has_more.then(|| {
        let is_between = |byte: &&u8| matches!(byte, b' ' | b':' | b',' | b'=');
        number.range().end + rest.iter().take_while(is_between).count()
    });
    [same_line, after_header, Some(line.end)]
}

/// Whether something ends where a stretch ends: all, a line, or a message of several alike.
fn ends_well(text: &Text<'_>, number: &Number, stretch: &Range<usize>) -> bool {
    let Some(rest) = text.bytes.get(stretch.end..) else { return false };
    let line = &text.lines[number.line()].range;
    let before_number = &text.bytes[line.start..number.range().start];
    let is_end = rest.is_empty() || rest.starts_with(b"\n") || rest.starts_with(b"\r\n");
    let is_name = (1..=MAX_NAME_BYTES).contains(&before_number.len());
    let is_next = is_name && rest.starts_with(before_number);
    is_end || is_next || text.bytes[..stretch.end].ends_with(b"\n")
}
