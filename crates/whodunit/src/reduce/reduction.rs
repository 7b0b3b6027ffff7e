//! Searches for the smallest input, and proves the result.

use std::path::PathBuf;
use std::sync::Arc;

use whodunit_core::{LeastRate, Search, Sightings, Verdict};
use whodunit_exec::local::Local;
use whodunit_input::{
    Input, InputCandidate, InputSearch, LadderSettings, Languages, ReduceSearch, Snapshot,
};
use whodunit_run::{Ended, Tally};

use super::isolation::{self, Isolated};
use super::pieces::{AreAll, Cut};
use super::proof::{self, Ledger, Open, WhyOpen, Worth};
use super::verify::read_files;
use super::{ReduceError, record, regions};
use crate::answer::{Answer, Proof, Regions, Rerun};
use crate::lab::Workers;
use crate::lab::{Lab, LabError};
use crate::settings::Certification;

/// Runs of the input after a result does not fail again; if none fails, the failure is gone.
const LAST_CHANCES: usize = 20;

/// Pieces of a result that are tested again, if the result has as many: a flaky test leaves more
/// removable pieces in a larger result. Chosen by hand, so that the proof of a large result does
/// not take as long as its search.
const LOOKED_AT_AGAIN: usize = 32;

/// Rate of the failure from which on no higher rate is looked for.
const FREQUENT: f64 = 0.95;

/// Part of the runs without the failure that a candidate with a higher rate must turn into runs
/// with it. With smaller steps, many runs are needed to see a difference.
const STEP: f64 = 0.4;

/// Part of the highest rate that a result must have at least. A few dozen runs distinguish a
/// candidate with the highest rate from one with this part of it.
const KEPT: f64 = 0.75;

/// Runs that measure the rate of a candidate that raised it.
const MEASURED: u32 = 60;

/// The workers of a run of `reduce`.
pub(super) type InputWorkers = Workers<Local<Input>>;

/// The lab of a run of `reduce`.
pub(super) type InputLab<'a> = Lab<'a, Input, Local<Input>>;

/// The outcome of a search, with its proof.
pub(super) struct Proved {
    pub(super) ended: Ended,
    pub(super) tally: Tally,
    pub(super) proof: Proof,
    pub(super) regions: Regions,
    /// The input that passes, for the search `isolate`.
    pub(super) isolated: Option<Isolated>,
}

/// The outcome of testing contents that supported no claim.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settled {
    /// All contents were tested.
    All,
    /// Not all contents could be tested.
    LeftOff(Ended),
    /// A content that had only reached a time limit fails: the limit misled the search.
    Misled,
}

/// The evidence on the pieces of a result.
enum Known {
    /// The evidence for the need of each piece, and whether all pieces were looked at.
    Pieces(Ledger, bool),
    /// The search must continue from here.
    SearchFrom(Box<InputSearch>),
}

/// The search with everything it needs.
pub(super) struct Reduction<'a> {
    pub(super) lab: InputLab<'a>,
    pub(super) search: InputSearch,
    /// Folder that keeps every candidate that is asked about.
    pub(super) keep: Option<PathBuf>,
    /// The simplest candidate that a committed answer calls failing. It is the result, even if the
    /// search ends early.
    pub(super) best: InputCandidate,
    /// The runs of the input, if the rate is to be raised.
    pub(super) raises: Option<Sightings>,
}

/// Returns the result without some of its needed pieces, which are evenly spread over it.
fn some_pieces(cuts: &[Cut], ledger: &Ledger) -> Vec<InputCandidate> {
    let cuts = cuts.iter().filter(|cut| ledger.levels.contains(&cut.level()));
    let count: usize = cuts.clone().map(Cut::len).sum();
    let pieces = cuts.flat_map(Cut::pieces).step_by(count.div_ceil(LOOKED_AT_AGAIN).max(1));
    pieces.map(|piece| piece.without).collect()
}

impl Reduction<'_> {
    /// Searches until the result is as small and as certain as possible.
    pub(super) fn prove(
        &mut self,
        ladder: &LadderSettings,
        certify: Certification,
    ) -> Result<Proved, ReduceError> {
        let mut from = match self.raises.take() {
            Some(counts) => self.raise(ladder, counts)?,
            None => self.search.clone(),
        };
        loop {
            let (ended, finished) = self.run_search(from)?;
            let result = self.best.clone();
            let mut proved = Proved { ended, tally: self.lab.tally, ..self.unproved(certify) };
            if !self.fails_again(&result, &mut proved)? {
                return Ok(proved);
            }
            let snapshot = result.snapshot();
            if ladder.search == ReduceSearch::Isolate && ended == Ended::Done {
                match finished.isolated() {
                    Some(found) => {
                        let finest = ladder.finest;
                        proved.isolated = isolation::prove(&mut self.lab, &found, finest)?;
                        if proved.isolated.is_none() {
                            proved.ended = Ended::GaveUp;
                        }
                    }
                    None if snapshot.is_empty() => {}
                    None => return Err(ReduceError::NoPassing),
                }
            }
            let promises = ladder.search.promises_each_needed();
            let is_whole = ended == Ended::Done && certify == Certification::Full && promises;
            let listing = (snapshot.clone(), ladder.clone());
            let listed = self.lab.workers.stop.wait_for(move || Cut::all(&listing.0, &listing.1));
            let (cuts, are_all) = match listed {
                Ok(Some(listed)) => listed,
                // A list that is too long to make proves nothing.
                Ok(None) => {
                    if is_whole {
                        proved.ended = Ended::GaveUp;
                    }
                    return Ok(proved);
                }
                Err(stopped) => {
                    if is_whole {
                        proved.ended = stopped;
                    }
                    return Ok(proved);
                }
            };
            let mut pieces = Vec::new();
            if is_whole {
                let known = self.know_pieces(&result, (&cuts, are_all), ladder, &mut proved)?;
                let (ledger, is_complete) = match known {
                    Known::Pieces(ledger, is_complete) => (ledger, is_complete),
                    Known::SearchFrom(search) => {
                        from = *search;
                        continue;
                    }
                };
                let is_described = matches!(ladder.languages, Languages::Hierarchy(_));
                if proved.ended == Ended::Done && !is_complete && !is_described {
                    proved.ended = Ended::GaveUp;
                }
                pieces = some_pieces(&cuts, &ledger);
                proved.proof.level = ledger.levels.last().copied();
                proved.proof.levels = ledger.levels;
                proved.proof.needed = ledger.needed;
            }
            match self.lab.confirm_result(&result, &pieces) {
                Ok(Ended::Done) => {}
                Ok(ended) => {
                    // Claims that were not tested again are withdrawn.
                    proved.ended = ended;
                    let rerun = proved.proof.rerun.take();
                    proved.proof = Proof { rerun, ..self.unproved(certify).proof };
                }
                Err(LabError::Flaky) if !self.whole_fails_again()? => {
                    // The failure does not occur any more, so nothing can be repeated, and the
                    // result stays uncertain.
                    proved.ended = Ended::GaveUp;
                    proved.proof = self.unproved(certify).proof;
                }
                Err(error) => return Err(error.into()),
            }
            let memory = &self.lab.memory;
            let asked = |key| memory.asked(key).map(|_| memory.refutation(key).cloned());
            proved.regions = regions::find(&snapshot, &cuts, &asked);
            return Ok(proved);
        }
    }

    /// Looks for candidates that fail clearly more often than the best so far, until there are
    /// none. Then the search begins from there, and keeps the rate.
    fn raise(
        &mut self,
        ladder: &LadderSettings,
        mut counts: Sightings,
    ) -> Result<InputSearch, ReduceError> {
        let asked_for = self.lab.least_rate().map_or(0.0, |least| least.0);
        let rate = loop {
            let rate = f64::from(counts.seen + 1) / f64::from(counts.runs + 2);
            let before = self.best.clone();
            if rate >= FREQUENT || self.lab.is_over() {
                break rate;
            }
            self.lab.ask_for_rate(LeastRate((rate + STEP * (1.0 - rate)).max(asked_for)));
            self.run_search(InputSearch::new(&before.snapshot(), ladder.clone()))?;
            if !self.best.is_simpler_than(&before) {
                break rate;
            }
            let measured = self.lab.measure(&self.best, MEASURED)?;
            if self.lab.is_over() {
                // The candidate was accepted because it fails more often than this.
                break rate;
            }
            counts = measured;
        };
        self.lab.ask_for_rate(LeastRate((KEPT * rate).max(asked_for)));
        self.search = InputSearch::new(&self.best.snapshot(), ladder.clone());
        Ok(self.search.clone())
    }

    /// Returns the outcome for the best candidate if nothing could be proved.
    pub(super) fn unproved(&self, certify: Certification) -> Proved {
        let proof = Proof { level: None, levels: vec![], certify, rerun: None, needed: vec![] };
        let tally = Tally { committed: self.lab.memory.ran(), ..Tally::default() };
        let regions = Regions::default();
        Proved { ended: Ended::Stopped, tally, proof, regions, isolated: None }
    }

    /// Takes the result that an earlier, interrupted part of this run wrote, if it is simpler than
    /// the current one: this part may have ended before it came as far. A result that somebody
    /// changed since is not used. Returns whether the earlier result was taken; nothing is proved
    /// about it.
    pub(super) fn keep_earlier(&mut self, earlier: Option<&Answer>) -> bool {
        let Some(earlier) = earlier.and_then(|answer| read_files(&answer.files).ok()) else {
            return false;
        };
        let earlier = InputCandidate::whole(Arc::new(earlier));
        let is_simpler = earlier.is_simpler_than(&self.best);
        if is_simpler {
            self.best = earlier;
        }
        is_simpler
    }

    /// Asks a search until it is done, and keeps the simplest candidate that fails.
    fn run_search(&mut self, search: InputSearch) -> Result<(Ended, InputSearch), ReduceError> {
        let before = self.lab.tally.answers();
        let (keep, best) = (self.keep.as_deref(), &mut self.best);
        let finished = self.lab.search(search, &mut |question, candidate, verdict| {
            if verdict.is_fail() && candidate.is_simpler_than(best) {
                *best = candidate.clone();
            }
            match keep {
                Some(folder) => record::keep(folder, before + question, candidate, verdict),
                None => Ok(()),
            }
        })?;
        Ok((self.lab.ended, finished))
    }

    /// Tests the result again in a clean folder, and notes the verdict in `proved`. Returns whether
    /// the result fails, so that more can be proved about it.
    fn fails_again(
        &mut self,
        result: &InputCandidate,
        proved: &mut Proved,
    ) -> Result<bool, ReduceError> {
        let result = std::slice::from_ref(result);
        let seen = match self.lab.prove_all(result) {
            Err(LabError::Flaky) if !self.whole_fails_again()? => {
                // The failure does not occur any more, so nothing can be repeated, and this result
                // is final.
                self.lab.expects_noise = false;
                self.lab.prove_all(result)
            }
            seen => seen,
        };
        let seen = seen?.pop().flatten();
        let Some((verdict, _)) = seen else {
            proved.ended = self.lab.ended;
            return Ok(false);
        };
        proved.proof.rerun = Some(Rerun { verdict });
        if verdict.verdict() == Verdict::Fail {
            return Ok(true);
        }
        if self.lab.memory.reaches_back() {
            return Err(LabError::OutcomeChanged.into());
        }
        // Without the failure nothing can be claimed about the result.
        if proved.ended == Ended::Done {
            proved.ended = Ended::GaveUp;
        }
        Ok(false)
    }

    /// Returns whether the whole input still fails in some runs.
    fn whole_fails_again(&mut self) -> Result<bool, ReduceError> {
        let whole = self.search.best();
        let runs =
            self.lab.workers.observe_all(vec![whole; LAST_CHANCES]).map_err(LabError::from)?;
        let rule = self.lab.rule.clone();
        Ok(runs.iter().flatten().any(|seen| rule.judge(seen) == Verdict::Fail))
    }

    /// Finds out for each piece of the result whether it is needed: first from the questions of the
    /// search, then with further tests.
    fn know_pieces(
        &mut self,
        result: &InputCandidate,
        (cuts, are_all): (&[Cut], AreAll),
        ladder: &LadderSettings,
        proved: &mut Proved,
    ) -> Result<Known, ReduceError> {
        let mut worth = Worth::Asked;
        loop {
            let mut ledger = proof::look_up(cuts, &self.lab.memory, worth);
            if !ledger.open.is_empty() {
                match self.settle(ledger.open)? {
                    Settled::All => {}
                    Settled::LeftOff(ended) => proved.ended = ended,
                    Settled::Misled => {
                        // The search is asked again from the beginning, as in a continued run.
                        self.lab.rewind();
                        return Ok(Known::SearchFrom(Box::new(self.search.clone())));
                    }
                }
                ledger = proof::look_up(cuts, &self.lab.memory, worth);
            }
            let failing = ledger.fails.as_ref().filter(|it| it.is_simpler_than(result));
            if let Some(failing) = failing {
                // The candidate was foretold not to fail, or not asked about, but it fails. It is the best so
                // far even if the next search removes nothing of it; otherwise the loop would never end.
                let smaller: Arc<Snapshot> = failing.snapshot();
                self.best = failing.clone();
                let search = InputSearch::new(&smaller, ladder.clone());
                return Ok(Known::SearchFrom(Box::new(search)));
            }
            let is_complete = are_all == AreAll::Yes && proof::is_complete(&ledger.levels, cuts);
            if is_complete || worth == Worth::Rest || proved.ended != Ended::Done {
                return Ok(Known::Pieces(ledger, is_complete));
            }
            worth = Worth::Rest;
        }
    }

    /// Tests contents whose verdict supports no claim yet. An error if a test contradicts an
    /// earlier one.
    fn settle(&mut self, open: Vec<Open>) -> Result<Settled, ReduceError> {
        // Contents that were tested before an interruption are tested again; these tests do not
        // count.
        let is_new = |it: &&Open| it.why != WhyOpen::Earlier;
        if !self.lab.has_tests_left(open.iter().filter(is_new).count() as u64) {
            return Ok(Settled::LeftOff(Ended::OutOfTests));
        }
        let without: Vec<InputCandidate> = open.iter().map(|it| it.without.clone()).collect();
        let proved = self.lab.prove_all(&without)?;
        let mut settled = Settled::All;
        for (Open { without, why, .. }, seen) in open.into_iter().zip(proved) {
            let Some((claim, _)) = seen else { return Ok(Settled::LeftOff(self.lab.ended)) };
            if claim.verdict() != Verdict::Fail {
                continue;
            }
            if without.is_simpler_than(&self.best) {
                self.best = without;
            }
            if why == WhyOpen::Hasty {
                settled = Settled::Misled;
            }
        }
        Ok(settled)
    }
}
