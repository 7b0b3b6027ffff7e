//! Finds the part of the culprit that must be undone for the failure to disappear.
//!
//! Mostly it is enough to leave out the culprit, or everything that changed around it; then parts
//! of that are put back one by one, as long as the failure stays away. If it is not enough there
//! are other causes, and it takes a search.

use crate::{Answer, DeltaSet, Search, Step, Verdict};

/// Leaves out the culprit or its surroundings, then less.
#[derive(Clone)]
pub(super) struct Undo {
    /// All changes; they fail.
    all: DeltaSet,
    /// The sets that may be enough to leave out, the next one last.
    ways: Vec<Way>,
    /// The smallest set known to make it pass when left out.
    left_out: Option<DeltaSet>,
    /// The parts that may be put back, the next one last.
    ahead: Vec<DeltaSet>,
}

/// Something to leave out.
#[derive(Clone)]
pub(super) struct Way {
    /// All of it.
    pub(super) whole: DeltaSet,
    /// Parts of it that may be put back, those first that are to stay left out.
    pub(super) parts: Vec<DeltaSet>,
}

impl Undo {
    /// Starts from changes that fail and the sets that may be left out of them, in order.
    pub(super) fn new(all: DeltaSet, mut ways: Vec<Way>) -> Self {
        ways.reverse();
        Undo { all, ways, left_out: None, ahead: Vec::new() }
    }

    /// Returns the set that has to be undone, if one of the ways is enough.
    pub(super) fn found(&self) -> Option<DeltaSet> {
        self.left_out.clone()
    }

    /// Returns the set that is left out next.
    fn next(&self) -> Option<DeltaSet> {
        match &self.left_out {
            None => self.ways.last().map(|way| way.whole.clone()),
            Some(left_out) => Some(left_out.minus(self.ahead.last()?)),
        }
    }

    /// Skips parts whose return would leave nothing out, or would change nothing.
    fn settle(&mut self) {
        let says_nothing = |less: DeltaSet| less.is_empty() || Some(less) == self.left_out;
        while self.left_out.is_some() && self.next().is_some_and(says_nothing) {
            self.ahead.pop();
        }
    }
}

impl Search for Undo {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        self.next().map_or(Step::Done, |left_out| Step::Ask(self.all.minus(&left_out)))
    }

    fn learn(&mut self, answer: &Answer) {
        let Some(next) = self.next() else { return };
        let passes = answer.verdict == Verdict::Pass;
        if self.left_out.is_some() {
            self.ahead.pop();
        } else if let Some(way) = self.ways.pop().filter(|_| passes) {
            self.ahead = way.parts;
        }
        if passes {
            self.left_out = Some(next);
        }
        self.settle();
    }

    fn best(&self) -> DeltaSet {
        match &self.left_out {
            Some(left_out) => self.all.minus(left_out),
            None => DeltaSet::empty(),
        }
    }

    fn likely(&self) -> f64 {
        // A pass is likely at first; parts that are put back are mostly needed.
        if self.left_out.is_none() { 0.1 } else { 0.6 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(deltas: &[u32]) -> DeltaSet {
        deltas.iter().map(|&delta| crate::Delta(delta)).collect()
    }

    /// Asserts what has to be undone where every set with all of `needed` fails. One candidate may
    /// be unresolved.
    fn check(
        needed: &[u32],
        parts: &[&[u32]],
        unresolved: Option<&[u32]>,
        found: Option<&[u32]>,
        tests: usize,
    ) {
        let parts: Vec<DeltaSet> = parts.iter().map(|part| set(part)).collect();
        let culprit = parts.iter().fold(DeltaSet::empty(), |all, part| all.union(part));
        let file = Way { whole: DeltaSet::run(3..8), parts: Vec::new() };
        let ways = vec![Way { whole: culprit, parts }, file];
        let mut search = Undo::new(DeltaSet::full(10), ways);
        let mut asked = 0;
        while let Step::Ask(question) = search.step() {
            let fails = set(needed).is_subset(&question);
            let breaks = unresolved.is_some_and(|it| question == set(it));
            let verdict = match (fails, breaks) {
                (_, true) => Verdict::Unresolved,
                (true, _) => Verdict::Fail,
                (false, _) => Verdict::Pass,
            };
            search.learn(&Answer::from(verdict));
            asked += 1;
        }
        assert_eq!(search.found(), found.map(set));
        assert_eq!(asked, tests);
    }

    #[test]
    fn one_part_takes_one_test() {
        check(&[3, 4], &[&[3, 4]], None, Some(&[3, 4]), 1);
    }

    #[test]
    fn one_of_two_parts_is_enough() {
        check(&[3, 6], &[&[3], &[6]], None, Some(&[3]), 2);
    }

    #[test]
    fn where_the_culprit_is_not_enough_nothing_is_found() {
        check(&[], &[&[3], &[6]], None, None, 2);
    }

    #[test]
    fn what_cannot_be_left_out_alone_goes_with_what_is_around_it() {
        let broken: &[u32] = &[0, 1, 2, 4, 5, 6, 7, 8, 9];
        check(&[3], &[&[3]], Some(broken), Some(&[3, 4, 5, 6, 7]), 2);
    }
}
