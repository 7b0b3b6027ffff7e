//! Looks up the proof of a result: the evidence that every piece of it is needed.

use whodunit_core::Verdict;
use whodunit_input::{Input, InputCandidate};
use whodunit_run::evidence::Claim;
use whodunit_run::judge::Provenance;
use whodunit_run::{Key, Memory, Refutation, Subject};

use super::pieces::{Cut, Piece};
use crate::answer::{Level, Needed};

/// The evidence for the need of each piece of a result.
pub(super) struct Ledger {
    /// Pieces without which the result does not fail.
    pub(super) needed: Vec<Needed>,
    /// Levels at which every piece is needed.
    pub(super) levels: Vec<Level>,
    /// Contents whose verdict does not support a claim yet.
    pub(super) open: Vec<Open>,
    /// A result without one of its pieces that failed.
    pub(super) fails: Option<InputCandidate>,
}

/// A result without one of its pieces, which must be tested before the piece is called needed.
pub(super) struct Open {
    pub(super) without: InputCandidate,
    pub(super) why: WhyOpen,
}

/// Why a verdict does not support a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WhyOpen {
    /// The verdict rests on a time limit that the user did not set.
    Hasty,
    /// The test ran before an interruption.
    Earlier,
    /// The verdict was foretold.
    Foretold,
    /// No pass asked about the content.
    Unasked,
}

/// The pieces that are tested for the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// Those of levels where the search asked about every piece.
    Asked,
    /// Also the pieces that the search did not ask about, if they are few.
    Rest,
}

/// At most this many pieces of a level are tested although the search did not ask about them; with more, the
/// level is not proved. The search omits few pieces where its last change made new ones, and nearly all pieces
/// of a level that it did not reach.
const MOST_UNASKED: usize = 64;

/// Looks up the evidence for the need of each piece. The search's own statements are not used.
pub(super) fn look_up(cuts: &[Cut], memory: &Memory, worth: Worth) -> Ledger {
    let mut ledger = Ledger { needed: vec![], levels: vec![], open: vec![], fails: None };
    for cut in cuts {
        // The pieces of a level that cannot be proved are not tested.
        let (mut hopeless, mut open) = (cut.len() == 0 || cut.is_partial(), Vec::new());
        let (mut needed, mut unasked) = (Vec::new(), 0);
        for piece in cut.pieces() {
            let key = Input.key(&piece.without);
            match known(memory, key, &piece.without) {
                Known::Needed(claim) => {
                    let because = memory.refutation(key).cloned();
                    needed.push(self::needed(&piece, key, claim, because));
                }
                Known::Open(why) => open.push(Open { without: piece.without, why }),
                Known::Fails => {
                    hopeless = true;
                    ledger.fails.get_or_insert(piece.without);
                }
                Known::Nothing => {
                    unasked += 1;
                    let why = WhyOpen::Unasked;
                    open.push(Open { without: piece.without, why });
                }
            }
        }
        hopeless |= unasked > if worth == Worth::Rest { MOST_UNASKED } else { 0 };
        match (hopeless, open.is_empty()) {
            // A level without a proof claims nothing, also not for some of its pieces: which
            // verdicts are known depends on interruptions.
            (true, _) => {}
            (false, true) => {
                ledger.levels.push(cut.level());
                ledger.needed.append(&mut needed);
            }
            (false, false) => ledger.open.append(&mut open),
        }
    }
    ledger
}

/// Returns whether the finest levels with pieces are proved: the finest level of text, and the nodes if there
/// are parsed files. Levels that leave out files count for neither. An input with its own description has
/// no levels.
pub(super) fn is_complete(levels: &[Level], all: &[Cut]) -> bool {
    let cuts = || all.iter().filter(|cut| cut.len() > 0 && !cut.is_partial());
    let is_text = |cut: &&Cut| cut.level() != Level::Nodes;
    let finest = cuts().filter(is_text).map(Cut::level).max();
    let nodes = cuts().map(Cut::level).find(|level| *level == Level::Nodes);
    if finest.is_none() && nodes.is_none() {
        // No piece can be removed: the input is empty or all of it is protected. Files that are not cut
        // as text are covered if there is a level of nodes.
        let has_nodes = all.iter().any(|cut| cut.level() == Level::Nodes);
        return has_nodes || all.iter().all(|cut| !cut.is_partial());
    }
    [finest, nodes].into_iter().flatten().all(|level| levels.contains(&level))
}

/// The evidence on a result without one of its pieces.
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
        None if evidence.origin() == Provenance::Earlier => Known::Open(WhyOpen::Earlier),
        None => Known::Nothing,
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use whodunit_core::searches::Certify;

    use super::*;
    use whodunit_input::{InputFile, LadderSettings, Languages, Snapshot};

    /// Returns whether a text is proved completely if these levels are proved.
    fn is_complete(name: &str, levels: &[Level]) -> bool {
        let file = InputFile { name: name.into(), bytes: (*b"[1]\n").into(), mode: 0o644 };
        let ladder =
            LadderSettings { certify: Certify::None, ..LadderSettings::new(Languages::ByFile) };
        let cuts = Cut::all(&Arc::new(Snapshot::new(vec![file])), &ladder);
        let (cuts, _) = cuts.expect("there are few pieces");
        super::is_complete(levels, &cuts)
    }

    #[test]
    fn the_finest_level_of_a_text_has_to_be_proved() {
        assert!(is_complete("a.txt", &[Level::Bytes]));
        assert!(!is_complete("a.txt", &[Level::Lines, Level::Tokens]));
        assert!(!is_complete("a.txt", &[]));
    }

    #[test]
    fn where_a_file_is_parsed_its_nodes_have_to_be_proved() {
        assert!(is_complete("a.json", &[Level::Nodes, Level::Lines]));
        assert!(!is_complete("a.json", &[Level::Lines]));
    }
}
