//! Finds the patch that must be carried from one version to the next so that the outcome stays the
//! same.

use std::collections::BTreeSet;
use std::sync::Arc;

use whodunit_core::{DeltaSet, Verdict};
use whodunit_run::Ended;
use whodunit_versions::{
    ChangeKind, Decomposition, Dependencies, Patch, TreePath, Version, decompose_in_place, port,
};

use super::{HistoryError, HistoryWalk};
use crate::answer::{Belief, HistoryStep, PatchLines, StepResult, Way};
use crate::changes::{Deltas, Goal, Space, compare, decomposition_level, smallest};
use crate::settings::ChangeSearch;

/// Maximum number of rounds that make a patch smaller. The second round removes changes that can be
/// removed only after others.
const ROUNDS: usize = 4;

/// The result of mending.
pub(super) struct Mended {
    /// The smallest patch that keeps the outcome.
    pub(super) patch: Arc<Patch>,
    /// The patch with the whole difference.
    pub(super) unreduced: Arc<Patch>,
    /// A version that passes although the newer version fails, if one was seen.
    pub(super) passing: Option<(Version, Belief)>,
}

/// A version that needs a patch, and its neighbour, which shows the outcome.
pub(super) struct Border {
    pub(super) place: usize,
    pub(super) version: Version,
    pub(super) neighbour: Version,
    /// The current back-port.
    pub(super) patch: Option<Arc<Patch>>,
    pub(super) way: Way,
}

/// The outcome of the older version with a part of the newer one.
enum Tried {
    /// This version shows the outcome.
    Enough(Version),
    /// This version passes with the tracked test, or shows another value at the assertion of the
    /// failure, so the cause is between.
    Passes(Version, Belief),
    /// The version needs more changes. If `passes`, it passes with the current back-port's files as
    /// they are in the neighbour, but the tracked test may not be among them.
    TooLittle { passes: bool },
}

/// A version that may be enough.
struct Guess {
    version: Version,
    /// Whether the version contains the tracked test, so that a pass counts.
    has_test: bool,
}

impl Border {
    fn goal(&self) -> Goal {
        match self.way {
            Way::Back => Goal::Restore,
            Way::Forward => Goal::Pass,
        }
    }
}

impl HistoryWalk<'_, '_> {
    /// Looks for the smallest part of the difference with which the version fails or passes; or
    /// with which it shows the outcome, if the worth of a pass is unknown.
    pub(super) fn mend(&mut self, border: &Border) -> Result<Mended, HistoryError> {
        let Border { place, version, neighbour, way, .. } = border;
        let before = self.finder.lab.tally.committed;
        self.finder.passed.clear();
        let all = self.difference(version, neighbour)?;
        // The searches of the papers begin with the whole difference each time.
        let patch = border.patch.as_ref().filter(|_| !self.is_plain());
        let protected = self.protected(&all, neighbour, *way)?;
        let known = kept(&all, patch.map(|patch| &**patch)).union(&protected);
        let unreduced = Arc::new(Patch::of(&all, &all.all()));
        let tried = match self.carried_on(border, patch, &all, &known)? {
            Tried::TooLittle { passes } => {
                self.searched(border, &all.version(&known), passes, &unreduced)?
            }
            tried => tried,
        };
        let (mended, passing) = match tried {
            Tried::Enough(mended) => (mended, None),
            Tried::Passes(passing, belief) => (passing.clone(), Some((passing, belief))),
            Tried::TooLittle { .. } => (neighbour.clone(), None),
        };
        let parts = self.difference(version, &mended)?;
        let patch = Arc::new(Patch::of(&parts, &parts.all()));
        self.searches += 1;
        let result = StepResult::Searched {
            way: *way,
            before: lines(&unreduced)?,
            after: (self.finder.lab.ended == Ended::Done).then(|| lines(&patch)).transpose()?,
            tests: self.finder.lab.tally.committed - before,
            again: false,
        };
        self.step(*place, result)?;
        Ok(Mended { patch, unreduced, passing })
    }

    /// Tries versions that cost one test each: with the newest test; with as much of the current
    /// back-port as fits; without changes; and with `known`, which is all changes to the files of
    /// the back-port, together with the protected changes.
    fn carried_on(
        &mut self,
        border: &Border,
        patch: Option<&Arc<Patch>>,
        all: &Arc<Decomposition>,
        known: &DeltaSet,
    ) -> Result<Tried, HistoryError> {
        let Border { version, way, .. } = border;
        let mut passes = false;
        for Guess { version: guess, has_test } in self.guesses(border, patch, all, known)? {
            let parts = self.difference(version, &guess)?;
            let space = self.gated(&parts);
            let state = space.tree(parts.all());
            let verdict = self.finder.ask(&state)?;
            passes = self.finder.lacks_failure(&state);
            if border.goal().is_met(verdict) {
                return Ok(Tried::Enough(guess));
            }
            if passes && has_test && *way == Way::Back {
                return Ok(Tried::Passes(guess, Belief::WithTest));
            }
        }
        // `passes` is that of the last guess, with which the search continues.
        Ok(Tried::TooLittle { passes })
    }

    fn guesses(
        &self,
        border: &Border,
        patch: Option<&Arc<Patch>>,
        all: &Decomposition,
        known: &DeltaSet,
    ) -> Result<Vec<Guess>, HistoryError> {
        let Border { version, way, .. } = border;
        let mut guesses = Vec::new();
        if *way == Way::Back {
            for own in &self.own {
                if own.differs(version)? {
                    guesses.push(Guess { version: own.over(version)?, has_test: true });
                }
            }
        }
        let as_it_is = || Guess { version: version.clone(), has_test: false };
        match patch.filter(|_| *way == Way::Forward || self.own.is_empty()) {
            Some(patch) => {
                let ported = port(patch, version)?;
                if ported.whole().is_none() {
                    guesses.push(Guess { version: ported.partial().clone(), has_test: false });
                    guesses.push(as_it_is());
                }
            }
            None if !guesses.is_empty() => guesses.push(as_it_is()),
            None => {}
        }
        if !known.is_empty() {
            // The protected changes contain the tracked test; a back-port of something else may
            // have a part of it.
            let has_test = !self.own.is_empty() && patch.is_none();
            guesses.push(Guess { version: all.version(known), has_test });
        }
        Ok(guesses)
    }

    /// Searches the changes of the neighbour that are needed beside the known ones.
    fn searched(
        &mut self,
        border: &Border,
        known: &Version,
        passes: bool,
        unreduced: &Arc<Patch>,
    ) -> Result<Tried, HistoryError> {
        let Border { place, neighbour, way, .. } = border;
        let parts = self.difference(known, neighbour)?;
        let space = self.gated(&parts);
        let whole = self.wholes(&parts, *way)?;
        if *way == Way::Back && self.knows_test() {
            // Once the older version can be tested, it may pass. Then the cause is between.
            let found = match passes {
                true => DeltaSet::empty(),
                false => smallest(self.finder, &parts, &space, Goal::Answer, &whole)?,
            };
            // Another value at the same assertion shows that no part of the test is missing.
            let state = space.tree(found.clone());
            let tried = self.answered(&parts, &space, &whole, found)?;
            let is_whole = self.finder.other_value(&state).is_some();
            match tried {
                Some(Tried::Passes(..))
                    if !is_whole && self.passes_elsewhere(*place, unreduced)? => {}
                Some(tried) => return Ok(tried),
                None => {}
            }
        }
        let found = smallest(self.finder, &parts, &space, border.goal(), &whole)?;
        let found = self.with_new_files(&parts, &space, found, border.goal())?;
        if *way == Way::Back {
            // The version may pass with only the current back-port.
            self.finder.passed.extend(passes.then(DeltaSet::empty));
            if let Some(passing) = self.passing(&parts, &space, &whole)?
                && !self.passes_elsewhere(*place, unreduced)?
            {
                return Ok(Tried::Passes(passing, Belief::AsItIs));
            }
        }
        Ok(Tried::Enough(parts.version(&found)))
    }

    /// Returns the outcome of the smallest set that fails or passes. A pass counts only if the
    /// version also passes with all new files and functions: a part of a new function may pass
    /// because it does nothing.
    fn answered(
        &mut self,
        parts: &Arc<Decomposition>,
        space: &Arc<Deltas>,
        whole: &[DeltaSet],
        found: DeltaSet,
    ) -> Result<Option<Tried>, HistoryError> {
        let ask = |this: &mut Self, set: &DeltaSet| this.finder.ask(&space.tree(set.clone()));
        let lacks =
            |this: &Self, set: &DeltaSet| this.finder.lacks_failure(&space.tree(set.clone()));
        if self.finder.lab.ended != Ended::Done {
            return Ok(Some(Tried::Enough(parts.version(&found))));
        }
        if ask(self, &found)? == Verdict::Fail {
            let found = self.with_new_files(parts, space, found, Goal::Restore)?;
            return Ok(Some(Tried::Enough(parts.version(&found))));
        }
        if !lacks(self, &found) {
            return Ok(None);
        }
        let new = whole.iter().filter(|whole| !self.is_own(parts, whole));
        let new: DeltaSet = new.flat_map(DeltaSet::runs).collect();
        let with_new = found.union(&new);
        ask(self, &with_new)?;
        let passing = || Tried::Passes(parts.version(&with_new), Belief::WithAll);
        Ok(lacks(self, &with_new).then(passing))
    }

    /// Whether the test is known, so that the search does not remove parts of it.
    fn knows_test(&self) -> bool {
        !self.own.is_empty() || self.finder.lab.workers.oracle().command.script().is_some()
    }

    /// Makes a patch smaller, at the version it is for, until nothing more of it can be removed.
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
        // A single change is needed, unless other changes stay without it.
        let fewest = if stay.is_empty() { 2 } else { 1 };
        for _ in 0..ROUNDS {
            let parts = self.difference(&base, &mended)?;
            if parts.len() < fewest || self.finder.lab.ended != Ended::Done {
                break;
            }
            let before = self.finder.lab.tally.committed;
            let space = self.gated(&parts);
            let whole = self.wholes(&parts, way)?;
            let found = smallest(self.finder, &parts, &space, goal, &whole)?;
            self.searches += 1;
            mended = parts.version(&found);
            let smaller = self.difference(version, &mended)?;
            let result = StepResult::Searched {
                way,
                before: lines(&Patch::of(&all, &all.all()))?,
                after: Some(lines(&Patch::of(&smaller, &smaller.all()))?),
                tests: self.finder.lab.tally.committed - before,
                again: true,
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
        let level = decomposition_level(self.finder.settings.level);
        Ok(compare(&self.finder.search_stop(), decompose_in_place, from, to, level)?)
    }

    fn gated(&self, parts: &Arc<Decomposition>) -> Arc<Deltas> {
        Arc::new(Deltas::new(parts.clone(), !self.is_plain()))
    }

    /// Whether changes are searched as in the papers, without knowledge of syntax.
    fn is_plain(&self) -> bool {
        self.finder.settings.search != ChangeSearch::Closure
    }

    /// Returns the found set together with the other new files, if one of them is needed and the
    /// outcome stays the same. Files that a new test reads came with it, and may matter in versions
    /// where the test passes.
    fn with_new_files(
        &mut self,
        parts: &Arc<Decomposition>,
        space: &Arc<Deltas>,
        found: DeltaSet,
        goal: Goal,
    ) -> Result<DeltaSet, HistoryError> {
        let files: DeltaSet = new_files(parts).iter().flat_map(DeltaSet::runs).collect();
        let all = found.union(&files);
        if goal != Goal::Restore || files.intersection(&found).is_empty() || all == found {
            return Ok(found);
        }
        let state = space.tree(all.clone());
        let verdict = self.finder.ask_in_time(&state)?;
        Ok(if verdict.is_some_and(|verdict| goal.is_met(verdict)) { all } else { found })
    }

    /// Returns a version that passes and contains all new files and functions, if one was seen.
    fn passing(
        &mut self,
        parts: &Arc<Decomposition>,
        space: &Arc<Deltas>,
        whole: &[DeltaSet],
    ) -> Result<Option<Version>, HistoryError> {
        let needed: DeltaSet = whole.iter().flat_map(DeltaSet::runs).collect();
        let passed = std::mem::take(&mut self.finder.passed);
        let passed = passed.into_iter().filter(|set| needed.minus(set).is_empty());
        let Some(set) = passed.max_by_key(DeltaSet::len) else { return Ok(None) };
        let state = space.tree(set.clone());
        let is_pass = self.finder.ask_in_time(&state)? == Some(Verdict::Pass);
        Ok(is_pass.then(|| parts.version(&set)))
    }

    /// Returns the sets of changes that stay together: new files and new functions.
    ///
    /// While the test fails, the search cannot see which parts of a new file or function it needs
    /// to pass, so they are not divided on the way back. The searches of the papers see lines, not
    /// functions.
    fn wholes(&self, parts: &Arc<Decomposition>, way: Way) -> Result<Vec<DeltaSet>, HistoryError> {
        if way == Way::Forward {
            return Ok(Vec::new());
        }
        // A new file of the test may be divided, because the tracked functions in it are protected.
        let mut wholes = new_files(parts);
        wholes.retain(|whole| !self.is_own(parts, whole));
        if !self.is_plain() {
            let parts = parts.clone();
            let dependencies = move || Dependencies::within(&parts, &parts.all());
            let dependencies = self.finder.search_stop().wait_for(dependencies)?;
            for (first, rest) in dependencies.new_items() {
                wholes.push(rest.union(&DeltaSet::run(first.0..first.0 + 1)));
            }
        }
        Ok(wholes)
    }

    /// Whether the changes of one file are changes of the test.
    fn is_own(&self, parts: &Decomposition, changes: &DeltaSet) -> bool {
        let file = changes.first().and_then(|delta| parts.part(delta).new_path);
        file.is_some_and(|path| self.own.iter().any(|own| own.has(path)))
    }

    /// Returns the changes to a newer version that stay because they touch protected places, with
    /// all changes that stay together with them.
    fn protected(
        &self,
        parts: &Arc<Decomposition>,
        newer: &Version,
        way: Way,
    ) -> Result<DeltaSet, HistoryError> {
        if way == Way::Forward {
            return Ok(DeltaSet::empty());
        }
        let mut stay = self.protected.deltas(parts, newer, &self.finder.search_stop())?;
        if !stay.is_empty() {
            let wholes = self.wholes(parts, way)?;
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

/// Returns the changes in the files of a patch.
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

/// Returns the size of a patch.
pub(super) fn lines(patch: &Patch) -> Result<PatchLines, HistoryError> {
    let size = patch.size()?;
    Ok(PatchLines { files: size.files as u64, hunks: size.hunks as u64, lines: size.lines as u64 })
}
