//! Tests what answers claim, in clean folders; shared by the jobs that look for changes.
//!
//! Nothing that was found before is believed; only what the answer says is used.

use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_exec::Oracle;
use whodunit_run::judge::Rule;
use whodunit_run::{Stop, Word};
use whodunit_versions::{Level, Version, apply, decompose};

use super::ChangesError;
use super::trees::{Deltas, Space, TreeState};
use super::workshop::Setup;
use crate::answer::LearnedEnds;
use crate::lab::decide_again;
use crate::reduce::Check;
use crate::settings::{HuntSettings, Surroundings};

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
    pub claimed: Said,
    /// What the test says; nothing if the answer does not say what is to be tested.
    pub seen: Option<Verdict>,
}

/// What an answer says of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// The test says this.
    Is(Verdict),
    /// The test does not show the failure.
    NotFail,
}

impl Claim {
    /// Returns whether it is as the answer says.
    pub fn holds(&self) -> bool {
        match self.claimed {
            Said::Is(verdict) => self.seen == Some(verdict),
            Said::NotFail => self.seen.is_some_and(|seen| seen != Verdict::Fail),
        }
    }
}

impl Verified {
    /// Returns whether everything is as the answer says.
    pub fn holds(&self) -> bool {
        self.claims.iter().all(Claim::holds)
    }
}

/// A version with a patch, and what an answer says that it does.
pub(crate) struct Claimed {
    what: String,
    /// The version, and what it becomes; nothing if the answer does not tell.
    versions: Option<(Version, Version)>,
    claimed: Said,
}

impl Claimed {
    /// Takes a version as it is.
    pub(crate) fn of(on: &str, version: &Version, claimed: Verdict) -> Self {
        Claimed::said(on.to_owned(), (version, version.clone()), Said::Is(claimed))
    }

    /// Takes a version with a patch.
    pub(crate) fn with(
        (on, version): (&str, &Version),
        (name, patch): (&'static str, &Word),
        claimed: Verdict,
    ) -> Result<Self, ChangesError> {
        let patched = patched((on, version), (name, patch))?;
        let what = format!("{on} with {name}");
        Ok(Claimed::said(what, (version, patched), Said::Is(claimed)))
    }

    /// Takes what a version becomes.
    pub(crate) fn said(
        what: String,
        (version, patched): (&Version, Version),
        claimed: Said,
    ) -> Self {
        Claimed { what, versions: Some((version.clone(), patched)), claimed }
    }

    /// Takes what an answer says without telling of which version.
    pub(crate) fn unfounded(what: String) -> Self {
        Claimed { what, versions: None, claimed: Said::NotFail }
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
    /// Whether the versions have the script of the test at its place.
    pub(crate) has_script: bool,
}

impl Replay<'_> {
    /// Tests each claim.
    pub(crate) fn run(
        self,
        claimed: &[Claimed],
        stop: &Stop,
        mut progress: impl FnMut(Check),
    ) -> Result<Verified, ChangesError> {
        let Replay { settings, surroundings, learned, rule, has_script } = self;
        let Some((first, _)) = claimed.iter().find_map(|it| it.versions.as_ref()) else {
            return Err(ChangesError::NothingToVerify);
        };
        let settings = HuntSettings { fresh: true, jobs: 1, ..settings.clone() };
        let setup = Setup { settings: &settings, surroundings, stop, has_script };
        let (_scratch, mut workers) = setup.workers(first)?;
        let oracle = Oracle { limits: learned.limits.clone(), ..workers.oracle().clone() };
        let rule = Arc::new(rule);
        workers.instruct(oracle, &rule);
        let mut claims = Vec::new();
        for Claimed { what, versions, claimed: said } in claimed {
            let Some((version, patched)) = versions else {
                claims.push(Claim { what: what.clone(), claimed: *said, seen: None });
                continue;
            };
            let parts = Arc::new(decompose(version, patched, Level::File)?);
            let set = parts.all();
            let deltas = Deltas::new(parts, false);
            let state = TreeState { space: Arc::new(Space::Deltas(deltas)), set };
            let seen = decide_again(&mut workers, &state, &rule, learned.flaky.as_ref())?;
            let seen = seen.map(|(verdict, _)| verdict);
            claims.push(Claim { what: what.clone(), claimed: *said, seen });
            progress(Check { done: claims.len(), total: claimed.len() });
        }
        Ok(Verified { claims })
    }
}
