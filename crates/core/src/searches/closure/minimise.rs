//! Leaves out what is not needed, until nothing can be left out.
//!
//! Goes from what nothing depends on to what is needed, from the last to the first. What is left
//! out takes its dependents along; what cannot be left out keeps what it needs. Few deltas can
//! go at this stage, so blocks start with one and double while they can. A block that cannot go
//! is halved; if one half goes, the other is known to hold what is needed.

use std::sync::Arc;

use super::changes::ChangeSet;
use crate::{Delta, DeltaSet};

#[derive(Clone, Debug)]
pub(super) struct Minimise {
    /// Fails.
    pub(super) current: DeltaSet,
    /// What is known not to go from `current`.
    needed: DeltaSet,
    /// What was there at the start of the sweep, each after what it needs.
    order: Arc<[Delta]>,
    /// How much of the order is still to be looked at.
    left: usize,
    size: usize,
    /// In so many of those ahead something was needed when they were tried together.
    refused: usize,
    /// What is tried to leave out, empty when nothing can be.
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

    /// Takes note of a lesson that changes the question at hand: what was found to be needed was
    /// asked about with other dependents.
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
            // It is needed, unless it no longer is; the next sweep asks.
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

    /// Returns how much of the order is left when what is not open is passed over.
    fn skip(&self, left: usize, open: &DeltaSet) -> usize {
        let settled = |delta: &&Delta| !open.contains(**delta);
        left - self.order[..left].iter().rev().take_while(settled).count()
    }
}
