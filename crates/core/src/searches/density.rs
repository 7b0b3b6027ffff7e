//! The estimated density of needed deltas, from which group testing derives the size of its
//! groups.

use std::ops::Range;
use std::sync::Arc;

use crate::DeltaSet;

/// Above this density single tests are optimal (the golden section's smaller part).
pub(super) const SINGLES: f64 = 0.382;

/// How much was needed, and how much could be dropped.
#[derive(Clone, Debug)]
pub(super) struct Density {
    pub(super) needed: f64,
    pub(super) dropped: f64,
}

impl Density {
    pub(super) fn new(dropped: f64) -> Self {
        Density { needed: 0.5, dropped }
    }

    pub(super) fn mean(&self) -> f64 {
        self.needed / (self.needed + self.dropped)
    }

    /// Returns the chance that deltas with this much resistance together hold no needed one.
    pub(super) fn survival(&self, resistance: f64) -> f64 {
        (1.0 - self.mean()).powf(resistance)
    }
}

/// How much each delta resists being dropped, in units of an average delta.
#[derive(Clone, Debug)]
pub(super) enum Resistance {
    Equal,
    /// For each place the sum of the resistance of all deltas before it; one more entry for the
    /// total.
    Sums(Arc<[f64]>),
}

impl Resistance {
    /// The resistance grows with the root of the size: large deltas are needed more often, but
    /// not in proportion (weighted delta debugging found the direction, not an exponent).
    pub(super) fn from_sizes(sizes: impl IntoIterator<Item = usize>) -> (usize, Self) {
        let mut sums = vec![0.0];
        let mut total = 0.0;
        for size in sizes {
            total += (size as f64).sqrt();
            sums.push(total);
        }
        let count = sums.len() - 1;
        let mean = total / count.max(1) as f64;
        if mean > 0.0 {
            for sum in &mut sums {
                *sum /= mean;
            }
        }
        (count, Resistance::Sums(sums.into()))
    }

    pub(super) fn sum(&self, deltas: &DeltaSet) -> f64 {
        match self {
            Resistance::Equal => deltas.len() as f64,
            Resistance::Sums(sums) => {
                deltas.runs().map(|run| sums[run.end as usize] - sums[run.start as usize]).sum()
            }
        }
    }

    pub(super) fn between(&self, current: &DeltaSet, ranks: Range<usize>) -> f64 {
        match self {
            Resistance::Equal => ranks.len() as f64,
            Resistance::Sums(_) => self.sum(&current.slice(ranks)),
        }
    }

    /// Returns how many of the first `left` deltas of `current`, counted back from the last of
    /// them, together resist as much as `enough`.
    pub(super) fn reach(&self, current: &DeltaSet, left: usize, enough: f64) -> usize {
        let Resistance::Sums(sums) = self else { return enough.ceil() as usize };
        let mut found = 0;
        let mut missing = enough;
        for run in current.slice(0..left).runs().rev() {
            let top = sums[run.end as usize];
            let here = top - sums[run.start as usize];
            if here >= missing {
                let within = &sums[run.start as usize..run.end as usize];
                let kept = within.partition_point(|&sum| sum <= top - missing);
                return found + (run.len() - kept.saturating_sub(1));
            }
            missing -= here;
            found += run.len();
        }
        found
    }
}
