//! Brings a candidate that does not fail and one that does as close together as they get.

use super::changes::ChangeSet;
use super::cut::{best_cut, block_length};
use crate::{Delta, DeltaSet, Verdict};

/// The factors by which the block size grows after a testable block and shrinks after an
/// untestable one. With these about half of the blocks are testable, which clears nearly as many
/// deltas for each test as possible.
const GROWTH: f64 = 1.3;
const DOUBT: f64 = 0.75;

/// The size of the first block after cuts could not be tested, as a share of the difference.
const CAUTION: f64 = 0.125;

/// The distance between cuts while none can be tested, as a share of the difference.
const STRIDE: f64 = 0.06;

/// The search between two candidates, one of which holds the other.
#[derive(Clone, Debug)]
pub(super) struct Isolation {
    /// Does not fail.
    pub(super) low: DeltaSet,
    /// Whether `low` passes. If it is unresolved, every candidate that lacks the same thing may be
    /// unresolved, so unresolved answers then count as "not yet failing".
    low_passes: bool,
    /// Fails and holds `low`.
    pub(super) high: DeltaSet,
    mode: Mode,
    /// The question; `None` when the two are as close as they get.
    pub(super) probe: Option<Probe>,
    taking: Taking,
}

/// The block of the difference that is asked about.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    pub(super) block: DeltaSet,
    pub(super) way: Way,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Add the block, with what it needs, to the low candidate.
    Add,
    /// Take the block, with what depends on it, from the high candidate.
    Take,
}

#[derive(Clone, Debug)]
enum Mode {
    /// Cut the difference in two.
    Cutting { unresolved: usize },
    /// Ask about small blocks, so that candidates stay close to `low` and `high`, which are
    /// testable.
    Eliminating {
        /// The next block starts here.
        from: Delta,
        size: f64,
        /// How many deltas were asked about singly since the last resolved answer.
        idle: usize,
    },
}

/// How often taking a block away was resolved after adding it was not.
#[derive(Clone, Copy, Debug, Default)]
struct Taking {
    tried: usize,
    resolved: usize,
}

impl Isolation {
    /// Starts between two candidates. `blind` skips cutting, because no cut could be tested
    /// before.
    pub(super) fn new(
        changes: &ChangeSet,
        (low, low_passes): (DeltaSet, bool),
        high: DeltaSet,
        blind: bool,
    ) -> Self {
        let mut isolation = Isolation {
            low,
            low_passes,
            high,
            mode: Mode::Cutting { unresolved: 0 },
            probe: None,
            taking: Taking::default(),
        };
        if blind {
            isolation.start_eliminating(changes, 0.5);
        } else {
            isolation.cut(changes);
        }
        isolation
    }

    pub(super) fn difference(&self) -> DeltaSet {
        self.high.minus(&self.low)
    }

    /// Whether cutting was given up for small blocks.
    pub(super) fn is_blind(&self) -> bool {
        !matches!(self.mode, Mode::Cutting { .. })
    }

    pub(super) fn question(&self, changes: &ChangeSet) -> Option<DeltaSet> {
        let probe = self.probe.as_ref()?;
        let difference = self.difference();
        Some(match probe.way {
            Way::Add => {
                let added = changes.implications.party_up_within(&probe.block, &difference);
                self.low.union(&added)
            }
            Way::Take => {
                let taken = changes.implications.party_down_within(&probe.block, &difference);
                self.high.minus(&taken)
            }
        })
    }

    /// Returns whether a question is one of the two ends, whose verdicts are known.
    pub(super) fn is_pointless(&self, question: &DeltaSet) -> bool {
        *question == self.low || *question == self.high
    }

    /// Returns the chance that a testable question fails.
    pub(super) fn chance(&self, changes: &ChangeSet, question: &DeltaSet) -> f64 {
        changes.weights.share(&question.minus(&self.low), &self.difference())
    }

    /// Reacts to a lesson that changes the question at hand: where answers teach needs, cutting is
    /// worth another try.
    pub(super) fn note_lesson(&mut self, changes: &ChangeSet) {
        let was_cutting = matches!(self.mode, Mode::Cutting { .. });
        self.mode = Mode::Cutting { unresolved: 0 };
        if !was_cutting {
            self.cut(changes);
        }
    }

    /// Takes the verdict on a question and moves on; returns whether `low` was raised.
    pub(super) fn decide(
        &mut self,
        changes: &ChangeSet,
        question: DeltaSet,
        verdict: Verdict,
    ) -> bool {
        let raises = match verdict {
            Verdict::Fail => false,
            Verdict::Pass => true,
            Verdict::Unresolved if self.low_passes => {
                self.turn_away(changes);
                return false;
            }
            Verdict::Unresolved => true,
        };
        if raises {
            self.low = question;
            self.low_passes |= verdict == Verdict::Pass;
        } else {
            self.high = question;
        }
        self.proceed(changes, raises);
        raises
    }

    /// Continues after a resolved answer.
    fn proceed(&mut self, changes: &ChangeSet, raised: bool) {
        let Some(probe) = self.probe.take() else { return };
        let cleared = raised == (probe.way == Way::Add);
        match &mut self.mode {
            Mode::Cutting { unresolved } => {
                *unresolved = 0;
                self.cut(changes);
            }
            Mode::Eliminating { from, size, idle } => {
                self.taking.resolved += usize::from(probe.way == Way::Take);
                if !cleared {
                    // The difference is now the block.
                    self.start_eliminating(changes, 0.5);
                    return;
                }
                *size *= GROWTH;
                *from = after(&probe.block);
                *idle = 0;
                self.next_block(changes);
            }
        }
    }

    /// Continues after an unresolved or pointless question.
    pub(super) fn turn_away(&mut self, changes: &ChangeSet) {
        let Some(probe) = self.probe.take() else { return };
        let difference = self.difference();
        match &mut self.mode {
            Mode::Cutting { unresolved } => {
                *unresolved += 1;
                if *unresolved > patience(&difference) {
                    self.start_eliminating(changes, CAUTION);
                } else {
                    self.cut(changes);
                }
            }
            Mode::Eliminating { .. } if probe.way == Way::Add && self.taking.is_worthwhile() => {
                self.taking.tried += 1;
                self.probe = Some(Probe { way: Way::Take, ..probe });
            }
            Mode::Eliminating { from, size, idle } => {
                if *size < 2.0 {
                    *idle += probe.block.len();
                }
                *size = (*size * DOUBT).max(1.0);
                *from = after(&probe.block);
                if *idle < difference.len() {
                    self.next_block(changes);
                }
            }
        }
    }

    fn cut(&mut self, changes: &ChangeSet) {
        let Mode::Cutting { unresolved } = self.mode else { return };
        let difference = self.difference();
        if difference.len() < 2 {
            return;
        }
        self.probe = best_cut(changes, &difference, aim(unresolved));
        if self.probe.is_none() {
            self.start_eliminating(changes, 0.5);
        }
    }

    fn start_eliminating(&mut self, changes: &ChangeSet, share: f64) {
        let difference = self.difference();
        let size = (difference.len() as f64 * share).max(1.0);
        self.mode = Mode::Eliminating { from: Delta(0), size, idle: 0 };
        let Some(first) = difference.first() else { return };
        let one = DeltaSet::run(first.0..first.0 + 1);
        let implications = &changes.implications;
        let all_or_none = implications.closure_up_within(&one, &difference) == difference
            && implications.dependents_within(&one, &difference) == difference;
        if !all_or_none {
            self.next_block(changes);
        }
    }

    fn next_block(&mut self, changes: &ChangeSet) {
        let difference = self.difference();
        let Mode::Eliminating { from, size, .. } = &mut self.mode else { return };
        if difference.len() < 2 {
            return;
        }
        *size = size.min(difference.len() as f64 / 2.0);
        let ahead = difference.rank(*from);
        let start = if ahead < difference.len() { ahead } else { 0 };
        let length = block_length(changes, &difference, start, *size as usize);
        let block = difference.slice(start..start + length);
        self.probe = Some(Probe { block, way: Way::Add });
    }
}

impl Taking {
    /// A block that cannot be added can seldom be taken away where deltas only work together, but
    /// often where one needs the other.
    fn is_worthwhile(self) -> bool {
        self.tried < 3 + 4 * self.resolved
    }
}

/// How many cuts in a row may be unresolved without a lesson before small blocks are asked about.
fn patience(difference: &DeltaSet) -> usize {
    difference.len().ilog2() as usize / 2
}

/// Returns where to cut after this many unresolved cuts: from the middle outwards, alternately
/// before it and after it.
fn aim(unresolved: usize) -> f64 {
    let distance = unresolved.div_ceil(2) as f64 * STRIDE;
    if unresolved % 2 == 1 { 0.5 - distance } else { 0.5 + distance }
}

fn after(block: &DeltaSet) -> Delta {
    Delta(block.last().map_or(0, |last| last.0 + 1))
}
