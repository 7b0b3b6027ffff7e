//! Lines that are the same but for the space around them: a block that was indented, line ends of
//! another system. Inserted lines get the spacing of their new surroundings. For example, a line of
//! a block that was indented in the foreign version is inserted with the deeper indentation.

use std::ops::Range;

use super::align::Alignment;
use super::edit::{LineEdit, Texts};
use super::ladder::{CONTEXT, Fate, Rung};
use super::placement::Placement;
use crate::lines::{Lines, differing};

/// Lines before and after an edit that show how lines are indented there; lines farther away are
/// ignored. Chosen by hand.
const SEEN_LINES: u32 = 12;

/// A text and a foreign one, aligned without regard to space at either end of lines.
pub(super) struct Spaced<'a> {
    base: &'a Lines<'a>,
    foreign: &'a Lines<'a>,
    foreign_text: &'a [u8],
    alignment: Alignment,
}

impl<'a> Spaced<'a> {
    pub(super) fn new(texts: &Texts<'a>, base: &'a Lines<'a>, foreign: &'a Lines<'a>) -> Self {
        let trimmed = |lines: &Lines<'a>| -> Vec<&'a [u8]> {
            (0..lines.len()).map(|line| lines.line(line).trim_ascii()).collect()
        };
        let (hunks, _) = differing(trimmed(base).into_iter(), trimmed(foreign).into_iter());
        Spaced { base, foreign, foreign_text: texts.foreign, alignment: Alignment::new(hunks) }
    }

    /// Places an edit where its lines are, whatever the space around them.
    pub(super) fn place(&self, edit: &LineEdit) -> Fate {
        if self.has(edit) {
            return Fate::AlreadyThere;
        }
        let place = self.alignment.place(&edit.lines).filter(|_| self.is_known(&edit.lines));
        let Some(at) = place else { return Fate::Open };
        let text = self.fitted(edit);
        Fate::Placed(Rung::Token, vec![Placement::lines(self.foreign.bytes(&at), text)])
    }

    /// Whether the foreign change is the same, but for space.
    fn has(&self, edit: &LineEdit) -> bool {
        let touching = self.alignment.touching(&edit.lines);
        let ours = Lines::of(&edit.text);
        self.alignment.hunks()[touching].iter().any(|hunk| {
            hunk.old == edit.lines
                && hunk.new.len() as u32 == ours.len()
                && (0..ours.len()).all(|at| {
                    let theirs = self.foreign.line(hunk.new.start + at);
                    ours.line(at).trim_ascii() == theirs.trim_ascii()
                })
        })
    }

    /// Whether enough of the surroundings is left that the place is no coincidence. Lines that
    /// only come need one neighbour, which they have by being placed.
    fn is_known(&self, lines: &Range<u32>) -> bool {
        if lines.is_empty() {
            return true;
        }
        let wide = lines.start.saturating_sub(CONTEXT)..(lines.end + CONTEXT).min(self.base.len());
        let telling = wide.filter(|&line| !self.base.line(line).trim_ascii().is_empty());
        let (mut all, mut kept) = (0, 0);
        for line in telling {
            all += 1;
            kept += usize::from(self.alignment.image(line).is_some());
        }
        kept * 2 >= all
    }

    /// Returns the text of an edit with the space that its new surroundings have.
    fn fitted(&self, edit: &LineEdit) -> Vec<u8> {
        let mut known: Vec<(Space<'_>, Space<'_>)> = Vec::new();
        let nearest_first = (0..SEEN_LINES).flat_map(|far| {
            let before = edit.lines.start.checked_sub(far + 1);
            let inside = edit.lines.start + far;
            let inside = (inside < edit.lines.end).then_some(inside);
            let after = edit.lines.end + far;
            [inside, before, (after < self.base.len()).then_some(after)]
        });
        for line in nearest_first.flatten() {
            let there = self.alignment.image(line).map(|line| self.foreign.line(line));
            if let Some(there) = there.filter(|there| !there.trim_ascii().is_empty()) {
                known.push((Space::of(self.base.line(line)), Space::of(there)));
            }
        }
        let is_cut_off = self.foreign_text.last().is_some_and(|&byte| byte != b'\n');
        let ends = known.iter().find(|(old, new)| !old.end.is_empty() && !new.end.is_empty());
        let mut text = Vec::with_capacity(edit.text.len());
        for line in edit.text.split_inclusive(|&byte| byte == b'\n') {
            let body = line.trim_ascii();
            let space = Space::of(line);
            if !body.is_empty() {
                text.extend_from_slice(&indented(space.indent, &known));
            }
            text.extend_from_slice(&line[space.indent.len()..line.len() - space.end.len()]);
            text.extend_from_slice(match ends {
                Some((old, new)) if old.end == space.end => new.end,
                Some((_, new)) if space.end.is_empty() && !is_cut_off => new.end,
                _ => space.end,
            });
        }
        text
    }
}

/// The space around a line.
#[derive(Clone, Copy)]
struct Space<'a> {
    indent: &'a [u8],
    /// The line feed, with a carriage return if it has one.
    end: &'a [u8],
}

impl<'a> Space<'a> {
    fn of(line: &'a [u8]) -> Self {
        let end = match line {
            [.., b'\r', b'\n'] => 2,
            [.., b'\n'] => 1,
            _ => 0,
        };
        let (rest, end) = line.split_at(line.len() - end);
        let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        Space { indent: &rest[..blank], end }
    }
}

/// Returns the indentation that lines with this one have in the new surroundings.
fn indented(indent: &[u8], known: &[(Space<'_>, Space<'_>)]) -> Vec<u8> {
    // The longest known beginning; of equal ones the nearest, which comes first.
    let mut best: Option<&(Space<'_>, Space<'_>)> = None;
    for pair in known.iter().filter(|(old, _)| indent.starts_with(old.indent)) {
        if best.is_none_or(|(old, _)| pair.0.indent.len() > old.indent.len()) {
            best = Some(pair);
        }
    }
    match best {
        Some((old, new)) => [new.indent, &indent[old.indent.len()..]].concat(),
        None => indent.to_vec(),
    }
}
