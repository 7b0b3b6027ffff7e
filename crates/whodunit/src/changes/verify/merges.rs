//! The claims of an answer about commits beside the culprit: the commit where the versions parted,
//! and the changes of the other side of a merge that the culprit needs.
//!
//! The commits are looked up again in the repository. An answer that names other commits is refuted
//! without a test.

use std::sync::Arc;

use whodunit_core::{DeltaSet, Verdict};
use whodunit_run::evidence::EachNeeded;
use whodunit_vcs::git::CommitInfo;
use whodunit_versions::{Decomposition, Level, Version, decompose};

use super::suspects::is;
use crate::answer::{Base, Cause, ChangeAnswer, ChangesAnswer, CommitAnswer, EndsProof, Partner};
use crate::changes::ChangesError;
use crate::changes::cause::{describe, smaller};
use crate::changes::commit_row::{Carried, Commits};
use crate::changes::commits::{Turn, sides};
use crate::changes::needed::place;
use crate::changes::replay::VersionClaim;
use crate::changes::trees::Versions;
use crate::changes::versions::{Ends, Source};
use crate::verify::Said;

/// Returns the claim of an answer about the commit where the versions parted.
pub(super) fn base(
    answer: &ChangesAnswer,
    given: &Ends,
) -> Result<Option<VersionClaim>, ChangesError> {
    let Some(Base { commit, verdict }) = &answer.base else { return Ok(None) };
    let what = format!("{}, where the versions parted", commit.short_id);
    let unfounded = Ok(Some(VersionClaim::unfounded(what.clone())));
    let (Some(source), Some(good), Some(bad)) =
        (&given.repository, &given.good.commit, &given.bad.commit)
    else {
        return unfounded;
    };
    let Some(parted) = source.repository.merge_base(good.id, bad.id)? else { return unfounded };
    if !is(commit, &source.repository.commit(parted)?) {
        return unfounded;
    }
    Ok(Some(VersionClaim::of(&what, &source.version(parted)?, verdict.verdict())))
}

/// Returns the claims of a cause about its partners. `beside` holds the versions before the merge
/// and with it, and `patched` is the former with the culprit.
pub(super) fn partners(
    answer: &ChangesAnswer,
    cause: &Cause,
    (beside, patched): (&Ends, &Version),
) -> Result<Vec<VersionClaim>, ChangesError> {
    // Either all partners were tested together, or none.
    let Some(ends) = cause.partners.iter().find_map(|it| it.ends) else { return Ok(Vec::new()) };
    let unfounded = || Ok(vec![VersionClaim::unfounded("the other side of the merge".into())]);
    let named: Vec<&CommitAnswer> = cause.partners.iter().map(|it| &it.commit).collect();
    let Some((source, turn)) = turn(answer, beside)? else { return unfounded() };
    let Some((merge, _)) = sides(&source, &turn)? else { return unfounded() };
    let is_named =
        |row: &[CommitInfo]| row.iter().zip(&named).all(|(commit, named)| is(named, commit));
    let Some(first) = merge.own.windows(named.len()).position(is_named) else {
        return unfounded();
    };
    let carried = Carried { from: beside.good.version.clone(), to: patched.clone() };
    let commits = Commits::new(source, merge.base, merge.own).carrying(carried);
    let last = first + named.len();
    let mut claims = Vec::new();
    let EndsProof { good, bad } = ends;
    for (place, claim) in [(first, good), (last, bad)] {
        let on = on(commits.at(place));
        let version = commits.version(place)?;
        claims.extend(claim.map(|claim| VersionClaim::of(&on, &version, claim.verdict())));
    }
    if let [partner] = &cause.partners[..]
        && partner.each_needed.is_some_and(EachNeeded::holds)
    {
        let versions = (commits.version(first)?, commits.version(last)?);
        let parts = decompose(&versions.0, &versions.1, Level::Line)?;
        let is_ordered = answer.settings.how.ordered;
        claims.extend(each_of(partner, &on(commits.at(first)), &parts, is_ordered));
    }
    Ok(claims)
}

/// Returns the place where passing turns into failing according to an answer, with the repository.
fn turn(
    answer: &ChangesAnswer,
    beside: &Ends,
) -> Result<Option<(Arc<Source>, Turn)>, ChangesError> {
    let (Some(source), Some(passing), Some(failing), [merge]) =
        (&beside.repository, &beside.good.commit, &beside.bad.commit, &answer.commits[..])
    else {
        return Ok(None);
    };
    if !is(merge, failing) {
        return Ok(None);
    }
    let turn = Turn { passing: passing.clone(), suspects: vec![failing.clone()] };
    Ok(Some((source.clone(), turn)))
}

/// Returns the claims about the changes of a partner: with all of them the version before it fails,
/// without any one of them it does not.
fn each_of(
    partner: &Partner,
    on: &str,
    parts: &Decomposition,
    is_ordered: bool,
) -> Vec<VersionClaim> {
    let name = &partner.commit.short_id;
    let Some(all) = found(parts, &partner.changes, name) else {
        return vec![VersionClaim::unfounded(format!("{on} without each change of {name}"))];
    };
    let before = parts.version(&DeltaSet::empty());
    let whole = format!("{on} + needed changes of {name}");
    let mut claims = vec![VersionClaim::of(&whole, &parts.version(&all), Verdict::Fail)];
    claims.extend(smaller(&all, is_ordered).into_iter().map(|kept| {
        let left_out = describe(parts, &all.minus(&kept), |_| None);
        let places: Vec<String> = left_out.iter().map(place).collect();
        let what = format!("{whole} without {}", places.join(", "));
        VersionClaim::said(what, (&before, parts.version(&kept)), Said::NotFail)
    }));
    claims
}

/// Finds changes of a commit by their description in an answer; `None` if one does not exist.
fn found(parts: &Decomposition, changes: &[ChangeAnswer], commit: &str) -> Option<DeltaSet> {
    let all: Vec<_> = parts.all().iter().collect();
    let described = describe(parts, &parts.all(), |_| Some(commit.to_owned()));
    let number = |change| described.iter().position(|it| it == change).map(|place| all[place]);
    let found: DeltaSet =
        changes.iter().map(number).collect::<Option<Vec<_>>>()?.into_iter().collect();
    (!changes.is_empty() && found.len() == changes.len()).then_some(found)
}

fn on(commit: &CommitInfo) -> String {
    format!("{} + culprit", commit.short_id)
}
