//! Doubts a pass that was seen with a reduced patch: what a pass needs must not have been cut away
//! while it failed.

use std::sync::Arc;

use whodunit_changes::Version;
use whodunit_core::{DeltaSet, Verdict};

use super::answer::{Belief, Way};
use super::row::Patched;
use super::{HistoryError, Journey};
use crate::changes::{Space, TreeState};

impl Journey<'_, '_> {
    /// Returns whether a pass is believed: with all that could have been carried back it must not
    /// fail. If it does, all of that is carried from now on.
    pub(super) fn believed(&mut self, good: usize) -> Result<Option<Belief>, HistoryError> {
        let Some(unreduced) = self.unreduced.clone().filter(|_| self.carried.patch().is_some())
        else {
            return Ok(Some(Belief::Untouched));
        };
        let all = Arc::new(Patched::new(&self.row, Some(unreduced))?);
        if !all.fits(good) {
            return Ok(Some(Belief::AsItIs));
        }
        let space = Arc::new(Space::Patched(all.clone()));
        let state = TreeState { space, set: DeltaSet::full(good) };
        Ok(match self.hunt.ask(&state)? {
            Verdict::Pass => Some(Belief::WithAll),
            Verdict::Unresolved => Some(Belief::AsItIs),
            Verdict::Fail => {
                (self.carried, self.unreduced) = (all, None);
                None
            }
        })
    }

    /// Makes what is carried back as small as it gets, if the version that passes still does.
    pub(super) fn settle(&mut self, bad: usize, good: usize) -> Result<(), HistoryError> {
        if self.carried.patch().is_none() {
            return Ok(());
        }
        let (version, mended) = (self.row.version(bad)?, self.carried.version(bad)?);
        let patch = self.fix_point(bad, &version, &mended, Way::Back)?;
        let patch = Some(patch).filter(|patch| !patch.is_empty());
        let smaller = Arc::new(Patched::new(&self.row, patch)?);
        let state = TreeState {
            space: Arc::new(Space::Patched(smaller.clone())),
            set: DeltaSet::full(good),
        };
        if smaller.fits(good) && smaller.fits(bad) && self.hunt.ask(&state)? == Verdict::Pass {
            self.carried = smaller;
        }
        Ok(())
    }

    /// Returns whether the oldest version, which fails, passes with all that could have been
    /// carried back. Then what a pass needs was cut away, and all of it is carried from now on.
    pub(super) fn passes_with_all(&mut self, oldest: usize) -> Result<bool, HistoryError> {
        let Some(unreduced) = self.unreduced.take() else { return Ok(false) };
        let all = Arc::new(Patched::new(&self.row, Some(unreduced))?);
        let state =
            TreeState { space: Arc::new(Space::Patched(all.clone())), set: DeltaSet::full(oldest) };
        let passes = all.fits(oldest) && self.hunt.ask(&state)? == Verdict::Pass;
        if passes {
            self.carried = all;
        }
        Ok(passes)
    }

    /// Returns the version that passes, with what is carried back if it passes with that.
    pub(super) fn version_that_passes(&mut self, good: usize) -> Result<Version, HistoryError> {
        if self.carried.fits(good) {
            let state = TreeState { space: self.space(), set: DeltaSet::full(good) };
            if self.hunt.ask(&state)? == Verdict::Pass {
                return Ok(self.carried.version(good)?);
            }
        }
        match &self.passed {
            Some((place, patched)) if *place == good => Ok(patched.version(good)?),
            _ => Ok(self.row.version(good)?),
        }
    }
}
