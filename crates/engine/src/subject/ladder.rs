//! From coarse to fine and round again: files, lines, tokens, bytes.
//!
//! Each rung is a `blocks` search over the deltas of one granularity; the next one starts from
//! what it left. In the first round each rung is swept once: what a finer one takes away would
//! spoil the proof of a coarser one. Then they are climbed again and certified, until a whole
//! round changes nothing: then no single file, line, token or byte can go.

use std::sync::Arc;

use whodunit_core::searches::{Blocks, Certify, Chain, Rounds};
use whodunit_core::{Answer, DeltaSet, Search, Step};

use super::candidate::{Granularity, InputCandidate, Rung};
use super::protect::Protection;
use super::snapshot::Snapshot;

/// What a ladder needs to know.
#[derive(Clone, Debug)]
pub struct LadderSettings {
    /// The finest granularity to go to.
    pub finest: Granularity,
    /// What must not be touched.
    pub protection: Protection,
    /// How much is done to prove that every survivor is needed.
    pub certify: Certify,
}

/// The search of `reduce` on text and bytes.
#[derive(Clone, Debug)]
pub struct Ladder(Chain<Climb>);

impl Ladder {
    /// Starts with everything of `base`, which is known to fail.
    pub fn new(base: &Arc<Snapshot>, settings: LadderSettings) -> Self {
        let climb =
            Climb { settings: Arc::new(settings), finished: 0, quiet: 0, asked_nothing: false };
        let whole = InputCandidate::whole(base.clone());
        let nothing = RungSearch { rung: whole.rung().clone(), blocks: Blocks::new(0) };
        Ladder(Chain::new(nothing, climb))
    }

    /// Returns what one delta is at the moment.
    pub fn granularity(&self) -> Granularity {
        self.0.current().rung.granularity()
    }
}

impl Search for Ladder {
    type Candidate = InputCandidate;

    fn step(&self) -> Step<InputCandidate> {
        self.0.step()
    }

    fn learn(&mut self, answer: &Answer) {
        self.0.learn(answer);
    }

    fn best(&self) -> InputCandidate {
        self.0.best()
    }

    fn likely(&self) -> f64 {
        self.0.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.0.heeds_unresolved()
    }
}

const ORDER: [Granularity; 4] =
    [Granularity::Files, Granularity::Lines, Granularity::Tokens, Granularity::Bytes];

/// Where the ladder stands.
#[derive(Clone, Debug)]
struct Climb {
    settings: Arc<LadderSettings>,
    /// How many rungs were climbed so far.
    finished: usize,
    /// How many certified rungs it is since something changed, that one included.
    quiet: usize,
    /// Whether it was already asked if anything is needed at all.
    asked_nothing: bool,
}

impl Rounds for Climb {
    type Search = RungSearch;

    fn next(&mut self, finished: &RungSearch) -> Option<RungSearch> {
        let base = finished.best().snapshot();
        if !Arc::ptr_eq(&base, finished.rung.base()) {
            self.quiet = 1;
        }
        let rungs = ORDER.iter().filter(|&&rung| rung <= self.settings.finest).count();
        loop {
            let first_round = self.finished < rungs;
            if self.finished == rungs {
                // Nothing has been certified yet.
                self.quiet = 0;
            }
            if !first_round && (self.settings.certify == Certify::None || self.quiet >= rungs) {
                return None;
            }
            let certify = if first_round { Certify::None } else { self.settings.certify };
            let granularity = ORDER[self.finished % rungs];
            self.finished += 1;
            self.quiet += 1;
            let rung = Rung::cut(base.clone(), granularity, &self.settings.protection);
            if let Some(blocks) = self.blocks(&rung) {
                let blocks = blocks.certify(certify);
                return Some(RungSearch { rung: Arc::new(rung), blocks });
            }
        }
    }
}

impl Climb {
    /// Returns a search of a rung, or `None` if there is nothing to search on it.
    fn blocks(&mut self, rung: &Rung) -> Option<Blocks> {
        let files = rung.granularity() == Granularity::Files;
        let sizes = rung.deltas().iter().map(|delta| (delta.end - delta.start) as usize);
        // Without any file there is nothing to test, so the last one is never dropped.
        if sizes.len() <= usize::from(files) {
            return None;
        }
        let blocks = match rung.granularity() {
            Granularity::Files | Granularity::Lines => Blocks::weighted(sizes),
            Granularity::Tokens | Granularity::Bytes => Blocks::new(sizes.len()),
        };
        if files || self.asked_nothing {
            return Some(blocks.skip_empty());
        }
        self.asked_nothing = true;
        Some(blocks)
    }
}

/// One rung being searched.
#[derive(Clone, Debug)]
struct RungSearch {
    rung: Arc<Rung>,
    blocks: Blocks,
}

impl RungSearch {
    fn candidate(&self, kept: DeltaSet) -> InputCandidate {
        InputCandidate::new(self.rung.clone(), kept)
    }
}

impl Search for RungSearch {
    type Candidate = InputCandidate;

    fn step(&self) -> Step<InputCandidate> {
        match self.blocks.step() {
            Step::Ask(kept) => Step::Ask(self.candidate(kept)),
            Step::Done => Step::Done,
        }
    }

    fn learn(&mut self, answer: &Answer) {
        self.blocks.learn(answer);
    }

    fn best(&self) -> InputCandidate {
        self.candidate(self.blocks.best())
    }

    fn likely(&self) -> f64 {
        self.blocks.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}
