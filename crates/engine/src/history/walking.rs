//! A walk over places of a row as a search over trees.

use std::sync::Arc;

use whodunit_core::searches::WalkBack;
use whodunit_core::{Answer, DeltaSet, Lesson, Search, Step, Verdict};

use super::answer::Way;
use super::own::Own;
use super::row::Row;
use crate::changes::{Space, TreeState};

/// A walk over versions that carry a patch.
#[derive(Clone)]
pub(super) struct Walking {
    pub(super) walk: WalkBack,
    pub(super) space: Arc<Space>,
    /// What the walk holds on to: the failure on the way back, the pass on the way forward.
    pub(super) way: Way,
    /// The test as it is in the newest version, while older versions are tested with theirs.
    pub(super) doubts: Option<Doubts>,
    /// The version whose own test said something else than the failure. The walk has not learned
    /// that, and asks no more.
    pub(super) doubted: Option<(usize, Verdict)>,
}

/// What answers are doubted for.
#[derive(Clone)]
pub(super) struct Doubts {
    pub(super) own: Arc<Own>,
    pub(super) row: Arc<Row>,
    /// Whether what cannot be tested is asked about again with the newest test as well.
    pub(super) of_untestable: bool,
}

impl Doubts {
    /// Whether an answer may be one about another test.
    fn concern(&self, place: usize, answer: &Answer) -> bool {
        let is_doubtful = match answer.verdict {
            Verdict::Fail => false,
            Verdict::Pass => true,
            Verdict::Unresolved => self.of_untestable || answer.lessons.contains(&Lesson::Absent),
        };
        // What cannot be read is found out when it is laid out.
        let differs = || self.row.version(place).and_then(|version| self.own.differs(&version));
        is_doubtful && differs().unwrap_or(true)
    }
}

impl Walking {
    pub(super) fn new(walk: WalkBack, space: Arc<Space>, way: Way) -> Self {
        Walking { walk, space, way, doubts: None, doubted: None }
    }

    fn state(&self, place: usize) -> TreeState {
        TreeState { space: self.space.clone(), set: DeltaSet::full(place) }
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
        if let (Some(doubts), Step::Ask(place)) = (&self.doubts, self.walk.step())
            && doubts.concern(place, answer)
        {
            self.doubted = Some((place, answer.verdict));
            return;
        }
        match (self.way, answer.verdict) {
            (Way::Back, _) => self.walk.learn(answer),
            (Way::Forward, Verdict::Pass) => self.walk.learn(&Verdict::Fail.into()),
            // There is nothing behind the failure on the way forward: the fix has to be made to
            // fit, whatever the reason.
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
