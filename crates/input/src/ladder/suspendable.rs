//! A pass that runs for as long as it is worthwhile.

use std::sync::{Arc, OnceLock};

use whodunit_core::searches::Certify;
use whodunit_core::{Answer, Search, Step, Verdict};
use whodunit_run::Subject;

use super::doubt::{Doubt, DoubtCount};
use super::search::PassSearch;
use super::walked::Walked;
use crate::candidate::{Input, InputCandidate};
use crate::snapshot::Snapshot;

/// Questions after which a pass is suspended if they removed less than [`MIN_GAIN`]; after each
/// suspension twice as many. Chosen by hand.
const PATIENCE: u32 = 32;

/// A pass with no more deltas than this many times its [`PATIENCE`] is not suspended: it is nearly
/// done. Chosen by hand.
const FINISHED_FACTOR: usize = 8;

/// Share of the bytes that must go in [`PATIENCE`] questions; a pass that removes less is
/// suspended. Chosen by hand.
const MIN_GAIN: f64 = 0.02;

/// A pass took little if it removed no more than one byte in this many. Chosen by hand.
const SMALL_PART: u64 = 10;

/// A pass being searched for as long as it is worthwhile.
#[derive(Clone, Debug)]
pub(super) struct SuspendablePass {
    search: PassSearch,
    certify: Certify,
    /// The number of questions asked.
    asked: u32,
    /// The number of questions without success after which it is suspended; `None` if it never is.
    patience: Option<u32>,
    /// The bytes left when it was begun or resumed.
    bytes: u64,
    /// The questions asked and the bytes left at the last look.
    looked: (u32, u64),
    is_suspended: bool,
    /// The next step, stored so that copies share the work of finding the candidate.
    step: Arc<OnceLock<Step<InputCandidate>>>,
    /// Knows the candidates that its language refuses, if some of these are skipped.
    doubt: Option<Doubt>,
    /// Whether the next candidate is one of them, stored like the step.
    is_doubtful: Arc<OnceLock<bool>>,
    /// The simplest candidate that was seen to fail. The current candidate may be larger: a
    /// possible change is made even if the text grows.
    simplest: Option<InputCandidate>,
}

impl SuspendablePass {
    /// Takes a pass that was suspended `suspensions` times before.
    pub(super) fn new(
        search: PassSearch,
        certify: Certify,
        suspensions: u32,
        doubt: Option<Doubt>,
    ) -> Self {
        let bytes = search.base().len();
        let patience = patience(&search, suspensions);
        let looked = (0, bytes);
        let mut pass = SuspendablePass {
            search,
            certify,
            asked: 0,
            patience,
            bytes,
            looked,
            is_suspended: false,
            step: Arc::default(),
            doubt,
            is_doubtful: Arc::default(),
            simplest: None,
        };
        pass.pass_over();
        pass
    }

    /// Resumes a pass.
    pub(super) fn resume(&self, suspensions: u32) -> Self {
        let bytes = Input.size(&self.search.best()).bytes;
        SuspendablePass {
            patience: patience(&self.search, suspensions),
            bytes,
            looked: (self.asked, bytes),
            is_suspended: false,
            step: Arc::default(),
            is_doubtful: Arc::default(),
            ..self.clone()
        }
    }

    /// Returns the counts of candidates that its language refuses.
    pub(super) fn doubts(&self) -> Option<DoubtCount> {
        self.doubt.as_ref().map(|doubt| doubt.count)
    }

    /// Returns whether its language refuses the next candidate, as far as is known.
    fn is_doubtful(&self) -> bool {
        let find = || match (self.step(), &self.doubt) {
            (Step::Ask(candidate), Some(doubt)) => doubt.is_about(&candidate),
            _ => false,
        };
        *self.is_doubtful.get_or_init(find)
    }

    /// Skips the next questions as long as they are not worth a test.
    fn pass_over(&mut self) {
        while self.doubt.as_ref().is_some_and(Doubt::passes_over_next) && self.is_doubtful() {
            self.go_on(&Verdict::Unresolved.into(), None);
        }
    }

    /// Goes on to the next step.
    fn go_on(&mut self, answer: &Answer, seen: Option<Verdict>) {
        let was_doubtful = self.is_doubtful();
        if let Some(doubt) = self.doubt.as_mut().filter(|_| was_doubtful) {
            doubt.note(seen);
        }
        self.search.learn(answer);
        (self.step, self.is_doubtful) = Default::default();
    }

    /// Returns the snapshot that it began with.
    pub(super) fn base(&self) -> &Arc<Snapshot> {
        self.search.base()
    }

    /// Returns the simplest candidate that was seen to fail, if any was.
    pub(super) fn simplest(&self) -> Option<&InputCandidate> {
        self.simplest.as_ref()
    }

    /// Returns whether it was suspended.
    pub(super) fn is_suspended(&self) -> bool {
        self.is_suspended
    }

    /// Returns whether it would find nothing if it were repeated on the snapshot that it began
    /// with.
    pub(super) fn is_certified(&self) -> bool {
        let has_asked_all =
            matches!(self.search, PassSearch::Changes { .. } | PassSearch::Alternatives { .. });
        has_asked_all || self.certify != Certify::None
    }

    /// Returns whether it would find nothing in its own result.
    pub(super) fn settles_its_result(&self) -> bool {
        let is_text = matches!(self.search, PassSearch::Text { .. });
        is_text && self.certify != Certify::None || !self.search.can_be_taken_again()
    }

    /// Returns whether it removed very little.
    pub(super) fn took_little(&self) -> bool {
        let (before, after) = (self.base().len(), Input.size(&self.search.best()).bytes);
        before.saturating_sub(after) <= before / SMALL_PART
    }

    /// Returns whether some of the text was hidden from it.
    pub(super) fn is_abridged(&self) -> bool {
        match &self.search {
            PassSearch::Syntax { structure, .. } => structure.is_abridged(),
            _ => false,
        }
    }

    /// Returns the nodes that a walk over a tree has asked about.
    pub(super) fn walked(&self) -> Option<Walked> {
        match &self.search {
            PassSearch::Syntax { structure, .. } => Walked::of(structure),
            _ => None,
        }
    }

    /// Returns whether it has removed much since it was begun or resumed.
    pub(super) fn was_worthwhile(&self) -> bool {
        is_worthwhile(self.bytes, Input.size(&self.search.best()).bytes)
    }
}

/// Returns the number of questions without success after which a pass is suspended, if at all.
fn patience(search: &PassSearch, suspensions: u32) -> Option<u32> {
    let patience = PATIENCE << suspensions.min(20);
    // A pass that is nearly done is not suspended.
    let is_long = search.deltas() / FINISHED_FACTOR > patience as usize;
    is_long.then_some(patience)
}

fn is_worthwhile(before: u64, after: u64) -> bool {
    before.saturating_sub(after) as f64 > MIN_GAIN * before as f64
}

impl Search for SuspendablePass {
    type Candidate = InputCandidate;

    fn step(&self) -> Step<InputCandidate> {
        let find = || if self.is_suspended { Step::Done } else { self.search.step() };
        self.step.get_or_init(find).clone()
    }

    fn learn(&mut self, answer: &Answer) {
        let Step::Ask(asked) = self.step() else { return };
        if answer.verdict.is_fail()
            && self.simplest.as_ref().is_none_or(|simplest| asked.is_simpler_than(simplest))
        {
            self.simplest = Some(asked);
        }
        self.go_on(answer, Some(answer.verdict));
        self.asked += 1;
        let (asked, bytes) = self.looked;
        if self.patience.is_some_and(|patience| self.asked - asked >= patience) {
            let left = Input.size(&self.search.best()).bytes;
            self.is_suspended = !is_worthwhile(bytes, left);
            self.looked = (self.asked, left);
        }
        self.pass_over();
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
