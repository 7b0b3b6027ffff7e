//! `ordered`: `dd_plus` over changes each of which implies all earlier ones (Zeller, "Yesterday,
//! my program worked. Today, it does not. Why?", 1999, section 6 and Table 7).
//!
//! Candidates that are not a beginning of the order cannot be tested and are foretold as
//! unresolved; the remaining questions are a binary search, in which `dd_plus` deals with
//! beginnings that turn out unresolved.

use super::{DdPlus, Foretold};
use crate::{Answer, DeltaSet, Foretell, Search, Step, Verdict};

/// Foretells that only beginnings of the order can be tested.
#[derive(Clone, Copy, Debug)]
pub struct Prefixes;

/// The search; see the module's text.
#[derive(Clone, Debug)]
pub struct Ordered {
    inner: Foretold<DdPlus, Prefixes>,
}

impl Ordered {
    /// Starts with `count` deltas in their order, all of which together are known to fail.
    pub fn new(count: usize) -> Self {
        Ordered { inner: Foretold::new(DdPlus::new(count), Prefixes) }
    }

    /// Returns the set that induces the failure: the last delta of [`best`](Search::best), or
    /// the last ones if the beginnings between them are unresolved.
    pub fn found(&self) -> DeltaSet {
        self.inner.search().found()
    }

    /// Returns how many questions were answered without a test so far.
    pub fn foretold(&self) -> usize {
        self.inner.foretold()
    }
}

impl Foretell<DeltaSet> for Prefixes {
    fn foretell(&self, candidate: &DeltaSet) -> Option<Verdict> {
        let end = candidate.last().map_or(0, |last| last.0 as usize + 1);
        (end != candidate.len()).then_some(Verdict::Unresolved)
    }
}

impl Search for Ordered {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        self.inner.step()
    }

    fn learn(&mut self, answer: &Answer) {
        self.inner.learn(answer);
    }

    fn best(&self) -> DeltaSet {
        self.inner.best()
    }

    fn likely(&self) -> f64 {
        self.inner.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.inner.heeds_unresolved()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{check, needs, numbered};

    #[test]
    fn an_order_makes_it_a_binary_search() {
        check(
            Ordered::new(8),
            needs(&[7]),
            "
            ####.... ✓
            ######.. ✓
            #######. ✗
            #######. =
            ",
        );
    }

    #[test]
    fn beginnings_that_cannot_be_tested_are_worked_around() {
        let oracle = |candidate: &DeltaSet| match candidate.len() {
            3 | 4 => Verdict::Unresolved,
            _ => needs(&[7])(candidate),
        };
        let mut search = Ordered::new(8);
        while let Step::Ask(question) = search.step() {
            search.learn(&oracle(&question).into());
        }
        assert_eq!(search.found(), numbered(&[7]));
    }
}
