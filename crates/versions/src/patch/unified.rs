//! The hunks of a unified diff.

use std::ops::Range;

use crate::lines::{Hunk, Lines, hunks};

/// Unchanged lines shown before and after changed ones. Three, as in git.
const CONTEXT: u32 = 3;

/// Writes the hunks between two texts.
pub(super) fn write(out: &mut Vec<u8>, old: &[u8], new: &[u8]) {
    let (old, new) = (Lines::of(old), Lines::of(new));
    let hunks = hunks(&old, &new);
    let mut rest = hunks.as_slice();
    while let Some(first) = rest.first() {
        // Changes whose surroundings touch are shown together.
        let near = |pair: &[Hunk]| pair[1].old.start <= pair[0].old.end + 2 * CONTEXT;
        let count = 1 + rest.windows(2).take_while(|pair| near(pair)).count();
        let (group, later) = rest.split_at(count);
        let last = &group[count - 1];
        let before = first.old.start.min(CONTEXT);
        let after = (old.len() - last.old.end).min(CONTEXT);
        let old_range = first.old.start - before..last.old.end + after;
        let new_range = first.new.start - before..last.new.end + after;
        let head = format!("@@ -{} +{} @@\n", position(&old_range), position(&new_range));
        out.extend_from_slice(head.as_bytes());
        let mut at = old_range.start;
        for hunk in group {
            lines(out, b' ', &old, at..hunk.old.start);
            lines(out, b'-', &old, hunk.old.clone());
            lines(out, b'+', &new, hunk.new.clone());
            at = hunk.old.end;
        }
        lines(out, b' ', &old, at..old_range.end);
        rest = later;
    }
}

/// Returns where a hunk is; an empty one stands after the line that it names.
fn position(range: &Range<u32>) -> String {
    let first = if range.is_empty() { range.start } else { range.start + 1 };
    match range.len() {
        1 => format!("{first}"),
        count => format!("{first},{count}"),
    }
}

fn lines(out: &mut Vec<u8>, sign: u8, text: &Lines<'_>, range: Range<u32>) {
    for line in range.map(|line| text.line(line)) {
        out.push(sign);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}
