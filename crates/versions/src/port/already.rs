//! Which pieces of a patch a foreign text has already, each with the piece of the foreign change
//! that is the same.

use std::ops::Range;

use super::edit::{Texts, patched};
use super::patch::Chosen;
use crate::decomposition::{Piece, cut_into_tokens};
use crate::lines::{Hunk, Lines};

/// The common part of a patch and a foreign change.
pub(super) struct Shared {
    /// For each chosen piece whether it is there already.
    pub(super) chosen: Vec<bool>,
    /// For each piece of the foreign change the chosen piece that is the same.
    pub(super) foreign: Vec<Option<usize>>,
}

/// Finds the edits that are there already. `pieces` lead from the old to the foreign text.
pub(super) fn find(
    texts: &Texts<'_>,
    base: &Lines<'_>,
    foreign: &Lines<'_>,
    pieces: &[Hunk],
    chosen: &[Chosen],
) -> Shared {
    let mut shared =
        Shared { chosen: vec![false; chosen.len()], foreign: vec![None; pieces.len()] };
    let mut first = 0;
    while first < chosen.len() {
        let lines = &chosen[first].piece.old_lines;
        let alike = |other: &Chosen| other.piece.old_lines == *lines;
        let count = chosen[first..].iter().take_while(|other| alike(other)).count();
        let group = first..first + count;
        let from = pieces
            .partition_point(|piece| (piece.old.start, piece.old.end) < (lines.start, lines.end));
        let same = pieces[from..].iter().take_while(|piece| piece.old == *lines).count();
        let theirs = from..from + same;
        if lines.is_empty() {
            insertions(texts, foreign, pieces, chosen, &group, &theirs, &mut shared);
        } else if !theirs.is_empty()
            && is_same_line(texts, base, foreign, &pieces[from], &chosen[group.clone()])
        {
            shared.chosen[group.clone()].fill(true);
            shared.foreign[from] = Some(first);
        }
        first = group.end;
    }
    shared.forget_space(texts, chosen);
    shared
}

impl Shared {
    /// Takes back that a line is indented already where the patch does more than that around it:
    /// the foreign text has indented it for another reason, and will once more.
    fn forget_space(&mut self, texts: &Texts<'_>, chosen: &[Chosen]) {
        let touch =
            |one: &Chosen, next: &Chosen| next.piece.old_lines.start <= one.piece.old_lines.end;
        let mut first = 0;
        for group in chosen.chunk_by(touch) {
            let range = first..first + group.len();
            first = range.end;
            if self.chosen[range.clone()].iter().all(|there| *there) {
                continue;
            }
            for at in range {
                let Piece { old, new, old_lines, .. } = &chosen[at].piece;
                let old = texts.old[old.start as usize..old.end as usize].trim_ascii();
                let new = texts.new[new.start as usize..new.end as usize].trim_ascii();
                self.chosen[at] &= old_lines.is_empty() || old != new;
            }
        }
        // The tokens of a line are there together or not at all.
        let one_line = |one: &Chosen, next: &Chosen| {
            !one.piece.old_lines.is_empty() && one.piece.old_lines == next.piece.old_lines
        };
        let mut first = 0;
        for line in chosen.chunk_by(one_line) {
            let there = &mut self.chosen[first..first + line.len()];
            let all = there.iter().all(|there| *there);
            there.fill(all);
            first += line.len();
        }
        for ours in &mut self.foreign {
            *ours = ours.filter(|&at| self.chosen[at]);
        }
    }
}

/// Compares lines that both insert at one place. The foreign text has the insertion already if it
/// has all of its lines; some common lines are not enough, because both may insert a bracket.
fn insertions(
    texts: &Texts<'_>,
    foreign: &Lines<'_>,
    pieces: &[Hunk],
    chosen: &[Chosen],
    group: &Range<usize>,
    theirs: &Range<usize>,
    shared: &mut Shared,
) {
    let our_text = |at: usize| {
        let new = &chosen[at].piece.new;
        &texts.new[new.start as usize..new.end as usize]
    };
    let their_text = |at: usize| {
        let bytes = foreign.bytes(&pieces[at].new);
        &texts.foreign[bytes.start as usize..bytes.end as usize]
    };
    let same = |ours: usize, theirs: usize| our_text(ours) == their_text(theirs);
    let pairs = found_in(group, theirs, same).or_else(|| {
        let pairs = found_in(theirs, group, |theirs, ours| same(ours, theirs))?;
        Some(pairs.into_iter().map(|(theirs, ours)| (ours, theirs)).collect())
    });
    for (ours, theirs) in pairs.into_iter().flatten() {
        shared.chosen[ours] = true;
        shared.foreign[theirs] = Some(ours);
    }
}

/// Finds all of one list in another, in order.
fn found_in(
    all: &Range<usize>,
    among: &Range<usize>,
    same: impl Fn(usize, usize) -> bool,
) -> Option<Vec<(usize, usize)>> {
    let mut rest = among.clone();
    all.clone().map(|one| Some((one, rest.find(|&other| same(one, other))?))).collect()
}

/// Whether the foreign text has the patched line, or all tokens that the patch adds to it.
fn is_same_line(
    texts: &Texts<'_>,
    base: &Lines<'_>,
    foreign: &Lines<'_>,
    theirs: &Hunk,
    chosen: &[Chosen],
) -> bool {
    let new = foreign.bytes(&theirs.new);
    let ours = patched(texts.old, texts.new, base, &theirs.old, chosen);
    if ours == texts.foreign[new.start as usize..new.end as usize] {
        return true;
    }
    let piece = Piece {
        old: base.bytes(&theirs.old),
        new,
        old_lines: theirs.old.clone(),
        new_lines: theirs.new.clone(),
    };
    let cut = cut_into_tokens(&piece, texts.old, texts.foreign);
    let text =
        |text: &[u8], range: &Range<u32>| text[range.start as usize..range.end as usize].to_vec();
    chosen.iter().all(|chosen| {
        let ours = &chosen.piece;
        cut.iter().any(|theirs| {
            theirs.old == ours.old && text(texts.foreign, &theirs.new) == text(texts.new, &ours.new)
        })
    })
}
