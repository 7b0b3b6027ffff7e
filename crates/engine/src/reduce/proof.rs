//! Proves the result: every piece that is left is needed.

use whodunit_core::Verdict;

use super::answer::{Level, Needed};
use super::pieces::{Cut, Piece};
use crate::key::Key;
use crate::memory::Memory;
use crate::refutation::Refutation;
use crate::subject::{Input, InputCandidate, Subject};

/// What is known about the need for each piece of a result.
pub(super) struct Ledger {
    /// Pieces whose refutation is known.
    pub(super) needed: Vec<Needed>,
    /// Levels at which every piece has one.
    pub(super) levels: Vec<Level>,
    /// Contents that were only refuted by a time limit which nobody gave.
    pub(super) doubtful: Vec<(Key, InputCandidate)>,
}

/// Looks up why each piece of a result is needed, without believing the search.
pub(super) fn look_up(cuts: &[Cut], memory: &Memory) -> Ledger {
    let mut ledger = Ledger { needed: vec![], levels: vec![], doubtful: vec![] };
    for cut in cuts {
        let mut complete = cut.len() > 0 && !cut.is_partial();
        for piece in cut.pieces() {
            let key = Input.key(&piece.without);
            match verdict(memory, key, &piece.without) {
                Some(verdict) if verdict != Verdict::Fail => {
                    let because = refutation(memory, key, &piece.without);
                    ledger.needed.push(needed(&piece, key, verdict, because));
                }
                _ => complete = false,
            }
            if memory.is_doubtful(key) {
                ledger.doubtful.push((key, piece.without));
            }
        }
        if complete {
            ledger.levels.push(cut.level());
        }
    }
    ledger
}

/// Returns what is known about a candidate.
fn verdict(memory: &Memory, key: Key, candidate: &InputCandidate) -> Option<Verdict> {
    memory.get(key).or_else(|| Input.foretell(candidate))
}

/// Returns what happened to a candidate: in a test, or before there could be one.
pub(super) fn refutation(
    memory: &Memory,
    key: Key,
    candidate: &InputCandidate,
) -> Option<Refutation> {
    match memory.get(key) {
        Some(_) => memory.refutation(key).cloned(),
        // Pieces never touch what is protected.
        None => Input.foretell(candidate).map(|_| Refutation::DoesNotParse),
    }
}

pub(super) fn needed(
    piece: &Piece,
    key: Key,
    verdict: Verdict,
    because: Option<Refutation>,
) -> Needed {
    let Piece { level, file, start, end, .. } = *piece;
    Needed { level, file, start, end, key, verdict, because }
}
