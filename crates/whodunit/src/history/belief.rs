//! Doubts what was seen with another test than the one that is tracked, or with a part of it.
//!
//! An older version may lack the tracked test, and says that all is well; so whatever it says but
//! the failure is asked about again with the test as it is in the newest version. What is carried
//! back was made smaller while it failed; so a pass, and a failure that lasts to the oldest version,
//! are asked about again with all that could have been carried back.

use std::sync::Arc;

use whodunit_core::searches::WalkBack;
use whodunit_core::{Search, Verdict};
use whodunit_versions::Patch;

use super::row::Patched;
use super::{HistoryError, HistoryWalk};
use crate::answer::{Belief, Way};
use crate::changes::Versions;

/// What is thought of a failure in the oldest version.
pub(super) enum Lasts {
    /// It is there.
    ForSure(Belief),
    /// `passing` passes with all that could have been carried back; `failing` is newer and fails.
    Not {
        /// Fails.
        failing: usize,
        /// Passes.
        passing: usize,
    },
}

impl HistoryWalk<'_, '_> {
    /// Tests versions with the newest test from now on, because one says something else than the
    /// failure with its own; unless that one says nothing with either.
    pub(super) fn ask_with_newest_test(
        &mut self,
        walk: &mut WalkBack,
        place: usize,
        verdict: Verdict,
    ) -> Result<(), HistoryError> {
        let mut chosen = None;
        for own in &self.own {
            let carried = Arc::new(Patched::with_own(&self.row, own.clone()));
            let said = self.finder.ask(&carried.at(place))?;
            if said != Verdict::Unresolved || self.finder.lacks_failure(&carried.at(place)) {
                chosen = Some(carried);
                break;
            }
            if verdict == Verdict::Pass {
                // With its own test it passes, which tells nothing about the tracked one.
                chosen.get_or_insert(carried);
            }
        }
        let Some(carried) = chosen else {
            self.own_helps = false;
            return Ok(());
        };
        if verdict == Verdict::Pass {
            self.doubted.get_or_insert(place);
        }
        let bad = walk.best();
        let is_other = match carried.own() {
            Some(own) => own.differs(&self.row.version(bad)?)?,
            None => false,
        };
        if is_other && self.finder.ask(&carried.at(bad))? != Verdict::Fail {
            *walk = self.walk_from_newest();
        }
        self.carried = carried;
        walk.ask_again();
        Ok(())
    }

    /// Returns whether a pass is believed: with all that could have been carried back it must not
    /// fail. If it does, all of that is carried from now on.
    pub(super) fn believed(&mut self, good: usize) -> Result<Option<Belief>, HistoryError> {
        if self.carried.own().is_some() {
            return Ok(Some(Belief::WithTest));
        }
        let Some(unreduced) = self.unreduced.clone().filter(|_| self.carried.patch().is_some())
        else {
            return Ok(Some(Belief::Untouched));
        };
        let all = Arc::new(Patched::new(&self.row, Some(unreduced))?);
        if !all.fits(good) {
            return Ok(Some(Belief::AsItIs));
        }
        Ok(match self.finder.ask(&all.at(good))? {
            Verdict::Pass => Some(Belief::WithAll),
            Verdict::Unresolved if self.finder.lacks_failure(&all.at(good)) => {
                Some(Belief::WithAll)
            }
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
        let fits = smaller.fits(good) && smaller.fits(bad);
        let is_asked = fits && self.finder.ask_in_time(&smaller.at(good))?.is_some();
        if is_asked && self.finder.lacks_failure(&smaller.at(good)) {
            self.carried = smaller;
        }
        Ok(())
    }

    /// Returns whether the oldest version, which fails, does so with all that could have been
    /// carried back. If something passes with that, what a pass needs was not there, and it is
    /// carried from now on.
    pub(super) fn lasts(&mut self, oldest: usize) -> Result<Lasts, HistoryError> {
        if self.carried.is_nothing() {
            return self.lasts_with_newest_test(oldest);
        }
        let Some(unreduced) = self.unreduced.take() else {
            let is_own = self.carried.own().is_some();
            return Ok(Lasts::ForSure(if is_own { Belief::WithTest } else { Belief::WithAll }));
        };
        let all = Arc::new(Patched::new(&self.row, Some(unreduced))?);
        let Some(place) = farthest(&all, self.mended_at, oldest) else {
            return Ok(Lasts::ForSure(Belief::AsItIs));
        };
        Ok(match self.finder.ask(&all.at(place))? {
            Verdict::Pass => {
                self.carried = all;
                Lasts::Not { failing: self.mended_at, passing: place }
            }
            Verdict::Fail if place == oldest => Lasts::ForSure(Belief::WithAll),
            Verdict::Fail | Verdict::Unresolved => Lasts::ForSure(Belief::AsItIs),
        })
    }

    /// Returns whether a version before `place` passes with all that could have been carried to
    /// `place`. Then the cause is not in that, and a part of it that passes does so because it
    /// lacks some of the test.
    pub(super) fn passes_elsewhere(
        &mut self,
        place: usize,
        unreduced: &Arc<Patch>,
    ) -> Result<bool, HistoryError> {
        let all = Arc::new(Patched::new(&self.row, Some(unreduced.clone()))?);
        match farthest(&all, place, self.row.len() - 1) {
            Some(older) => Ok(self.finder.ask(&all.at(older))? == Verdict::Pass),
            None => Ok(false),
        }
    }

    /// Returns whether the oldest version, which fails as it is, fails with the newest test as well.
    fn lasts_with_newest_test(&mut self, oldest: usize) -> Result<Lasts, HistoryError> {
        let Some(own) = self.own.first().cloned() else {
            return Ok(Lasts::ForSure(Belief::Untouched));
        };
        if !own.differs(&self.row.version(oldest)?)? {
            return Ok(Lasts::ForSure(Belief::Untouched));
        }
        let carried = Arc::new(Patched::with_own(&self.row, own));
        let verdict = self.finder.ask(&carried.at(oldest))?;
        if self.finder.lacks_failure(&carried.at(oldest)) {
            self.carried = carried;
            return Ok(Lasts::Not { failing: 0, passing: oldest });
        }
        Ok(Lasts::ForSure(match verdict {
            Verdict::Fail => Belief::WithTest,
            Verdict::Pass | Verdict::Unresolved => Belief::AsItIs,
        }))
    }

    /// Returns what a version does not have the failure with: what is carried back, or what it was
    /// seen with before.
    pub(super) fn seen_without(&mut self, good: usize) -> Result<Arc<Patched>, HistoryError> {
        if self.carried.fits(good) {
            let state = self.carried.at(good);
            let is_asked = self.finder.ask_in_time(&state)?.is_some();
            if is_asked && self.finder.lacks_failure(&state) {
                return Ok(self.carried.clone());
            }
        }
        match &self.passed {
            Some((place, patched)) if *place == good => Ok(patched.clone()),
            _ => Ok(Arc::new(Patched::new(&self.row, None)?)),
        }
    }
}

/// Returns a version after `newer` up to `oldest` that something fits, as old as is easily found.
fn farthest(carried: &Patched, newer: usize, oldest: usize) -> Option<usize> {
    let mut place = oldest;
    while place > newer && !carried.fits(place) {
        place = newer + (place - newer) / 2;
    }
    (place > newer).then_some(place)
}
