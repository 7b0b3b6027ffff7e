//! Finds what has to be carried from one version to the next for the outcome to stay the same.

use std::collections::BTreeSet;
use std::sync::Arc;

use whodunit_changes::{
    ChangeKind, Decomposition, Patch, TreePath, Version, decompose_in_place, port,
};
use whodunit_core::{DeltaSet, Verdict};

use super::answer::{HistoryStep, PatchLines, StepResult, Way};
use super::{HistoryError, Journey};
use crate::changes::{ChangeSearch, Deltas, Goal, Space, TreeState, decomposition_level, smallest};
use crate::engine::Ended;

/// So many times a patch is made smaller; what could go only after something else went is gone
/// after two.
const ROUNDS: usize = 4;

/// What came of it.
pub(super) struct Mended {
    /// The smallest patch that keeps the outcome.
    pub(super) patch: Arc<Patch>,
    /// The patch with all of the difference.
    pub(super) unreduced: Arc<Patch>,
    /// What passes although the newer version fails, if that was seen on the way.
    pub(super) passing: Option<Version>,
}

/// A version to be mended, and its neighbour, which shows the outcome.
pub(super) struct Border {
    pub(super) place: usize,
    pub(super) version: Version,
    pub(super) neighbour: Version,
    /// What is carried already.
    pub(super) patch: Option<Arc<Patch>>,
    pub(super) way: Way,
}

/// What came of trying what is carried already.
enum Tried {
    /// This shows the outcome.
    Enough(Version),
    /// With the files that are carried as they are in the neighbour it passes.
    Passes,
    /// More is needed.
    TooLittle,
}

impl Border {
    fn goal(&self) -> Goal {
        match self.way {
            Way::Back => Goal::Restore,
            Way::Forward => Goal::Pass,
        }
    }
}

impl Journey<'_, '_> {
    /// Looks for the smallest part of the difference that brings the outcome to the version.
    pub(super) fn mend(&mut self, border: &Border) -> Result<Mended, HistoryError> {
        let Border { place, version, neighbour, way, .. } = border;
        let before = self.hunt.tally.committed;
        self.hunt.passed.clear();
        let all = self.difference(version, neighbour)?;
        // The searches of the papers take all of the difference each time.
        let patch = border.patch.as_ref().filter(|_| !self.is_plain());
        let mut passing = None;
        let protected = self.protected(&all, neighbour, *way)?;
        let mended = match self.carried_on(border, patch, &all, &protected)? {
            Tried::Enough(mended) => mended,
            tried @ (Tried::TooLittle | Tried::Passes) => {
                // What is carried already is needed, as far as anybody knows: what else is?
                let known = kept(&all, patch.map(|patch| &**patch)).union(&protected);
                let known = all.version(&known);
                let parts = self.difference(&known, neighbour)?;
                let space = self.gated(&parts);
                let whole = self.wholes(&parts, *way);
                let found = smallest(self.hunt, &parts, &space, border.goal(), &whole)?;
                let found = self.with_new_files(&parts, &space, found, border.goal())?;
                if *way == Way::Back {
                    // With nothing but what is carried already it may pass.
                    let nothing = matches!(tried, Tried::Passes).then(DeltaSet::empty);
                    self.hunt.passed.extend(nothing);
                    passing = self.passing(&parts, &space, &whole)?;
                }
                parts.version(&found)
            }
        };
        let unreduced = Arc::new(Patch::of(&all, &all.all()));
        let parts = self.difference(version, &mended)?;
        let patch = Arc::new(Patch::of(&parts, &parts.all()));
        self.searches += 1;
        let result = StepResult::Searched {
            way: *way,
            before: lines(&unreduced)?,
            after: (self.hunt.ended == Ended::Done).then(|| lines(&patch)).transpose()?,
            tests: self.hunt.tally.committed - before,
        };
        self.step(*place, result)?;
        Ok(Mended { patch, unreduced, passing })
    }

    /// Tries what is carried already: as much of it as fits, nothing at all, and the files that it
    /// is about as they are in the neighbour. What is protected is in all that is tried.
    fn carried_on(
        &mut self,
        border: &Border,
        patch: Option<&Arc<Patch>>,
        all: &Arc<Decomposition>,
        protected: &DeltaSet,
    ) -> Result<Tried, HistoryError> {
        let version = &border.version;
        let mut tried = Tried::TooLittle;
        let mut guesses = Vec::new();
        if let Some(patch) = patch.filter(|_| protected.is_empty()) {
            let ported = port(patch, version)?;
            if ported.whole().is_none() {
                guesses.extend([ported.partial().clone(), version.clone()]);
            }
        }
        if patch.is_some() || !protected.is_empty() {
            let known = kept(all, patch.map(|patch| &**patch)).union(protected);
            guesses.push(all.version(&known));
        }
        for guess in guesses {
            let parts = self.difference(version, &guess)?;
            let space = self.gated(&parts);
            let state = TreeState { space, set: parts.all() };
            tried = match self.hunt.ask(&state)? {
                verdict if verdict == border.goal().verdict() => return Ok(Tried::Enough(guess)),
                Verdict::Pass => Tried::Passes,
                Verdict::Fail | Verdict::Unresolved => Tried::TooLittle,
            };
        }
        // What counts is the last one, with which the search goes on.
        Ok(tried)
    }

    /// Makes a patch smaller, at the version it is on, until nothing of it can go.
    pub(super) fn fix_point(
        &mut self,
        place: usize,
        version: &Version,
        mended: &Version,
        way: Way,
    ) -> Result<Arc<Patch>, HistoryError> {
        let goal = if way == Way::Back { Goal::Restore } else { Goal::Pass };
        let mut mended = mended.clone();
        let mut all = self.difference(version, &mended)?;
        let stay = self.protected(&all, &mended, way)?;
        let base = all.version(&stay);
        // One change alone is needed, unless something stays without it.
        let fewest = if stay.is_empty() { 2 } else { 1 };
        for _ in 0..ROUNDS {
            let parts = self.difference(&base, &mended)?;
            if parts.len() < fewest || self.hunt.ended != Ended::Done {
                break;
            }
            let before = self.hunt.tally.committed;
            let space = self.gated(&parts);
            let whole = self.wholes(&parts, way);
            let found = smallest(self.hunt, &parts, &space, goal, &whole)?;
            self.searches += 1;
            mended = parts.version(&found);
            let smaller = self.difference(version, &mended)?;
            let result = StepResult::Searched {
                way,
                before: lines(&Patch::of(&all, &all.all()))?,
                after: Some(lines(&Patch::of(&smaller, &smaller.all()))?),
                tests: self.hunt.tally.committed - before,
            };
            self.step(place, result)?;
            all = smaller;
            if found == parts.all() {
                break;
            }
        }
        Ok(Arc::new(Patch::of(&all, &all.all())))
    }

    pub(super) fn difference(
        &self,
        from: &Version,
        to: &Version,
    ) -> Result<Arc<Decomposition>, HistoryError> {
        let level = decomposition_level(self.hunt.settings.level);
        Ok(Arc::new(decompose_in_place(from, to, level)?))
    }

    fn gated(&self, parts: &Arc<Decomposition>) -> Arc<Space> {
        Arc::new(Space::Deltas(Deltas::new(parts.clone(), !self.is_plain())))
    }

    /// Whether changes are searched as in the papers, which know nothing of syntax.
    fn is_plain(&self) -> bool {
        self.hunt.settings.search != ChangeSearch::Closure
    }

    /// Returns what was found with the other new files, if one of them is needed and it makes no
    /// difference now: what a new test reads came with it, and may matter where it passes.
    fn with_new_files(
        &mut self,
        parts: &Arc<Decomposition>,
        space: &Arc<Space>,
        found: DeltaSet,
        goal: Goal,
    ) -> Result<DeltaSet, HistoryError> {
        let files: DeltaSet = new_files(parts).iter().flat_map(DeltaSet::runs).collect();
        let all = found.union(&files);
        if goal != Goal::Restore || files.intersection(&found).is_empty() || all == found {
            return Ok(found);
        }
        let state = TreeState { space: space.clone(), set: all.clone() };
        Ok(if self.hunt.ask(&state)? == goal.verdict() { all } else { found })
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

    /// Returns the sets of changes that stay together: new files and new functions.
    ///
    /// What a new file or function does when it passes is not seen while it fails, so it must not
    /// be cut to pieces on the way back. The searches of the papers see lines, not functions.
    fn wholes(&self, parts: &Decomposition, way: Way) -> Vec<DeltaSet> {
        if way == Way::Forward {
            return Vec::new();
        }
        let mut wholes = new_files(parts);
        if !self.is_plain() {
            let dependencies = whodunit_changes::Dependencies::within(parts, &parts.all());
            for (first, rest) in dependencies.new_items() {
                wholes.push(rest.union(&DeltaSet::run(first.0..first.0 + 1)));
            }
        }
        wholes
    }

    /// Returns the changes to a newer version that stay because the user protects what they touch,
    /// with all of what has to stay together.
    fn protected(
        &self,
        parts: &Decomposition,
        newer: &Version,
        way: Way,
    ) -> Result<DeltaSet, HistoryError> {
        if way == Way::Forward {
            return Ok(DeltaSet::empty());
        }
        let mut stay = self.protected.deltas(parts, newer)?;
        if !stay.is_empty() {
            let wholes = self.wholes(parts, way);
            let touched = wholes.iter().filter(|whole| !whole.intersection(&stay).is_empty());
            let touched: DeltaSet = touched.flat_map(DeltaSet::runs).collect();
            stay = stay.union(&touched);
        }
        Ok(stay)
    }

    pub(super) fn step(&mut self, place: usize, result: StepResult) -> Result<(), HistoryError> {
        let version = self.row.revision(place)?.short_id;
        self.steps.push(HistoryStep { version, place: place as u64, result });
        Ok(())
    }
}

/// Returns the changes of each new file.
fn new_files(parts: &Decomposition) -> Vec<DeltaSet> {
    let is_new = |delta| parts.part(delta).change == ChangeKind::Added;
    let files = (0..parts.file_count()).filter(|&file| parts.paths(file).0.is_none());
    let files = files.map(|file| parts.deltas_of_file(file));
    files.filter(|deltas| deltas.iter().any(is_new)).collect()
}

/// Returns the changes in files that a patch is about.
fn kept(parts: &Decomposition, patch: Option<&Patch>) -> DeltaSet {
    let Some(patch) = patch else { return DeltaSet::empty() };
    let paths: BTreeSet<&TreePath> =
        patch.paths().flat_map(|(before, after)| [before, after]).flatten().collect();
    let is_kept = |file: &usize| {
        let (old, new) = parts.paths(*file);
        [old, new].into_iter().flatten().any(|path| paths.contains(path))
    };
    let files = (0..parts.file_count()).filter(is_kept);
    files.flat_map(|file| parts.deltas_of_file(file).runs().collect::<Vec<_>>()).collect()
}

/// Counts what a patch does.
pub(super) fn lines(patch: &Patch) -> Result<PatchLines, HistoryError> {
    let size = patch.size()?;
    Ok(PatchLines { files: size.files as u64, hunks: size.hunks as u64, lines: size.lines as u64 })
}
