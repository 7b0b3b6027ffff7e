//! Leaves out deltas that are not needed, until none can be left out.
//!
//! Goes backwards through an order in which each delta comes after its needs, so deltas without
//! dependents come first. A delta that is left out takes its dependents along; a delta that
//! cannot be left out keeps its needs. Few deltas can be left out at this stage, so blocks start
//! with one delta and double while they succeed. A block that cannot be left out is halved; if
//! one half can, the other is known to hold a needed delta.

use std::sync::Arc;

use super::changes::ChangeSet;
use crate::{Delta, DeltaSet};

#[derive(Clone, Debug)]
pub(super) struct Minimise {
    /// A failing candidate.
    pub(super) current: DeltaSet,
    /// Deltas known to be needed in `current`.
    needed: DeltaSet,
    /// The deltas at the start of the sweep, each after those it needs.
    order: Arc<[Delta]>,
    /// The length of the part of `order` that is still to be looked at.
    left: usize,
    size: usize,
    /// The next this many deltas could not be left out together, so one of them is needed; 0 if
    /// unknown.
    refused: usize,
    /// The deltas to leave out; empty when none is left to try.
    block: DeltaSet,
}

impl Minimise {
    pub(super) fn new(changes: &ChangeSet, current: DeltaSet) -> Self {
        let mut minimise = Minimise {
            current,
            needed: DeltaSet::empty(),
            order: [].into(),
            left: 0,
            size: 1,
            refused: 0,
            block: DeltaSet::empty(),
        };
        minimise.next_block(changes);
        minimise
    }

    pub(super) fn question(&self, changes: &ChangeSet) -> Option<DeltaSet> {
        let gone = changes.implications.dependents_within(&self.block, &self.current);
        (!self.block.is_empty()).then(|| self.current.minus(&gone))
    }

    /// Reacts to a lesson that changes the question at hand: deltas known to be needed were
    /// tested with other dependents, so none is known to be needed any more.
    pub(super) fn note_lesson(&mut self) {
        self.needed = DeltaSet::empty();
        self.refused = 0;
    }

    pub(super) fn decide(&mut self, changes: &ChangeSet, question: DeltaSet, fails: bool) {
        if fails {
            self.current = question;
            self.needed = DeltaSet::empty();
            self.refused = self.refused.saturating_sub(self.size);
            self.size = if self.refused > 0 { self.refused.div_ceil(2) } else { self.size * 2 };
        } else if self.size > 1 {
            self.refused = self.size;
            self.size /= 2;
        } else {
            self.refused = 0;
            let kept = changes.implications.closure_up_within(&self.block, &self.current);
            self.needed = self.needed.union(&kept);
        }
        self.next_block(changes);
    }

    fn next_block(&mut self, changes: &ChangeSet) {
        self.block = DeltaSet::empty();
        let open = self.current.minus(&self.needed);
        if open.is_empty() {
            return;
        }
        let mut left = self.skip(self.left, &open);
        if self.refused == 1 && left > 0 {
            // The last delta of a refused block is needed, unless a removal since changed that;
            // the next sweep asks.
            self.refused = 0;
            left = self.skip(left - 1, &open);
        }
        if left == 0 {
            self.refused = 0;
            self.order = changes.implications.needs_first(&self.current).into();
            self.size = 1;
            left = self.skip(self.order.len(), &open);
        }
        self.left = left;
        let ahead = self.order[..left].iter().rev().filter(|delta| open.contains(**delta));
        let block: Vec<Delta> = ahead.take(self.size).copied().collect();
        self.size = block.len();
        self.block = block.into_iter().collect();
    }

    /// Returns how much of the order is left after skipping the deltas at its end that are not
    /// open.
    fn skip(&self, left: usize, open: &DeltaSet) -> usize {
        let settled = |delta: &&Delta| !open.contains(**delta);
        left - self.order[..left].iter().rev().take_while(settled).count()
    }
}
