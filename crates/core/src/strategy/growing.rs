//! Finds which units must be added to some changes for the failure to appear.
//!
//! Generalised binary reduction (Kalhauge and Palsberg, "Binary reduction of dependency graphs",
//! 2019): the shortest failing prefix of a list ends with a needed unit. That unit is kept, and the
//! units before it are searched again. Unresolved candidates count as not failing, so k of n units
//! are found in about k log2 n tests however many candidates are unresolved.

use crate::{Answer, DeltaSet, Search, Step, Verdict};

/// The search; see the module's text.
#[derive(Clone)]
pub(super) struct Growing {
    /// The changes that are kept.
    base: DeltaSet,
    /// The units that may be needed beside `base`.
    units: Vec<DeltaSet>,
    /// Largest prefix known not to fail; `None` before the empty prefix was tested.
    low: Option<usize>,
    /// Smallest prefix known to fail.
    high: usize,
}

impl Growing {
    /// Starts from changes that do not fail, but do together with all of `units`.
    pub(super) fn new(base: DeltaSet, units: Vec<DeltaSet>) -> Self {
        let mut growing = Growing { base, low: Some(0), high: units.len(), units };
        growing.settle();
        growing
    }

    /// Moves units known to be needed into `base`.
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

    /// Returns the length of the prefix that is asked about next.
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

    /// Asserts what is left of a base and units where every set with all of `needed` fails.
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
