//! What of the culprit has to be undone for the failure to be gone.
//!
//! Mostly it is enough to leave out the culprit; then parts of it are put back one by one, as long
//! as the failure stays away. If it is not enough there are other causes, and it takes a search.

use whodunit_core::{Answer, DeltaSet, Search, Step, Verdict};

/// Leaves out the culprit, then less of it.
#[derive(Clone)]
pub(super) struct Undo {
    /// Fails.
    all: DeltaSet,
    /// Passes when left out, once that is known.
    left_out: DeltaSet,
    is_enough: Option<bool>,
    /// The parts that may be put back, the next one last.
    ahead: Vec<DeltaSet>,
}

impl Undo {
    /// Starts from changes that fail and a culprit among them, in parts.
    pub(super) fn new(all: DeltaSet, culprit: DeltaSet, parts: Vec<DeltaSet>) -> Self {
        Undo { all, left_out: culprit, is_enough: None, ahead: parts }
    }

    /// Returns what has to be undone, if the culprit or a part of it is enough.
    pub(super) fn found(&self) -> Option<DeltaSet> {
        (self.is_enough == Some(true)).then(|| self.left_out.clone())
    }

    /// Returns what is left out if the next part is put back.
    fn less(&self) -> Option<DeltaSet> {
        Some(self.left_out.minus(self.ahead.last()?))
    }

    /// Passes over parts without which nothing would be left out.
    fn settle(&mut self) {
        while self.less().is_some_and(|less| less.is_empty() || less == self.left_out) {
            self.ahead.pop();
        }
    }
}

impl Search for Undo {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        let left_out = match self.is_enough {
            None => Some(self.left_out.clone()),
            Some(true) => self.less(),
            Some(false) => None,
        };
        left_out.map_or(Step::Done, |left_out| Step::Ask(self.all.minus(&left_out)))
    }

    fn learn(&mut self, answer: &Answer) {
        let passes = answer.verdict == Verdict::Pass;
        match self.is_enough {
            None => self.is_enough = Some(passes),
            Some(_) => {
                if let Some(less) = self.less().filter(|_| passes) {
                    self.left_out = less;
                }
                self.ahead.pop();
            }
        }
        self.settle();
    }

    fn best(&self) -> DeltaSet {
        self.all.minus(&self.left_out)
    }

    fn likely(&self) -> f64 {
        // A pass is likely at first, and what is put back is mostly needed.
        if self.is_enough.is_none() { 0.1 } else { 0.6 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(deltas: &[u32]) -> DeltaSet {
        deltas.iter().map(|&delta| whodunit_core::Delta(delta)).collect()
    }

    /// Asserts what has to be undone where a set fails that holds all of `needed`.
    fn check(needed: &[u32], parts: &[&[u32]], found: Option<&[u32]>, tests: usize) {
        let parts: Vec<DeltaSet> = parts.iter().map(|part| set(part)).collect();
        let culprit = parts.iter().fold(DeltaSet::empty(), |all, part| all.union(part));
        let mut search = Undo::new(DeltaSet::full(10), culprit, parts);
        let mut asked = 0;
        while let Step::Ask(question) = search.step() {
            let fails = set(needed).is_subset(&question);
            search.learn(&Answer::from(if fails { Verdict::Fail } else { Verdict::Pass }));
            asked += 1;
        }
        assert_eq!(search.found(), found.map(set));
        assert_eq!(asked, tests);
    }

    #[test]
    fn one_part_takes_one_test() {
        check(&[3, 4], &[&[3, 4]], Some(&[3, 4]), 1);
    }

    #[test]
    fn one_of_two_parts_is_enough() {
        check(&[3, 6], &[&[3], &[6]], Some(&[3]), 2);
    }

    #[test]
    fn where_the_culprit_is_not_enough_nothing_is_found() {
        check(&[], &[&[3], &[6]], None, 1);
    }
}
