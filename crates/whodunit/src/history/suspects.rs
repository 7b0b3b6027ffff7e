//! Narrows down suspects: versions that cannot be tested with the back-port may be testable without
//! it.

use std::collections::BTreeSet;
use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_core::searches::WalkBack;
use whodunit_run::Word;
use whodunit_versions::Version;

use super::row::Patched;
use super::walk::Unpatched;
use super::{HistoryError, HistoryWalk};
use crate::answer::{Belief, Cause, ChangeAnswer, HistoryOutcome, word_of};
use crate::changes::Versions;

/// Number of suspects that are tested without a back-port, evenly spread. An untestable stretch may have
/// thousands of versions, and most of them are broken in the same way.
const ASKED_AS_THEY_ARE: usize = 32;

/// The outcome of a version without a back-port.
enum AsItIs {
    /// It fails.
    Fails(usize),
    /// It lacks the failure: it passes or shows another value.
    Lacks(usize),
}

impl HistoryWalk<'_, '_> {
    /// Tests versions between one that fails and one that passes without the back-port, if they
    /// cannot be tested with it. Returns whether one of them fails or lacks the failure; then the
    /// walk continues from there.
    pub(super) fn told_apart(
        &mut self,
        walk: &mut WalkBack,
        bad: usize,
        good: usize,
    ) -> Result<bool, HistoryError> {
        if self.carried.is_nothing() {
            return Ok(false);
        }
        let untouched = Arc::new(Patched::untouched(&self.row, self.own.first())?);
        match self.as_they_are(&untouched, bad, good)? {
            Some(AsItIs::Fails(place)) => {
                self.failed.push((bad, self.carried.clone()));
                (self.carried, self.unreduced) = (untouched, None);
                walk.passes_after_all(place, good);
            }
            Some(AsItIs::Lacks(place)) => {
                self.passed = Some((place, untouched));
                walk.passes_after_all(bad, place);
            }
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Finds the changes between the other end and a suspect that fails or lacks the failure without a
    /// back-port. `None` if there is no such suspect, or if a cause lies only in files that the back-port
    /// changes on one side, because that cause did not come with the suspect.
    ///
    /// `passing` is the good version with its back-port; with the same back-port, `bad` fails.
    pub(super) fn between_fewer(
        &mut self,
        walk: &WalkBack,
        (bad, good): (usize, usize),
        passing: &Version,
        belief: Belief,
    ) -> Result<Option<HistoryOutcome>, HistoryError> {
        let untouched = Arc::new(Patched::untouched(&self.row, self.own.first())?);
        let place = match self.as_they_are(&untouched, bad, good)? {
            Some(AsItIs::Fails(place)) => place,
            Some(AsItIs::Lacks(place)) => {
                self.passed = Some((place, untouched));
                return self.turn(walk, bad, place, belief).map(Some);
            }
            None => return Ok(None),
        };
        let before = (self.carried.clone(), self.dropped.take(), self.unported);
        let failing = untouched.version(place)?;
        self.carried = untouched;
        let outcome = self.between(place, good, passing, &failing, belief)?;
        if let HistoryOutcome::Found { causes, .. } = &outcome
            && !causes.is_empty()
            && !self.is_carried(good, passing, causes)?
        {
            return Ok(Some(outcome));
        }
        (self.carried, self.dropped, self.unported) = before;
        self.forward = None;
        Ok(None)
    }

    /// Returns the versions between which the failure began without a back-port, if `bad` fails
    /// only because of its back-port: without it `bad` lacks the failure, and in `good` the same
    /// patch changes nothing. Then the back-port contains the cause, and no change between the two
    /// versions does.
    pub(super) fn failed_by_patch(
        &mut self,
        lacking: &Arc<Patched>,
        bad: usize,
        good: usize,
    ) -> Result<Option<(usize, usize)>, HistoryError> {
        let with = self.seen_failing(bad).clone();
        let is_same = with.patch().is_some() && with.name() == lacking.name();
        let is_on_one_side = is_same && with.changes(bad)? && !lacking.changes(good)?;
        let untouched = Arc::new(Patched::untouched(&self.row, self.own.first())?);
        if !is_on_one_side || !self.lacks_as_it_is(&untouched, bad)? {
            return Ok(None);
        }
        let failed = self.failed.iter().rev().find(|(_, patched)| patched.is_nothing());
        let newer = failed.map_or(0, |(place, _)| *place);
        let stride = bad.saturating_sub(newer).div_ceil(ASKED_AS_THEY_ARE).max(1);
        let mut older = bad;
        for place in (newer + 1..bad).step_by(stride) {
            if self.lacks_as_it_is(&untouched, place)? {
                older = place;
                break;
            }
        }
        self.passed = Some((older, untouched.clone()));
        (self.carried, self.unreduced, self.dropped) = (untouched, None, None);
        Ok(Some((newer, older)))
    }

    /// Returns the oldest version that fails without a patch and an older version that passes without it and
    /// with the same test, if a patch is carried with which all versions fail. Then the patch contains the
    /// cause: it was carried over versions that show something else.
    pub(super) fn caused_by_patch(&mut self) -> Result<Option<(usize, usize)>, HistoryError> {
        let border = self.unpatched_border.clone().filter(|_| self.carried.patch().is_some());
        let Some(Unpatched { failing: bad, carried, .. }) = border else { return Ok(None) };
        let Some(&good) = self.passing_unpatched.range(bad + 1..).next() else { return Ok(None) };
        if !self.lacks_as_it_is(&carried, good)? {
            return Ok(None);
        }
        self.passed = Some((good, carried.clone()));
        (self.carried, self.unreduced, self.dropped) = (carried, None, None);
        Ok(Some((bad, good)))
    }

    /// Returns whether a version lacks the failure without a back-port, by the tracked test.
    fn lacks_as_it_is(
        &mut self,
        untouched: &Arc<Patched>,
        place: usize,
    ) -> Result<bool, HistoryError> {
        let state = untouched.at(place);
        let is_asked = self.finder.ask_in_time(&state)?.is_some();
        Ok(is_asked && !untouched.has_other_test(place) && self.finder.lacks_failure(&state))
    }

    /// Returns the oldest of the tested suspects that fails or lacks the failure without a back-port.
    fn as_they_are(
        &mut self,
        untouched: &Arc<Patched>,
        bad: usize,
        good: usize,
    ) -> Result<Option<AsItIs>, HistoryError> {
        let stride = (good - bad - 1).div_ceil(ASKED_AS_THEY_ARE).max(1);
        for place in (bad + 1..good).rev().step_by(stride) {
            let state = untouched.at(place);
            // Another test than the tracked one can only show the failure, not its absence.
            let is_own = !untouched.has_other_test(place);
            match self.finder.ask(&state)? {
                Verdict::Fail => return Ok(Some(AsItIs::Fails(place))),
                _ if is_own && self.finder.lacks_failure(&state) => {
                    return Ok(Some(AsItIs::Lacks(place)));
                }
                Verdict::Pass | Verdict::Unresolved => {}
            }
        }
        Ok(None)
    }

    /// Returns whether some cause has all of its changes in files that were carried.
    fn is_carried(
        &self,
        place: usize,
        with: &Version,
        causes: &[Cause],
    ) -> Result<bool, HistoryError> {
        let parts = self.difference(&self.row.version(place)?, with)?;
        let paths = (0..parts.file_count()).flat_map(|file| {
            let (old, new) = parts.paths(file);
            [old, new].into_iter().flatten()
        });
        let carried: BTreeSet<Word> = paths.map(word_of).collect();
        let is_carried = |change: &ChangeAnswer| carried.contains(&change.file);
        Ok(causes.iter().any(|cause| cause.culprit.iter().all(is_carried)))
    }
}
