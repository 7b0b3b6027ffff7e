//! Finds how much of the passing candidates the culprits need beside them.
//!
//! The passing candidates of the isolation form a ladder, each holding the one below. The lowest
//! rung that fails together with the culprits holds the next culprit. Each rung was testable
//! alone, so it is probably testable with the culprits too.

use std::sync::Arc;

use crate::{DeltaSet, Verdict};

/// A search for the lowest rung that fails together with the culprits found.
#[derive(Clone, Debug)]
pub(super) struct Climb {
    /// The highest rung known not to fail, its candidate, and whether that passes.
    pub(super) lower: Option<Below>,
    /// The lowest rung known to fail.
    upper: usize,
    probe: usize,
}

/// A candidate that does not fail.
#[derive(Clone, Debug)]
pub(super) struct Below {
    pub(super) rung: usize,
    pub(super) candidate: DeltaSet,
    pub(super) passes: bool,
}

/// Candidates that did not fail, each holding the one before; the first one is empty.
pub(super) type Rungs = Arc<Vec<DeltaSet>>;

impl Climb {
    /// Starts with the lowest rung: usually the culprits need nothing beside them.
    pub(super) fn new(rungs: &Rungs) -> Self {
        Climb { lower: None, upper: rungs.len(), probe: 0 }
    }

    /// Returns the rung to ask about, `None` when the lowest failing rung is known.
    pub(super) fn rung(&self) -> Option<usize> {
        (self.probe < self.upper).then_some(self.probe)
    }

    /// Whether the culprits fail with the lowest rung, so that they need nothing beside them.
    pub(super) fn is_at_the_bottom(&self) -> bool {
        self.upper == 0
    }

    pub(super) fn decide(&mut self, rungs: &Rungs, candidate: DeltaSet, verdict: Verdict) {
        if verdict.is_fail() {
            self.upper = self.probe;
        } else {
            let passes = verdict == Verdict::Pass;
            self.lower = Some(Below { rung: self.probe, candidate, passes });
        }
        let Some(Below { rung: lower, .. }) = self.lower else { return };
        // Ask about the rung nearest to the middle, by size, of what was added between the two.
        let size = |rung: usize| rungs[rung.min(rungs.len() - 1)].len();
        let middle = usize::midpoint(size(lower), size(self.upper));
        let probes = lower + 1..self.upper;
        self.probe = probes.min_by_key(|&rung| size(rung).abs_diff(middle)).unwrap_or(self.upper);
    }
}
