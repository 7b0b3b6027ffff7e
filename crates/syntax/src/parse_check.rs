//! A cheap check of candidates before a test: does the text still parse?
//!
//! The original is parsed once. A candidate is the original with a few edits, and only the parts
//! that the edits touch are parsed again. The answer depends on the original and the edits alone,
//! never on earlier questions, so that any order of questions gives the same answers.

mod layout;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use tree_sitter::{InputEdit, Point, Tree, TreeCursor};

use crate::bounded::{Errors, Text, Whole};
use crate::language::Language;
use crate::parse::{Straight, copy, read, unread};
use crate::tree::SyntaxTree;
use layout::IndentationRule;

/// If more than this many times as many bytes are removed as are left, the rest is parsed afresh:
/// the parser copies each removed node, which was measured to take a third of the time of parsing
/// it.
const FRESH_FACTOR: usize = 3;

/// With more edits than this the text is put together and parsed afresh. Each edit looks at all
/// statements before it, so that 50,000 edits among 100,000 statements take minutes; and handing
/// out many small pieces counts as work of the parser, which would give up.
const MAX_EDITS: usize = 500;

/// A replacement of some bytes of the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByteEdit {
    /// The bytes that are removed.
    pub range: Range<usize>,
    /// The replacement; empty to delete.
    pub text: Vec<u8>,
}

/// Accepts candidates with no more errors than the original, which mostly means none.
#[derive(Clone, Debug)]
pub struct ParseCheck {
    language: Language,
    original: Arc<[u8]>,
    /// Where the lines of the original begin.
    lines: Vec<u32>,
    tree: Tree,
    errors: usize,
    /// Kinds that may stand on the outermost level, if not everything that the grammar allows.
    outermost: Option<BTreeSet<u16>>,
    /// How statements have to be indented, if not as the grammar allows.
    layout: Option<IndentationRule>,
}

impl ParseCheck {
    /// Makes a check for candidates of a text; `None` if the parser gives up on it.
    pub fn new(language: &Language, original: impl Into<Arc<[u8]>>) -> Option<ParseCheck> {
        let original = original.into();
        let tree = read(language, &Whole(&original), None, Errors::Tolerated)?;
        Some(Self::of(language, original, tree))
    }

    /// Makes a gate for mixtures of a text and another, which is let through as well.
    ///
    /// Grammars are lenient about what may stand outside of all functions; nothing may that does
    /// so in neither of the two, as the body of a function without its head. And where indentation
    /// counts, they are lenient about that; nothing may be indented wrongly if nothing is in the two.
    pub fn between(
        language: &Language,
        original: impl Into<Arc<[u8]>>,
        other: &[u8],
    ) -> Option<ParseCheck> {
        let mut gate = ParseCheck::new(language, original)?;
        let other = read(language, &Whole(other), None, Errors::Tolerated)?;
        gate.outermost = Some(outermost(&gate.tree).chain(outermost(&other)).collect());
        let holds = |layout: &IndentationRule| layout.holds(&gate.tree) && layout.holds(&other);
        gate.layout = IndentationRule::of(language).filter(holds);
        Some(gate)
    }

    /// Does the same and returns the tree as well, for the price of one.
    pub fn with_tree(
        language: &Language,
        original: impl Into<Arc<[u8]>>,
    ) -> (SyntaxTree, Option<ParseCheck>) {
        let original = original.into();
        match read(language, &Whole(&original), None, Errors::Tolerated) {
            Some(tree) => {
                let copied = copy(language, original.clone(), &tree, &Straight);
                (copied, Some(Self::of(language, original, tree)))
            }
            None => (unread(language, original), None),
        }
    }

    fn of(language: &Language, original: Arc<[u8]>, tree: Tree) -> ParseCheck {
        let errors = count_errors(&tree, usize::MAX);
        let after = |(at, &byte): (usize, &u8)| (byte == b'\n').then_some(place(at + 1));
        let lines = std::iter::once(0).chain(original.iter().enumerate().filter_map(after));
        let lines = lines.collect();
        ParseCheck {
            language: language.clone(),
            original,
            lines,
            tree,
            errors,
            outermost: None,
            layout: None,
        }
    }

    /// Returns how many errors the original has.
    ///
    /// With errors the check is a guess: error recovery is not the same after every edit.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Whether the original with these edits has no more errors than without. The edits are in
    /// order and do not overlap.
    ///
    /// Once in ten thousand times it is too strict: parsing only the edited parts is not quite the
    /// same as parsing all of it.
    pub fn lets_through(&self, edits: &[ByteEdit]) -> bool {
        let candidate = Pieces::new(&self.original, edits);
        let gone: usize = edits.iter().map(|edit| edit.range.len()).sum();
        if edits.len() > MAX_EDITS {
            let mut text = Vec::with_capacity(candidate.len);
            while text.len() < candidate.len {
                text.extend_from_slice(candidate.from(text.len()));
            }
            return self.lets_text_through(&text);
        }
        let former = (gone / FRESH_FACTOR <= candidate.len).then(|| self.former(edits));
        let errors = if self.errors == 0 { Errors::Fatal } else { Errors::Tolerated };
        let tree = read(&self.language, &candidate, former.as_ref(), errors);
        tree.is_some_and(|tree| self.accepts(&tree))
    }

    /// Does the same for the whole text of a candidate; slower, and never too strict.
    pub fn lets_text_through(&self, text: &[u8]) -> bool {
        let errors = if self.errors == 0 { Errors::Fatal } else { Errors::Tolerated };
        read(&self.language, &Whole(text), None, errors).is_some_and(|tree| self.accepts(&tree))
    }

    fn accepts(&self, tree: &Tree) -> bool {
        let allowed = |known: &BTreeSet<u16>| outermost(tree).all(|kind| known.contains(&kind));
        count_errors(tree, self.errors) <= self.errors
            && self.outermost.as_ref().is_none_or(allowed)
            && self.layout.as_ref().is_none_or(|layout| layout.holds(tree))
    }

    /// Returns the tree of the original with the edited parts marked.
    fn former(&self, edits: &[ByteEdit]) -> Tree {
        let mut former = self.tree.clone();
        // Backwards, so that an edit does not move the places of those that are still to come.
        for edit in edits.iter().rev() {
            former.edit(&self.input_edit(edit));
        }
        former
    }

    fn input_edit(&self, edit: &ByteEdit) -> InputEdit {
        let Range { start, end } = edit.range;
        let start_position = self.point(start);
        InputEdit {
            start_byte: start,
            old_end_byte: end,
            new_end_byte: start + edit.text.len(),
            start_position,
            old_end_position: self.point(end),
            new_end_position: moved(start_position, &edit.text),
        }
    }

    fn point(&self, byte: usize) -> Point {
        let line = self.lines.partition_point(|&start| start as usize <= byte) - 1;
        Point::new(line, byte - self.lines[line] as usize)
    }
}

/// Returns of what kinds the outermost parts of a tree are.
fn outermost(tree: &Tree) -> impl Iterator<Item = u16> + '_ {
    let mut cursor = tree.walk();
    let mut is_there = cursor.goto_first_child();
    std::iter::from_fn(move || {
        let kind = is_there.then(|| cursor.node().kind_id())?;
        is_there = cursor.goto_next_sibling();
        Some(kind)
    })
}

/// Returns how many errors a tree has, without those inside of another; stops after `enough`.
fn count_errors(tree: &Tree, enough: usize) -> usize {
    let mut cursor = tree.walk();
    let mut errors = 0;
    loop {
        let node = cursor.node();
        let is_error = node.is_error() || node.is_missing();
        errors += usize::from(is_error);
        let within = !is_error && node.has_error() && errors <= enough;
        let more = (within && cursor.goto_first_child()) || goto_next(&mut cursor);
        if !more {
            // The missing token may be one that has no node.
            return errors.max(usize::from(tree.root_node().has_error()));
        }
    }
}

/// Goes to what follows the node and everything below it, if anything does.
fn goto_next(cursor: &mut TreeCursor<'_>) -> bool {
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return false;
        }
    }
    true
}

/// Returns where a text ends that begins here.
fn moved(start: Point, text: &[u8]) -> Point {
    let feeds = text.iter().filter(|&&byte| byte == b'\n').count();
    match text.iter().rposition(|&byte| byte == b'\n') {
        Some(last) => Point::new(start.row + feeds, text.len() - last - 1),
        None => Point::new(start.row, start.column + text.len()),
    }
}

/// Returns a place in a text that was parsed, and is therefore short enough.
fn place(byte: usize) -> u32 {
    u32::try_from(byte).unwrap_or(u32::MAX)
}

/// A text with edits, not put together.
struct Pieces<'a> {
    /// The parts that are not empty, each with the place where it begins.
    parts: Vec<(usize, &'a [u8])>,
    len: usize,
}

impl<'a> Pieces<'a> {
    fn new(original: &'a [u8], edits: &'a [ByteEdit]) -> Self {
        let mut pieces = Pieces { parts: Vec::with_capacity(2 * edits.len() + 1), len: 0 };
        let mut kept_from = 0;
        for edit in edits {
            pieces.push(&original[kept_from..edit.range.start]);
            pieces.push(&edit.text);
            kept_from = edit.range.end;
        }
        pieces.push(&original[kept_from..]);
        pieces
    }

    fn push(&mut self, part: &'a [u8]) {
        if !part.is_empty() {
            self.parts.push((self.len, part));
            self.len += part.len();
        }
    }
}

impl Text for Pieces<'_> {
    fn len(&self) -> usize {
        self.len
    }

    fn from(&self, byte: usize) -> &[u8] {
        let after = self.parts.partition_point(|&(start, _)| start <= byte);
        let part = after.checked_sub(1).and_then(|at| self.parts.get(at));
        part.and_then(|&(start, part)| part.get(byte - start..)).unwrap_or_default()
    }
}

#[cfg(all(feature = "lang-json", feature = "lang-python"))]
#[cfg(test)]
mod tests {
    use super::*;

    fn gate(language: &str, text: &str) -> Option<ParseCheck> {
        ParseCheck::new(&Language::by_name(language).unwrap(), text.as_bytes())
    }

    fn replace(range: Range<usize>, text: &str) -> ByteEdit {
        ByteEdit { range, text: text.into() }
    }

    #[test]
    fn a_candidate_that_parses_is_let_through() {
        let gate = gate("json", "[1, 22,\n 333]").unwrap();
        assert!(gate.lets_through(&[]));
        assert!(gate.lets_through(&[replace(1..4, "")]));
        assert!(gate.lets_through(&[replace(1..4, ""), replace(6..12, "")]));
        assert!(gate.lets_through(&[replace(0..13, "{}")]));
    }

    #[test]
    fn a_candidate_that_does_not_parse_is_not() {
        let gate = gate("json", "[1, 22,\n 333]").unwrap();
        assert!(!gate.lets_through(&[replace(0..1, "")]));
        assert!(!gate.lets_through(&[replace(1..2, "")]));
        assert!(!gate.lets_through(&[replace(1..2, ""), replace(3..6, "x")]));
    }

    #[test]
    fn many_edits_do_not_take_long() {
        const LINES: usize = 60_000;
        let gate = gate("python", &"aaa = 1\n".repeat(LINES)).unwrap();
        let edit = |line: usize| replace(line * 8..line * 8 + 3, "b");
        let mut edits: Vec<ByteEdit> = (0..LINES).map(edit).collect();
        let begun = std::time::Instant::now();
        assert!(gate.lets_through(&edits));
        edits[LINES / 2].text = "b c".into();
        assert!(!gate.lets_through(&edits));
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }

    #[test]
    fn indentation_counts_where_the_language_says_so() {
        let gate = gate("python", "if a:\n    b\nelse:\n    c\n").unwrap();
        assert!(gate.lets_through(&[replace(12..24, "")]));
        assert!(!gate.lets_through(&[replace(6..10, "")]));
    }

    /// Checks which texts a gate between two Python programs lets through.
    fn check(old: &str, new: &str, good: &[&str], bad: &[&str]) {
        let python = Language::by_name("python").unwrap();
        let gate = ParseCheck::between(&python, old.as_bytes(), new.as_bytes()).unwrap();
        for text in good.iter().chain([&old, &new]) {
            assert!(gate.lets_text_through(text.as_bytes()), "{text}");
            assert!(gate.lets_through(&[replace(0..old.len(), text)]), "{text}");
        }
        for text in bad {
            assert!(!gate.lets_text_through(text.as_bytes()), "{text}");
            assert!(!gate.lets_through(&[replace(0..old.len(), text)]), "{text}");
        }
    }

    #[test]
    fn between_two_programs_blocks_are_not_empty_and_statements_are_in_line() {
        let old = "def f(a):\n    b = a\n    if b > 5:\n        b = 5\n    return b\n";
        let good = [
            "def f(a):\n  b = a\n  if b > 5: b = 5; c = 6\n  return b\n",
            "def f(a):\n    b = a\n    if b > 5:\n  # now\n        b = 5\n# then\n    return b\n",
            "def f(a):\n    return [\n  a,\n        b]; return '''\n''' + \\\n  c\n",
            "",
        ];
        let bad = [
            "def f(a):\n    b = a\n        b = 5\n    return b\n",
            "def f(a):\n    b = a\n    if b > 5:\n    return b\n",
            "def f(a):\n    b = a\n    if b > 5:\n        # nothing\n    return b\n",
            "def f(a):\n    b = a\n    if b > 5:\n        b = 5\n      c = 6\n    return b\n",
            "def f(a):\n",
            "    def f(a):\n        return b\n",
        ];
        check(old, "def f(a):\n    return a\n", &good, &bad);
    }

    #[test]
    fn indentation_is_not_judged_where_it_is_odd_to_begin_with() {
        let odd = "def f(a):\n    b = a\n        b = 5\n";
        check(odd, "b = 5\n", &["def f(a):\n    b = a\n        b = 6\n"], &[]);
    }

    #[test]
    fn a_candidate_may_have_the_errors_of_the_original() {
        let gate = gate("json", "[[1 @], [2], 3]").unwrap();
        assert_eq!(gate.errors(), 1);
        assert!(gate.lets_through(&[replace(6..11, "")]));
        assert!(gate.lets_through(&[replace(3..5, "")]));
        assert!(!gate.lets_through(&[replace(9..10, "@")]));
    }
}
