//! Changes that hardly matter: comments, blank lines, and the same words laid out in another way.
//!
//! A guess that a single test can confirm for thousands of lines at once.

use std::collections::{BTreeMap, BTreeSet};

use whodunit_core::{Delta, DeltaSet};
use whodunit_syntax::words::tokens;

use super::{Decomposition, Text};
use crate::decomposition::Piece;
use crate::syntax_facts::SyntaxFacts;

/// Changed lines that are joined at most to see whether a statement was only reformatted. A longer
/// run counts as a change of meaning. Chosen by hand.
const MAX_RUN: usize = 32;

impl Decomposition {
    /// Returns those of some deltas that change nothing but comments, blank lines and layout. This
    /// is a guess from the texts. For example, `f(a,` and `b)` on two lines that become `f(a, b)`
    /// on one line are quiet.
    pub fn quiet(&self, deltas: &DeltaSet) -> DeltaSet {
        self.look_at_syntax(deltas);
        let mut quiet: BTreeSet<u32> = BTreeSet::new();
        for text in self.files.iter().filter_map(|file| file.text.as_ref()) {
            let mut hunks: BTreeMap<u32, Vec<(u32, &Piece)>> = BTreeMap::new();
            for (grain, piece) in self.pieces(text) {
                if self.takes(deltas, grain) {
                    hunks.entry(self.grain(grain).hunk).or_default().push((grain, piece));
                }
            }
            for pieces in hunks.values() {
                let mut rest = &pieces[..];
                while !rest.is_empty() {
                    let length = quiet_run(text, rest);
                    quiet.extend(rest[..length].iter().map(|(grain, _)| grain));
                    rest = &rest[length.max(1)..];
                }
            }
        }
        // A coarse delta is only quiet if all of it is.
        let is_quiet = |delta: &Delta| self.grains_of(*delta).iter().all(|it| quiet.contains(it));
        deltas.iter().filter(is_quiet).collect()
    }
}

/// Returns how many of the pieces ahead are quiet together: they have the same words and signs in
/// both versions, or the first piece has none in either.
fn quiet_run(text: &Text, pieces: &[(u32, &Piece)]) -> usize {
    let mut ends = (Vec::new(), Vec::new());
    for (length, (_, piece)) in (1..).zip(pieces).take(MAX_RUN) {
        ends.0.extend_from_slice(&text.old[piece.old.start as usize..piece.old.end as usize]);
        ends.1.extend_from_slice(&text.new[piece.new.start as usize..piece.new.end as usize]);
        if is_same(&ends.0, &ends.1) {
            return length;
        }
    }
    let (_, piece) = pieces[0];
    let old = (piece.old.start as usize, piece.old.end as usize);
    let new = (piece.new.start as usize, piece.new.end as usize);
    let is_silent =
        is_silent(&text.old, old, text.old_facts()) && is_silent(&text.new, new, text.new_facts());
    usize::from(is_silent)
}

/// Whether each line of a range is blank, or a comment or text in quotes as a whole.
fn is_silent(text: &[u8], (start, end): (usize, usize), facts: Option<&SyntaxFacts>) -> bool {
    let mut at = start;
    text[start..end].split_inclusive(|&byte| byte == b'\n').all(|line| {
        let begin = at + (line.len() - line.trim_ascii_start().len());
        let last = at + line.trim_ascii_end().len();
        at += line.len();
        let is_told = |facts: &SyntaxFacts| (begin..last).all(|byte| facts.is_quiet(byte));
        begin >= last || facts.is_some_and(is_told)
    })
}

/// Whether two texts have the same words and signs, whatever is between them, with any kind of
/// quotes and with or without commas at the end of lists. Indentation must be the same: in some
/// languages it decides the block of a line.
fn is_same(old: &[u8], new: &[u8]) -> bool {
    let indents = |text: &[u8]| -> Vec<usize> {
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        lines.map(|line| line.len() - line.trim_ascii_start().len()).collect()
    };
    let (before, after) = (indents(old), indents(new));
    let is_indented_alike = match before.len() == after.len() {
        true => before == after,
        false => before.first() == after.first(),
    };
    is_indented_alike && essence(old) == essence(new)
}

/// Returns the words and signs of a text in their usual form.
fn essence(text: &[u8]) -> Vec<&[u8]> {
    let mut signs: Vec<&[u8]> = Vec::new();
    for token in tokens(text).map(|token| &text[token]) {
        let sign = match token {
            [b'\''] => b"\"",
            _ if token.trim_ascii().is_empty() => continue,
            _ => token,
        };
        if matches!(sign, [b')' | b']' | b'}']) && signs.last().is_some_and(|last| last == b",") {
            signs.pop();
        }
        signs.push(sign);
    }
    signs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_in_other_lines_are_the_same() {
        assert!(is_same(b"f(a,\n  'b')\n", b"f(\n    a,\n    \"b\",\n)\n"));
        assert!(is_same(b"x=1\n", b"x = 1\n"));
    }

    #[test]
    fn another_sign_or_another_block_is_not_the_same() {
        assert!(!is_same(b"x = a - b\n", b"x = a + b\n"));
        assert!(!is_same(b"  x = 1\n", b"    x = 1\n"));
        assert!(!is_same(b"x = 1\n", b""));
    }
}
