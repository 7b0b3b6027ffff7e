//! Deltas and sets of them.
//!
//! A set is a sorted list of runs behind a shared pointer: a copy costs a counter, and a set that
//! is "nearly everything" of millions of deltas stays a few bytes long.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The smallest thing that can be kept or dropped, by its place in the subject's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Delta(pub u32);

/// A set of deltas in their natural order.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DeltaSet {
    /// Sorted, not empty, neither overlapping nor touching.
    runs: Arc<[Run]>,
    len: usize,
}

/// A run of neighbouring deltas, `start` included and `end` excluded.
type Run = (u32, u32);

impl DeltaSet {
    /// Returns the set without any delta.
    pub fn empty() -> Self {
        DeltaSet { runs: Arc::from([]), len: 0 }
    }

    /// Returns the set of the first `count` deltas.
    pub fn full(count: usize) -> Self {
        let end = u32::try_from(count).expect("a subject has fewer than 2^32 deltas");
        Self::run(0..end)
    }

    /// Returns the set of all deltas of one range.
    pub fn run(range: Range<u32>) -> Self {
        let mut builder = Builder::default();
        builder.push((range.start, range.end));
        builder.finish()
    }

    /// Returns the number of deltas.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there is no delta in the set.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns whether `delta` is in the set.
    pub fn contains(&self, delta: Delta) -> bool {
        let after = self.runs.partition_point(|run| run.1 <= delta.0);
        self.runs.get(after).is_some_and(|run| run.0 <= delta.0)
    }

    /// Returns the deltas in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Delta> + '_ {
        self.runs.iter().flat_map(|run| (run.0..run.1).map(Delta))
    }

    /// Returns the runs of neighbouring deltas in ascending order.
    pub fn runs(&self) -> impl DoubleEndedIterator<Item = Range<u32>> + '_ {
        self.runs.iter().map(|run| run.0..run.1)
    }

    /// Returns the deltas that are in either set.
    pub fn union(&self, other: &DeltaSet) -> DeltaSet {
        let mut builder = Builder::default();
        let (mut left, mut right) = (self.runs.iter().peekable(), other.runs.iter().peekable());
        loop {
            let next = match (left.peek(), right.peek()) {
                (Some(a), Some(b)) if a.0 <= b.0 => left.next(),
                (_, Some(_)) => right.next(),
                (Some(_), None) => left.next(),
                (None, None) => return builder.finish(),
            };
            builder.push(*next.expect("one side was peeked"));
        }
    }

    /// Returns the deltas of this set that are not in `other`.
    pub fn minus(&self, other: &DeltaSet) -> DeltaSet {
        let mut builder = Builder::default();
        let first = self.runs.first().map_or(0, |run| run.0);
        let mut cuts = &other.runs[other.runs.partition_point(|cut| cut.1 <= first)..];
        for &(mut start, end) in self.runs.iter() {
            while let Some(&(cut_start, cut_end)) = cuts.first() {
                if cut_end <= start {
                    cuts = &cuts[1..];
                } else if cut_start < end {
                    builder.push((start, cut_start.max(start)));
                    start = cut_end.min(end);
                    if cut_end > end {
                        break;
                    }
                } else {
                    break;
                }
            }
            builder.push((start, end));
        }
        builder.finish()
    }

    /// Returns the deltas that are in both sets.
    pub fn intersection(&self, other: &DeltaSet) -> DeltaSet {
        self.minus(&self.minus(other))
    }

    /// Returns whether every delta of this set is in `other`.
    pub fn is_subset(&self, other: &DeltaSet) -> bool {
        self.minus(other).is_empty()
    }

    /// Returns the deltas whose position within the set lies in `ranks`.
    pub fn slice(&self, ranks: Range<usize>) -> DeltaSet {
        let mut builder = Builder::default();
        let mut rank = 0;
        for &(start, end) in self.runs.iter() {
            let length = (end - start) as usize;
            if rank >= ranks.end {
                break;
            }
            let from = ranks.start.saturating_sub(rank).min(length) as u32;
            let to = (ranks.end - rank).min(length) as u32;
            builder.push((start + from, start + to.max(from)));
            rank += length;
        }
        builder.finish()
    }

    /// Returns the delta at a position within the set.
    pub fn get(&self, rank: usize) -> Option<Delta> {
        self.slice(rank..rank + 1).first()
    }

    /// Returns the first delta.
    pub fn first(&self) -> Option<Delta> {
        self.runs.first().map(|run| Delta(run.0))
    }

    /// Returns the last delta.
    pub fn last(&self) -> Option<Delta> {
        self.runs.last().map(|run| Delta(run.1 - 1))
    }

    /// Returns the first delta that is `delta` or comes after it.
    pub fn first_from(&self, delta: Delta) -> Option<Delta> {
        self.run_from(delta).map(|run| Delta(run.start))
    }

    /// Returns the first run of neighbouring deltas from `delta` on.
    pub fn run_from(&self, delta: Delta) -> Option<Range<u32>> {
        let run = self.runs.get(self.runs.partition_point(|run| run.1 <= delta.0))?;
        Some(run.0.max(delta.0)..run.1)
    }

    /// Returns the last delta that comes before `delta`.
    pub fn last_before(&self, delta: Delta) -> Option<Delta> {
        let reached = self.runs.partition_point(|run| run.0 < delta.0);
        let run = self.runs.get(reached.checked_sub(1)?)?;
        Some(Delta(run.1.min(delta.0) - 1))
    }

    /// Returns the runs of the deltas that lie in `range`, in ascending order.
    pub fn runs_within(&self, range: Range<u32>) -> impl Iterator<Item = Range<u32>> + '_ {
        let first = self.runs.partition_point(|run| run.1 <= range.start);
        self.runs[first..]
            .iter()
            .take_while(move |run| run.0 < range.end)
            .map(move |run| run.0.max(range.start)..run.1.min(range.end))
    }

    /// Returns how many deltas of the set come before `delta`.
    pub fn rank(&self, delta: Delta) -> usize {
        self.runs
            .iter()
            .take_while(|run| run.0 < delta.0)
            .map(|run| (run.1.min(delta.0) - run.0) as usize)
            .sum()
    }

    /// Splits the set into `parts` consecutive sets of nearly equal size, the larger ones last.
    ///
    /// Gives fewer parts if there are not enough deltas, never an empty one.
    pub fn split(&self, parts: usize) -> Vec<DeltaSet> {
        let parts = parts.min(self.len);
        let mut start = 0;
        (0..parts)
            .map(|part| {
                let end = start + (self.len - start) / (parts - part);
                let slice = self.slice(start..end);
                start = end;
                slice
            })
            .collect()
    }
}

impl FromIterator<Delta> for DeltaSet {
    fn from_iter<I: IntoIterator<Item = Delta>>(deltas: I) -> Self {
        let mut sorted: Vec<Delta> = deltas.into_iter().collect();
        sorted.sort_unstable();
        let mut builder = Builder::default();
        for delta in sorted {
            builder.push((delta.0, delta.0 + 1));
        }
        builder.finish()
    }
}

impl FromIterator<Range<u32>> for DeltaSet {
    fn from_iter<I: IntoIterator<Item = Range<u32>>>(runs: I) -> Self {
        let mut sorted: Vec<Run> = runs.into_iter().map(|run| (run.start, run.end)).collect();
        sorted.sort_unstable();
        let mut builder = Builder::default();
        for run in sorted {
            builder.push(run);
        }
        builder.finish()
    }
}

impl fmt::Debug for DeltaSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.runs()).finish()
    }
}

/// Collects runs in ascending order of their start and joins those that meet.
#[derive(Default)]
struct Builder {
    runs: Vec<Run>,
}

impl Builder {
    fn push(&mut self, (start, end): Run) {
        if start >= end {
            return;
        }
        match self.runs.last_mut() {
            Some(last) if last.1 >= start => last.1 = last.1.max(end),
            _ => self.runs.push((start, end)),
        }
    }

    fn finish(self) -> DeltaSet {
        let len = self.runs.iter().map(|run| (run.1 - run.0) as usize).sum();
        DeltaSet { runs: self.runs.into(), len }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(members: &BTreeSet<u32>) -> DeltaSet {
        members.iter().map(|&member| Delta(member)).collect()
    }

    fn members(set: &DeltaSet) -> BTreeSet<u32> {
        set.iter().map(|delta| delta.0).collect()
    }

    proptest! {
        #[test]
        fn sets_behave_like_ordinary_sets(
            a in prop::collection::btree_set(0u32..40, 0..40),
            b in prop::collection::btree_set(0u32..40, 0..40),
            from in 0usize..40, length in 0usize..40, parts in 1usize..9,
        ) {
            let (x, y) = (set(&a), set(&b));
            prop_assert_eq!(members(&x.union(&y)), &a | &b);
            prop_assert_eq!(members(&x.minus(&y)), &a - &b);
            prop_assert_eq!(members(&x.intersection(&y)), &a & &b);
            prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
            prop_assert_eq!(x.len(), a.len());
            let slice: BTreeSet<u32> = a.iter().copied().skip(from).take(length).collect();
            prop_assert_eq!(members(&x.slice(from..from + length)), slice);
            prop_assert_eq!(x.get(from).map(|delta| delta.0), a.iter().copied().nth(from));
            let range = from as u32..(from + length) as u32;
            let within: DeltaSet = x.runs_within(range.clone()).collect();
            prop_assert_eq!(members(&within), &a & &range.collect());
            for probe in 0..40 {
                let (from, before) = (x.first_from(Delta(probe)), x.last_before(Delta(probe)));
                prop_assert_eq!(from.map(|delta| delta.0), a.range(probe..).next().copied());
                prop_assert_eq!(before.map(|delta| delta.0), a.range(..probe).last().copied());
                prop_assert_eq!(x.contains(Delta(probe)), a.contains(&probe));
                prop_assert_eq!(x.rank(Delta(probe)), a.range(..probe).count());
            }
            let pieces = x.split(parts);
            prop_assert!(pieces.iter().all(|piece| !piece.is_empty()));
            let joined = pieces.iter().fold(DeltaSet::empty(), |all, piece| all.union(piece));
            prop_assert_eq!(joined, x);
        }
    }
}
