//! A pass that is taken for as long as it is worthwhile.

use std::sync::Arc;

use whodunit_core::{Answer, Search, Step};

use super::Subject;
use super::candidate::{Input, InputCandidate};
use super::passes::PassSearch;
use super::snapshot::Snapshot;

/// A pass is given up for the next one if this many questions took away next to nothing; twice as
/// many the next time it is taken, and so on.
const PATIENCE: u32 = 32;

/// A pass over fewer than this many times as many deltas is not given up.
const WORTH_FINISHING: usize = 8;

/// What has to go in that many questions, as a share of what was there.
const WORTHWHILE: f64 = 0.02;

/// A pass being searched for as long as it is worthwhile.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    search: PassSearch,
    /// How many questions were asked.
    asked: u32,
    /// After how many questions without success it is given up, if at all.
    patience: Option<u32>,
    /// The questions asked and the bytes left at the last look.
    looked: (u32, u64),
    gave_up: bool,
}

impl Trial {
    /// Takes a pass that was taken in so many rounds before.
    pub(super) fn new(search: PassSearch, rounds: usize) -> Self {
        let bytes = search.base().len();
        let patience = PATIENCE << rounds.min(20);
        // What is nearly done is not given up.
        let is_long = search.deltas() / WORTH_FINISHING > patience as usize;
        let patience = is_long.then_some(patience);
        Trial { search, asked: 0, patience, looked: (0, bytes), gave_up: false }
    }

    /// Returns what it began with.
    pub(super) fn base(&self) -> &Arc<Snapshot> {
        self.search.base()
    }

    /// Returns whether it was given up.
    pub(super) fn gave_up(&self) -> bool {
        self.gave_up
    }

    pub(super) fn report(&self, base: &Snapshot) {
        if std::env::var_os("WD_DEBUG").is_some() {
            let name = match &self.search {
                PassSearch::Text { rung, .. } => {
                    format!("{:?} {}", rung.granularity(), rung.deltas().len())
                }
                PassSearch::Syntax { structure, .. } => {
                    format!("Syntax {}", structure.tree().len())
                }
                PassSearch::Changes { changes, .. } => format!("Changes {}", changes.len()),
            };
            eprintln!(
                "DEBUG {name}: {} -> {} in {} {}",
                self.search.base().len(),
                base.len(),
                self.asked,
                if self.gave_up { "gave up" } else { "" }
            );
        }
    }
}

impl Search for Trial {
    type Candidate = InputCandidate;

    fn step(&self) -> Step<InputCandidate> {
        if self.gave_up { Step::Done } else { self.search.step() }
    }

    fn learn(&mut self, answer: &Answer) {
        if self.gave_up {
            return;
        }
        self.search.learn(answer);
        self.asked += 1;
        let (asked, bytes) = self.looked;
        if self.patience.is_some_and(|patience| self.asked - asked >= patience) {
            let left = Input.size(&self.search.best()).bytes;
            self.gave_up = bytes.saturating_sub(left) as f64 <= WORTHWHILE * bytes as f64;
            self.looked = (self.asked, left);
        }
    }

    fn best(&self) -> InputCandidate {
        self.search.best()
    }

    fn likely(&self) -> f64 {
        self.search.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.search.heeds_unresolved()
    }
}
