//! Doubts verdicts of another test than the tracked one, and verdicts with only a part of what could be
//! carried back.
//!
//! An older version may lack the tracked test, so that its own test passes. So each verdict except the
//! failure is tested again with the test of the newest version. A back-port was made smaller
//! while the test failed. So a pass, and a failure that lasts to the oldest version, are tested
//! again with everything that could be carried back.

use std::collections::BTreeSet;
use std::sync::Arc;

use whodunit_core::searches::WalkBack;
use whodunit_core::{Search, Verdict};
use whodunit_versions::Patch;

use super::own::Own;
use super::row::Patched;
use super::stretches::Trouble;
use super::{HistoryError, HistoryWalk};
use crate::answer::{Belief, StepResult, Way};
use crate::changes::Versions;

/// At most this many skipped versions are tested before the answer says that all versions fail; if there are
/// more, none is tested. A walk over a thousand versions tests about as many, so that only short histories are
/// tested completely.
const FEW: usize = 12;

/// Whether a failure in the oldest version is believed.
pub(super) enum Lasts {
    /// The failure is believed to be there.
    ForSure(Belief),
    /// `passing` passes with everything that could be carried back; `failing` is newer and fails.
    Not {
        /// The place of the version that fails.
        failing: usize,
        /// The place of the version that passes.
        passing: usize,
    },
}

/// Whether a version that passes is believed to pass.
pub(super) enum Thought {
    /// It passes.
    Passes(Belief),
    /// It fails with the new back-port, which is carried from now on.
    Fails,
    /// It is unresolved with the newest test, which is carried from now on.
    SaysNothing,
}

impl HistoryWalk<'_, '_> {
    /// Tests versions with the newest test from now on, because a version has another verdict than the failure
    /// with its own test. Keeps the own tests if this version is unresolved with both.
    pub(super) fn ask_with_newest_test(
        &mut self,
        walk: &mut WalkBack,
        place: usize,
        verdict: Verdict,
    ) -> Result<(), HistoryError> {
        if !self.doubts.insert((self.carried.name(), place)) {
            // This version was doubted with the same patch before; no patch carried since then helped.
            walk.cannot_tell(place);
            return Ok(());
        }
        let bad = walk.best();
        if verdict == Verdict::Pass && self.has_test_of(place, bad)? {
            // The version has the test of a version that fails, so this test can show the failure.
            self.passed = Some((place, self.carried.clone()));
            walk.passes_after_all(bad, place);
            return Ok(());
        }
        let mut chosen = None;
        for own in &self.own {
            let carried = Arc::new(Patched::with_own(&self.row, own.clone())?);
            let said = self.finder.ask(&carried.at(place))?;
            if said != Verdict::Unresolved || self.finder.lacks_failure(&carried.at(place)) {
                chosen = Some(carried);
                break;
            }
            if verdict == Verdict::Pass {
                // The version passes only with its own test, which tells nothing about the tracked test.
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

    /// Returns whether two versions have the same files of the test.
    fn has_test_of(&self, place: usize, other: usize) -> Result<bool, HistoryError> {
        let (one, other) = (self.row.version(place)?, self.row.version(other)?);
        for own in &self.own {
            if !own.is_same_in(&one, &other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Doubts a version that passes with a patch and with another test than the newest. Asks about
    /// it with the newest test on top of the patch; if the version is unresolved with it, asks with
    /// the test of `bad`, which shows the failure. `None` if the version has the newest test. A test
    /// with which this version or `bad` fails is carried from then on.
    fn doubt_other_test(
        &mut self,
        bad: usize,
        good: usize,
    ) -> Result<Option<Thought>, HistoryError> {
        let Some(made) = self.carried.made(good)? else { return Ok(None) };
        let mut tests: Vec<(Arc<Own>, Belief)> =
            self.own.iter().map(|own| (own.clone(), Belief::WithTest)).collect();
        if let (Some(own), Some(bad)) = (self.own.first(), self.carried.made(bad)?) {
            tests.extend(own.as_in(&bad.version)?.map(|own| (Arc::new(own), Belief::AsItIs)));
        }
        let mut silent = None;
        for (own, belief) in tests {
            if !own.differs(&made.version)? {
                continue;
            }
            let with = Arc::new(self.carried.and_own(own)?);
            let verdict = self.finder.ask(&with.at(good))?;
            let thought = match verdict {
                Verdict::Fail => Thought::Fails,
                _ if self.finder.lacks_failure(&with.at(good)) => Thought::Passes(belief),
                _ => {
                    silent.get_or_insert(with);
                    continue;
                }
            };
            if verdict == Verdict::Fail || self.finder.ask(&with.at(bad))? == Verdict::Fail {
                (self.carried, self.unreduced) = (with, None);
            }
            return Ok(Some(thought));
        }
        let Some(with) = silent else { return Ok(None) };
        // Only once: the patch that is carried across the border may lack a part of the test
        // again.
        let is_first = self.doubts.insert((with.name(), good));
        if is_first && self.finder.ask(&with.at(bad))? == Verdict::Fail {
            (self.carried, self.unreduced) = (with, None);
            return Ok(Some(Thought::SaysNothing));
        }
        Ok(Some(Thought::Passes(Belief::AsItIs)))
    }

    /// Returns whether a pass is believed: with the newest test, and with everything that could be
    /// carried back, the version must not fail. If it fails, that test or patch is carried from now
    /// on.
    pub(super) fn believed(&mut self, bad: usize, good: usize) -> Result<Thought, HistoryError> {
        if self.carried.own().is_some() {
            return Ok(Thought::Passes(Belief::WithTest));
        }
        if self.carried.patch().is_some()
            && let Some(thought) = self.doubt_other_test(bad, good)?
        {
            return Ok(thought);
        }
        let believed = self.believed_with_all(good)?;
        Ok(believed.map_or(Thought::Fails, Thought::Passes))
    }

    /// Returns the belief in a pass after a test with everything that could be carried back. `None`
    /// if this fails; then all of it is carried from now on.
    fn believed_with_all(&mut self, good: usize) -> Result<Option<Belief>, HistoryError> {
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

    /// Makes the back-port as small as possible, if the version that passes still does.
    pub(super) fn settle(&mut self, bad: usize, good: usize) -> Result<(), HistoryError> {
        if self.carried.own().is_some() {
            return self.drop_test(bad, good);
        }
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

    /// Stops carrying the test if it makes no difference: both versions have the same outcome without it,
    /// and the failing one also fails with the test of the passing one, which has all files of the test.
    /// A file that merely looks like one of the test, or that has another comment, does not count.
    fn drop_test(&mut self, bad: usize, good: usize) -> Result<(), HistoryError> {
        let Some(own) = self.carried.own().filter(|_| self.carried.patch().is_none()).cloned()
        else {
            return Ok(());
        };
        let (passing, failing) = (self.row.version(good)?, self.row.version(bad)?);
        let Some(older) = own.as_in(&passing)? else { return Ok(()) };
        if !own.is_same_in(&passing, &older.over(&failing)?)? {
            return Ok(());
        }
        let untouched = Arc::new(Patched::untouched(&self.row, self.own.first())?);
        let with_older = Arc::new(Patched::with_own(&self.row, Arc::new(older))?);
        for state in [untouched.at(bad), with_older.at(bad)] {
            if self.finder.ask_in_time(&state)? != Some(Verdict::Fail) {
                return Ok(());
            }
        }
        let state = untouched.at(good);
        if self.finder.ask_in_time(&state)?.is_some() && self.finder.lacks_failure(&state) {
            self.carried = untouched;
        }
        Ok(())
    }

    /// Returns the versions that were seen to fail, the newest included.
    pub(super) fn seen_to_fail(&self) -> BTreeSet<usize> {
        let failing = self.steps.iter().filter_map(|step| match step.result {
            StepResult::Tested { way: Way::Back, verdict: Verdict::Fail, .. } => {
                Some(step.place as usize)
            }
            _ => None,
        });
        failing.chain([0]).collect()
    }

    /// Tests the versions that the strides skipped, if they are few, before the answer says that the failure
    /// was always there. Returns a version that lacks the failure, after the next newer version that was seen
    /// to fail.
    pub(super) fn passes_between(
        &mut self,
        oldest: usize,
    ) -> Result<Option<(usize, usize)>, HistoryError> {
        let failing = self.seen_to_fail();
        let skipped: Vec<usize> = (1..oldest).filter(|place| !failing.contains(place)).collect();
        if skipped.len() > FEW {
            return Ok(None);
        }
        let carried = self.carried.clone();
        for place in skipped {
            // Another test than the tracked one can only show the failure, not its absence.
            if !carried.fits(place) || carried.has_other_test(place) {
                continue;
            }
            // Only once: a pass that is doubted must not be tested for ever.
            if !self.doubts.insert((carried.name(), place)) {
                continue;
            }
            let state = carried.at(place);
            let Some(verdict) = self.finder.ask_in_time(&state)? else { return Ok(None) };
            let is_absent = self.finder.lacks_failure(&state);
            let trouble = self.trouble(&state, verdict, true);
            let (reason, says) = match trouble {
                Some(Trouble { reason, says }) => (Some(reason), says),
                None => (None, None),
            };
            let rung = carried.made(place)?.and_then(|made| made.rung).map(|it| it.to_string());
            let result = StepResult::Tested { way: Way::Back, verdict, reason, says, rung };
            self.step(place, result)?;
            if is_absent {
                let failing = self.seen_to_fail().range(..place).next_back().copied();
                self.passed = Some((place, carried));
                return Ok(failing.map(|failing| (failing, place)));
            }
        }
        Ok(None)
    }

    /// Returns whether the oldest version, which fails, also fails with everything that could be carried back.
    /// If a version passes with that, the smaller back-port lacked a part that a pass needs, and everything
    /// is carried from now on.
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

    /// Returns whether a version older than `place` passes with everything that could be carried to
    /// `place`. Then the cause is not in the carried changes, and a part of them that passes lacks a part
    /// of the test.
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

    /// Returns whether the oldest version, which fails without changes, also fails with the newest
    /// test.
    fn lasts_with_newest_test(&mut self, oldest: usize) -> Result<Lasts, HistoryError> {
        let Some(own) = self.own.first().cloned() else {
            return Ok(Lasts::ForSure(Belief::Untouched));
        };
        if !own.differs(&self.row.version(oldest)?)? {
            return Ok(Lasts::ForSure(Belief::Untouched));
        }
        let carried = Arc::new(Patched::with_own(&self.row, own)?);
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

    /// Returns the patch or test with which a version lacks the failure: the current one, or the
    /// one with which this was seen before.
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

/// Returns a version older than `newer`, at most `oldest`, that `carried` fits. Halves the distance instead
/// of trying each version, so there may be an older one.
fn farthest(carried: &Patched, newer: usize, oldest: usize) -> Option<usize> {
    let mut place = oldest;
    while place > newer && !carried.fits(place) {
        place = newer + (place - newer) / 2;
    }
    (place > newer).then_some(place)
}
