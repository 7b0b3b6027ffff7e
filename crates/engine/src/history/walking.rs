//! A walk over places of a row as a search over trees.

use std::sync::Arc;

use whodunit_core::searches::WalkBack;
use whodunit_core::{Answer, DeltaSet, Search, Step, Verdict};

use super::answer::Way;
use crate::changes::{Space, TreeState};

/// A walk over versions that carry a patch.
#[derive(Clone)]
pub(super) struct Walking {
    pub(super) walk: WalkBack,
    pub(super) space: Arc<Space>,
    /// What the walk holds on to: the failure on the way back, the pass on the way forward.
    pub(super) way: Way,
}

impl Walking {
    fn state(&self, place: usize) -> TreeState {
        TreeState { space: self.space.clone(), set: DeltaSet::full(place) }
    }
}

impl Search for Walking {
    type Candidate = TreeState;

    fn step(&self) -> Step<TreeState> {
        self.walk.step().map(|place| self.state(place))
    }

    fn learn(&mut self, answer: &Answer) {
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
