//! The searches of a run with everything they need: workers, memory, journal, limits.

use std::sync::Arc;

use whodunit_core::searches::{ChangeSet, Closure};
use whodunit_core::strategy::Persistence;
use whodunit_core::{DeltaSet, Implications, Script, Scripted, Search, Step, Verdict};
use whodunit_exec::warm::Warm;
use whodunit_run::evidence::Claim;
use whodunit_run::judge::{Observation, Used};
use whodunit_run::{Refutation, Stop, Subject};
use whodunit_versions::{Decomposition, decompose};

use super::cause::Scene;
use super::deltas::{Chosen, Deltas};
use super::in_space::{InSpace, Space};
use super::origins::Origins;
use super::trees::{TreeState, Trees};
use super::versions::Ends;
use super::{ChangesError, cause, commits, compare, culprit, decomposition_level};
use crate::answer::{
    Base, Cause, ChangeCounts, CommitAnswer, Compared, EndsProof, Evidence, LikelyCommit,
};
use crate::atomic::{Known, Suspicion, names_of_test};
use crate::event::{Event, Stage};
use crate::lab::Workers;
use crate::lab::{Lab, LabError, guarded};
use crate::settings::{
    AtomicSettings, ChangeGroup, ChangeGroups, ChangeLevel, ChangeSearch, VersionSettings,
};

/// The findings of a run.
pub(super) struct Found {
    pub(super) commits: Vec<CommitAnswer>,
    pub(super) commits_between: u64,
    pub(super) base: Option<Base>,
    pub(super) causes: Vec<Cause>,
    pub(super) ends: Option<EndsProof>,
    pub(super) compared: Compared,
    pub(super) group: ChangeGroups,
    pub(super) size: ChangeCounts,
}

/// Returns by what changes are put together; not by commit if there are none.
pub(super) fn groups_used(asked: &ChangeGroups, has_commits: bool) -> ChangeGroups {
    let groups = asked.all().iter().copied();
    ChangeGroups::new(groups.filter(|it| *it != ChangeGroup::Process || has_commits))
}

/// The workers of the jobs that look for changes.
pub(crate) type TreeWorkers = Workers<Warm<Trees>>;

/// The lab of the jobs that look for changes.
pub(crate) type TreeLab<'a> = Lab<'a, Trees, Warm<Trees>>;

/// The searches for changes, with the lab that runs their tests.
pub(crate) struct Finder<'a> {
    pub(crate) settings: &'a VersionSettings,
    pub(crate) lab: TreeLab<'a>,
    /// How long searches may go on without success.
    pub(crate) persistence: Persistence,
    /// The evidence of the first runs.
    pub(crate) evidence: Evidence,
    /// The sets of the current search that passed.
    pub(crate) passed: Vec<DeltaSet>,
    /// The smallest set of changes that failed while a cause was searched.
    pub(super) fewest: Option<Chosen>,
    /// The probability that each commit causes the failure, if the test is flaky.
    pub(super) likely: Vec<LikelyCommit>,
}

/// The place where a row turns from passing to failing.
pub(super) struct Bisected {
    /// The length of the longest passing beginning before `failing`.
    pub(super) passing: usize,
    /// The length of the shortest failing beginning.
    pub(super) failing: usize,
    /// Whether the search was completed.
    pub(super) is_finished: bool,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(settings: &'a VersionSettings, lab: TreeLab<'a>, past_gave_up: u32) -> Self {
        let persistence = if settings.budget.is_some() || settings.max_tests.is_some() {
            Persistence::ENDLESS
        } else {
            Persistence::default()
        };
        Finder {
            settings,
            lab,
            persistence: persistence.max(Persistence::after(past_gave_up)),
            evidence: Evidence::default(),
            passed: Vec::new(),
            fewest: None,
            likely: Vec::new(),
        }
    }
}

impl Finder<'_> {
    /// Finds the commit if there is a history, then the changes.
    pub(super) fn find(
        &mut self,
        ends: &Ends,
        whole: &Arc<Decomposition>,
    ) -> Result<Found, ChangesError> {
        let narrowed =
            self.until_stopped(|finder| commits::narrow(finder, ends))?.unwrap_or_default();
        let compared = narrowed.compared(ends);
        let parts = match &narrowed.versions {
            Some((good, bad)) => self.until_stopped(|finder| {
                let level = decomposition_level(finder.settings.level);
                compare(&finder.search_stop(), decompose, good, bad, level)
            })?,
            None => Some(whole.clone()),
        };
        let (mut causes, mut proof) = (Vec::new(), None);
        // If there was no time to compare the versions, only the commit is known.
        if let (Some(parts), ChangeLevel::Commit) = (&parts, self.settings.level) {
            proof = Some(self.both_ends(parts)?);
        } else if let Some(parts) = &parts {
            let origins = self.until_stopped(|finder| {
                let (source, narrowed) = (ends.repository.clone(), narrowed.clone());
                let parts = parts.clone();
                let origins = move || Origins::of(source.as_ref(), &narrowed, &parts);
                finder.search_stop().wait_for(origins)?
            })?;
            let origins = origins.unwrap_or_default();
            let space = &Arc::new(self.space(parts));
            let (narrowed, compared, origins) = (&narrowed, &compared, &origins);
            let scene = Scene { ends, narrowed, compared, origins, parts, space };
            let mut found = culprit::find(self, &scene)?;
            culprit::go_on(self, &scene, &mut found)?;
            causes = found.into_iter().map(|(cause, _)| cause).collect();
        }
        let has_commits = !narrowed.suspects().is_empty();
        let group = groups_used(&self.settings.group, has_commits);
        Ok(Found {
            size: parts.map_or_else(ChangeCounts::default, |it| cause::counts(&it, &it.all())),
            commits: narrowed.suspects().iter().map(commits::described).collect(),
            commits_between: narrowed.between,
            base: narrowed.base,
            causes,
            ends: proof,
            compared,
            group,
        })
    }

    /// Tests in clean folders whether the version without the changes passes and the version with all
    /// of them fails. A claim is missing if no tests are left for it.
    pub(crate) fn both_ends(
        &mut self,
        parts: &Arc<Decomposition>,
    ) -> Result<EndsProof, ChangesError> {
        let space = Arc::new(Deltas::new(parts.clone(), false));
        let ends = [DeltaSet::empty(), parts.all()];
        let ends = ends.map(|set| space.tree(set));
        if self.is_over() {
            return Ok(EndsProof::default());
        }
        let claims = self.lab.claim_all(&ends)?;
        Ok(EndsProof { good: claims[0], bad: claims[1] })
    }

    /// Returns the sets of some changes as candidates.
    pub(super) fn space(&self, parts: &Arc<Decomposition>) -> Deltas {
        // Only `closure` adds missing changes to a set that does not parse, so only its sets are
        // foretold. Other searches and an order ask their own questions.
        let VersionSettings { search, ordered, .. } = self.settings;
        let is_gated = *search == ChangeSearch::Closure && !ordered;
        Deltas::new(parts.clone(), is_gated)
    }

    /// Returns the atomic changes with the suspicion of each, before the first question.
    pub(super) fn suspicion(
        &self,
        settings: &AtomicSettings,
        parts: &Arc<Decomposition>,
    ) -> Result<Suspicion, ChangesError> {
        let origin = self.settings.origin.clone();
        let mut words = names_of_test(&self.settings.test, origin.as_path());
        words.extend(self.evidence.words.iter().cloned());
        let (parts, settings) = (parts.clone(), settings.clone());
        self.search_stop().wait_for(move || {
            let (parts, settings, origin) = (&*parts, &settings, origin.as_path());
            Ok(Suspicion::of(&Known { parts, settings, origin, words, lists_tests: false })?)
        })?
    }

    /// Asks a search until it is done.
    pub(super) fn search<S, P: Space>(
        &mut self,
        stage: Stage,
        search: S,
        space: &Arc<P>,
        changes: usize,
        watch: &mut dyn FnMut(&TreeState, Verdict),
    ) -> Result<S, ChangesError>
    where
        S: Search<Candidate = DeltaSet>,
    {
        if self.is_over() {
            return Ok(search);
        }
        self.lab.recorder.write(&Event::Search { stage, changes: changes as u64 })?;
        self.search_sets(search, space, watch)
    }

    /// Runs a strategy until it is done, and returns its result. `failing` is known to fail.
    pub(super) fn carry_out<O: Clone>(
        &mut self,
        script: &Script<'_, DeltaSet, O>,
        space: &Arc<Deltas>,
        failing: &DeltaSet,
    ) -> Result<O, ChangesError> {
        let mut search = Scripted::new(script, failing.clone());
        if !self.is_over() {
            search = self.search_sets(search, space, &mut |_, _| ())?;
        }
        Ok(search.conclude())
    }

    /// Asks a search over sets of changes until it is done.
    fn search_sets<S: Search<Candidate = DeltaSet>, P: Space>(
        &mut self,
        search: S,
        space: &Arc<P>,
        watch: &mut dyn FnMut(&TreeState, Verdict),
    ) -> Result<S, ChangesError> {
        let (mut passed, mut failed) = (Vec::new(), Vec::new());
        let search = InSpace { search, space: space.clone() };
        let search = self.lab.search(search, &mut |_, state, verdict| {
            match (verdict, Chosen::of(state)) {
                (Verdict::Pass, Some(chosen)) => passed.push(chosen.set.clone()),
                (Verdict::Fail, Some(chosen)) => failed.push(chosen.clone()),
                (Verdict::Unresolved, _) | (_, None) => {}
            }
            watch(state, verdict);
            Ok(())
        })?;
        self.passed.append(&mut passed);
        failed.iter().for_each(|chosen| self.fails(chosen));
        Ok(search.search)
    }

    /// Finds where a row turns from passing to failing. Each candidate has one item of the row more
    /// than the one before; the empty one passes, and the last one fails. `over` turns the search
    /// over sets of items into the search that is asked.
    pub(super) fn bisect<S, P: Space>(
        &mut self,
        stage: Stage,
        count: usize,
        space: &Arc<P>,
        over: impl FnOnce(Closure) -> S,
    ) -> Result<Bisected, ChangesError>
    where
        S: Search<Candidate = DeltaSet>,
    {
        let changes =
            ChangeSet { implications: Implications::chain(count), ..ChangeSet::new(count) };
        self.turn(stage, count, space, over(Closure::over(changes)))
    }

    /// Finds the same with any search that asks only about beginnings of the row.
    pub(super) fn turn<S, P: Space>(
        &mut self,
        stage: Stage,
        count: usize,
        space: &Arc<P>,
        search: S,
    ) -> Result<Bisected, ChangesError>
    where
        S: Search<Candidate = DeltaSet>,
    {
        let mut passed = vec![0];
        let mut watch = |state: &TreeState, verdict| match verdict {
            Verdict::Pass => passed.push(state.count()),
            Verdict::Fail | Verdict::Unresolved => {}
        };
        let (failing, is_finished) = match count {
            0 | 1 => (count, true),
            _ => {
                let search = self.search(stage, search, space, count, &mut watch)?;
                (search.best().len().max(1), matches!(search.step(), Step::Done))
            }
        };
        let passing = passed.into_iter().filter(|&it| it < failing).max().unwrap_or(0);
        Ok(Bisected { passing, failing, is_finished })
    }

    /// Asks a search over trees until it is done.
    pub(crate) fn search_trees<S>(
        &mut self,
        stage: Stage,
        search: S,
        changes: usize,
        watch: &mut dyn FnMut(&TreeState, Verdict),
    ) -> Result<S, ChangesError>
    where
        S: Search<Candidate = TreeState>,
    {
        if self.is_over() {
            return Ok(search);
        }
        self.lab.recorder.write(&Event::Search { stage, changes: changes as u64 })?;
        Ok(self.lab.search(search, &mut |_, state, verdict| {
            watch(state, verdict);
            Ok(())
        })?)
    }

    /// Returns why a tree does not show the failure, if that is known.
    pub(crate) fn refutation(&self, state: &TreeState) -> Option<&Refutation> {
        self.lab.memory.refutation(Trees.key(state))
    }

    /// Returns whether a tree is known not to have the failure: it passes, or shows another value
    /// at the assertion of the failure.
    pub(crate) fn lacks_failure(&self, state: &TreeState) -> bool {
        self.lab.memory.get(Trees.key(state)) == Some(Verdict::Pass)
            || self.other_value(state).is_some()
    }

    /// Returns the failure that a tree shows at the assertion of ours, in words, if there is one.
    pub(crate) fn other_value(&self, state: &TreeState) -> Option<&str> {
        match self.refutation(state) {
            Some(Refutation::OtherValue { failure }) => Some(failure),
            _ => None,
        }
    }

    /// Returns the resources that a failing test of a tree used, if they are kept.
    pub(crate) fn used(&self, state: &TreeState) -> Option<Used> {
        self.lab.memory.used(Trees.key(state))
    }

    /// Returns the stop for searches; it comes early enough for a proof.
    pub(crate) fn search_stop(&self) -> Stop {
        self.lab.search_stop()
    }

    /// Does a part of a run. If the run is stopped meanwhile, also by a panic, notes this and
    /// returns `None`; the answer is then made of the earlier findings.
    pub(crate) fn until_stopped<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, ChangesError>,
    ) -> Result<Option<T>, ChangesError> {
        let done = guarded(|| work(self));
        self.lab.unless_stopped(done)
    }

    /// Notes that some changes fail.
    fn fails(&mut self, Chosen { deltas, set }: &Chosen) {
        if let Some(fewest) = &mut self.fewest
            && Arc::ptr_eq(&fewest.deltas, deltas)
            && set.len() < fewest.set.len()
        {
            fewest.set.clone_from(set);
        }
    }

    /// Whether the searches of the run are over; checks the time.
    pub(crate) fn is_over(&mut self) -> bool {
        self.lab.is_over()
    }

    /// Asks about one tree, with a test if its verdict is not known. The test counts like one of a
    /// search; it is an error after the end of the searches.
    pub(crate) fn ask(&mut self, state: &TreeState) -> Result<Verdict, ChangesError> {
        let verdict = self.lab.ask(state)?;
        if let (Verdict::Fail, Some(chosen)) = (verdict, Chosen::of(state)) {
            self.fails(chosen);
        }
        Ok(verdict)
    }

    /// Asks about one tree; `None` after the end of the searches.
    pub(crate) fn ask_in_time(
        &mut self,
        state: &TreeState,
    ) -> Result<Option<Verdict>, ChangesError> {
        match self.ask(state) {
            Err(ChangesError::Lab(LabError::StoppedEarly(_))) => Ok(None),
            verdict => verdict.map(Some),
        }
    }

    /// Tests a tree in a clean folder, even if its verdict is known; `None` if no time is left. The
    /// test does not count towards the number of tests that the user allows.
    pub(crate) fn prove(&mut self, state: &TreeState) -> Result<Option<Claim>, ChangesError> {
        Ok(self.prove_seen(state)?.map(|(claim, _)| claim))
    }

    /// Does the same, and also returns the observation.
    pub(crate) fn prove_seen(
        &mut self,
        state: &TreeState,
    ) -> Result<Option<(Claim, Observation)>, ChangesError> {
        Ok(self.lab.prove_all(std::slice::from_ref(state))?.pop().flatten())
    }

    /// Returns whether a tree was tested in a clean folder of this run already.
    pub(crate) fn is_claimed(&self, state: &TreeState) -> bool {
        self.lab.known_claim(Trees.key(state)).is_some()
    }
}
