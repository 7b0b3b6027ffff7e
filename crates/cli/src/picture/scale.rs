//! The places of sizes and tests in the chart, and the numbers at its axes.

use std::fmt;

/// Sizes that differ by more than this factor get a logarithmic scale.
const FACTOR: u64 = 100;

/// A coordinate in tenths of a pixel: finer ones would not be visible, and longer to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place(pub(super) i64);

impl Place {
    pub(super) fn at(pixels: f64) -> Self {
        Place((pixels * 10.0).round() as i64)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, tenths) = (self.0 / 10, self.0 % 10);
        if tenths == 0 { write!(f, "{whole}") } else { write!(f, "{whole}.{}", tenths.abs()) }
    }
}

/// Maps numbers to places between two ends.
pub(super) struct Scale {
    from: u64,
    to: u64,
    is_logarithmic: bool,
    /// The places of both numbers.
    ends: (f64, f64),
}

impl Scale {
    /// Returns a linear scale from 0 to `to`.
    pub(super) fn linear(to: u64, ends: (f64, f64)) -> Self {
        Scale { from: 0, to: to.max(1), is_logarithmic: false, ends }
    }

    /// Returns a scale for the remaining sizes of a subject and candidates of any size: from 0,
    /// or logarithmic if the remaining sizes differ much. The logarithmic scale has room for
    /// candidates of half the smallest size; smaller ones are drawn at the edge, so that the
    /// question about nothing at all does not squeeze everything else.
    pub(super) fn fitting(
        remaining: impl Iterator<Item = u64>,
        largest: u64,
        ends: (f64, f64),
    ) -> Self {
        let (least, most) = remaining
            .fold((u64::MAX, 1), |(least, most), size| (least.min(size.max(1)), most.max(size)));
        if most <= least.saturating_mul(FACTOR) {
            return Scale::linear(most.max(largest), ends);
        }
        Scale { from: (least / 2).max(1), to: most.max(largest), is_logarithmic: true, ends }
    }

    pub(super) fn is_logarithmic(&self) -> bool {
        self.is_logarithmic
    }

    /// Returns the place of a number; halves are for the middle of a test.
    pub(super) fn place(&self, number: f64) -> Place {
        let (from, to) = (self.from as f64, self.to as f64);
        let share = if self.is_logarithmic {
            (number.max(from).ln() - from.ln()) / (to.ln() - from.ln())
        } else {
            (number - from) / (to - from)
        };
        let (first, last) = self.ends;
        Place::at(first + share * (last - first))
    }

    /// Returns round numbers for the axis.
    pub(super) fn ticks(&self) -> Vec<u64> {
        if self.is_logarithmic {
            return powers().filter(|power| (self.from..=self.to).contains(power)).collect();
        }
        let steps = powers().flat_map(|power| [1, 2, 5].map(|times| power.saturating_mul(times)));
        let step = steps.into_iter().find(|step| self.to / step <= 6).unwrap_or(self.to);
        (0..=self.to / step).map(|times| times * step).collect()
    }
}

fn powers() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(1_u64), |power| power.checked_mul(10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sizes_that_differ_much_are_shown_by_their_logarithms() {
        let is_logarithmic = |remaining: &[u64]| {
            Scale::fitting(remaining.iter().copied(), 5000, (0.0, 100.0)).is_logarithmic()
        };
        assert!(!is_logarithmic(&[1000, 10]));
        assert!(is_logarithmic(&[1001, 10]));
        assert!(!is_logarithmic(&[100, 0]));
        assert!(is_logarithmic(&[101, 0]));
        assert!(!is_logarithmic(&[0]));
        assert!(!is_logarithmic(&[]));
    }

    #[test]
    fn what_is_far_smaller_stands_at_the_edge() {
        let scale = Scale::fitting([10_000, 2].into_iter(), 0, (380.0, 40.0));
        let places = [0.0, 1.0, 100.0, 10_000.0].map(|size| scale.place(size).to_string());
        assert_eq!(places, ["380", "380", "210", "40"]);
    }

    #[test]
    fn ticks_are_round_and_few() {
        let ends = (0.0, 100.0);
        assert_eq!(Scale::linear(1, ends).ticks(), [0, 1]);
        assert_eq!(Scale::linear(9, ends).ticks(), [0, 2, 4, 6, 8]);
        assert_eq!(
            Scale::linear(100_000, ends).ticks(),
            [0, 20_000, 40_000, 60_000, 80_000, 100_000]
        );
        assert!(Scale::linear(u64::MAX, ends).ticks().len() <= 7);
        let scale = Scale::fitting([5000, 6].into_iter(), 0, ends);
        assert_eq!(scale.ticks(), [10, 100, 1000]);
    }
}
