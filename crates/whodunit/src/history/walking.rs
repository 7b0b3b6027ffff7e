//! Turns a walk over places of a row into a search over trees.

use std::sync::Arc;

use whodunit_core::searches::WalkBack;
use whodunit_core::{Answer, Lesson, Search, Step, Verdict};

use super::row::Patched;
use crate::answer::Way;
use crate::changes::TreeState;

/// A walk over versions that carry a patch.
#[derive(Clone)]
pub(super) struct Walking {
    pub(super) walk: WalkBack,
    pub(super) row: Arc<Patched>,
    /// The direction: the walk follows the failure on the way back, and the pass on the way
    /// forward.
    pub(super) way: Way,
    /// Whether a version that cannot be tested is asked about again with the newest test, if it has
    /// another test.
    pub(super) doubts_untestable: bool,
    /// The version whose own test had another verdict than the failure. The walk has not learned
    /// this verdict, and asks no more.
    pub(super) doubted: Option<(usize, Verdict)>,
}

impl Walking {
    pub(super) fn new(walk: WalkBack, row: Arc<Patched>, way: Way) -> Self {
        Walking { walk, row, way, doubts_untestable: false, doubted: None }
    }

    /// Returns whether an answer may be about another test.
    fn is_doubtful(&self, answer: &Answer) -> bool {
        let says_something = match answer.verdict {
            Verdict::Fail => false,
            Verdict::Pass => true,
            Verdict::Unresolved => self.doubts_untestable,
        };
        says_something && answer.lessons.contains(&Lesson::OtherTest)
    }

    fn state(&self, place: usize) -> TreeState {
        self.row.at(place)
    }
}

impl Search for Walking {
    type Candidate = TreeState;

    fn step(&self) -> Step<TreeState> {
        match self.doubted {
            Some(_) => Step::Done,
            None => self.walk.step().map(|place| self.state(place)),
        }
    }

    fn learn(&mut self, answer: &Answer) {
        if let Step::Ask(place) = self.walk.step()
            && self.is_doubtful(answer)
        {
            self.doubted = Some((place, answer.verdict));
            return;
        }
        match (self.way, answer.verdict) {
            // Another value in another test tells nothing about the tracked test.
            (Way::Back, Verdict::Unresolved) if answer.lessons.contains(&Lesson::OtherTest) => {
                let mut answer = answer.clone();
                answer.lessons.retain(|lesson| *lesson != Lesson::Absent);
                self.walk.learn(&answer);
            }
            (Way::Back, _) => self.walk.learn(answer),
            (Way::Forward, Verdict::Pass) => self.walk.learn(&Verdict::Fail.into()),
            // On the way forward no older pass can help: the fix must be adapted, for any reason.
            (Way::Forward, Verdict::Fail | Verdict::Unresolved) => {
                self.walk.learn(&Verdict::Unresolved.into());
            }
        }
    }

    fn best(&self) -> TreeState {
        self.state(self.walk.best())
    }

    fn likely(&self) -> f64 {
        match self.way {
            Way::Back => self.walk.likely(),
            Way::Forward => 0.1,
        }
    }
}

#[cfg(test)]
mod tests {
    use whodunit_core::searches::Pace;
    use whodunit_vcs::{Beginning, Error, Lineage, Listing, Revision};

    use super::*;
    use crate::history::overlay::Overlay;
    use crate::history::row::{Patched, Row};

    /// A history that must not be read.
    #[derive(Debug)]
    struct Closed;

    impl Lineage for Closed {
        fn len(&self) -> usize {
            8
        }

        fn revision(&self, place: usize) -> Result<Revision, Error> {
            unreachable!("version {place} is described")
        }

        fn list(&self, place: usize) -> Result<Listing, Error> {
            unreachable!("version {place} is read")
        }

        fn beginning(&self) -> Beginning {
            Beginning::Root
        }
    }

    /// Returns a walk over such a history that has learned one answer. `doubts_untestable` is its
    /// setting.
    fn learned(doubts_untestable: bool, verdict: Verdict, lessons: Vec<Lesson>) -> Walking {
        let row = Row::back(Arc::new(Closed), Overlay::default(), Overlay::default());
        let carried = Patched::new(&Arc::new(row), None).expect("nothing is carried");
        let walk = WalkBack::new(8, Pace::Doubling(1));
        let mut walking = Walking::new(walk, Arc::new(carried), Way::Back);
        walking.doubts_untestable = doubts_untestable;
        walking.learn(&Answer { verdict, lessons });
        walking
    }

    #[test]
    fn a_walk_learns_without_reading_a_version() {
        for verdict in [Verdict::Fail, Verdict::Pass, Verdict::Unresolved] {
            assert_eq!(learned(true, verdict, Vec::new()).doubted, None);
        }
    }

    #[test]
    fn what_another_test_says_without_the_failure_is_doubted() {
        let other = || vec![Lesson::Absent, Lesson::OtherTest];
        for helps in [true, false] {
            let doubted = |verdict| learned(helps, verdict, other()).doubted.is_some();
            assert!(doubted(Verdict::Pass));
            assert_eq!(doubted(Verdict::Unresolved), helps);
            assert!(!doubted(Verdict::Fail));
        }
    }

    #[test]
    fn another_value_of_another_test_is_no_pass() {
        let unresolved = |lessons| {
            let walking = learned(false, Verdict::Unresolved, lessons);
            walking.walk.unresolved().count()
        };
        assert_eq!(unresolved(vec![Lesson::Absent, Lesson::OtherTest]), 1);
        assert_eq!(unresolved(vec![Lesson::Absent]), 0);
    }
}
