//! `each`: drops deltas one at a time, from the first to the last, as long as hardly any can be
//! dropped.
//!
//! For lists in which nearly every delta must stay: groups gain nothing there, and the deltas
//! listed first are asked about first. Where deltas can be dropped, groups grow: after two
//! successes in a row each next group is twice as large. In a group that cannot be dropped the
//! search looks for the longest part that can, which also refutes one delta singly. So a list from
//! which almost everything can be dropped, or which must keep a certain number of deltas whichever
//! they are, costs one question for each delta that stays and a few for each doubling. A delta that
//! becomes droppable after a later drop is not noticed; the caller may search again.

use crate::{Answer, Delta, DeltaSet, Search, Step};

/// The search; see the module's text.
#[derive(Clone, Debug)]
pub struct Each {
    /// The smallest candidate known to fail.
    current: DeltaSet,
    /// The first delta that was not asked about yet.
    next: u32,
    count: u32,
    /// The first of the doubtful deltas, none of which is expected to be droppable.
    doubtful: u32,
    /// The doubtful deltas are given up when this many of them were asked about and none was
    /// dropped.
    patience: u32,
    group: Group,
}

/// The deltas that are asked about together, counted from `next` on: dropping `low` of them is
/// known to fail, dropping `size` is asked about, dropping `high` is known not to fail.
#[derive(Clone, Copy, Debug)]
struct Group {
    low: u32,
    size: u32,
    high: Option<u32>,
}

impl Group {
    fn first(size: u32) -> Self {
        Group { low: 0, size, high: None }
    }

    /// Returns the group whose answer halves the range between `low` and `high`.
    fn between(low: u32, high: u32) -> Self {
        Group { low, size: low.midpoint(high), high: Some(high) }
    }
}

impl Each {
    /// Starts with `count` deltas, all of which together are known to fail.
    pub fn new(count: usize) -> Self {
        let current = DeltaSet::full(count);
        let count = u32::try_from(count).expect("deltas are numbered in 32 bits");
        Each { current, next: 0, count, doubtful: count, patience: 0, group: Group::first(1) }
    }

    /// Makes the deltas from `doubtful` on doubtful: if none of the first `patience` of them can be
    /// dropped, the rest is not asked about.
    #[must_use]
    pub fn doubting(mut self, doubtful: usize, patience: usize) -> Self {
        self.doubtful = u32::try_from(doubtful).unwrap_or(self.count);
        self.patience = u32::try_from(patience).unwrap_or(u32::MAX);
        self.proceed(1);
        self
    }

    /// Returns whether the doubtful deltas are given up.
    fn is_hopeless(&self) -> bool {
        let asked = self.doubtful..self.next.max(self.doubtful);
        let some_went = asked.clone().any(|delta| !self.current.contains(Delta(delta)));
        self.next >= self.doubtful && asked.len() as u32 >= self.patience && !some_went
    }

    /// Continues with a group of this size, cut off where the doubtful deltas or the list begin or
    /// end.
    fn proceed(&mut self, size: u32) {
        if self.is_hopeless() {
            self.next = self.count;
        }
        let end = if self.next < self.doubtful { self.doubtful } else { self.count };
        self.group = Group::first(size.min(end.saturating_sub(self.next)).max(1));
    }

    fn without(&self, size: u32) -> DeltaSet {
        self.current.minus(&DeltaSet::run(self.next..self.next + size))
    }

    /// Continues where `low` deltas can be dropped and `high` cannot.
    fn narrow(&mut self, low: u32, high: u32) {
        if high - low > 1 {
            self.group = Group::between(low, high);
            return;
        }
        self.current = self.without(low);
        self.next += high;
        self.proceed(1);
    }
}

impl Search for Each {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        if self.next < self.count { Step::Ask(self.without(self.group.size)) } else { Step::Done }
    }

    fn learn(&mut self, answer: &Answer) {
        if self.next >= self.count {
            return;
        }
        let Group { low, size, high } = self.group;
        match (answer.verdict.is_fail(), high) {
            (true, Some(high)) => self.narrow(size, high),
            (true, None) => {
                self.current = self.without(size);
                self.next += size;
                let before = (self.next - size).checked_sub(1).map(Delta);
                let went_before = before.is_some_and(|before| !self.current.contains(before));
                self.proceed(if went_before { size * 2 } else { size });
            }
            (false, _) => self.narrow(low, size),
        }
    }

    fn best(&self) -> DeltaSet {
        self.without(self.group.low)
    }

    fn likely(&self) -> f64 {
        match self.group {
            // Single deltas are asked about where hardly any can be dropped.
            Group { size: 1, high: None, .. } => 0.05,
            _ => 0.5,
        }
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{check, needs};

    #[test]
    fn every_delta_is_asked_about_once() {
        check(
            Each::new(4),
            needs(&[1, 3]),
            "
            .### ✓
            #.## ✗
            #..# ✓
            #.#. ✗
            #.#. =
            ",
        );
    }

    #[test]
    fn groups_grow_while_deltas_go() {
        check(
            Each::new(12),
            needs(&[8, 9]),
            "
            .########### ✗
            ..########## ✗
            ....######## ✗
            ........#### ✓
            ......###### ✗
            .......##### ✗
            .......#.### ✓
            .......##.## ✗
            .......##..# ✗
            .......##... ✗
            .......##... =
            ",
        );
    }

    #[test]
    fn doubtful_ones_are_tried_and_given_up() {
        check(
            Each::new(6).doubting(1, 2),
            needs(&[1, 2, 3, 4]),
            "
            .##### ✓
            #.#### ✓
            ##.### ✓
            ###### =
            ",
        );
        check(
            Each::new(5).doubting(1, 2),
            needs(&[1, 2]),
            "
            .#### ✓
            #.### ✓
            ##.## ✗
            ##..# ✗
            ##... ✗
            ##... =
            ",
        );
    }

    #[test]
    fn of_nothing_nothing_is_asked() {
        assert_eq!(Each::new(0).step(), Step::Done);
    }
}
