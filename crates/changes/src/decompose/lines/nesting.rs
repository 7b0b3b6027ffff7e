//! What each line of nested data is in, by its indentation: in JSON a `},` ends this object or that
//! one, and taking one for the other would leave halves of both.

use crate::words::hash;

/// Returns for each line a number that stands for the keys of all that it is in.
pub(super) fn around<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Vec<u64> {
    // The lines that others may be in, each with its indentation and what it opens.
    let mut open: Vec<(usize, u64)> = Vec::new();
    let mut around = Vec::new();
    for line in lines {
        let inner = line.trim_ascii();
        let indentation = line.len() - line.trim_ascii_start().len();
        let ends =
            inner.first().is_some_and(|first| b"}])".contains(first)) || inner.starts_with(b"</");
        // What ends something is in it.
        let is_in = |opened: usize| opened < indentation || (ends && opened == indentation);
        while !inner.is_empty() && open.last().is_some_and(|(opened, _)| !is_in(*opened)) {
            open.pop();
        }
        let outer = open.last().map_or(0, |(_, opened)| *opened);
        around.push(outer);
        if !inner.is_empty() && !ends {
            let opened = hash(&[&outer.to_le_bytes(), key(inner)].concat());
            open.push((indentation, opened));
        }
    }
    around
}

/// Returns what of a line names what is in it, and not what it is about.
fn key(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|byte| b":=>".contains(byte)).unwrap_or(line.len());
    line[..end].trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_an_object_belongs_to_it() {
        let text = b"{\n  \"a\": {\n    \"x\": 1\n  },\n  \"b\": {\n    \"x\": 1\n  }\n}\n";
        let around = around(text.split_inclusive(|&byte| byte == b'\n'));
        let [_, a, in_a, end_of_a, b, in_b, end_of_b, _] = around[..] else { panic!("{around:?}") };
        assert_eq!(a, b);
        assert_eq!((in_a, in_b), (end_of_a, end_of_b));
        assert_ne!(in_a, in_b);
    }
}
