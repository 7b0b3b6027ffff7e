//! `each`: drops deltas one at a time, from the first to the last, each asked about once.
//!
//! For lists of which hardly anything can go: with nothing to gain from groups, the first
//! questions go to what is listed first. What became possible by a later drop is not noticed; who
//! wants that asks again.

use crate::{Answer, Delta, DeltaSet, Search, Step};

/// The search; see the module's text.
#[derive(Clone, Debug)]
pub struct Each {
    /// The smallest candidate known to fail.
    current: DeltaSet,
    next: Delta,
    count: u32,
    /// From this delta on nobody expects anything to go.
    doubtful: u32,
    /// How many of the doubtful ones are asked about, as long as none of them goes.
    patience: u32,
}

impl Each {
    /// Starts with `count` deltas, all of which together are known to fail.
    pub fn new(count: usize) -> Self {
        let current = DeltaSet::full(count);
        let count = u32::try_from(count).expect("deltas are numbered in 32 bits");
        Each { current, next: Delta(0), count, doubtful: count, patience: 0 }
    }

    /// Takes the deltas from `doubtful` on for hopeless when the first `patience` of them stay:
    /// the rest is only asked about if one of these goes.
    #[must_use]
    pub fn doubting(mut self, doubtful: usize, patience: usize) -> Self {
        self.doubtful = u32::try_from(doubtful).unwrap_or(self.count);
        self.patience = u32::try_from(patience).unwrap_or(u32::MAX);
        if self.is_hopeless() {
            self.next = Delta(self.count);
        }
        self
    }

    /// Returns whether enough was seen of the doubtful ones.
    fn is_hopeless(&self) -> bool {
        let asked = self.doubtful..self.next.0.max(self.doubtful);
        let some_went = asked.clone().any(|delta| !self.current.contains(Delta(delta)));
        self.next.0 >= self.doubtful && asked.len() as u32 >= self.patience && !some_went
    }

    fn without_next(&self) -> DeltaSet {
        self.current.minus(&[self.next].into_iter().collect())
    }
}

impl Search for Each {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        if self.next.0 < self.count { Step::Ask(self.without_next()) } else { Step::Done }
    }

    fn learn(&mut self, answer: &Answer) {
        if self.next.0 >= self.count {
            return;
        }
        if answer.verdict.is_fail() {
            self.current = self.without_next();
        }
        self.next = Delta(self.next.0 + 1);
        if self.is_hopeless() {
            self.next = Delta(self.count);
        }
    }

    fn best(&self) -> DeltaSet {
        self.current.clone()
    }

    fn likely(&self) -> f64 {
        // Of alternatives hardly any can be made, whatever came before.
        0.05
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
