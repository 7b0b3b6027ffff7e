//! Bytes of binary data: some can be deleted if lengths and checksums are updated, others must be
//! there but can be zero.
//!
//! Bytes that are zero already are no change, so the pass ends.

use std::ops::Range;

use crate::edits::Change;
use crate::structure::Outlined;
use crate::tokens;

/// Pieces of a binary file. In a longer file a piece has more bytes, so that there are no more
/// pieces than this. Chosen by hand.
const MAX_PIECES: usize = 4096;

/// Deletes bytes where lengths are given; elsewhere other passes delete bytes.
pub(super) fn delete(file: &Outlined<'_>) -> Vec<Change> {
    if file.repairs.fields().is_empty() {
        return Vec::new();
    }
    let delete = |piece: Range<usize>| Change::replace(file.addresses(&piece), "");
    pieces(file).into_iter().map(delete).collect()
}

/// Replaces bytes by zeros.
pub(super) fn zero(file: &Outlined<'_>) -> Vec<Change> {
    let mut pieces = pieces(file);
    pieces.retain(|piece| file.bytes[piece.clone()].iter().any(|&byte| byte != 0));
    let zero = |piece: Range<usize>| Change::replace(file.addresses(&piece), vec![0; piece.len()]);
    pieces.into_iter().map(zero).collect()
}

/// Returns the pieces of binary data between the fields that describe others.
fn pieces(file: &Outlined<'_>) -> Vec<Range<usize>> {
    let end = file.bytes.len();
    // A file of blocks is binary, even if its last zero byte was removed.
    if !tokens::is_binary(file.bytes) && file.repairs.fields().is_empty() {
        return Vec::new();
    }
    let size = end.div_ceil(MAX_PIECES).next_power_of_two();
    let mut fields: Vec<Range<usize>> =
        file.repairs.fields().iter().map(|field| field.range.clone()).collect();
    fields.push(end..end);
    fields.sort_by_key(|field| field.start);
    let (mut pieces, mut at) = (Vec::new(), 0);
    for field in fields {
        while at < field.start {
            // Aligned, so that the pieces before and after a field are the same in the next
            // round.
            let next = field.start.min((at / size + 1) * size);
            pieces.push(at..next);
            at = next;
        }
        at = at.max(field.end);
    }
    pieces
}
