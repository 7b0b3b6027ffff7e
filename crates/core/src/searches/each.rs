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
}

impl Each {
    /// Starts with `count` deltas, all of which together are known to fail.
    pub fn new(count: usize) -> Self {
        let current = DeltaSet::full(count);
        let count = u32::try_from(count).expect("deltas are numbered in 32 bits");
        Each { current, next: Delta(0), count }
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
    fn of_nothing_nothing_is_asked() {
        assert_eq!(Each::new(0).step(), Step::Done);
    }
}
