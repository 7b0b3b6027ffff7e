//! Claims about versions with patches, for the jobs that look for changes.

use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_run::judge::Rule;
use whodunit_run::{Stop, Word};
use whodunit_versions::{Level, Version, apply, decompose};

use super::ChangesError;
use super::deltas::Deltas;
use super::in_space::Space;
use super::setup::Setup;
use super::trees::{TreeState, Trees};
use crate::answer::LearnedEnds;
use crate::settings::{Surroundings, VersionSettings};
use crate::verify::{Check, Claim, Claimed, Replay, Said};

/// A claim about a version, and about the version that a patch makes of it.
pub(crate) type VersionClaim = Claimed<(Version, Version)>;

impl VersionClaim {
    /// Claims a verdict on a version.
    pub(crate) fn of(on: &str, version: &Version, claimed: Verdict) -> Self {
        VersionClaim::said(on.to_owned(), (version, version.clone()), Said::Is(claimed))
    }

    /// Claims a verdict on a version with a patch.
    pub(crate) fn with(
        (on, version): (&str, &Version),
        (name, patch): (&'static str, &Word),
        claimed: Verdict,
    ) -> Result<Self, ChangesError> {
        let patched = patched((on, version), (name, patch))?;
        let what = format!("{on} with {name}");
        Ok(VersionClaim::said(what, (version, patched), Said::Is(claimed)))
    }

    /// Makes a claim about the version that changes make of another one.
    pub(crate) fn said(
        what: String,
        (version, patched): (&Version, Version),
        claimed: Said,
    ) -> Self {
        Claimed { what, of: (version.clone(), patched), claimed }
    }
}

/// Puts a patch of an answer onto a version.
pub(crate) fn patched(
    (on, version): (&str, &Version),
    (name, patch): (&'static str, &Word),
) -> Result<Version, ChangesError> {
    apply(version, patch.as_bytes()).map_err(|source| {
        let version = on.to_owned();
        ChangesError::DoesNotApply { name, version, source }
    })
}

/// The settings and the rule with which the versions of an answer were tested.
pub(crate) struct ReplayVersions<'a> {
    pub(crate) settings: &'a VersionSettings,
    pub(crate) surroundings: &'a Surroundings,
    pub(crate) learned: &'a LearnedEnds,
    pub(crate) rule: Rule,
    /// Whether the versions have the script of the test at its place.
    pub(crate) has_script: bool,
}

impl ReplayVersions<'_> {
    /// Tests each claim.
    pub(crate) fn run(
        self,
        claimed: Vec<VersionClaim>,
        stop: &Stop,
        progress: impl FnMut(Check),
    ) -> Result<Vec<Claim>, ChangesError> {
        let ReplayVersions { settings, surroundings, learned, rule, has_script } = self;
        let Some(Claimed { of: (first, _), .. }) = claimed.first() else {
            return Err(ChangesError::NothingToVerify);
        };
        let settings = VersionSettings { fresh: true, jobs: 1, ..settings.clone() };
        let setup = Setup { settings: &settings, surroundings, stop, has_script };
        let (_scratch, workers) = setup.workers(first)?;
        let (limits, flaky) = (&learned.limits, learned.flaky.as_ref());
        let tracked = learned.signature.as_ref();
        let replay = Replay { subject: Trees, workers, rule, limits, flaky, tracked };
        let total = claimed.len();
        replay.run((claimed.into_iter(), total), state_of, progress)
    }
}

/// Returns the second version as a candidate that is laid out over the first.
fn state_of((version, patched): (Version, Version)) -> Result<TreeState, ChangesError> {
    let parts = Arc::new(decompose(&version, &patched, Level::File)?);
    let set = parts.all();
    Ok(Arc::new(Deltas::new(parts, false)).tree(set))
}
