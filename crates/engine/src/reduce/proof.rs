//! Proves the result: every delta that is left is needed.

use std::sync::Arc;

use whodunit_core::{Delta, DeltaSet, Verdict};

use super::answer::Needed;
use crate::key::Key;
use crate::memory::Memory;
use crate::subject::{Granularity, Input, InputCandidate, LadderSettings, Rung, Snapshot, Subject};

/// Bytes that may be hashed to look up all refutations; beyond that the list would be huge too.
const EFFORT: u64 = 1 << 32;

/// What is known about the need for each delta of a result.
pub(super) struct Ledger {
    /// Deltas whose refutation is known.
    pub(super) needed: Vec<Needed>,
    /// Granularities at which every delta has one.
    pub(super) levels: Vec<Granularity>,
    /// Contents that were only refuted by a time limit which nobody gave.
    pub(super) doubtful: Vec<(Key, InputCandidate)>,
}

/// Looks up why each delta of `result` is needed, without believing the search.
///
/// `None` if there is too much to look up.
pub(super) fn look_up(
    result: &Arc<Snapshot>,
    ladder: &LadderSettings,
    memory: &Memory,
) -> Option<Ledger> {
    let mut ledger = Ledger { needed: vec![], levels: vec![], doubtful: vec![] };
    for rung in rungs(result, ladder) {
        if rung.deltas().len() as u64 * result.len() > EFFORT {
            return None;
        }
        let rung = Arc::new(rung);
        let mut complete = !rung.deltas().is_empty();
        for (place, without) in without_each(&rung) {
            let key = key(&without);
            match memory.get(key) {
                Some(verdict) if verdict != Verdict::Fail => {
                    ledger.needed.push(needed(&rung, place, key, verdict));
                }
                _ => complete = false,
            }
            if memory.is_doubtful(key) {
                ledger.doubtful.push((key, without));
            }
        }
        if complete {
            ledger.levels.push(rung.granularity());
        }
    }
    Some(ledger)
}

/// Returns the rungs that a result can be cut into, the coarsest first.
pub(super) fn rungs(result: &Arc<Snapshot>, ladder: &LadderSettings) -> impl Iterator<Item = Rung> {
    let all = [Granularity::Files, Granularity::Lines, Granularity::Tokens, Granularity::Bytes];
    let several = result.files().len() > 1;
    all.into_iter()
        .filter(|&granularity| granularity <= ladder.finest)
        .filter(move |&granularity| granularity != Granularity::Files || several)
        .map(|granularity| Rung::cut(result.clone(), granularity, ladder))
}

/// Returns the name of a candidate's content.
pub(super) fn key(candidate: &InputCandidate) -> Key {
    Input.key(candidate)
}

/// Returns the candidates that lack one delta each.
pub(super) fn without_each(rung: &Arc<Rung>) -> impl Iterator<Item = (usize, InputCandidate)> {
    let all = DeltaSet::full(rung.deltas().len());
    (0..rung.deltas().len()).map(move |place| {
        let one: DeltaSet = [Delta(place as u32)].into_iter().collect();
        (place, InputCandidate::new(rung.clone(), all.minus(&one)))
    })
}

pub(super) fn needed(rung: &Rung, place: usize, key: Key, verdict: Verdict) -> Needed {
    let delta = &rung.deltas()[place];
    let file = match rung.granularity() {
        Granularity::Files => place,
        _ => rung.base().file_at(delta.start),
    };
    let first = rung.base().addresses(file).start;
    Needed {
        level: rung.granularity(),
        file,
        start: delta.start - first,
        end: delta.end - first,
        key,
        verdict,
    }
}
