//! The claims of an answer of `history`: the versions with its patches.

use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_run::Stop;
use whodunit_run::judge::Inability;
use whodunit_versions::{Version, decompose_in_place};

use super::{HistoryError, checkout, lineage, links_of, overlay_of};
use crate::answer::{Begins, Cause, HistoryAnswer, HistoryOutcome, NotARegression, RevisionAnswer};
use crate::changes::{
    ChangesError, ReplayVersions, VersionClaim, decomposition_level, each_without, key_of, patched,
    version_of,
};
use crate::settings::{HistorySettings, Surroundings};
use crate::verify::{Check, Verified};

/// Tests the versions of an answer with its patches, in clean folders.
pub fn verify(
    answer: &HistoryAnswer,
    surroundings: &Surroundings,
    stop: &Stop,
    progress: impl FnMut(Check),
) -> Result<Verified, HistoryError> {
    let committed = called(&answer.newest, &answer.settings, surroundings, stop)?;
    let mut links = links_of(&answer.settings)?;
    let has_script = links.has_script();
    let whole = links.clone();
    if answer.learned.own_script.is_some()
        && let Some((_, own)) = links.with_own_scripts(&committed)?
    {
        links = own;
    }
    let overlay = overlay_of(&answer.settings, &committed)?.with(links.clone());
    let uncommitted = checkout::uncommitted_tests(&answer.settings, &committed)?;
    let newest = uncommitted.over(overlay.over(committed));
    if key_of(&[&whole.without_script(newest.clone())])? != answer.key {
        return Err(ChangesError::Changed.into());
    }
    let read = |revision: &RevisionAnswer| -> Result<Version, HistoryError> {
        Ok(overlay.over(called(revision, &answer.settings, surroundings, stop)?))
    };
    let claimed = claims(answer, &newest, read)?;
    let (settings, learned) = (&answer.settings.how, &answer.learned);
    let rule = learned.rule(Inability::LeavesOpen);
    let replay = ReplayVersions { settings, surroundings, learned, rule, has_script };
    Ok(replay.run(claimed, stop, progress)?)
}

/// Reads the version that has a name, whatever else was asked for. What an answer says of it must be so.
fn called(
    said: &RevisionAnswer,
    settings: &HistorySettings,
    surroundings: &Surroundings,
    stop: &Stop,
) -> Result<Version, HistoryError> {
    let settings = HistorySettings {
        good: None,
        since: None,
        until: Some(said.id.clone()),
        paths: Vec::new(),
        ..settings.clone()
    };
    let history = lineage::open(&settings, surroundings, stop)?;
    let found = history.revision(0)?;
    let time = found.time.map(|time| time.seconds);
    if (&found.id, found.title(), &found.author, time)
        != (&said.id, &*said.title, &said.author, said.time)
    {
        return Err(ChangesError::Changed.into());
    }
    Ok(version_of(history.list(0)?))
}

/// A version with what the test needs there.
struct End {
    name: String,
    version: Version,
}

impl End {
    fn new(
        answer: &HistoryAnswer,
        revision: &RevisionAnswer,
        version: &Version,
    ) -> Result<Self, HistoryError> {
        let name = revision.short_id.clone();
        Ok(match answer.back_port.given(revision) {
            Some(patch) => End {
                version: patched((&name, version), ("back-port.patch", patch))?,
                name: format!("{name} + back-port"),
            },
            None => End { name, version: version.clone() },
        })
    }

    fn named(&self) -> (&str, &Version) {
        (&self.name, &self.version)
    }
}

/// Returns what a cause claims of each of its changes.
fn each_needed(
    answer: &HistoryAnswer,
    good: &End,
    bad: &End,
    cause: &Cause,
) -> Result<Vec<VersionClaim>, HistoryError> {
    let level = decomposition_level(answer.settings.how.level);
    let parts = Arc::new(decompose_in_place(&good.version, &bad.version, level)?);
    let patched = patched(good.named(), ("culprit.patch", &cause.culprit_patch))?;
    Ok(each_without((&good.name, &patched), &parts, cause, answer.settings.how.ordered)?)
}

/// Returns what an answer claims of which version.
fn claims(
    answer: &HistoryAnswer,
    newest: &Version,
    read: impl Fn(&RevisionAnswer) -> Result<Version, HistoryError>,
) -> Result<Vec<VersionClaim>, HistoryError> {
    let open = |revision: &RevisionAnswer| End::new(answer, revision, &read(revision)?);
    let name = format!("the newest version ({})", answer.newest.short_id);
    let mut claims = vec![VersionClaim::of(&name, newest, Verdict::Fail)];
    if let Some(forward) = &answer.forward {
        let fix = ("fix.patch", &forward.patch);
        claims.push(VersionClaim::with((&name, newest), fix, forward.proof.verdict())?);
    }
    match &answer.outcome {
        HistoryOutcome::Found { suspects, good, instead, causes, .. } => {
            let good = open(good)?;
            let claimed = if instead.is_none() { Verdict::Pass } else { Verdict::Unresolved };
            claims.push(VersionClaim::of(&good.name, &good.version, claimed));
            if let Some(bad) = suspects.first().filter(|bad| bad.place > 0) {
                let bad = open(bad)?;
                claims.push(VersionClaim::of(&bad.name, &bad.version, Verdict::Fail));
            }
            for cause in causes {
                if let Some(claimed) = cause.proof.good_with_culprit {
                    let culprit = ("culprit.patch", &cause.culprit_patch);
                    claims.push(VersionClaim::with(good.named(), culprit, claimed.verdict())?);
                }
                if let Some(bad) = suspects.first() {
                    claims.extend(each_needed(answer, &good, &open(bad)?, cause)?);
                }
                if let (Some(claimed), Some(bad)) = (cause.proof.bad_without_fix, suspects.first())
                {
                    let (bad, fix) = (open(bad)?, ("its fix", &cause.fix_patch));
                    claims.push(VersionClaim::with(bad.named(), fix, claimed.verdict())?);
                }
                if let (Some(spot), Some(bad)) = (&cause.spot, suspects.first()) {
                    let (bad, without) = (open(bad)?, ("without-spot.patch", &spot.patch));
                    claims.push(VersionClaim::with(bad.named(), without, spot.passes.verdict())?);
                }
            }
        }
        HistoryOutcome::NotARegression(NotARegression { oldest, begins, .. }) => {
            if let Some(begins) = begins.as_deref() {
                // Without the back-port.
                let Begins { failing, failing_test, before, before_test, .. } = begins;
                for (it, test, claimed) in [
                    (failing, failing_test, Verdict::Fail),
                    (before, before_test, Verdict::Unresolved),
                ] {
                    if it.place > 0 {
                        let (name, version) = (&it.short_id, read(it)?);
                        claims.push(match test {
                            Some(test) => {
                                VersionClaim::with((name, &version), ("test.patch", test), claimed)?
                            }
                            None => VersionClaim::of(name, &version, claimed),
                        });
                    }
                }
            }
            if oldest.place > 0 {
                let oldest = open(oldest)?;
                claims.push(VersionClaim::of(&oldest.name, &oldest.version, Verdict::Fail));
            }
        }
        HistoryOutcome::Untestable { oldest, .. } | HistoryOutcome::Unfinished { oldest } => {
            if oldest.place > 0 {
                let oldest = open(oldest)?;
                claims.push(VersionClaim::of(&oldest.name, &oldest.version, Verdict::Fail));
            }
        }
    }
    Ok(claims)
}
