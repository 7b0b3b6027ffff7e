//! The claims of an answer of `changes`: verdicts on its versions, with and without its patches.

mod merges;
mod suspects;

use std::sync::Arc;

use whodunit_run::evidence::Claim;
use whodunit_run::judge::Inability;
use whodunit_run::{Stop, Word};
use whodunit_versions::decompose;

use super::needed::each_without;
use super::replay::{ReplayVersions, VersionClaim, patched};
use super::versions::Ends;
use super::{ChangesError, decomposition_level, versions};
use crate::answer::{Cause, ChangesAnswer, CommitPair, EndsProof};
use crate::settings::Surroundings;
use crate::verify::{Check, Verified};

/// Tests the versions of an answer with its patches, in clean folders.
pub fn verify(
    answer: &ChangesAnswer,
    surroundings: &Surroundings,
    stop: &Stop,
    progress: impl FnMut(Check),
) -> Result<Verified, ChangesError> {
    let given = reopen(answer, answer.compared.given.as_ref())?;
    if answer.compared.key.is_some_and(|key| key != given.key) {
        return Err(ChangesError::Changed);
    }
    let beside = reopen(answer, answer.compared.commits.as_ref())?;
    let mut claimed = Vec::new();
    claimed.extend(suspects::others(answer, &beside));
    claimed.extend(merges::base(answer, &given)?);
    for cause in &answer.causes {
        claimed.extend(claims(answer, cause, &given, &beside)?);
    }
    let shown = |cause: &Cause| EndsProof { good: cause.proof.good, bad: cause.proof.bad };
    if let Some(EndsProof { good, bad }) = answer.ends.or(answer.causes.first().map(shown)) {
        let compared = &answer.compared;
        for (name, end, claim) in
            [(&compared.good, &beside.good, good), (&compared.bad, &beside.bad, bad)]
        {
            let claimed_here = claim.map(|it| VersionClaim::of(name, &end.version, it.verdict()));
            claimed.extend(claimed_here);
        }
    }
    let (settings, learned) = (&answer.settings.how, &answer.learned);
    let rule = learned.rule(Inability::Stops);
    let has_script = given.has_script;
    let replay = ReplayVersions { settings, surroundings, learned, rule, has_script };
    replay.run(claimed, stop, progress)
}

/// Opens the versions of an answer; commits by their full names, because branches move.
fn reopen(answer: &ChangesAnswer, commits: Option<&CommitPair>) -> Result<Ends, ChangesError> {
    let mut settings = answer.settings.clone();
    if let (Some(tests), Some(given)) = (&mut settings.how.old_tests, &answer.compared.given) {
        *tests = given.good.clone().into();
    }
    if let Some(CommitPair { good, bad }) = commits {
        settings.good = good.clone().into();
        settings.bad = bad.clone().into();
    }
    if answer.learned.own_script.is_some() {
        return versions::open_with_own_scripts(&settings)?.ok_or(ChangesError::Changed);
    }
    versions::open(&settings)
}

/// Returns the claims of a cause about versions with its patches.
fn claims(
    answer: &ChangesAnswer,
    cause: &Cause,
    given: &Ends,
    beside: &Ends,
) -> Result<Vec<VersionClaim>, ChangesError> {
    let (proof, compared) = (&cause.proof, &answer.compared);
    let is_carried = (cause.beside.culprit_patch.is_some(), cause.beside.fix_patch.is_some());
    let name = |word: &Word| word.as_os_str().to_string_lossy().into_owned();
    let mut claims = Vec::new();
    let mut add = |name, on: (&str, &_), patch: &Word, claimed: Option<Claim>| {
        if let Some(claimed) = claimed.filter(|_| !patch.as_bytes().is_empty()) {
            claims.push(VersionClaim::with(on, (name, patch), claimed.verdict())?);
        }
        Ok::<(), ChangesError>(())
    };
    let (culprit, fix) = (&cause.culprit_patch, &cause.fix_patch);
    let (good, bad) = (&beside.good.version, &beside.bad.version);
    if is_carried.0 {
        let on = name(&answer.settings.good);
        let claimed = proof.given_good_with_culprit;
        add("culprit.patch", (&on, &given.good.version), culprit, claimed)?;
    }
    let here = cause.beside.culprit_patch.as_ref().unwrap_or(culprit);
    let file = if is_carried.0 { "commit-culprit.patch" } else { "culprit.patch" };
    add(file, (&compared.good, good), here, proof.good_with_culprit)?;
    let patched = patched((&compared.good, good), (file, here))?;
    let parts = Arc::new(decompose(good, bad, decomposition_level(answer.settings.how.level))?);
    let is_ordered = answer.settings.how.ordered;
    let without = each_without((&compared.good, &patched), &parts, cause, is_ordered)?;
    if is_carried.1 {
        let on = name(&answer.settings.bad);
        add("fix.patch", (&on, &given.bad.version), fix, proof.given_bad_without_fix)?;
    }
    let here = cause.beside.fix_patch.as_ref().unwrap_or(fix);
    let file = if is_carried.1 { "commit-fix.patch" } else { "fix.patch" };
    add(file, (&compared.bad, bad), here, proof.bad_without_fix)?;
    if let Some(spot) = &cause.spot {
        add("without-spot.patch", (&compared.bad, bad), &spot.patch, Some(spot.passes))?;
    }
    claims.extend(without);
    claims.extend(merges::partners(answer, cause, (beside, &patched))?);
    Ok(claims)
}
