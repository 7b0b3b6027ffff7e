//! Verifies what an answer says about the other side of a merge: which commits fail with the culprit.
//!
//! The commits are found again in the repository.

use std::sync::Arc;

use whodunit_core::{Delta, DeltaSet, Verdict};
use whodunit_run::evidence::{Claim, EachNeeded};
use whodunit_vcs::git::CommitInfo;
use whodunit_versions::{Decomposition, Level, Version, decompose};

use crate::answer::{Cause, ChangeAnswer, EndsProof, Partner};
use crate::changes::ChangesError;
use crate::changes::cause::{describe, smaller};
use crate::changes::commit_row::{Carried, Commits};
use crate::changes::commits::{Merge, described};
use crate::changes::needed::place;
use crate::changes::replay::VersionClaim;
use crate::changes::trees::Versions;
use crate::changes::versions::{Ends, Source};
use crate::verify::Said;

/// The partners of a cause, rebuilt from the repository.
#[derive(Default)]
pub(super) struct Partners {
    /// The claims about versions with them.
    pub(super) claims: Vec<VersionClaim>,
    /// The partners that are commits of the other side; empty if these do not follow one another.
    pub(super) list: Vec<Partner>,
}

/// Rebuilds the partners of a cause; `patched` is the version before the merge with the culprit.
pub(super) fn partners(
    cause: &Cause,
    (source, merge): (&Arc<Source>, &Merge),
    (beside, patched): (&Ends, &Version),
    is_ordered: bool,
) -> Result<Partners, ChangesError> {
    let mut found = Partners::default();
    let mut places = Vec::new();
    for partner in &cause.partners {
        let is_it = |own: &CommitInfo| own.id.to_string() == partner.commit.id;
        if let Some(place) = merge.own.iter().position(is_it) {
            places.push(place);
            let commit = described(&merge.own[place]);
            found.list.push(Partner { commit, ..partner.clone() });
        }
    }
    let (Some(&first), Some(EndsProof { good, bad })) =
        (places.first(), cause.partners.iter().find_map(|it| it.ends))
    else {
        return Ok(found);
    };
    let carried = Carried { from: beside.good.version.clone(), to: patched.clone() };
    let commits = Commits::new(source.clone(), merge.base.clone(), merge.own.clone());
    let commits = commits.carrying(carried);
    let last = first + places.len();
    if places.iter().copied().ne(first..last) {
        found.list.clear();
        return Ok(found);
    }
    for (place, claim) in [(first, good), (last, bad)] {
        let on = on(commits.at(place));
        let version = commits.version(place)?;
        let claim = claim.map(Claim::verdict);
        found.claims.extend(claim.map(|claim| VersionClaim::of(&on, &version, claim)));
    }
    if let [partner] = &mut found.list[..] {
        let (before, after) = (commits.version(first)?, commits.version(last)?);
        let parts = decompose(&before, &after, Level::Line)?;
        let name = partner.commit.short_id.clone();
        let all: Vec<(Delta, ChangeAnswer)> = parts
            .all()
            .iter()
            .zip(describe(&parts, &parts.all(), |_| Some(name.clone())))
            .collect();
        let needed: Vec<_> =
            all.into_iter().filter(|(_, change)| partner.changes.contains(change)).collect();
        let set: DeltaSet = needed.iter().map(|(delta, _)| *delta).collect();
        partner.changes = needed.into_iter().map(|(_, change)| change).collect();
        if partner.each_needed.is_some_and(EachNeeded::holds) {
            let on = on(commits.at(first));
            found.claims.extend(each_of((&name, &set), &on, &parts, is_ordered));
        }
    }
    Ok(found)
}

/// Returns the claims about the changes of a partner: the version before the partner fails with all of
/// them, and does not fail if one is missing.
fn each_of(
    (name, all): (&str, &DeltaSet),
    on: &str,
    parts: &Decomposition,
    is_ordered: bool,
) -> Vec<VersionClaim> {
    let before = parts.version(&DeltaSet::empty());
    let whole = format!("{on} + needed changes of {name}");
    let mut claims = vec![VersionClaim::of(&whole, &parts.version(all), Verdict::Fail)];
    claims.extend(smaller(all, is_ordered).into_iter().map(|kept| {
        let left_out = describe(parts, &all.minus(&kept), |_| None);
        let places: Vec<String> = left_out.iter().map(place).collect();
        let what = format!("{whole} without {}", places.join(", "));
        VersionClaim::said(what, (&before, parts.version(&kept)), Said::NotFail)
    }));
    claims
}

fn on(commit: &CommitInfo) -> String {
    format!("{} + culprit", commit.short_id)
}
