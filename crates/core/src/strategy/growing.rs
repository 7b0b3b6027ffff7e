//! Finds what has to be added to some changes for the failure to be there.
//!
//! Generalised binary reduction (Kalhauge and Palsberg, "Binary reduction of dependency graphs",
//! 2019): the shortest beginning of a list that fails ends with something that is needed. It is
//! kept, and what stands before it is searched again. What cannot be tested counts as what does not
//! fail, so that k of n are found in about k log2 n tests however many of these break.

use crate::{Answer, DeltaSet, Search, Step, Verdict};

/// The search; see the module's text.
#[derive(Clone)]
pub(super) struct Growing {
    /// What is kept.
    base: DeltaSet,
    /// What may be needed beside it.
    units: Vec<DeltaSet>,
    /// With so many of them it does not fail; nothing if not even none were asked about.
    low: Option<usize>,
    /// With so many of them it fails.
    high: usize,
}

impl Growing {
    /// Starts from changes that do not fail, and do together with all of `units`.
    pub(super) fn new(base: DeltaSet, units: Vec<DeltaSet>) -> Self {
        let mut growing = Growing { base, low: Some(0), high: units.len(), units };
        growing.settle();
        growing
    }

    /// Keeps what is known to be needed.
    fn settle(&mut self) {
        while self.high > 0 && self.low == Some(self.high - 1) {
            self.high -= 1;
            self.base = self.base.union(&self.units[self.high]);
            self.low = None;
        }
    }

    fn with(&self, count: usize) -> DeltaSet {
        self.units[..count].iter().fold(self.base.clone(), |all, unit| all.union(unit))
    }

    /// Returns how many units are asked about next.
    fn next(&self) -> Option<usize> {
        (self.high > 0).then(|| self.low.map_or(0, |low| low.midpoint(self.high)))
    }
}

impl Search for Growing {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        self.next().map_or(Step::Done, |count| Step::Ask(self.with(count)))
    }

    fn learn(&mut self, answer: &Answer) {
        let Some(count) = self.next() else { return };
        match answer.verdict {
            Verdict::Fail => self.high = count,
            Verdict::Pass | Verdict::Unresolved => self.low = Some(count),
        }
        self.settle();
    }

    fn best(&self) -> DeltaSet {
        self.with(self.high)
    }

    fn likely(&self) -> f64 {
        0.5
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(deltas: &[u32]) -> DeltaSet {
        deltas.iter().map(|&delta| crate::Delta(delta)).collect()
    }

    /// Asserts what is left of a base and units where a set fails that holds all of `needed`.
    fn check(base: &[u32], units: &[&[u32]], needed: &[u32], left: &[u32], tests: usize) {
        let units = units.iter().map(|unit| set(unit)).collect();
        let mut search = Growing::new(set(base), units);
        let mut asked = 0;
        while let Step::Ask(question) = search.step() {
            let fails = set(needed).is_subset(&question);
            let verdict = if fails { Verdict::Fail } else { Verdict::Unresolved };
            search.learn(&Answer::from(verdict));
            asked += 1;
        }
        assert_eq!(search.best(), set(left));
        assert_eq!(asked, tests);
    }

    #[test]
    fn one_unit_is_needed_without_a_test() {
        check(&[0], &[&[1, 2]], &[0, 1], &[0, 1, 2], 0);
    }

    #[test]
    fn one_of_eight_takes_three_tests_and_one_for_the_rest() {
        let units: [&[u32]; 8] = [&[1], &[2], &[3], &[4], &[5], &[6], &[7], &[8]];
        check(&[0], &units, &[0, 3], &[0, 3], 4);
    }

    #[test]
    fn two_units_are_found_one_after_the_other() {
        let units: [&[u32]; 8] = [&[1], &[2], &[3], &[4], &[5], &[6], &[7], &[8]];
        check(&[0], &units, &[0, 2, 7], &[0, 2, 7], 8);
    }
}
