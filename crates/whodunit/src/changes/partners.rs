//! Finds the changes of the other side of a merge that the culprit needs to fail.
//!
//! The culprit is on the merged side. It is added to each commit of the other side, which are
//! bisected like any history. The first commit with which it fails is its partner.

use std::sync::Arc;

use whodunit_core::strategy::Persistence;
use whodunit_core::{DeltaSet, Verdict};
use whodunit_run::Ended;
use whodunit_run::evidence::{Claim, EachNeeded};
use whodunit_versions::{Level, decompose};

use super::cause::{describe, without_each};
use super::commit_row::{Carried, Commits};
use super::commits::{Merge, bisect, described};
use super::deltas::Deltas;
use super::in_space::Space;
use super::trees::{TreeState, Versions, at};
use super::versions::Source;
use super::{ChangesError, Finder, compare, culprit};
use crate::answer::{CommitAnswer, EndsProof, Partner};

/// Finds the partners of a culprit. The culprit is the difference of two versions, `before` and
/// `with`.
pub(super) fn find(
    finder: &mut Finder<'_>,
    source: &Arc<Source>,
    merge: &Merge,
    (before, with): (&TreeState, &TreeState),
    persistence: Persistence,
) -> Result<Vec<Partner>, ChangesError> {
    if finder.lab.ended != Ended::Done || merge.own.is_empty() {
        return Ok(Vec::new());
    }
    let (from, to) = (before.version()?, with.version()?);
    let commits = |row: &[_]| {
        let carried = Carried { from: from.clone(), to: to.clone() };
        Commits::new(source.clone(), merge.base.clone(), row.to_vec()).carrying(carried)
    };
    let row = Arc::new(commits(&merge.own));
    match finder.ask_in_time(&at(row, 0))? {
        Some(Verdict::Pass) => {}
        // The culprit fails without the other side. So its own side hides it, and it has no
        // partner.
        Some(Verdict::Fail) | None => return Ok(Vec::new()),
        Some(Verdict::Unresolved) => {
            return Ok(merge.own.iter().map(|it| named(described(it), None)).collect());
        }
    }
    let turn = bisect(finder, commits(&merge.own))?;
    let place = merge.own.iter().position(|commit| commit.id == turn.passing.id);
    let first = place.map_or(0, |place| place + 1);
    let commits = commits(&merge.own);
    let versions = (commits.version(first)?, commits.version(first + turn.suspects.len())?);
    let compared = finder.until_stopped(|finder| {
        compare(&finder.search_stop(), decompose, &versions.0, &versions.1, Level::Line)
    })?;
    let Some(parts) = compared else {
        return Ok(turn.suspects.iter().map(|it| named(described(it), None)).collect());
    };
    let ends = finder.both_ends(&parts)?;
    if ends.is_refuted(Verdict::Pass) {
        // Not even folders with earlier builds or an interruption explain this contradiction, so no
        // partner is certain.
        return Ok(Vec::new());
    }
    let named = |it| named(described(it), Some(ends));
    let mut partners: Vec<Partner> = turn.suspects.iter().map(named).collect();
    if let ([only], Ended::Done) = (&mut partners[..], finder.lab.ended) {
        let needed = finder.until_stopped(|finder| culprit::needed(finder, &parts, persistence))?;
        let Some(mut needed) = needed else { return Ok(partners) };
        let mut each_needed = EachNeeded::default();
        if needed.is_smallest && finder.lab.ended == Ended::Done {
            let space = Arc::new(Deltas::new(parts.clone(), false));
            let none = DeltaSet::empty();
            each_needed = without_each(finder, &space, &mut needed.suspects, &none)?;
            let whole = space.tree(needed.suspects.clone());
            let fails = finder.lab.claim_all(&[whole])?.pop().flatten();
            if fails.map(Claim::verdict) != Some(Verdict::Fail) {
                each_needed = EachNeeded::default();
            }
        }
        let name = only.commit.short_id.clone();
        only.changes = describe(&parts, &needed.suspects, |_| Some(name.clone()));
        only.each_needed = Some(each_needed);
    }
    Ok(partners)
}

fn named(commit: CommitAnswer, ends: Option<EndsProof>) -> Partner {
    Partner { commit, changes: Vec::new(), each_needed: None, ends }
}
