//! The container of each line of nested data, by its indentation. In JSON many lines are `},`;
//! pairing the end of one object with the end of another would leave halves of both.

use std::ops::Range;

use whodunit_syntax::words::hash;

use super::Lines;

/// A line that others may be in.
struct Open {
    indentation: usize,
    /// Stands for its key and those of all that it is in.
    opened: u64,
    /// The outermost of these keys.
    outermost: Option<Range<u32>>,
}

/// Returns for each line a number that stands for the keys of all that it is in, and where the
/// outermost key is that it is in or has itself.
pub(super) fn find(lines: &Lines<'_>) -> Vec<(u64, Option<Range<u32>>)> {
    let mut open: Vec<Open> = Vec::new();
    let mut found = Vec::new();
    for number in 0..lines.len() {
        let line = lines.line(number);
        let inner = line.trim_ascii();
        let indentation = line.len() - line.trim_ascii_start().len();
        let ends =
            inner.first().is_some_and(|first| b"}])".contains(first)) || inner.starts_with(b"</");
        // The line that ends a container is in it.
        let is_in = |outer: &Open| {
            outer.indentation < indentation || (ends && outer.indentation == indentation)
        };
        while !inner.is_empty() && open.last().is_some_and(|outer| !is_in(outer)) {
            open.pop();
        }
        let around = open.last().map_or(0, |outer| outer.opened);
        let begin = lines.bytes(&(number..number)).start + indentation as u32;
        let own = || name(inner).map(|name| begin + name.start as u32..begin + name.end as u32);
        let outermost = open.last().and_then(|outer| outer.outermost.clone());
        let outermost = outermost.or_else(|| own().filter(|_| !ends));
        found.push((around, outermost.clone()));
        if !inner.is_empty() && !ends {
            let opened = hash(&[&around.to_le_bytes(), key(inner)].concat());
            open.push(Open { indentation, opened, outermost });
        }
    }
    found
}

/// Returns the part of a line before its value, which names the block below it.
fn key(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|byte| b":=>".contains(byte)).unwrap_or(line.len());
    line[..end].trim_ascii()
}

/// Returns where the key of a line is, if it is a plain name.
fn name(line: &[u8]) -> Option<Range<usize>> {
    let key = key(line);
    let quotes = key.iter().take_while(|byte| b"\"'".contains(byte)).count();
    let name = quotes..key.len().saturating_sub(quotes);
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-$.".contains(byte);
    let has_value = line.get(key.len()..)?.trim_ascii_start().first();
    let is_key = has_value.is_some_and(|sign| b":=".contains(sign));
    let is_name = !key.get(name.clone())?.is_empty() && key[name.clone()].iter().all(is_part);
    (is_key && is_name).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_an_object_belongs_to_it() {
        let text = b"{\n  \"a\": {\n    \"x\": 1\n  },\n  \"b\": {\n    \"x\": 1\n  }\n}\n";
        let found = find(&Lines::of(text));
        let around: Vec<u64> = found.iter().map(|line| line.0).collect();
        let [_, a, in_a, end_of_a, b, in_b, end_of_b, _] = around[..] else { panic!("{around:?}") };
        assert_eq!(a, b);
        assert_eq!((in_a, in_b), (end_of_a, end_of_b));
        assert_ne!(in_a, in_b);
    }

    #[test]
    fn lines_go_with_the_outermost_key() {
        let text = b"{\n  \"a\": {\n    \"x\": [\n      1\n    ]\n  },\n  \"b\": 2\n}\n";
        let lines = Lines::nested(text);
        let keys: Vec<Option<&[u8]>> = (0..lines.len()).map(|line| lines.key(line)).collect();
        let (a, b): (Option<&[u8]>, Option<&[u8]>) = (Some(b"a"), Some(b"b"));
        assert_eq!(keys, [None, a, a, a, a, a, b, None]);
    }
}
