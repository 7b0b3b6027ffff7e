//! Finds the commit first, if there is a history between the versions.
//!
//! The commits on a path from the good version to the bad one, from parent to child, are bisected:
//! each commit needs those before it. If a merge causes the failure, its merged side is tested
//! next. If that side fails on its own, the search continues there; if it passes, the two sides do
//! not work together. If the bad version does not come from the good one, the commit where the two
//! parted replaces the good version, provided that it passes.

use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_run::Ended;
use whodunit_vcs::git::{CommitInfo, History};
use whodunit_versions::Version;

use super::commit_row::Commits;
use super::finder::Bisected;
use super::trees::{TreeState, at};
use super::versions::{Ends, Source};
use super::{ChangesError, Finder, noisy_row};
use crate::answer::{Base, CommitAnswer, CommitPair, Compared};
use crate::event::Stage;

/// The result of the search among the commits.
#[derive(Clone, Default)]
pub(super) struct Narrowed {
    /// The number of commits between the versions.
    pub(super) between: u64,
    /// The place where passing turns into failing, if there is a history.
    pub(super) turn: Option<Turn>,
    /// The versions before and after that place, if they are not the given ones.
    pub(super) versions: Option<(Version, Version)>,
    /// The sides of a merge that causes the failure, if each side passes.
    pub(super) merge: Option<Merge>,
    /// The commit where the versions parted, if the bad one does not come from the good one.
    pub(super) base: Option<Base>,
}

/// Neighbouring commits at which passing turns into failing.
#[derive(Clone)]
pub(super) struct Turn {
    /// The last commit that passes.
    pub(super) passing: CommitInfo,
    /// The commits after it, up to the first one that fails.
    pub(super) suspects: Vec<CommitInfo>,
}

/// A merge of two sides that each pass.
#[derive(Clone)]
pub(super) struct Merge {
    /// The commit where the sides parted.
    pub(super) base: CommitInfo,
    /// The commits of the side that was merged into, oldest first.
    pub(super) own: Vec<CommitInfo>,
    /// The commits of the side that was merged, oldest first.
    pub(super) merged: Vec<CommitInfo>,
}

impl Narrowed {
    /// Returns the commits that cause the failure, oldest first.
    pub(super) fn suspects(&self) -> &[CommitInfo] {
        self.turn.as_ref().map_or(&[], |turn| &turn.suspects)
    }

    /// Returns the two versions that changes lie between.
    pub(super) fn compared(&self, ends: &Ends) -> Compared {
        let beside =
            self.turn.as_ref().and_then(|turn| Some((&turn.passing, turn.suspects.last()?)));
        let pair = |(good, bad): (&CommitInfo, &CommitInfo)| CommitPair {
            good: good.id.to_string(),
            bad: bad.id.to_string(),
        };
        let given = ends.good.commit.as_ref().zip(ends.bad.commit.as_ref()).map(pair);
        Compared {
            good: beside.map_or_else(|| ends.good.name.clone(), |(good, _)| good.short_id.clone()),
            bad: beside.map_or_else(|| ends.bad.name.clone(), |(_, bad)| bad.short_id.clone()),
            commits: beside.map(pair).or_else(|| given.clone()),
            given,
            key: Some(ends.key),
        }
    }
}

/// Finds the commit, if both versions are commits with a common history.
pub(super) fn narrow(finder: &mut Finder<'_>, ends: &Ends) -> Result<Narrowed, ChangesError> {
    let (Some(source), Some(good), Some(bad)) =
        (&ends.repository, &ends.good.commit, &ends.bad.commit)
    else {
        return Ok(Narrowed::default());
    };
    let (searching, repository) = (finder.search_stop(), source.repository.clone());
    let (good_id, bad_id) = (good.id, bad.id);
    let base = searching.wait_for(move || repository.merge_base(good_id, bad_id))??;
    let Some(base) = base else { return Ok(Narrowed::default()) };
    let (mut before, mut base) = (source.repository.commit(base)?, None);
    if before.id != good.id {
        if ask(finder, source, &before)?.is_none() {
            return Ok(Narrowed::default());
        }
        // The answer names a commit only because of this verdict, so the verdict must support a
        // claim.
        let claims = finder.lab.claim_all(&[alone(source, &before)])?;
        let Some(verdict) = claims[0] else { return Ok(Narrowed::default()) };
        base = Some(Base { commit: described(&before), verdict });
        if verdict.verdict() != Verdict::Pass {
            return Ok(Narrowed { base, ..Narrowed::default() });
        }
    }
    let (repository, from) = (source.repository.clone(), before.id);
    let history = searching.wait_for(move || repository.history(from, bad_id))??;
    let between = history.commits.len() as u64;
    let mut row = path(&history);
    loop {
        let turn = bisect(finder, Commits::new(source.clone(), before.clone(), row))?;
        let merge = match merged_side(finder, source, &turn, &before)? {
            Side::Fails { base, merged } => {
                (before, row) = (base, merged);
                continue;
            }
            Side::Passes(merge) => Some(merge),
            Side::Nothing => None,
        };
        let Some(last) = turn.suspects.last() else { return Ok(Narrowed::default()) };
        let versions = (source.version(turn.passing.id)?, source.version(last.id)?);
        let versions = Some(versions);
        return Ok(Narrowed { between, versions, merge, base, turn: Some(turn) });
    }
}

/// Asks about a commit; `None` after the end of the searches.
fn ask(
    finder: &mut Finder<'_>,
    source: &Arc<Source>,
    commit: &CommitInfo,
) -> Result<Option<Verdict>, ChangesError> {
    finder.ask_in_time(&alone(source, commit))
}

/// Returns a commit as a candidate.
fn alone(source: &Arc<Source>, commit: &CommitInfo) -> TreeState {
    let commits = Commits::new(source.clone(), commit.clone(), Vec::new());
    at(Arc::new(commits), 0)
}

/// Returns the commits of a history on the way to its last one.
pub(super) fn path(history: &History) -> Vec<CommitInfo> {
    history.path.iter().map(|&place| history.commits[place].clone()).collect()
}

/// Finds where a row of commits turns from passing to failing. The version before the row passes,
/// and the last commit fails.
pub(super) fn bisect(finder: &mut Finder<'_>, commits: Commits) -> Result<Turn, ChangesError> {
    let count = commits.row.len();
    let commits = &Arc::new(commits);
    if let Some(noise) = finder.lab.noise().filter(|_| count > 1) {
        return noisy_row::bisect(finder, commits, noise);
    }
    let Bisected { passing, failing, .. } =
        finder.bisect(Stage::Commit, count, commits, |search| search)?;
    let suspects = commits.row[passing..failing].to_vec();
    Ok(Turn { passing: commits.at(passing).clone(), suspects })
}

/// The outcome for the merged side of a merge.
enum Side {
    /// It fails on its own, and `base` does not.
    Fails { base: CommitInfo, merged: Vec<CommitInfo> },
    /// It passes on its own, like the other side.
    Passes(Merge),
    /// The commit is no merge, or the side cannot be tested.
    Nothing,
}

fn merged_side(
    finder: &mut Finder<'_>,
    source: &Arc<Source>,
    turn: &Turn,
    before: &CommitInfo,
) -> Result<Side, ChangesError> {
    if finder.lab.ended != Ended::Done {
        return Ok(Side::Nothing);
    }
    let Some((merge, tip)) = sides(source, turn)? else { return Ok(Side::Nothing) };
    Ok(match ask(finder, source, &tip)? {
        Some(Verdict::Fail) => fails_alone(finder, source, merge, &tip, before)?,
        Some(Verdict::Pass) => Side::Passes(merge),
        Some(Verdict::Unresolved) | None => Side::Nothing,
    })
}

/// Returns the commits that lead to a failing merged side from a version that passes: from the base
/// of the merge or, if the base does not pass, from `before`, which does.
fn fails_alone(
    finder: &mut Finder<'_>,
    source: &Arc<Source>,
    merge: Merge,
    tip: &CommitInfo,
    before: &CommitInfo,
) -> Result<Side, ChangesError> {
    match ask(finder, source, &merge.base)? {
        Some(Verdict::Pass) => Ok(Side::Fails { base: merge.base, merged: merge.merged }),
        Some(_) if source.repository.merge_base(before.id, tip.id)? == Some(before.id) => {
            let merged = path(&source.repository.history(before.id, tip.id)?);
            Ok(Side::Fails { base: before.clone(), merged })
        }
        Some(_) | None => Ok(Side::Nothing),
    }
}

/// Returns the two sides of the merge at which a row turns, and the last commit of the merged side.
/// `None` if the turn is not at a merge, or if one side comes from the other.
pub(super) fn sides(
    source: &Source,
    turn: &Turn,
) -> Result<Option<(Merge, CommitInfo)>, ChangesError> {
    let [merge] = &turn.suspects[..] else { return Ok(None) };
    let others = merge.parents.iter().filter(|parent| **parent != turn.passing.id);
    let [side] = others.copied().collect::<Vec<_>>()[..] else { return Ok(None) };
    let repository = &source.repository;
    let base = repository.merge_base(turn.passing.id, side)?;
    let Some(base) = base.filter(|base| *base != side) else { return Ok(None) };
    let row = |tip| repository.history(base, tip).map(|history| path(&history));
    let (merged, own) = (row(side)?, row(turn.passing.id)?);
    let merge = Merge { base: repository.commit(base)?, own, merged };
    Ok(Some((merge, repository.commit(side)?)))
}

/// Returns a commit in the form that answers use.
pub(super) fn described(commit: &CommitInfo) -> CommitAnswer {
    CommitAnswer {
        id: commit.id.to_string(),
        short_id: commit.short_id.clone(),
        title: commit.title.clone(),
        author: commit.author.name.clone(),
        time: commit.author.time.seconds,
        parents: commit.parents.len() as u64,
    }
}
