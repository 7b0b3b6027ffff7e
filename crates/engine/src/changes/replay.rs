//! Tests what answers claim, in clean folders; shared by the jobs that look for changes.
//!
//! Nothing that was found before is believed; only what the answer says is used.

use std::sync::Arc;

use whodunit_changes::{Level, Version, apply, decompose};
use whodunit_core::Verdict;

use super::ends::LearnedEnds;
use super::settings::HuntSettings;
use super::trees::{Deltas, Space, TreeState};
use super::{ChangesError, ends, workshop};
use crate::engine::Stop;
use crate::oracle::Rule;
use crate::reduce::{Check, Surroundings};
use crate::word::Word;

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

/// A version with a patch, and what an answer says that it does.
pub(crate) struct Claimed {
    what: String,
    version: Version,
    patched: Version,
    claimed: Verdict,
}

impl Claimed {
    /// Takes a version as it is.
    pub(crate) fn of(on: &str, version: &Version, claimed: Verdict) -> Self {
        let (version, patched) = (version.clone(), version.clone());
        Claimed { what: on.to_owned(), version, patched, claimed }
    }

    /// Takes a version with a patch.
    pub(crate) fn with(
        (on, version): (&str, &Version),
        (name, patch): (&'static str, &Word),
        claimed: Verdict,
    ) -> Result<Self, ChangesError> {
        let patched = patched((on, version), (name, patch))?;
        let what = format!("{on} with {name}");
        Ok(Claimed { what, version: version.clone(), patched, claimed })
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

/// How an answer says that tests were run.
pub(crate) struct Replay<'a> {
    pub(crate) settings: &'a HuntSettings,
    pub(crate) surroundings: &'a Surroundings,
    pub(crate) learned: &'a LearnedEnds,
    pub(crate) rule: Rule,
}

impl Replay<'_> {
    /// Tests each claim.
    pub(crate) fn run(
        self,
        claimed: &[Claimed],
        stop: &Stop,
        mut progress: impl FnMut(Check),
    ) -> Result<Verified, ChangesError> {
        let Replay { settings, surroundings, learned, rule } = self;
        let Some(first) = claimed.first() else { return Err(ChangesError::NothingToVerify) };
        let settings = HuntSettings { fresh: true, jobs: 1, ..settings.clone() };
        let mut oracle = workshop::oracle(&settings, surroundings)?;
        oracle.limits = learned.limits.clone();
        let rule = Arc::new(rule);
        let scratch = workshop::scratch(&settings, surroundings, &first.version)?;
        let mut crew = workshop::crew(&settings, surroundings, &scratch, &oracle)?;
        crew[0].instruct(&Arc::new(oracle), &rule);
        let mut claims = Vec::new();
        for Claimed { what, version, patched, claimed: said } in claimed {
            let parts = Arc::new(decompose(version, patched, Level::File)?);
            let set = parts.all();
            let deltas = Deltas::new(parts, false);
            let state = TreeState { space: Arc::new(Space::Deltas(deltas)), set };
            let seen = ends::observe(&mut crew, &state, stop)?;
            if rule.stops(&seen) {
                return Err(ChangesError::NotRunnable { seen: Box::new(seen) });
            }
            claims.push(Claim { what: what.clone(), claimed: *said, seen: rule.judge(&seen) });
            progress(Check { done: claims.len(), total: claimed.len() });
        }
        Ok(Verified { claims })
    }
}
