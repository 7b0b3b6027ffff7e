//! A changed line cut into words and signs.

use std::ops::Range;

use whodunit_syntax::words::tokens;

use super::Piece;
use crate::lines::{Hunk, differing};

/// Cuts a piece into what differs within it. Lines that only come or go are not cut: half a new
/// line means nothing.
pub(crate) fn cut_into_tokens(piece: &Piece, old: &[u8], new: &[u8]) -> Vec<Piece> {
    if piece.old.is_empty() || piece.new.is_empty() {
        return vec![piece.clone()];
    }
    let before = &old[piece.old.start as usize..piece.old.end as usize];
    let after = &new[piece.new.start as usize..piece.new.end as usize];
    let old_tokens: Vec<Range<usize>> = tokens(before).collect();
    let new_tokens: Vec<Range<usize>> = tokens(after).collect();
    let (hunks, _) = differing(
        old_tokens.iter().map(|token| &before[token.clone()]),
        new_tokens.iter().map(|token| &after[token.clone()]),
    );
    let place = |tokens: &[Range<usize>], range: &Range<u32>, whole: &Range<u32>| {
        let at = |token: u32| {
            tokens.get(token as usize).map_or(whole.end, |token| whole.start + token.start as u32)
        };
        at(range.start)..at(range.end)
    };
    let piece_of = |hunk: Hunk| Piece {
        old: place(&old_tokens, &hunk.old, &piece.old),
        new: place(&new_tokens, &hunk.new, &piece.new),
        old_lines: piece.old_lines.clone(),
        new_lines: piece.new_lines.clone(),
    };
    hunks.into_iter().map(piece_of).collect()
}
