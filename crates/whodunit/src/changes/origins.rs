//! Finds the commit that each change came with, if the history tells.
//!
//! In a row of several commits each line has the commit that added it. For a merge, the commits of
//! the merged side are applied to the other side, one after the other, to make such a row.

use std::sync::Arc;

use whodunit_vcs::git::CommitInfo;
use whodunit_versions::{Decomposition, Version, Weave, carried};

use super::ChangesError;
use super::commits::Narrowed;
use super::versions::Source;

/// Commits of a row that are read; for a longer row the answer names no commits of changes.
const MOST: usize = 200;

/// The commit of each change.
#[derive(Default)]
pub(super) struct Origins {
    commits: Vec<CommitInfo>,
    /// The place of the commit of each change.
    places: Vec<Option<usize>>,
}

impl Origins {
    /// Reads the suspected commits; without a history there are none.
    pub(super) fn of(
        source: Option<&Arc<Source>>,
        narrowed: &Narrowed,
        parts: &Decomposition,
    ) -> Result<Self, ChangesError> {
        let (Some(source), Some(turn)) = (source, &narrowed.turn) else {
            return Ok(Origins::default());
        };
        let commits = match &narrowed.merge {
            // Changes that the merge itself made come last.
            Some(merge) => merge.merged.iter().chain(&turn.suspects).cloned().collect(),
            None => turn.suspects.clone(),
        };
        let places = match commits.len() {
            1 => vec![Some(0); parts.len()],
            2..=MOST => {
                let versions = match &narrowed.merge {
                    Some(_) => merged_onto(source, narrowed, &commits)?,
                    None => in_a_row(source, &turn.passing, &commits)?,
                };
                let deltas = Weave::new(&versions)?.commits_of(parts).into_iter();
                deltas.map(|delta| delta.map(|delta| delta.0 as usize)).collect()
            }
            _ => vec![None; parts.len()],
        };
        Ok(Origins { commits, places })
    }

    /// Returns the commit of a change, if it is known.
    pub(super) fn commit(&self, change: u32) -> Option<&CommitInfo> {
        self.places.get(change as usize).copied().flatten().map(|place| &self.commits[place])
    }

    /// Returns a number for each change that differs between commits and is smaller for older ones;
    /// `None` if there is no history.
    pub(super) fn labels(&self) -> Option<Vec<u32>> {
        let label = |place: &Option<usize>| place.map_or(u32::MAX, |place| place as u32);
        (!self.commits.is_empty()).then(|| self.places.iter().map(label).collect())
    }
}

fn in_a_row(
    source: &Source,
    before: &CommitInfo,
    commits: &[CommitInfo],
) -> Result<Vec<Version>, ChangesError> {
    let all = std::iter::once(before).chain(commits);
    Ok(all.map(|commit| source.version(commit.id)).collect::<Result<_, _>>()?)
}

/// Applies the merged commits to the other side one by one; the last version is the merge.
fn merged_onto(
    source: &Source,
    narrowed: &Narrowed,
    commits: &[CommitInfo],
) -> Result<Vec<Version>, ChangesError> {
    let (Some(turn), Some(merge)) = (&narrowed.turn, &narrowed.merge) else {
        return Ok(Vec::new());
    };
    let mut versions = vec![source.version(turn.passing.id)?];
    let mut former = source.version(merge.base.id)?;
    for commit in &merge.merged {
        let version = source.version(commit.id)?;
        let onto = versions.last().cloned().unwrap_or_default();
        versions.push(carried(&onto, &former, &version)?);
        former = version;
    }
    for last in commits.iter().skip(merge.merged.len()) {
        versions.push(source.version(last.id)?);
    }
    Ok(versions)
}
