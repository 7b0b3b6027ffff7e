//! Replays the proof of an answer: the versions with the patches that it holds, tested afresh.
//!
//! Nothing that was found before is believed; only what the answer says is used.

use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

use whodunit_changes::{Level, Version, apply, decompose};
use whodunit_core::Verdict;

use super::answer::{Cause, ChangesAnswer, CommitPair};
use super::settings::HuntSettings;
use super::trees::{Deltas, Space, TreeState};
use super::versions::Ends;
use super::{ChangesError, ends, versions, workshop};
use crate::engine::Stop;
use crate::reduce::Surroundings;
use crate::word::Word;

pub use crate::reduce::Check;

/// What came of replaying a proof.
#[derive(Clone, Debug)]
pub struct Verified {
    /// What the answer claims, each with what the test says now.
    pub claims: Vec<Claim>,
}

/// One claim of an answer.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What was tested, in words.
    pub what: String,
    /// What the answer says.
    pub claimed: Verdict,
    /// What the test says.
    pub seen: Verdict,
}

impl Verified {
    /// Returns whether everything is as the answer says.
    pub fn holds(&self) -> bool {
        self.claims.iter().all(|claim| claim.claimed == claim.seen)
    }
}

/// A patch that an answer makes a claim about.
struct Patched<'a> {
    name: &'static str,
    on: String,
    version: &'a Version,
    patch: &'a Word,
    claimed: Verdict,
}

/// Tests the versions of an answer with its patches, in clean folders.
pub fn verify(
    answer: &ChangesAnswer,
    surroundings: &Surroundings,
    stop: &Stop,
    mut progress: impl FnMut(Check),
) -> Result<Verified, ChangesError> {
    let given = reopen(answer, answer.compared.given.as_ref())?;
    if answer.compared.key.is_some_and(|key| key != given.key) {
        return Err(ChangesError::Changed);
    }
    let beside = reopen(answer, answer.compared.commits.as_ref())?;
    let patched: Vec<Patched<'_>> =
        answer.causes.iter().flat_map(|cause| patches(answer, cause, &given, &beside)).collect();
    if patched.is_empty() {
        return Err(ChangesError::NothingToVerify);
    }
    let settings = HuntSettings { fresh: true, jobs: 1, ..answer.settings.how.clone() };
    let mut oracle = workshop::oracle(&settings, surroundings)?;
    answer.learned.limit(&mut oracle);
    let rule = Arc::new(answer.learned.rule());
    let scratch = workshop::scratch(&settings, surroundings, &given.bad.version)?;
    let mut crew = workshop::crew(&settings, surroundings, &scratch, &oracle)?;
    crew[0].instruct(&Arc::new(oracle), &rule);
    let mut claims = Vec::new();
    for Patched { name, on, version, patch, claimed } in &patched {
        let after = apply(version, patch.as_os_str().as_bytes())
            .map_err(|source| ChangesError::DoesNotApply { name, version: on.clone(), source })?;
        let parts = Arc::new(decompose(version, &after, Level::File)?);
        let set = parts.all();
        let space = Arc::new(Space::Deltas(Deltas::new(parts, given.key, false)));
        let seen = ends::observe(&mut crew, &TreeState { space, set }, stop)?;
        if rule.stops(&seen) {
            return Err(ChangesError::NotRunnable { seen: Box::new(seen) });
        }
        let what = format!("{on} with {name}");
        claims.push(Claim { what, claimed: *claimed, seen: rule.judge(&seen) });
        progress(Check { done: claims.len(), total: patched.len() });
    }
    Ok(Verified { claims })
}

/// Opens the versions of an answer; commits by their whole names, since branches move on.
fn reopen(answer: &ChangesAnswer, commits: Option<&CommitPair>) -> Result<Ends, ChangesError> {
    let mut settings = answer.settings.clone();
    if let Some(CommitPair { good, bad }) = commits {
        settings.good = good.clone().into();
        settings.bad = bad.clone().into();
    }
    versions::open(&settings)
}

/// Returns what a cause claims of which patch.
fn patches<'a>(
    answer: &ChangesAnswer,
    cause: &'a Cause,
    given: &'a Ends,
    beside: &'a Ends,
) -> Vec<Patched<'a>> {
    let proof = &cause.proof;
    let compared = &answer.compared;
    let is_carried = (cause.beside.culprit_patch.is_some(), cause.beside.fix_patch.is_some());
    let name = |word: &Word| word.as_os_str().to_string_lossy().into_owned();
    let mut patches = Vec::new();
    let mut add = |name, on, version, patch: Option<&'a Word>, claimed| {
        let patch = patch.filter(|patch| !patch.as_os_str().is_empty());
        if let (Some(patch), Some(claimed)) = (patch, claimed) {
            patches.push(Patched { name, on, version, patch, claimed });
        }
    };
    let (culprit, fix) = (Some(&cause.culprit_patch), Some(&cause.fix_patch));
    if is_carried.0 {
        let (on, claimed) = (name(&answer.settings.good), proof.given_good_with_culprit);
        add("culprit.patch", on, &given.good.version, culprit, claimed);
    }
    let here = cause.beside.culprit_patch.as_ref().or(culprit);
    let file = if is_carried.0 { "commit-culprit.patch" } else { "culprit.patch" };
    add(file, compared.good.clone(), &beside.good.version, here, proof.good_with_culprit);
    if is_carried.1 {
        let (on, claimed) = (name(&answer.settings.bad), proof.given_bad_without_fix);
        add("fix.patch", on, &given.bad.version, fix, claimed);
    }
    let here = cause.beside.fix_patch.as_ref().or(fix);
    let file = if is_carried.1 { "commit-fix.patch" } else { "fix.patch" };
    add(file, compared.bad.clone(), &beside.bad.version, here, proof.bad_without_fix);
    patches
}
