//! Sets of lines.

use std::ops::RangeInclusive;

/// A set of lines of a file, counted from 1, as ranges: a file may list any number of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// In order, neither empty nor touching one another.
    ranges: Vec<(u32, u32)>,
}

impl Lines {
    /// Returns the set without lines.
    pub fn new() -> Self {
        Lines::default()
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns the number of lines.
    pub fn len(&self) -> u64 {
        self.ranges.iter().map(|&(first, last)| u64::from(last - first) + 1).sum()
    }

    /// Whether a line is in the set.
    pub fn contains(&self, line: u32) -> bool {
        self.meets(&(line..=line))
    }

    /// Whether one of these lines is in the set.
    pub fn meets(&self, lines: &RangeInclusive<u32>) -> bool {
        let next = self.ranges.partition_point(|&(_, last)| last < *lines.start());
        !lines.is_empty() && self.ranges.get(next).is_some_and(|&(first, _)| first <= *lines.end())
    }

    /// Returns the ranges in order; they do not touch.
    pub fn ranges(&self) -> impl Iterator<Item = RangeInclusive<u32>> {
        self.ranges.iter().map(|&(first, last)| first..=last)
    }

    /// Adds all lines of another set.
    pub fn add(&mut self, other: &Lines) {
        if !other.is_empty() {
            *self = self.ranges().chain(other.ranges()).collect();
        }
    }
}

impl FromIterator<RangeInclusive<u32>> for Lines {
    /// Merges ranges, in any order; line 0 is dropped.
    fn from_iter<I: IntoIterator<Item = RangeInclusive<u32>>>(ranges: I) -> Self {
        let ranges = ranges.into_iter().map(|range| ((*range.start()).max(1), *range.end()));
        let mut ranges: Vec<(u32, u32)> = ranges.filter(|(first, last)| first <= last).collect();
        ranges.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match joined.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => {
                    before.1 = before.1.max(last);
                }
                _ => joined.push((first, last)),
            }
        }
        Lines { ranges: joined }
    }
}

impl FromIterator<u32> for Lines {
    fn from_iter<I: IntoIterator<Item = u32>>(lines: I) -> Self {
        lines.into_iter().map(|line| line..=line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_are_one() {
        let lines: Lines =
            [7..=9, 1..=2, 0..=0, 3..=3, 8..=12, 20..=u32::MAX].into_iter().collect();
        assert_eq!(lines.ranges().collect::<Vec<_>>(), [1..=3, 7..=12, 20..=u32::MAX]);
        assert_eq!(Lines::from_iter([2, 1, 5]).len(), 3);
    }

    #[test]
    fn a_range_meets_what_it_shares_a_line_with() {
        let lines = Lines::from_iter([3..=4, 9..=9]);
        assert!(lines.meets(&(1..=3)) && lines.meets(&(4..=8)) && lines.meets(&(5..=9)));
        assert!(!lines.meets(&(1..=2)) && !lines.meets(&(5..=8)) && !lines.meets(&(10..=99)));
        #[expect(clippy::reversed_empty_ranges)]
        let none = 4..=3;
        assert!(!lines.meets(&none) && !lines.contains(0));
    }
}
