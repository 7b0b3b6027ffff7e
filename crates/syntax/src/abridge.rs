//! Abridged parsing of large texts.
//!
//! A parser takes some 50 bytes of memory for each byte, and its time. At first the large parts of
//! a large text are enough: the functions of a program, the records of a list. So the text between
//! brackets below some depth is taken out before the parser sees the text, and put back into the
//! tree as unparsed text. For example, `f() { if (x) { y(); } }` is parsed as `f() {}`. If the rest
//! does not parse, some brackets were no real brackets.

use std::ops::Range;
use std::sync::Arc;

use crate::bounded::{Errors, Whole};
use crate::language::Language;
use crate::outline;
use crate::parse::{Places, copy, read};
use crate::tree::SyntaxTree;

/// A depth with fewer brackets than this is no useful cut of a text; the next depth is taken.
/// Chosen by hand.
const MIN_BRACKETS: usize = 16;

/// A text is only abridged if one byte in this many or fewer is left. Chosen by hand.
const MAX_LEFT_PART: usize = 2;

/// Parses a text without the parts that are deep in brackets, so that about `budget` bytes are
/// left.
///
/// `None` if the text is small enough as it is, if it has no deeper brackets, or if the parser
/// refuses the rest.
pub fn parse_abridged(language: &Language, text: &Arc<[u8]>, budget: usize) -> Option<SyntaxTree> {
    if text.len() <= budget {
        return None;
    }
    let gaps = choose(outline::brackets(text), text.len(), budget)?;
    let (abridged, gaps) = take_out(text, &gaps);
    let tree = read(language, &Whole(&abridged), None, Errors::Fatal)?;
    if tree.root_node().has_error() {
        return None;
    }
    Some(copy(language, text.clone(), &tree, &gaps))
}

/// Chooses the parts to take out of a text of that length: everything inside brackets of one depth.
fn choose(
    brackets: impl Iterator<Item = Range<usize>>,
    length: usize,
    budget: usize,
) -> Option<Vec<Range<usize>>> {
    // The insides of the brackets at each depth.
    let mut depths: Vec<Vec<Range<usize>>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for range in brackets {
        while open.last().is_some_and(|&end| end <= range.start) {
            open.pop();
        }
        if depths.len() == open.len() {
            depths.push(Vec::new());
        }
        depths[open.len()].push(range.start + 1..range.end - 1);
        open.push(range.end);
    }
    let left = |depth: &Vec<Range<usize>>| length - depth.iter().map(Range::len).sum::<usize>();
    let fits = depths.iter().take_while(|depth| left(depth) <= budget).count();
    // One depth more, if this one has too few brackets or if none fits.
    let has_enough = |depth: &usize| depths[*depth].len() >= MIN_BRACKETS;
    let depth = fits.checked_sub(1).filter(has_enough).unwrap_or(fits);
    let gaps = (depth < depths.len()).then(|| std::mem::take(&mut depths[depth]))?;
    (left(&gaps) <= length / MAX_LEFT_PART).then_some(gaps)
}

/// Takes some ranges out of a text.
fn take_out(text: &[u8], ranges: &[Range<usize>]) -> (Vec<u8>, Gaps) {
    let (mut left, mut gaps, mut at) = (Vec::new(), Gaps::default(), 0);
    for range in ranges {
        left.extend_from_slice(&text[at..range.start]);
        at = range.end;
        gaps.0.push((left.len(), range.end - left.len()));
    }
    left.extend_from_slice(&text[at..]);
    (left, gaps)
}

/// The gaps: the place of each in the rest of the text, and the bytes that are missing from there
/// on.
#[derive(Default)]
struct Gaps(Vec<(usize, usize)>);

impl Gaps {
    fn gone(&self, gaps_before: usize) -> usize {
        gaps_before.checked_sub(1).map_or(0, |last| self.0[last].1)
    }
}

impl Places for Gaps {
    fn start(&self, seen: usize) -> usize {
        seen + self.gone(self.0.partition_point(|&(at, _)| at <= seen))
    }

    fn end(&self, seen: usize) -> usize {
        seen + self.gone(self.0.partition_point(|&(at, _)| at < seen))
    }
}

#[cfg(all(feature = "lang-c", feature = "lang-json"))]
#[cfg(test)]
mod tests {
    use super::*;

    fn abridged(language: &str, text: &str, budget: usize) -> Option<SyntaxTree> {
        let language = Language::by_name(language).unwrap();
        parse_abridged(&language, &Arc::from(text.as_bytes()), budget)
    }

    /// Returns the texts of the leaves.
    fn leaves(tree: &SyntaxTree) -> Vec<String> {
        let text = |leaf| String::from_utf8_lossy(tree.text(leaf)).into_owned();
        tree.leaves().map(text).collect()
    }

    #[test]
    fn what_is_deep_in_brackets_is_one_leaf() {
        let record = r#"{"name": ["a", "b"], "size": 1}"#;
        let text = format!("[{}]", vec![record; 20].join(", "));
        let tree = abridged("json", &text, 200).unwrap();
        assert!(!tree.has_errors());
        assert_eq!(tree.print(), text.as_bytes());
        let expected = ["[", "{", r#""name": ["a", "b"], "size": 1"#, "}", ",", "{"];
        assert_eq!(leaves(&tree)[..6], expected);
    }

    #[test]
    fn functions_are_there_without_their_bodies() {
        let functions: String =
            (0..20).map(|n| format!("int f{n}(int a) {{ return g(a, {n}) + h(a); }}\n")).collect();
        let tree = abridged("c", &functions, 700).unwrap();
        assert_eq!(tree.children(tree.root()).count(), 20);
        assert_eq!(tree.print(), functions.as_bytes());
    }

    #[test]
    fn what_is_small_flat_or_broken_is_not_abridged() {
        assert!(abridged("json", "[{}, {}]", 100).is_none());
        assert!(abridged("json", &format!("[{}]", vec!["1"; 200].join(", ")), 50).is_none());
        let broken = format!("[{}]", vec!["{1, 2, 3, 4, 5, 6} 1"; 40].join(", "));
        assert!(abridged("json", &broken, 300).is_none());
    }
}
