//! Finds the patch that must be carried from one version to the next so that the outcome stays the
//! same.

use std::sync::Arc;

use whodunit_core::{DeltaSet, Verdict};
use whodunit_run::Ended;
use whodunit_versions::{Decomposition, Dependencies, Patch, Version, decompose_in_place, port};

use super::touched::{beside, kept, new_files};
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
    /// The version that the carried patch was made for, without the patch and with it.
    pub(super) made_for: Option<(Version, Version)>,
    /// The patch that is carried already.
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

/// The answer with the smallest set of changes with which the older version can be tested.
enum Answered {
    /// It shows the outcome, or the time is up.
    Tried(Tried),
    /// It passes. `is_sure`: the set has everything that the test needs to see the failure.
    Passes { set: DeltaSet, is_sure: bool },
    /// No answer that counts.
    Nothing,
}

/// Whether a pass with some changes is believed.
enum Trusted {
    /// The older version passes with these changes, and they are enough to see the failure.
    Yes(DeltaSet),
    /// The changes may lack something that the test needs to see the failure.
    Maybe,
    /// The changes lack a part of the test, or do not make the version pass.
    No,
}

/// A version that may show the outcome without a search.
struct Guess {
    version: Version,
    /// Whether the version contains the tracked test, so that a pass counts.
    has_test: bool,
    /// The changes to the older version, if they may contain only a part of the test.
    part: Option<DeltaSet>,
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
    /// Searches for the smallest part of the difference with which the version shows the outcome.
    /// On the way back, this may instead find a version that passes.
    pub(super) fn mend(&mut self, border: &Border) -> Result<Mended, HistoryError> {
        let Border { place, version, neighbour, way, .. } = border;
        let before = self.finder.lab.tally.committed;
        self.finder.passed.clear();
        let all = self.difference(version, neighbour)?;
        // The published searches begin with the whole difference each time.
        let patch = border.patch.as_ref().filter(|_| !self.is_plain());
        let protected = self.protected(&all, neighbour, *way)?;
        let made = match &border.made_for {
            Some((without, with)) if patch.is_some() => Some(self.difference(without, with)?),
            _ => None,
        };
        let known = kept(&all, patch.map(|patch| &**patch), made.as_deref()).union(&protected);
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

    /// Tries candidates that cost one test each: the newest test, the carried patch as far as it fits, no
    /// changes, and `known`: the files and functions of the carried patch as they are in the neighbour, with
    /// the protected changes.
    fn carried_on(
        &mut self,
        border: &Border,
        patch: Option<&Arc<Patch>>,
        all: &Arc<Decomposition>,
        known: &DeltaSet,
    ) -> Result<Tried, HistoryError> {
        let Border { version, way, .. } = border;
        let mut passes = false;
        for Guess { version: guess, has_test, part } in self.guesses(border, patch, all, known)? {
            let parts = self.difference(version, &guess)?;
            let space = self.gated(&parts);
            let state = space.tree(parts.all());
            let verdict = self.finder.ask(&state)?;
            passes = self.finder.lacks_failure(&state);
            if border.goal().is_met(verdict) {
                return Ok(Tried::Enough(guess));
            }
            if passes && has_test && *way == Way::Back {
                let is_shown = match part {
                    Some(part) => self.shows_failure(all, &part)?,
                    None => true,
                };
                if is_shown {
                    return Ok(Tried::Passes(guess, Belief::WithTest));
                }
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
                    let version = own.over(version)?;
                    guesses.push(Guess { version, has_test: true, part: None });
                }
            }
        }
        let as_it_is = || Guess { version: version.clone(), has_test: false, part: None };
        match patch.filter(|_| *way == Way::Forward || self.own.is_empty()) {
            Some(patch) => {
                let ported = port(patch, version)?;
                if ported.whole().is_none() {
                    let version = ported.partial().clone();
                    guesses.push(Guess { version, has_test: false, part: None });
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
            let (version, part) = (all.version(known), Some(known.clone()));
            guesses.push(Guess { version, has_test, part });
        }
        Ok(guesses)
    }

    /// Searches for the changes of the neighbour that are needed beside the known ones.
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
            match self.answered(&parts, &space, &whole, found)? {
                Answered::Tried(tried) => return Ok(tried),
                Answered::Passes { set, is_sure } => {
                    if is_sure || !self.passes_elsewhere(*place, unreduced)? {
                        return Ok(Tried::Passes(parts.version(&set), Belief::WithAll));
                    }
                }
                Answered::Nothing => {}
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

    /// Returns the answer with `found`, the smallest set with which the version can be tested. A pass counts
    /// only if the version also passes with all new files, and with all new functions unless these make it
    /// fail: a part of something new may pass because it does nothing.
    fn answered(
        &mut self,
        parts: &Arc<Decomposition>,
        space: &Arc<Deltas>,
        whole: &[DeltaSet],
        found: DeltaSet,
    ) -> Result<Answered, HistoryError> {
        if self.finder.lab.ended != Ended::Done {
            return Ok(Answered::Tried(Tried::Enough(parts.version(&found))));
        }
        if self.finder.ask(&space.tree(found.clone()))? == Verdict::Fail {
            let found = self.with_new_files(parts, space, found, Goal::Restore)?;
            return Ok(Answered::Tried(Tried::Enough(parts.version(&found))));
        }
        if !self.finder.lacks_failure(&space.tree(found.clone())) {
            return Ok(Answered::Nothing);
        }
        let is_own = |set: &DeltaSet| self.is_own(parts, set);
        let joined = |sets: &[DeltaSet]| -> DeltaSet {
            sets.iter().filter(|set| !is_own(set)).flat_map(DeltaSet::runs).collect()
        };
        let (new, files) = (joined(whole), joined(&new_files(parts)));
        for new in [new, files] {
            let with_new = found.union(&new);
            match self.trusted(parts, space, &with_new)? {
                Trusted::No => {}
                Trusted::Maybe => return Ok(Answered::Passes { set: with_new, is_sure: false }),
                Trusted::Yes(set) => return Ok(Answered::Passes { set, is_sure: true }),
            }
        }
        Ok(Answered::Nothing)
    }

    /// Returns whether a pass of the older version with some changes is believed: they may contain only a
    /// part of the test, or only a part of a function that the test needs.
    ///
    /// The pass is sure if the version also passes with all changes of the touched functions and with the
    /// whole files of the test. If that cannot be tested, the newer version must fail with no more of these
    /// functions and files than the passing version has, which shows that this part can see the failure.
    fn trusted(
        &mut self,
        parts: &Arc<Decomposition>,
        space: &Arc<Deltas>,
        set: &DeltaSet,
    ) -> Result<Trusted, HistoryError> {
        let passing = space.tree(set.clone());
        self.finder.ask(&passing)?;
        if !self.finder.lacks_failure(&passing) {
            return Ok(Trusted::No);
        }
        let test = self.own_changes(parts);
        let lacks_test = !test.is_subset(set);
        let all = set.union(&beside(parts, set)).union(&test);
        let state = space.tree(all.clone());
        let verdict = self.finder.ask(&state)?;
        if self.finder.lacks_failure(&state) {
            return Ok(Trusted::Yes(all));
        }
        // A version that shows another value at the assertion of the failure lacks nothing of the test.
        let is_shown = self.finder.other_value(&passing).is_some()
            || verdict == Verdict::Unresolved
                && self.finder.ask(&space.tree(parts.all().minus(&all.minus(set))))?
                    == Verdict::Fail;
        Ok(match (is_shown, lacks_test) {
            (true, _) => Trusted::Yes(set.clone()),
            (false, true) => Trusted::No,
            (false, false) => Trusted::Maybe,
        })
    }

    /// Returns the changes of the test's own files.
    fn own_changes(&self, parts: &Decomposition) -> DeltaSet {
        let Some(own) = self.own.first() else { return DeltaSet::empty() };
        let is_own = |&file: &usize| {
            let (old, new) = parts.paths(file);
            [old, new].into_iter().flatten().any(|path| own.has(path))
        };
        let files = (0..parts.file_count()).filter(is_own);
        files.flat_map(|file| parts.deltas_of_file(file).runs().collect::<Vec<_>>()).collect()
    }

    /// Returns whether the newer version fails if it has no more of the test than `set` has.
    fn shows_failure(
        &mut self,
        parts: &Arc<Decomposition>,
        set: &DeltaSet,
    ) -> Result<bool, HistoryError> {
        let lacking = self.own_changes(parts).minus(set);
        let state = self.gated(parts).tree(parts.all().minus(&lacking));
        Ok(lacking.is_empty() || self.finder.ask(&state)? == Verdict::Fail)
    }

    /// Returns whether the test is known, so that the search does not remove parts of it.
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
        // A single change is needed, unless protected changes stay when it is removed.
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

    /// Returns whether changes are searched by a published algorithm, without knowledge of syntax.
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
        if self.finder.ask_in_time(&state)? != Some(Verdict::Pass) {
            return Ok(None);
        }
        Ok(match self.trusted(parts, space, &set)? {
            Trusted::Yes(set) => Some(parts.version(&set)),
            Trusted::Maybe => Some(parts.version(&set)),
            Trusted::No => None,
        })
    }

    /// Returns the sets of changes that stay together: new files and new functions.
    ///
    /// While the test fails, the search cannot see which parts of a new file or function it needs
    /// to pass, so they are not divided on the way back. The published searches know lines only, so
    /// they may divide functions.
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

    /// Returns whether the changes of one file are changes of the test.
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

/// Returns the size of a patch.
pub(super) fn lines(patch: &Patch) -> Result<PatchLines, HistoryError> {
    let size = patch.size()?;
    Ok(PatchLines { files: size.files as u64, hunks: size.hunks as u64, lines: size.lines as u64 })
}
