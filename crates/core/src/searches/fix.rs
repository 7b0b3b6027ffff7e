//! `fix`: the smallest set of changes without which a failure is gone.
//!
//! The same search as [`Closure`] seen in a mirror: the deltas are those left out, and a pass
//! takes the place of a failure. Its first question is whether leaving out the known culprit is
//! enough. It is, unless the failure has several causes.

use super::{ChangeSet, Closure};
use crate::{Answer, DeltaSet, Implications, Lesson, Search, Step, Verdict};

/// The search; see the module's text.
///
/// All changes together must fail, and the empty candidate must pass. Its [`best`](Search::best)
/// is the largest candidate known to *pass*. At the end no delta that is left out can be put
/// back, together with the deltas it needs, so that it still passes.
#[derive(Clone, Debug)]
pub struct Fix {
    all: DeltaSet,
    /// Searches for the set to leave out.
    mirrored: Closure,
}

impl Fix {
    /// Starts from changes that fail and the `culprit` that was found among them.
    pub fn new(changes: ChangeSet, culprit: DeltaSet) -> Self {
        let all = changes.failing.clone();
        let implications = changes.implications.mirrored();
        let mirrored = Closure::suspecting(ChangeSet { implications, ..changes }, culprit);
        Fix { all, mirrored }
    }

    /// Returns the smallest set known to make the failure disappear when it is left out.
    pub fn left_out(&self) -> DeltaSet {
        self.mirrored.best()
    }

    /// Returns which changes need which, lessons included, as seen in the mirror: leaving out a
    /// delta needs leaving out what depends on it.
    pub fn implications(&self) -> &Implications {
        &self.mirrored.changes().implications
    }
}

impl Search for Fix {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        self.mirrored.step().map(|left_out| self.all.minus(&left_out))
    }

    fn learn(&mut self, answer: &Answer) {
        let verdict = match answer.verdict {
            Verdict::Fail => Verdict::Pass,
            Verdict::Pass => Verdict::Fail,
            Verdict::Unresolved => Verdict::Unresolved,
        };
        let lessons = answer.lessons.iter().flat_map(mirror).collect();
        self.mirrored.learn(&Answer { verdict, lessons });
    }

    fn best(&self) -> DeltaSet {
        self.all.minus(&self.left_out())
    }

    fn likely(&self) -> f64 {
        match self.mirrored.step() {
            Step::Ask(_) => 1.0 - self.mirrored.likely(),
            Step::Done => 0.0,
        }
    }
}

/// Where a delta needs others, leaving out any of them needs leaving out the delta.
fn mirror(lesson: &Lesson) -> Vec<Lesson> {
    let Lesson::Implies { delta, needs } = lesson else { return vec![lesson.clone()] };
    let one = DeltaSet::run(delta.0..delta.0 + 1);
    needs.iter().map(|need| Lesson::Implies { delta: need, needs: one.clone() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{needs, numbered};

    /// Fails where either of two changes is there.
    fn either(candidate: &DeltaSet) -> Verdict {
        let there = numbered(&[3, 6]).intersection(candidate);
        if there.is_empty() { Verdict::Pass } else { Verdict::Fail }
    }

    /// Asserts what is left out at the end, and how many tests that takes.
    fn check(
        mut search: Fix,
        oracle: impl Fn(&DeltaSet) -> Verdict,
        left_out: &[u32],
        tests: usize,
    ) {
        let mut asked = 0;
        while let Step::Ask(question) = search.step() {
            search.learn(&oracle(&question).into());
            asked += 1;
        }
        assert_eq!(search.left_out(), numbered(left_out));
        assert_eq!(oracle(&search.best()), Verdict::Pass);
        assert_eq!(asked, tests);
    }

    #[test]
    fn leaving_out_the_culprit_is_enough_if_it_is_the_only_one() {
        check(Fix::new(ChangeSet::new(8), numbered(&[3])), needs(&[3]), &[3], 1);
    }

    #[test]
    fn one_of_two_that_interfere_is_enough() {
        check(Fix::new(ChangeSet::new(8), numbered(&[3, 6])), needs(&[3, 6]), &[3], 2);
    }

    #[test]
    fn dependents_of_the_culprit_are_left_out_too() {
        let changes = ChangeSet { implications: Implications::chain(8), ..ChangeSet::new(8) };
        check(Fix::new(changes, numbered(&[7])), needs(&[7]), &[7, 8], 2);
    }

    #[test]
    fn a_second_cause_is_left_out_too() {
        check(Fix::new(ChangeSet::new(8), numbered(&[3])), either, &[3, 6], 6);
    }
}
