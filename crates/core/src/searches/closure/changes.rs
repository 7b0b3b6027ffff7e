//! The facts known about a set of changes before the first test.

use std::sync::Arc;

use crate::{Delta, DeltaSet, Implications};

/// The changes that a [`Closure`](super::Closure) starts from.
#[derive(Clone, Debug)]
pub struct ChangeSet {
    /// The changes that together are known to fail. To look for another cause, leave out the
    /// culprit that was found, with its dependents, and make sure that the rest still fails.
    pub failing: DeltaSet,
    /// The needs between the changes.
    pub implications: Implications,
    /// Where cuts are preferred.
    pub boundaries: Boundaries,
    /// How suspect each change is.
    pub weights: Weights,
}

/// The coarseness of the boundary between neighbouring deltas.
#[derive(Clone, Debug, Default)]
pub struct Boundaries {
    /// For each delta the level of the gap before it; deltas beyond the list have the finest level.
    levels: Arc<[u8]>,
    coarsest: u8,
}

/// How likely each delta is the culprit, as relative weights.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    /// The weight of each delta; deltas beyond the list weigh 1.
    weights: Arc<[u32]>,
}

impl ChangeSet {
    /// Returns `count` changes of which only one thing is known: they fail together.
    pub fn new(count: usize) -> Self {
        ChangeSet {
            failing: DeltaSet::full(count),
            implications: Implications::none(),
            boundaries: Boundaries::none(),
            weights: Weights::equal(),
        }
    }
}

impl Boundaries {
    /// Returns boundaries none of which is better than another.
    pub fn none() -> Self {
        Self::default()
    }

    /// Returns boundaries from the level of the gap before each delta, the first one included;
    /// higher levels are coarser (say, line, hunk, item, file, directory, commit).
    pub fn from_levels(levels: impl IntoIterator<Item = u8>) -> Self {
        let levels: Arc<[u8]> = levels.into_iter().collect();
        let coarsest = levels.iter().copied().max().unwrap_or(0);
        Boundaries { levels, coarsest }
    }

    /// Returns the coarsest level of all.
    pub(super) fn coarsest(&self) -> u8 {
        self.coarsest
    }

    /// Returns the set widened up to the next boundaries of the given level or a coarser one.
    pub(super) fn around(&self, set: &DeltaSet, level: u8) -> DeltaSet {
        let parts = |place: &usize| self.levels[*place] >= level;
        let widened = set.runs().map(|run| {
            let (start, end) = (run.start as usize, run.end as usize);
            let known = self.levels.len();
            let before = (0..=start.min(known.saturating_sub(1))).rev().find(parts).unwrap_or(0);
            let behind = (end..known).find(parts).unwrap_or(end.max(known));
            before as u32..behind as u32
        });
        widened.collect()
    }

    /// Returns the coarsest level of the gaps between one delta and another.
    pub(super) fn between(&self, one: Delta, other: Delta) -> u8 {
        let end = self.levels.len().min(other.0 as usize + 1);
        let start = end.min(one.0 as usize + 1);
        self.levels[start..end].iter().copied().max().unwrap_or(0)
    }
}

impl Weights {
    /// Returns equal weights for all deltas.
    pub fn equal() -> Self {
        Self::default()
    }

    /// Returns the given weights; a weight below 1 counts as 1.
    pub fn from_weights(weights: impl IntoIterator<Item = u32>) -> Self {
        Weights { weights: weights.into_iter().collect() }
    }

    pub(super) fn of(&self, delta: Delta) -> u64 {
        self.weights.get(delta.0 as usize).map_or(1, |&weight| u64::from(weight.max(1)))
    }

    pub(super) fn sum(&self, deltas: &DeltaSet) -> u64 {
        if self.weights.is_empty() {
            return deltas.len() as u64;
        }
        deltas.iter().map(|delta| self.of(delta)).sum()
    }

    /// Returns the share of a part in the weight of the whole set, from 0 to 1.
    pub(super) fn share(&self, part: &DeltaSet, whole: &DeltaSet) -> f64 {
        self.sum(part) as f64 / self.sum(whole).max(1) as f64
    }
}
