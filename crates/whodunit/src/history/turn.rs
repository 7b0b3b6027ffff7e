//! Builds the answer of `history` once the walk back has ended.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::sync::Arc;

use whodunit_core::searches::WalkBack;
use whodunit_core::{DeltaSet, Verdict};
use whodunit_run::evidence::Claim;
use whodunit_run::judge::Observation;
use whodunit_run::{Limit, Refutation, Word};
use whodunit_vcs::Beginning;
use whodunit_versions::{Decomposition, Patch, Version, decompose_in_place};

use super::mend::lines;
use super::row::Patched;
use super::stretches::Trouble;
use super::walk::Unpatched;
use super::{HistoryError, HistoryWalk, checkout, lineage};
use crate::answer::{
    BackPort, Begins, Belief, Cause, EndsProof, HistoryAnswer, HistoryOutcome, NotARegression,
    PatchFiles, StepReason, StepResult, Untested,
};
use crate::changes::{
    Between, ChangesError, Deltas, Space, TreeState, Versions, decomposition_level, key_of,
};
use crate::files::{PRIVATE, create_private_folder, write_whole};
use crate::lab::LabError;
use crate::settings::ChangeLevel;

/// Number of lines at the end of an output that are shown; mostly the reason of a failure is among
/// them.
const LAST_LINES: usize = 6;

/// The versions between which changes were searched: their places, and their files with the
/// back-port.
pub(super) struct Ends {
    passing: (usize, Version),
    pub(super) failing: (usize, Version),
}

impl HistoryWalk<'_, '_> {
    /// Finds the changes between a version that fails and an older one that passes.
    pub(super) fn turn(
        &mut self,
        walk: &WalkBack,
        bad: usize,
        good: usize,
        belief: Belief,
    ) -> Result<HistoryOutcome, HistoryError> {
        let lacking = self.seen_without(good)?;
        if let Some((bad, good)) = self.failed_by_patch(&lacking, bad, good)? {
            return self.turn(walk, bad, good, Belief::Untouched);
        }
        let passing = lacking.version(good)?;
        // A patch that is carried on one side only may contain the cause. Then the cause came with
        // a version that is not older than the one where the patch was made.
        let (mut bad, mut with) = (bad, self.seen_failing(bad).clone());
        if with.name() != lacking.name() {
            let fails = lacking.fits(bad)
                && self.finder.ask_in_time(&lacking.at(bad))? == Some(Verdict::Fail);
            let is_with = |(_, patched): &&(usize, Arc<Patched>)| patched.name() == lacking.name();
            if !fails {
                bad = self.failed.iter().rev().find(is_with).map_or(0, |(place, _)| *place);
            }
            with = lacking;
            self.carried = with.clone();
            if !fails
                && let Some(fewer) = self.between_fewer(walk, (bad, good), &passing, belief)?
            {
                return Ok(fewer);
            }
        }
        let failing = with.version(bad)?;
        let reasons = self.untested(walk)?;
        let outcome = self.between(bad, good, &passing, &failing, belief)?;
        Ok(match outcome {
            HistoryOutcome::Found { suspects, good, instead, causes, ends, believed, .. } => {
                HistoryOutcome::Found { suspects, good, instead, reasons, causes, ends, believed }
            }
            other => other,
        })
    }

    /// Finds the changes between a passing and a failing version, and carries the fix forward.
    pub(super) fn between(
        &mut self,
        bad: usize,
        good: usize,
        passing: &Version,
        failing: &Version,
        believed: Belief,
    ) -> Result<HistoryOutcome, HistoryError> {
        let places = bad..good;
        let suspects: Vec<_> =
            places.map(|place| self.described(place)).collect::<Result<_, _>>()?;
        // If the time ends here, the findings so far are kept.
        let parts = self.until_stopped(|this| this.difference(passing, failing))?;
        let (mut causes, mut ends) = (Vec::new(), None);
        if let (Some(parts), ChangeLevel::Commit) = (&parts, self.finder.settings.level) {
            ends = Some(self.finder.both_ends(parts)?);
        } else if let Some(parts) = &parts {
            let found =
                self.until_stopped(|this| this.causes(bad, good, [passing, failing], parts))?;
            causes = found.unwrap_or_default();
        }
        if let [only] = &suspects[..] {
            let changes = causes.iter_mut().flat_map(|it| it.culprit.iter_mut().chain(&mut it.fix));
            // If the user gave paths, the versions between the two that change only other files
            // were left out.
            let span = lineage::span(self.settings);
            for change in changes.filter(|change| span.covers(change.file.as_bytes())) {
                change.commit = Some(only.short_id.clone());
            }
        }
        let shown = |cause: &Cause| EndsProof { good: cause.proof.good, bad: cause.proof.bad };
        let proof = ends.or_else(|| causes.first().map(shown)).unwrap_or_default();
        let mut instead = None;
        if let Some(parts) = parts {
            let space = Arc::new(Deltas::new(parts.clone(), false));
            let without = space.tree(DeltaSet::empty());
            if proof.good.is_some() && !self.finder.lacks_failure(&without) {
                self.steady(good, Verdict::Pass, &without)?;
            }
            if proof.bad.is_some_and(|claim| claim.verdict() != Verdict::Fail) {
                self.steady(bad, Verdict::Fail, &space.tree(parts.all()))?;
            }
            instead = self.finder.other_value(&without).map(Into::into);
        }
        let (passing, failing) = ((good, passing.clone()), (bad, failing.clone()));
        self.ends = Some(Ends { passing, failing });
        let (good, reasons) = (self.described(good)?, Vec::new());
        Ok(HistoryOutcome::Found { suspects, good, instead, reasons, causes, ends, believed })
    }

    /// Finds the causes between a passing and a failing version, and carries the first fix forward.
    fn causes(
        &mut self,
        bad: usize,
        good: usize,
        [passing, failing]: [&Version; 2],
        parts: &Arc<Decomposition>,
    ) -> Result<Vec<Cause>, HistoryError> {
        let key = key_of(&[passing, failing])?;
        let names = (self.row.revision(good)?.short_id, self.row.revision(bad)?.short_id);
        let (good_end, bad_end) = ((&*names.0, passing), (&*names.1, failing));
        let found = Between::find(self.finder, parts, key, good_end, bad_end)?;
        for fix in found.fixes().into_iter().flatten() {
            if self.forward.is_none() {
                let fixed = parts.version(&parts.all().minus(&fix));
                let forward = self.until_stopped(|this| this.forward(bad, failing, &fixed))?;
                self.forward = forward.flatten();
            }
        }
        Ok(found.causes(self.finder)?)
    }

    /// Returns the outcome that no version passes, after a test of the oldest version in a clean
    /// folder.
    pub(super) fn not_a_regression(
        &mut self,
        oldest: usize,
        believed: Belief,
    ) -> Result<HistoryOutcome, HistoryError> {
        let state = self.carried.at(oldest);
        let seen = match self.finder.prove_seen(&state)? {
            Some((claim, seen)) if claim.verdict() == Verdict::Fail => Some(seen),
            Some((_, seen)) => return Err(self.unsteady(oldest, Verdict::Fail, seen)?.into()),
            None => return Ok(HistoryOutcome::Unfinished { oldest: self.described(oldest)? }),
        };
        // The path of the folder differs from run to run.
        let inside = format!("{}/", self.finder.lab.workers.first().folder().display());
        let prints = seen.map(|seen| last_lines(&seen.output.text().replace(&inside, "")));
        let prints = prints.unwrap_or_default();
        let begins = self.begins_unpatched()?;
        let failing = self.seen_to_fail().len() as u64;
        let is_cut_off = self.row.beginning() != Beginning::Root;
        let old_test_passes = self.doubted.map(|place| self.described(place)).transpose()?;
        let lacking = checkout::lacking(self.settings, &self.row.version(0)?)?;
        let oldest = self.described(oldest)?;
        Ok(HistoryOutcome::NotARegression(NotARegression {
            oldest,
            failing: Some(failing),
            is_cut_off,
            believed,
            old_test_passes,
            begins,
            prints,
            lacking,
        }))
    }

    /// Returns where the failure begins if no patch is carried back, after tests of both versions
    /// in clean folders; `None` if no patch is carried, or if a test has another verdict now.
    fn begins_unpatched(&mut self) -> Result<Option<Box<Begins>>, HistoryError> {
        let Some(Unpatched { failing, before, carried }) = self.unpatched_border.clone() else {
            return Ok(None);
        };
        if self.carried.patch().is_none() {
            return Ok(None);
        }
        let states = [carried.at(failing), carried.at(before)];
        for (state, expected) in states.iter().zip([Verdict::Fail, Verdict::Unresolved]) {
            if self.finder.prove(state)?.map(Claim::verdict) != Some(expected) {
                return Ok(None);
            }
        }
        let Some(trouble) = self.trouble(&states[1], Verdict::Unresolved, true) else {
            return Ok(None);
        };
        let shows = trouble.reason.with(trouble.says.as_deref());
        let test = |place: usize| -> Result<Option<Word>, HistoryError> {
            let parts = self.difference(&self.row.version(place)?, &carried.version(place)?)?;
            let patch = Patch::of(&parts, &parts.all());
            (!patch.is_empty()).then(|| patch_text(&patch)).transpose()
        };
        let (failing_test, before_test) = (test(failing)?, test(before)?);
        let (failing, before) = (self.described(failing)?, self.described(before)?);
        Ok(Some(Box::new(Begins { failing, failing_test, before, before_test, shows })))
    }

    /// Returns the outcome that no version older than `newer` can be tested, after a test of
    /// `newer` in a clean folder.
    pub(super) fn untestable(
        &mut self,
        walk: &WalkBack,
        newer: usize,
    ) -> Result<HistoryOutcome, HistoryError> {
        let state = self.seen_failing(newer).at(newer);
        if !self.finder.is_claimed(&state)
            && let Some((claim, seen)) = self.finder.prove_seen(&state)?
            && claim.verdict() != Verdict::Fail
        {
            return Err(self.unsteady(newer, Verdict::Fail, seen)?.into());
        }
        let smallest = match self.seen_failing(newer).patch() {
            Some(patch) => String::from_utf8_lossy(&patch.to_text()?).into_owned(),
            None => String::new(),
        };
        let (oldest, reasons) = (self.described(newer)?, self.untested(walk)?);
        Ok(HistoryOutcome::Untestable { oldest, reasons, smallest })
    }

    /// Returns an error for a test with two outcomes, if there is time to run it again.
    fn steady(
        &mut self,
        place: usize,
        first: Verdict,
        state: &TreeState,
    ) -> Result<(), HistoryError> {
        match self.finder.prove_seen(state)? {
            Some((_, seen)) => Err(self.unsteady(place, first, seen)?.into()),
            None => Ok(()),
        }
    }

    /// Returns the error for a version that was tested again in a clean folder and had another
    /// outcome.
    ///
    /// If the first test ran in a folder with earlier builds, the proof has already found that out.
    pub(super) fn unsteady(
        &self,
        place: usize,
        first: Verdict,
        second: Observation,
    ) -> Result<ChangesError, HistoryError> {
        if self.finder.lab.expects_noise {
            return Ok(LabError::Flaky.into());
        }
        let first = match first {
            Verdict::Fail => format!("it {}", self.finder.lab.rule.describe()),
            Verdict::Pass => "it passed".into(),
            Verdict::Unresolved => "it did something else".into(),
        };
        let version = self.row.revision(place)?.short_id;
        Ok(ChangesError::Unsteady { version, first, second: Box::new(second) })
    }

    /// Lists the versions that could not be tested, with the reasons.
    fn untested(&self, walk: &WalkBack) -> Result<Vec<Untested>, HistoryError> {
        let mut said: BTreeMap<u64, String> = BTreeMap::new();
        for step in &self.steps {
            if let StepResult::Tested { reason: Some(reason), says, .. } = &step.result {
                said.insert(step.place, reason.with(says.as_deref()));
            }
        }
        let untested = walk.unresolved().map(|place| {
            let version = self.row.revision(place)?.short_id;
            let reason = said.remove(&(place as u64));
            let reason = reason.unwrap_or_else(|| "cannot be tested".into());
            Ok(Untested { version, place: place as u64, reason })
        });
        untested.collect()
    }

    /// Returns why a verdict is unresolved.
    pub(super) fn trouble(
        &self,
        state: &TreeState,
        verdict: Verdict,
        fits: bool,
    ) -> Option<Trouble> {
        if verdict != Verdict::Unresolved {
            return None;
        }
        if !fits {
            return Some(Trouble { reason: StepReason::Patch, says: None });
        }
        let refutation = self.finder.refutation(state);
        Some(Trouble {
            reason: refutation.map_or(StepReason::Test, StepReason::of),
            says: refutation.and_then(Refutation::failure).map(Into::into),
        })
    }

    /// Returns the back-port at the end of the walk.
    pub(super) fn back_port(&self) -> Result<BackPort, HistoryError> {
        let given = |(place, version): &(usize, Version)| -> Result<Patch, HistoryError> {
            // Does not use a stop, because the findings must be reported even when the time is
            // over.
            let level = decomposition_level(self.finder.settings.level);
            let parts = decompose_in_place(&self.row.version(*place)?, version, level)?;
            Ok(Patch::of(&parts, &parts.all()))
        };
        let name = |place: usize| Ok::<_, HistoryError>(self.row.revision(place)?.short_id);
        let (place, patch, beside) = match &self.ends {
            Some(Ends { passing, failing }) => {
                let (before, after) = (given(passing)?, given(failing)?);
                match before.is_empty() {
                    true => (failing.0, after, None),
                    false => (passing.0, before, Some(patch_text(&after)?)),
                }
            }
            None => {
                let carried = self.seen_failing(self.oldest);
                if carried.is_nothing() {
                    return Ok(BackPort::default());
                }
                let oldest = (self.oldest, carried.version(self.oldest)?);
                (self.oldest, given(&oldest)?, None)
            }
        };
        if patch.is_empty() {
            return Ok(BackPort::default());
        }
        let (text, size) = (patch_text(&patch)?, lines(&patch)?);
        Ok(BackPort { patch: text, on: name(place)?, beside, size, file: None })
    }
}

/// Returns the last lines of an output that are not empty.
fn last_lines(output: &str) -> Vec<String> {
    let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    last.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Returns a patch in the form that answers use.
pub(super) fn patch_text(patch: &Patch) -> Result<Word, HistoryError> {
    Ok(Word::from(OsString::from_vec(patch.to_text()?)))
}

impl HistoryAnswer {
    /// Writes the patches to a folder, and notes their paths.
    pub(super) fn write_patches(&mut self, folder: &Path) -> Result<(), HistoryError> {
        let write = |name: &str, text: &[u8]| -> Result<Option<Word>, HistoryError> {
            if text.is_empty() {
                return Ok(None);
            }
            let path = folder.join(name);
            let made =
                create_private_folder(folder).and_then(|()| write_whole(&path, text, PRIVATE));
            made.map_err(|source| ChangesError::Write { path: path.clone(), source })?;
            Ok(Some(Word::from(path.into_os_string())))
        };
        self.back_port.file = write("back-port.patch", self.back_port.patch.as_bytes())?;
        if let Some(forward) = &mut self.forward {
            forward.file = write("fix.patch", forward.patch.as_bytes())?;
        }
        if let HistoryOutcome::Found { causes, .. } = &mut self.outcome {
            for (number, cause) in (1..).zip(causes) {
                let suffix = if number == 1 { String::new() } else { format!("-{number}") };
                let name = format!("culprit{suffix}.patch");
                if let Some(culprit) = write(&name, cause.culprit_patch.as_bytes())? {
                    // The fix that was carried to the newest version has another name.
                    let name = format!("culprit-fix{suffix}.patch");
                    let fix = write(&name, cause.fix_patch.as_bytes())?;
                    let spot = cause.spot.as_ref().map_or(&[][..], |spot| spot.patch.as_bytes());
                    let without_spot = write(&format!("without-spot{suffix}.patch"), spot)?;
                    let (beside_culprit, beside_fix) = (None, None);
                    cause.files =
                        Some(PatchFiles { culprit, fix, beside_culprit, beside_fix, without_spot });
                }
            }
        }
        Ok(())
    }
}

impl StepReason {
    pub(super) fn of(refutation: &Refutation) -> Self {
        match refutation {
            Refutation::DoesNotConfigure { .. } => StepReason::Configure,
            Refutation::DoesNotBuild { .. } | Refutation::Refused { .. } => StepReason::Build,
            Refutation::CutShort { limit: Limit::Time } => StepReason::Timeout,
            Refutation::CutShort { .. } => StepReason::Memory,
            Refutation::OtherValue { .. } => StepReason::OtherValue,
            Refutation::DoesNotParse
            | Refutation::NoFailure
            | Refutation::OtherFailure { .. }
            | Refutation::Open => StepReason::Test,
        }
    }

    /// Returns the reason in words, with the failure.
    pub fn with(self, says: Option<&str>) -> String {
        match says {
            Some(says) => format!("{}: it {says}", self.words()),
            None => self.words().into(),
        }
    }

    /// Returns the reason in words.
    pub fn words(self) -> &'static str {
        match self {
            StepReason::OtherValue => "another value shows there",
            StepReason::Patch => "what is carried back does not fit",
            StepReason::Configure => "cannot be configured",
            StepReason::Build => "does not build",
            StepReason::Test => "the test does something else",
            StepReason::OldTest => "passes with the test as it was then",
            StepReason::Timeout => "the test does not end in time",
            StepReason::Memory => "the test takes too much",
        }
    }
}
