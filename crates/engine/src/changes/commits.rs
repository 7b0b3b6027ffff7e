//! Finds the commit first, where there is a history between the versions.
//!
//! The first parents from the good version to the bad one are bisected: each commit needs those
//! before it. If a merge did it, what it merged is looked into next: if the merged side fails by
//! itself, the commit is on that side; if it passes, the two sides do not go together.

use std::sync::Arc;

use whodunit_changes::Version;
use whodunit_core::searches::{ChangeSet, Closure};
use whodunit_core::{DeltaSet, Implications, Search, Verdict};
use whodunit_vcs::git::CommitInfo;

use super::answer::CommitAnswer;
use super::trees::{Commits, Space, TreeState};
use super::versions::{End, Ends, Source};
use super::{ChangesError, Hunt};
use crate::engine::Ended;
use crate::event::Stage;

/// What the commits tell.
#[derive(Default)]
pub(super) struct Narrowed {
    /// The commits that did it, oldest first.
    pub(super) commits: Vec<CommitAnswer>,
    /// How many there are between the versions.
    pub(super) between: u64,
    /// The versions before and after them, if they are not the given ones.
    pub(super) versions: Option<(Version, Version)>,
    /// What those are called.
    names: Option<(String, String)>,
}

impl Narrowed {
    pub(super) fn good_name(&self, given: &End) -> String {
        self.names.as_ref().map_or_else(|| given.name.clone(), |(good, _)| good.clone())
    }

    pub(super) fn bad_name(&self, given: &End) -> String {
        self.names.as_ref().map_or_else(|| given.name.clone(), |(_, bad)| bad.clone())
    }
}

/// Finds the commit, if both versions are commits and one comes from the other.
pub(super) fn narrow(hunt: &mut Hunt<'_>, ends: &Ends) -> Result<Narrowed, ChangesError> {
    let (Some(source), Some(good), Some(bad)) =
        (&ends.repository, &ends.good.commit, &ends.bad.commit)
    else {
        return Ok(Narrowed::default());
    };
    if !source.repository.is_ancestor(good.id, bad.id)? {
        return Ok(Narrowed::default());
    }
    let history = source.repository.history(good.id, bad.id)?;
    let between = history.commits.len() as u64;
    let mut row: Vec<CommitInfo> =
        history.first_parents.iter().map(|&place| history.commits[place].clone()).collect();
    let mut before = good.clone();
    loop {
        let found = bisect(hunt, source, &before, &row)?;
        let Some(side) = merged_side(hunt, source, &found)? else {
            return finish(source, &found, between);
        };
        (before, row) = side;
    }
}

/// Commits that turn passing into failing.
struct Turn {
    /// The last commit that passes.
    passing: CommitInfo,
    /// Those after it up to the first that fails.
    suspects: Vec<CommitInfo>,
}

fn bisect(
    hunt: &mut Hunt<'_>,
    source: &Arc<Source>,
    before: &CommitInfo,
    row: &[CommitInfo],
) -> Result<Turn, ChangesError> {
    let count = row.len();
    let commits = Commits::new(source.clone(), before.clone(), row.to_vec());
    let space = Arc::new(Space::Commits(commits));
    let changes = ChangeSet { implications: Implications::chain(count), ..ChangeSet::new(count) };
    let mut passed = vec![0];
    let mut failing = count;
    if count > 1 {
        let mut watch = |set: &DeltaSet, verdict| match verdict {
            Verdict::Pass => passed.push(set.len()),
            Verdict::Fail | Verdict::Unresolved => {}
        };
        let search =
            hunt.search(Stage::Commit, Closure::over(changes), &space, count, &mut watch)?;
        failing = search.best().len().max(1);
    }
    let passing = passed.into_iter().filter(|&it| it < failing).max().unwrap_or(0);
    let at = |count: usize| count.checked_sub(1).map_or(before, |last| &row[last]);
    Ok(Turn { passing: at(passing).clone(), suspects: row[passing..failing].to_vec() })
}

/// Returns what was merged, and the commit that it began from, if a merge did it and the merged
/// side fails by itself.
fn merged_side(
    hunt: &mut Hunt<'_>,
    source: &Arc<Source>,
    turn: &Turn,
) -> Result<Option<(CommitInfo, Vec<CommitInfo>)>, ChangesError> {
    let [merge] = &turn.suspects[..] else { return Ok(None) };
    let [_, side] = merge.parents[..] else { return Ok(None) };
    let Some(base) = source.repository.merge_base(turn.passing.id, side)? else { return Ok(None) };
    if hunt.ended != Ended::Done || base == side {
        return Ok(None);
    }
    let history = source.repository.history(base, side)?;
    let row: Vec<CommitInfo> =
        history.first_parents.iter().map(|&place| history.commits[place].clone()).collect();
    let base = source.repository.commit(base)?;
    let commits = Commits::new(source.clone(), base.clone(), row.clone());
    let space = Arc::new(Space::Commits(commits));
    let tip = TreeState { space: space.clone(), set: DeltaSet::full(row.len()) };
    let root = TreeState { space, set: DeltaSet::empty() };
    let is_turn = hunt.ask(&tip)? == Verdict::Fail && hunt.ask(&root)? == Verdict::Pass;
    Ok(is_turn.then_some((base, row)))
}

fn finish(source: &Arc<Source>, turn: &Turn, between: u64) -> Result<Narrowed, ChangesError> {
    let Some(last) = turn.suspects.last() else { return Ok(Narrowed::default()) };
    let versions = (source.version(turn.passing.id)?, source.version(last.id)?);
    Ok(Narrowed {
        names: Some((turn.passing.short_id.clone(), last.short_id.clone())),
        versions: Some(versions),
        commits: turn.suspects.iter().map(described).collect(),
        between,
    })
}

fn described(commit: &CommitInfo) -> CommitAnswer {
    CommitAnswer {
        id: commit.id.to_string(),
        short_id: commit.short_id.clone(),
        title: commit.title.clone(),
        author: commit.author.name.clone(),
        time: commit.author.time.seconds,
        parents: commit.parents.len() as u64,
    }
}
