//! Edits of a text, as runs of lines: the unit that is placed in a foreign text or not.

use std::ops::Range;

use whodunit_core::DeltaSet;

use super::patch::Chosen;
use crate::lines::Lines;

/// The three texts that a merge is about.
#[derive(Clone, Copy)]
pub(super) struct Texts<'a> {
    /// The text that the patch was made for.
    pub(super) old: &'a [u8],
    /// The text with the whole patch; places of pieces refer to it.
    pub(super) new: &'a [u8],
    /// The text that the patch is put onto.
    pub(super) foreign: &'a [u8],
}

/// A run of lines, and what stands in its place after the patch.
#[derive(Clone, Debug)]
pub(super) struct LineEdit {
    /// Which of the chosen pieces it is made of.
    pub(super) pieces: Range<usize>,
    /// The lines before the patch.
    pub(super) lines: Range<u32>,
    /// The lines after the patch.
    pub(super) patched: Range<u32>,
    /// The text after the patch.
    pub(super) text: Vec<u8>,
    pub(super) deltas: DeltaSet,
}

/// Puts the chosen pieces of a text together to edits. Pieces that touch are one edit, unless one
/// is in the foreign text already and the other is not.
pub(super) fn edits(
    old: &[u8],
    new: &[u8],
    chosen: &[Chosen],
    is_there: impl Fn(usize) -> bool,
) -> Vec<LineEdit> {
    let lines = Lines::of(old);
    let mut edits: Vec<LineEdit> = Vec::new();
    let mut first = 0;
    // The number of lines by which the patched text is ahead.
    let mut ahead: i64 = 0;
    while first < chosen.len() {
        let mut covered = chosen[first].piece.old_lines.clone();
        let mut end = first + 1;
        while let Some(next) = chosen.get(end).map(|chosen| &chosen.piece.old_lines) {
            let is_apart = next.start > covered.end
                || (is_there(first) != is_there(end) && next.start == covered.end);
            if is_apart {
                break;
            }
            covered.end = covered.end.max(next.end);
            end += 1;
        }
        let text = patched(old, new, &lines, &covered, &chosen[first..end]);
        let count = Lines::of(&text).len();
        let start = (i64::from(covered.start) + ahead) as u32;
        ahead += i64::from(count) - covered.len() as i64;
        edits.push(LineEdit {
            pieces: first..end,
            lines: covered,
            patched: start..start + count,
            text,
            deltas: chosen[first..end].iter().map(|chosen| chosen.delta).collect(),
        });
        first = end;
    }
    edits
}

/// Returns lines of a text with the chosen pieces in them.
pub(super) fn patched(
    old: &[u8],
    new: &[u8],
    lines: &Lines<'_>,
    covered: &Range<u32>,
    chosen: &[Chosen],
) -> Vec<u8> {
    let bytes = lines.bytes(covered);
    let mut text = Vec::new();
    let mut at = bytes.start;
    for piece in chosen.iter().map(|chosen| &chosen.piece) {
        text.extend_from_slice(&old[at as usize..piece.old.start as usize]);
        text.extend_from_slice(&new[piece.new.start as usize..piece.new.end as usize]);
        at = piece.old.end;
    }
    text.extend_from_slice(&old[at as usize..bytes.end as usize]);
    text
}
