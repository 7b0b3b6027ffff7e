//! Proves the result: every piece that is left is needed.

use whodunit_core::Verdict;

use super::answer::{Level, Needed};
use super::pieces::{Cut, Piece};
use crate::evidence::{Claim, Origin};
use crate::key::Key;
use crate::memory::Memory;
use crate::refutation::Refutation;
use crate::subject::{Input, InputCandidate, Subject};

/// What is known about the need for each piece of a result.
pub(super) struct Ledger {
    /// Pieces without which the result was seen not to fail.
    pub(super) needed: Vec<Needed>,
    /// Levels at which every piece is one of these.
    pub(super) levels: Vec<Level>,
    /// Contents whose verdict cannot be claimed yet.
    pub(super) open: Vec<Open>,
    /// A result without one of its pieces that was seen to fail.
    pub(super) fails: Option<InputCandidate>,
}

/// A result without one of its pieces, to be tested before the piece is said to be needed.
pub(super) struct Open {
    pub(super) key: Key,
    pub(super) without: InputCandidate,
    pub(super) why: WhyOpen,
}

/// Why a verdict cannot be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WhyOpen {
    /// Only a time limit says so that nobody gave.
    Hasty,
    /// It was seen before the run was interrupted.
    Earlier,
    /// It was foretold.
    Foretold,
}

/// Looks up why each piece of a result is needed, without believing the search.
pub(super) fn look_up(cuts: &[Cut], memory: &Memory) -> Ledger {
    let mut ledger = Ledger { needed: vec![], levels: vec![], open: vec![], fails: None };
    for cut in cuts {
        // Levels that cannot be proved are not worth a test.
        let (mut hopeless, mut open) = (cut.len() == 0 || cut.is_partial(), Vec::new());
        for piece in cut.pieces() {
            let key = Input.key(&piece.without);
            match known(memory, key, &piece.without) {
                Known::Needed(claim) => {
                    let because = memory.refutation(key).cloned();
                    ledger.needed.push(needed(&piece, key, claim, because));
                }
                Known::Open(why) => open.push(Open { key, without: piece.without, why }),
                Known::Fails => {
                    hopeless = true;
                    ledger.fails.get_or_insert(piece.without);
                }
                Known::Nothing => hopeless = true,
            }
        }
        match (hopeless, open.is_empty()) {
            (true, _) => {}
            (false, true) => ledger.levels.push(cut.level()),
            (false, false) => ledger.open.append(&mut open),
        }
    }
    ledger
}

/// What is known about a result without one of its pieces.
enum Known {
    Needed(Claim),
    Open(WhyOpen),
    Fails,
    Nothing,
}

fn known(memory: &Memory, key: Key, candidate: &InputCandidate) -> Known {
    let Some(evidence) = memory.asked(key) else {
        let is_foretold = Input.foretell(candidate).is_some();
        return if is_foretold { Known::Open(WhyOpen::Foretold) } else { Known::Nothing };
    };
    match evidence.claim() {
        _ if memory.is_doubtful(key) => Known::Open(WhyOpen::Hasty),
        Some(claim) if claim.verdict() == Verdict::Fail => Known::Fails,
        Some(claim) => Known::Needed(claim),
        None if evidence.origin() == Origin::Earlier => Known::Open(WhyOpen::Earlier),
        None => Known::Nothing,
    }
}

/// Returns what happened to a candidate: in a test, or before there could be one.
pub(super) fn refutation(
    memory: &Memory,
    key: Key,
    candidate: &InputCandidate,
) -> Option<Refutation> {
    match memory.asked(key) {
        Some(_) => memory.refutation(key).cloned(),
        // Pieces never touch what is protected.
        None => Input.foretell(candidate).map(|_| Refutation::DoesNotParse),
    }
}

pub(super) fn needed(
    piece: &Piece,
    key: Key,
    verdict: Claim,
    because: Option<Refutation>,
) -> Needed {
    let Piece { level, file, start, end, .. } = *piece;
    Needed { level, file, start, end, key, verdict, because }
}
