//! White space where none, or as little as the tokens alone need, is not enough: the indentation
//! and the line breaks of languages in which they have a meaning.
//!
//! First all indentations at once become as small as they can be and still differ, such as `0, 1,
//! 2` for `0, 4, 8`. Then each run of white space becomes a blank, a line break, or a line break
//! with an indentation of one blank.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::edits::{Change, Edit};
use crate::structure::Parsed;
use crate::tokens;

/// The texts that are tried in place of a longer run of white space.
const SHORTER: [&str; 3] = [" ", "\n", "\n "];

/// Lists the changes.
pub(super) fn find(file: &Parsed<'_>) -> Vec<Change> {
    let bytes = file.bytes;
    let mut runs: Vec<Range<usize>> = Vec::new();
    tokens::tokens(bytes, |range| {
        if bytes[range.start].is_ascii_whitespace() && range.len() > 1 {
            runs.push(range);
        }
    });
    let mut changes: Vec<Change> = smallest_indentation(file, &runs).into_iter().collect();
    for run in &runs {
        for shorter in SHORTER.iter().filter(|shorter| shorter.len() < run.len()) {
            changes.push(Change::replace(file.addresses(run.clone()), *shorter));
        }
    }
    changes.retain(|change| file.parses_after(change));
    changes
}

/// Numbers the widths of indentations, and makes each as wide as its number.
fn smallest_indentation(file: &Parsed<'_>, runs: &[Range<usize>]) -> Option<Change> {
    let indented = |run: &Range<usize>| {
        let text = &file.bytes[run.clone()];
        let line = text.iter().rposition(|&byte| byte == b'\n')?;
        Some((run.start + line + 1..run.end, text.len() - line - 1))
    };
    let found: Vec<(Range<usize>, usize)> = runs.iter().filter_map(indented).collect();
    let widths: BTreeSet<usize> =
        found.iter().map(|(_, width)| *width).filter(|&width| width > 0).collect();
    let number = |width: usize| widths.range(..=width).count();
    let shorter = found.into_iter().filter(|(_, width)| number(*width) < *width);
    let edits: Vec<Edit> = shorter
        .map(|(range, width)| Edit {
            range: file.addresses(range),
            text: vec![b' '; number(width)],
        })
        .collect();
    (!edits.is_empty()).then_some(Change { edits, drops: Vec::new() })
}

#[cfg(test)]
mod tests {
    use crate::passes::listing::listed;

    use super::find;

    #[test]
    fn indentations_become_as_small_as_they_can_be() {
        let changed = listed("python", "if a:\n    if b:\n        c\n    d\n", find);
        assert_eq!(changed[0], "if a:\n if b:\n  c\n d\n");
    }

    #[test]
    fn a_line_break_becomes_a_blank() {
        let changed = listed("yaml", "a:\n  b", find);
        assert!(changed.contains(&"a: b".to_owned()), "{changed:?}");
        assert!(changed.contains(&"a:\n b".to_owned()), "{changed:?}");
    }
}
