//! Regions of the input that must not be touched.
//!
//! Given by regular expressions, or by marks in the file itself: everything from a line with
//! `whodunit:protect` to the next line with `whodunit:end` stays. A file that has `DDBEGIN` and
//! `DDEND` lines, as Lithium uses them, is reduced between them only.

use std::ops::Range;

use regex::bytes::Regex;

const PROTECT: &str = r"(?m)^.*whodunit:protect(?s:.*?)(?:whodunit:end.*\n?|\z)";
/// The end of the last line inside stays as well, so that the mark has a line of its own.
const OUTSIDE: &str = r"(?ms)\A.*?^[^\n]*DDBEGIN[^\n]*\n|(?:\n|^)[^\n]*DDEND.*\z";

/// Parts of the input that must not be touched.
#[derive(Clone, Debug)]
pub struct Protection {
    patterns: Vec<Regex>,
    marks: [Regex; 2],
}

impl Protection {
    /// Protects every match of every pattern, and the marked parts of files.
    pub fn new(patterns: &[String]) -> Result<Self, regex::Error> {
        let compile =
            |pattern: &str| regex::bytes::RegexBuilder::new(pattern).multi_line(true).build();
        let marks = [PROTECT, OUTSIDE]
            .map(|pattern| Regex::new(pattern).expect("a pattern of ours is valid"));
        let patterns = patterns.iter().map(|pattern| compile(pattern)).collect::<Result<_, _>>()?;
        Ok(Protection { patterns, marks })
    }

    /// Finds the protected ranges of one file.
    pub fn shields(&self, bytes: &[u8]) -> Shields {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for pattern in self.patterns.iter().chain(&self.marks) {
            ranges.extend(pattern.find_iter(bytes).map(|found| found.range()));
        }
        ranges.retain(|range| !range.is_empty());
        ranges.sort_unstable_by_key(|range| range.start);
        let mut merged: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        Shields { ranges: merged }
    }
}

/// The protected ranges of one file, ascending and apart.
#[derive(Clone, Debug)]
pub struct Shields {
    ranges: Vec<Range<usize>>,
}

impl Shields {
    /// Returns whether nothing is protected.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns all protected text of a file, one part after the other.
    pub(super) fn text(&self, bytes: &[u8]) -> Vec<u8> {
        self.ranges.iter().flat_map(|range| &bytes[range.clone()]).copied().collect()
    }

    /// Returns whether anything in a range is protected.
    pub fn touch(&self, range: &Range<usize>) -> bool {
        let first = self.ranges.partition_point(|shield| shield.end <= range.start);
        self.ranges.get(first).is_some_and(|shield| shield.start < range.end)
    }

    /// Calls `free` with the parts of `range` that are not protected.
    pub fn outside(&self, range: Range<usize>, mut free: impl FnMut(Range<usize>)) {
        let mut start = range.start;
        let first = self.ranges.partition_point(|shield| shield.end <= range.start);
        for shield in self.ranges[first..].iter().take_while(|shield| shield.start < range.end) {
            if shield.start > start {
                free(start..shield.start);
            }
            start = shield.end;
        }
        if start < range.end {
            free(start..range.end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free(patterns: &[&str], text: &str) -> String {
        let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.into()).collect();
        let shields = Protection::new(&patterns).unwrap().shields(text.as_bytes());
        let mut left = String::new();
        shields.outside(0..text.len(), |range| left.push_str(&text[range]));
        left
    }

    #[test]
    fn matches_are_protected() {
        assert_eq!(free(&["^#.*\n", "keep"], "a\n#b\nxkeepy\n"), "a\nxy\n");
    }

    #[test]
    fn marked_lines_are_protected() {
        let text = "a\n// whodunit:protect\nb\n// whodunit:end\nc\n";
        assert_eq!(free(&[], text), "a\nc\n");
        assert_eq!(free(&[], "a\n// whodunit:protect\nb\n"), "a\n");
    }

    #[test]
    fn lithium_marks_leave_the_inside() {
        assert_eq!(free(&[], "head\n// DDBEGIN\nb\nc\n// DDEND\ntail\n"), "b\nc");
        assert_eq!(free(&[], "// DDBEGIN\n// DDEND\ntail\n"), "");
    }

    #[test]
    fn unmarked_text_is_free() {
        assert_eq!(free(&[], "a\nb"), "a\nb");
    }
}
