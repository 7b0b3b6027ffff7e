//! Pass after pass, until none of them finds anything more.
//!
//! A pass is a search over one decomposition of the input: files, syntax nodes, lines, tokens,
//! bytes, changes of some sort. The next pass starts from the result of the one before. A pass that
//! removes little is suspended while the other coarse passes are tried, and is resumed later. The
//! order depends on answers and counts alone, so it is the same for any number of workers. When all
//! passes are done they are repeated and certified, until nothing changes: then no single file,
//! node, line, token or byte can be removed.
//!
//! The ladder does not end while a pass is suspended, nor while a candidate simpler than its result
//! was seen to fail: then the passes are repeated on that candidate.

mod doubt;
mod nested;
mod parsed;
mod search;
mod suspendable;
mod walked;

use std::ops::Range;
use std::sync::Arc;

use whodunit_core::searches::{Blocks, Certify, Chain, Rounds};
use whodunit_core::{Answer, Search, Step};

use super::candidate::InputCandidate;
use super::languages::FIRST_LOOK_BYTES;
use super::passes::Pass;
use super::settings::LadderSettings;
use super::snapshot::Snapshot;
use super::text_cut::TextCut;
use doubt::{Doubt, DoubtCount};
use parsed::{Detail, LastParsed};
use search::PassSearch;
use suspendable::SuspendablePass;
use walked::Walked;

/// A change is tiny if it removes no more than one byte in this many; passes that prove nothing are
/// not taken again for it. Chosen by hand.
const TINY_PART: u64 = 64;

/// Factor by which the parsed part of large files grows after a look from which little came. Chosen
/// by hand.
const BUDGET_GROWTH: usize = 4;

/// The search of `reduce`.
#[derive(Clone, Debug)]
pub struct Ladder(Chain<LadderState>);

impl Ladder {
    /// Starts with everything of `base`, which is known to fail.
    pub fn new(base: &Arc<Snapshot>, settings: LadderSettings) -> Self {
        let mut passes = Pass::all(base, &settings);
        passes.retain(|pass| !settings.without.iter().any(|name| name == pass.name()));
        Self::with_passes(base, settings, passes)
    }

    /// Returns the name of the pass that asks the next question.
    pub fn pass(&self) -> &'static str {
        let climb = self.0.rounds();
        climb.passes.get(climb.current).map_or("none", |pass| pass.name())
    }

    /// The same with some passes only.
    pub(super) fn with_passes(
        base: &Arc<Snapshot>,
        settings: LadderSettings,
        passes: Vec<Pass>,
    ) -> Self {
        let climb = LadderState {
            states: vec![PassState::default(); passes.len()],
            current: passes.len().saturating_sub(1),
            passes: passes.into(),
            settings: Arc::new(settings),
            base: base.clone(),
            simplest: InputCandidate::whole(base.clone()),
            parsed: Arc::default(),
            asked_nothing: false,
            doubts: DoubtCount::default(),
        };
        let cut = Arc::new(TextCut::uncut(base.clone()));
        let nothing = PassSearch::Text { cut, blocks: Blocks::new(0) };
        Ladder(Chain::new(SuspendablePass::new(nothing, Certify::None, 0, None), climb))
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
        // The simplest candidate that was ever seen to fail; the current pass may be at another
        // one.
        let before = &self.0.rounds().simplest;
        let now = self.0.current().simplest().filter(|now| now.is_simpler_than(before));
        now.unwrap_or(before).clone()
    }

    fn likely(&self) -> f64 {
        self.0.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.0.heeds_unresolved()
    }
}

/// The state of the ladder.
#[derive(Clone, Debug)]
struct LadderState {
    settings: Arc<LadderSettings>,
    /// The passes that are taken in turn.
    passes: Arc<[Pass]>,
    states: Vec<PassState>,
    /// The current pass, by its place.
    current: usize,
    /// The snapshot that the current pass started from.
    base: Arc<Snapshot>,
    /// The simplest candidate that earlier passes saw to fail.
    simplest: InputCandidate,
    /// The last parsed snapshot, shared by all copies of the search.
    parsed: Arc<LastParsed>,
    /// Whether the empty input was already asked about.
    asked_nothing: bool,
    /// The count of candidates that their language refuses and its parser does not.
    doubts: DoubtCount,
}

/// The state of one pass.
#[derive(Clone, Debug, Default)]
struct PassState {
    /// How often it was taken.
    taken: u32,
    /// How often it was suspended.
    suspensions: u32,
    /// How often it was taken with large files abridged, and removed little.
    glances: u32,
    /// The suspended pass, and the snapshot from which it can be resumed.
    suspended: Option<(Arc<SuspendablePass>, Arc<Snapshot>)>,
    /// The snapshot about which it has no more questions.
    settled: Option<Arc<Snapshot>>,
    /// The nodes that it asked about in its last complete walk over a tree.
    walked: Option<Arc<Walked>>,
}

impl Rounds for LadderState {
    type Search = SuspendablePass;

    fn next(&mut self, finished: &SuspendablePass) -> Option<SuspendablePass> {
        self.put_away(finished);
        // A pass that asks many questions for little gain waits until the others have no more
        // questions. For the small gain of one such pass the others need not be certified before
        // the next.
        let (current, count) = (self.current, self.passes.len());
        let goes_on = current < count && self.turn_of(current) == Turn::Last;
        let next = (goes_on && !self.is_busy() && finished.took_little())
            .then(|| self.take_one(Turn::Last, current + 1..count))
            .flatten();
        // A pass with abridged files is repeated at once.
        let first = if finished.is_abridged() { current } else { current + 1 };
        let all = first..first + count;
        next.or_else(|| self.take_any(all.clone())).or_else(|| {
            // No question is left about the result, but a simpler candidate was seen to fail.
            let simplest = self.simplest.snapshot();
            is_simpler(&simplest, &self.base).then(|| self.base = simplest)?;
            self.take_any(all)
        })
    }
}

/// When a pass has its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Early,
    Last,
}

impl LadderState {
    /// Records the result of a finished or suspended pass.
    fn put_away(&mut self, finished: &SuspendablePass) {
        self.doubts = finished.doubts().unwrap_or(self.doubts);
        let Some(state) = self.states.get_mut(self.current) else { return };
        let simplest = finished.simplest().filter(|it| it.is_simpler_than(&self.simplest));
        if let Some(simplest) = simplest {
            self.simplest = simplest.clone();
        }
        let best = finished.best().snapshot();
        let unchanged = Arc::ptr_eq(&best, finished.base());
        if finished.is_suspended() {
            // A small gain is not worth the loss of other suspended passes, which resume from the
            // old snapshot only.
            if finished.was_worthwhile() {
                self.base = best;
            }
            state.suspensions += 1;
            state.suspended = Some((Arc::new(finished.clone()), self.base.clone()));
            return;
        }
        state.suspended = None;
        if finished.is_abridged() {
            state.taken -= 1;
            // The next time with a larger budget, unless this one removed more than half.
            state.glances += u32::from(best.len() > self.base.len() / 2);
            self.base = best;
            return;
        }
        state.walked = finished.walked().map(Arc::new);
        if !unchanged && !is_simpler(&best, &self.base) {
            // Other passes would change it back, and the ladder would never end.
            state.settled = Some(self.base.clone());
            return;
        }
        let is_trifle =
            !self.passes[self.current].is_proof() && is_trifle(self.base.len(), best.len());
        self.base = best;
        if finished.settles_its_result() || (unchanged || is_trifle) && finished.is_certified() {
            state.settled = Some(self.base.clone());
        }
    }

    /// Takes the next pass that has something to ask, whatever its turn.
    fn take_any(&mut self, passes: Range<usize>) -> Option<SuspendablePass> {
        self.take_one(Turn::Early, passes.clone()).or_else(|| self.take_one(Turn::Last, passes))
    }

    /// Takes the next pass of this turn that has something to ask; the first follows the last.
    fn take_one(&mut self, turn: Turn, passes: Range<usize>) -> Option<SuspendablePass> {
        let is_busy = self.is_busy();
        for next in passes {
            let next = next % self.passes.len();
            let its_turn = match turn {
                // While a pass is suspended the other coarse passes are tried; then it is resumed.
                Turn::Early if is_busy => self.passes[next].is_coarse(),
                Turn::Last if is_busy => self.can_resume(&self.states[next]),
                turn => turn == self.turn_of(next),
            };
            if !its_turn {
                continue;
            }
            if let Some(trial) = self.take(next) {
                self.current = next;
                return Some(trial);
            }
        }
        None
    }

    fn turn_of(&self, pass: usize) -> Turn {
        let is_last = self.passes[pass].is_last(&self.base, &self.settings);
        if is_last { Turn::Last } else { Turn::Early }
    }

    /// Begins or resumes a pass; `None` if there is nothing to ask.
    fn take(&mut self, next: usize) -> Option<SuspendablePass> {
        let (pass, state) = (self.passes[next], &self.states[next]);
        if let Some((trial, _)) = state.suspended.as_ref().filter(|_| self.can_resume(state)) {
            let trial = trial.resume(state.suspensions);
            self.states[next].suspended = None;
            return Some(trial);
        }
        let is_settled = |settled: &Arc<Snapshot>| {
            // A pass that is no part of the proof is not repeated for a tiny change.
            Arc::ptr_eq(settled, &self.base)
                || pass.passes_over_trifles() && is_trifle(settled.len(), self.base.len())
        };
        if state.settled.as_ref().is_some_and(is_settled) {
            return None;
        }
        // Other passes changed its snapshot, so it must be taken once more from the beginning.
        let is_unfinished = state.suspended.is_some();
        if state.taken > 0 && !is_unfinished && self.settings.certify == Certify::None {
            return None;
        }
        // The first time a pass is not certified: a finer pass would change the text, and the proof
        // would not hold.
        let only = self.passes.len() == 1;
        let first = state.taken == 0 && !only && self.turn_of(next) == Turn::Early;
        let certify = if first { Certify::None } else { self.settings.certify };
        let detail = match pass {
            Pass::Syntax if state.taken == 0 => Detail::Bytes(
                FIRST_LOOK_BYTES.saturating_mul(BUDGET_GROWTH.saturating_pow(state.glances)),
            ),
            _ => Detail::Everything,
        };
        let structure = || self.parsed.structure(&self.base, &self.settings, detail);
        let may_be_empty = !self.asked_nothing;
        let walked = state.walked.as_deref();
        let search = PassSearch::new(
            pass,
            &self.base,
            &self.settings,
            &structure,
            certify,
            may_be_empty,
            walked,
        );
        let state = &mut self.states[next];
        state.taken += 1;
        state.suspended = None;
        let Some(search) = search else {
            state.settled = Some(self.base.clone());
            return None;
        };
        self.asked_nothing |= pass.asks_for_nothing();
        let proves_nothing = pass == Pass::Syntax && certify == Certify::None;
        let doubt =
            proves_nothing.then(|| Doubt::about(&self.base, &self.settings, self.doubts)).flatten();
        Some(SuspendablePass::new(search, certify, state.suspensions, doubt))
    }

    /// Returns whether some pass is suspended and can be resumed.
    fn is_busy(&self) -> bool {
        self.states.iter().any(|state| self.can_resume(state))
    }

    fn can_resume(&self, state: &PassState) -> bool {
        let from = state.suspended.as_ref().map(|(_, from)| from);
        from.is_some_and(|from| Arc::ptr_eq(from, &self.base))
    }
}

/// Returns whether the change is tiny.
fn is_trifle(before: u64, after: u64) -> bool {
    before.abs_diff(after) <= before / TINY_PART
}

/// Returns whether a snapshot is simpler than another one.
fn is_simpler(left: &Arc<Snapshot>, right: &Arc<Snapshot>) -> bool {
    InputCandidate::whole(left.clone()).is_simpler_than(&InputCandidate::whole(right.clone()))
}
