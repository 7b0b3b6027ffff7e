//! Finds what has to be carried from one version to the next for the outcome to stay the same.

use std::sync::Arc;

use whodunit_changes::{ChangeKind, Decomposition, Patch, Version, decompose};
use whodunit_core::{DeltaSet, Verdict};

use super::answer::{HistoryStep, PatchLines, StepResult, Way};
use super::{HistoryError, Journey};
use crate::changes::{Deltas, Goal, Space, TreeState, decomposition_level, key_of, smallest};
use crate::engine::Ended;

/// What came of it.
pub(super) struct Mended {
    /// The smallest patch that keeps the outcome.
    pub(super) patch: Arc<Patch>,
    /// The patch with all of the difference.
    pub(super) unreduced: Arc<Patch>,
    /// What passes although the newer version fails, if that was seen on the way.
    pub(super) passing: Option<Version>,
}

impl Journey<'_, '_> {
    /// Looks for the smallest part of the difference between a version and its neighbour, which
    /// shows the outcome, that brings the outcome to the version.
    pub(super) fn mend(
        &mut self,
        place: usize,
        version: &Version,
        neighbour: &Version,
        way: Way,
    ) -> Result<Mended, HistoryError> {
        let level = decomposition_level(self.hunt.settings.level);
        let parts = Arc::new(decompose(version, neighbour, level)?);
        let key = key_of(&[version, neighbour])?;
        let goal = match way {
            Way::Back => Goal::Fail,
            Way::Forward => Goal::Pass,
        };
        let whole = match way {
            // What a new file or function says must not be cut to pieces: what it does when it
            // passes is not seen while it fails.
            Way::Back => self.wholes(&parts),
            Way::Forward => Vec::new(),
        };
        let before = self.hunt.tally.committed;
        let space = Arc::new(Space::Deltas(Deltas::new(parts.clone(), key, true)));
        let nothing = TreeState { space: space.clone(), set: DeltaSet::empty() };
        let found = if self.hunt.ask(&nothing)? == goal.verdict() {
            DeltaSet::empty()
        } else {
            smallest(self.hunt, &parts, &space, goal, &whole)?
        };
        let unreduced = Arc::new(Patch::of(&parts, &parts.all()));
        let patch = Arc::new(Patch::of(&parts, &found));
        self.searches += 1;
        let result = StepResult::Searched {
            way,
            before: lines(&unreduced)?,
            after: (self.hunt.ended == Ended::Done).then(|| lines(&patch)).transpose()?,
            tests: self.hunt.tally.committed - before,
        };
        self.step(place, result)?;
        let passing = match way {
            Way::Back => self.passing(&parts, &space, &whole)?,
            Way::Forward => None,
        };
        Ok(Mended { patch, unreduced, passing })
    }

    /// Returns what passes with all that is new in it, if that was seen.
    fn passing(
        &mut self,
        parts: &Arc<Decomposition>,
        space: &Arc<Space>,
        whole: &[DeltaSet],
    ) -> Result<Option<Version>, HistoryError> {
        let needed: DeltaSet = whole.iter().flat_map(DeltaSet::runs).collect();
        let passed = std::mem::take(&mut self.hunt.passed);
        let passed = passed.into_iter().filter(|set| needed.minus(set).is_empty());
        let Some(set) = passed.max_by_key(DeltaSet::len) else { return Ok(None) };
        let state = TreeState { space: space.clone(), set: set.clone() };
        let is_pass = self.hunt.ask(&state)? == Verdict::Pass;
        Ok(is_pass.then(|| parts.version(&set)))
    }

    /// Returns the sets of changes that stay together: new files, new functions, and what the user
    /// protects.
    fn wholes(&self, parts: &Decomposition) -> Vec<DeltaSet> {
        let mut wholes: Vec<DeltaSet> = Vec::new();
        for file in 0..parts.file_count() {
            let deltas = parts.deltas_of_file(file);
            let is_new = |delta| parts.part(delta).change == ChangeKind::Added;
            if parts.paths(file).0.is_none() && deltas.iter().any(is_new) {
                wholes.push(deltas);
            }
        }
        let dependencies = whodunit_changes::Dependencies::within(parts, &parts.all());
        for (first, rest) in dependencies.new_items() {
            wholes.push(rest.union(&DeltaSet::run(first.0..first.0 + 1)));
        }
        wholes.extend(self.protected.deltas(parts));
        wholes
    }

    pub(super) fn step(&mut self, place: usize, result: StepResult) -> Result<(), HistoryError> {
        let version = self.row.revision(place)?.short_id;
        self.steps.push(HistoryStep { version, place: place as u64, result });
        Ok(())
    }
}

/// Counts what a patch does.
pub(super) fn lines(patch: &Patch) -> Result<PatchLines, HistoryError> {
    let size = patch.size()?;
    Ok(PatchLines { files: size.files as u64, hunks: size.hunks as u64, lines: size.lines as u64 })
}
