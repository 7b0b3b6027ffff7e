//! The strategy of `changes` as one search: which changes did it, and which have to go.
//!
//! A [`Site`] holds what is known before the first question: the changes in their order, what needs what,
//! and what the first runs point at. Its functions are scripts (see `whodunit_core::Scripted`): they ask
//! one search after the other, and look-ahead crosses from one to the next.

use std::collections::BTreeSet;
use std::sync::Arc;

use whodunit_core::searches::{Dd, DdPlus, Ddmin, Fix, Isolate, SmallestUndo};
use whodunit_core::{Aim, Delta, DeltaSet, Run, Search, Step, Task, Waits};
use whodunit_run::Stop;
use whodunit_versions::{Decomposition, Order};

use super::cause::Repair;
use super::gated::{Gated, Mending};
use super::goal::{Goal, GoalSearch};
use super::grouped::{Coarseness, Grouped, Groups};
use super::hints::Hints;
use super::levels::Remainder;
use super::needs::Needs;
use super::patient::{Patient, Persistence};
use super::suspects::undoable;
use super::trees::Space;
use super::undo::Undo;
use crate::settings::{ChangeLevel, ChangeSearch};

/// A culprit of so many changes or fewer is read at once. A larger one is looked for from the bad
/// version as well, by what has to be taken back.
pub(super) const READ_AT_ONCE: usize = 10;

/// How many groups of changes are taken back before the search for an undo gives up.
const UNDO_PATIENCE: usize = 60;

/// How many are where the search from the good end gave a level up and still has a finer one to ask
/// about: the most suspect groups are often the answer.
const EARLY_PATIENCE: usize = 12;

/// How many questions that may be in all, until what is found is read at once.
const EARLY_QUESTIONS: usize = 36;

/// Where a cause is looked for.
#[derive(Clone)]
pub(super) struct Site<'a> {
    pub(super) parts: &'a Arc<Decomposition>,
    pub(super) space: &'a Arc<Space>,
    pub(super) needs: &'a Needs,
    pub(super) order: &'a Order,
    pub(super) hints: Hints,
    /// What stops the search.
    pub(super) stop: Stop,
    /// The commit of each change, if they are grouped by it.
    pub(super) labels: Option<&'a [u32]>,
    pub(super) level: ChangeLevel,
    pub(super) goal: Goal,
    /// Changes that are known to reach the goal together.
    pub(super) failing: DeltaSet,
    pub(super) persistence: Persistence,
    /// Whether little may be looked for that has to be taken back.
    pub(super) seeks_undo: bool,
}

/// Changes that did it.
#[derive(Clone)]
pub(super) struct Culprit {
    pub(super) changes: DeltaSet,
    /// What else of the bad version has to be there.
    pub(super) with: DeltaSet,
    /// Whether each of them is needed.
    pub(super) is_smallest: bool,
    /// What has to be taken back of the bad version for it to pass, if that came up.
    pub(super) undo: Option<DeltaSet>,
}

impl Culprit {
    /// Takes changes that need no others.
    pub(super) fn alone(left: Remainder) -> Self {
        let Remainder { suspects: changes, is_smallest, undo } = left;
        Culprit { changes, with: DeltaSet::empty(), is_smallest, undo }
    }
}

impl Site<'_> {
    /// Asks a search for changes until it is done.
    pub(super) fn ask<S>(
        &self,
        run: &mut Run<DeltaSet>,
        aim: Aim,
        among: usize,
        search: impl FnOnce() -> S,
    ) -> Result<S, Waits>
    where
        S: Search<Candidate = DeltaSet> + Send + Sync + 'static,
    {
        let aim = match self.goal {
            Goal::Fail => aim,
            Goal::Restore | Goal::Answer | Goal::Pass => Aim::Port,
        };
        let mending = if aim == Aim::Smallest { Mending::None } else { Mending::Along };
        let gated = run.ask(Task { aim, among }, || {
            let search = GoalSearch { search: search(), goal: self.goal };
            Gated::new(search, self.space.clone(), mending, self.stop.clone())
        })?;
        Ok(gated.search.search)
    }

    /// Finds the changes that did it.
    pub(super) fn culprit(
        &self,
        run: &mut Run<DeltaSet>,
        search: ChangeSearch,
    ) -> Result<Culprit, Waits> {
        if search == ChangeSearch::Closure {
            return Ok(Culprit::alone(self.closure(run)?));
        }
        let groups = &run.once(|| self.singles());
        let count = groups.len();
        let said = match search {
            ChangeSearch::Isolate => {
                let search = self.over_groups(run, groups, || Isolate::new(count))?;
                return Ok(Culprit {
                    changes: groups.changes(&search.difference()),
                    with: groups.changes(&search.passing()),
                    is_smallest: matches!(search.step(), Step::Done),
                    undo: None,
                });
            }
            ChangeSearch::Dd => {
                let search = self.over_groups(run, groups, || Dd::new(count))?;
                (search.found(), search.best())
            }
            ChangeSearch::DdPlus => {
                let search = self.over_groups(run, groups, || DdPlus::new(count))?;
                (search.found(), search.best())
            }
            ChangeSearch::Ddmin | ChangeSearch::Closure => {
                let search = self.over_groups(run, groups, || Ddmin::new(count))?;
                let is_smallest = matches!(search.step(), Step::Done);
                let suspects = groups.changes(&search.best());
                return Ok(Culprit::alone(Remainder::new(suspects, is_smallest)));
            }
        };
        let seen = self.seen(run, groups.changes(&said.0), groups.changes(&said.1))?;
        // These may leave something that is not needed, or ask nothing that shows it.
        Ok(Culprit::alone(self.singly(run, &seen, Coarseness::Single)?))
    }

    /// Returns the changes one by one, in order.
    pub(super) fn singles(&self) -> Arc<Groups> {
        Arc::new(Groups::new(self.parts, self.order, &self.failing, |_| Coarseness::Single))
    }

    /// Asks a search over groups for the culprit.
    pub(super) fn over_groups<S>(
        &self,
        run: &mut Run<DeltaSet>,
        groups: &Arc<Groups>,
        search: impl FnOnce() -> S,
    ) -> Result<S, Waits>
    where
        S: Search<Candidate = DeltaSet> + Send + Sync + 'static,
    {
        let search = || Grouped::new(search(), groups);
        Ok(self.ask(run, Aim::Culprit, groups.len(), search)?.search)
    }

    /// Returns what an algorithm says it has found, if that fails by itself, else the smallest that
    /// was seen to fail: what had to stay applied for the tests is not among what `dd` and `dd_plus`
    /// find, and may be needed.
    pub(super) fn seen(
        &self,
        run: &mut Run<DeltaSet>,
        found: DeltaSet,
        best: DeltaSet,
    ) -> Result<DeltaSet, Waits> {
        if found == best || self.guess(run, &self.failing, || vec![found.clone()])? == found {
            return Ok(found);
        }
        Ok(best)
    }

    /// Returns the same where nothing to take back is looked for.
    fn without_undo(&self) -> Self {
        Site { seeks_undo: false, ..self.clone() }
    }

    /// Returns some changes with all that they are believed to need.
    pub(super) fn with_needs(&self, changes: &DeltaSet) -> DeltaSet {
        self.needs.believed.closure_up_within(changes, &self.failing)
    }

    /// Looks for files, then for functions in them, then for what is as fine as was asked for.
    pub(super) fn closure(&self, run: &mut Run<DeltaSet>) -> Result<Remainder, Waits> {
        let before = run.answers();
        let mut suspects = self.first_suspects(run)?;
        let is_tangled = (run.answers() - before).are_mostly_unresolved();
        if let Some(labels) = self.labels {
            let commit = |delta: Delta| Coarseness::Commit(labels[delta.0 as usize]);
            suspects = self.narrow(run, &suspects, &commit)?.suspects;
        }
        self.by_levels(run, suspects, is_tangled)
    }

    /// Looks for what has to go, and for less than was found where it is not read at once.
    pub(super) fn with_fix(
        &self,
        run: &mut Run<DeltaSet>,
        mut found: Culprit,
        search: ChangeSearch,
    ) -> Result<(Culprit, Repair), Waits> {
        // What is read in a minute need not be found from the other end.
        if search == ChangeSearch::Closure
            && found.with.is_empty()
            && found.changes.len() > READ_AT_ONCE
            && found.undo.is_none()
        {
            found.undo = self.smallest_undo(run, &found.changes, (UNDO_PATIENCE, usize::MAX))?;
            if let Some(undo) = &found.undo {
                let around = self.around(run, undo, &found.changes)?;
                if around.suspects.len() < found.changes.len() {
                    (found.changes, found.is_smallest) = (around.suspects, around.is_smallest);
                }
            }
        }
        let fix = match &found.undo {
            Some(undo) => Repair { changes: Some(undo.clone()), is_finished: true },
            None => self.fix(run, &found.changes)?,
        };
        Ok((found, fix))
    }

    /// Looks for the fewest of some changes that have to be taken back for the failure to be gone.
    fn smallest_undo(
        &self,
        run: &mut Run<DeltaSet>,
        suspects: &DeltaSet,
        (patience, most): (usize, usize),
    ) -> Result<Option<DeltaSet>, Waits> {
        let search = || {
            let weights = self.hints.weights(suspects);
            let patience = self.persistence.times(patience);
            SmallestUndo::new(undoable(self, suspects, &weights, (patience, most)))
        };
        let search = self.ask(run, Aim::Fix, self.parts.len(), search)?;
        Ok(search.found().cloned())
    }

    /// Looks for little that has to be taken back of the bad version, among the most suspect changes
    /// only; then for what it needs on the good one. Nothing if there is none at hand.
    pub(super) fn by_undo(
        &self,
        run: &mut Run<DeltaSet>,
        suspects: &DeltaSet,
    ) -> Result<Option<Remainder>, Waits> {
        let limits = (EARLY_PATIENCE, self.persistence.times(EARLY_QUESTIONS));
        let undo = self.smallest_undo(run, suspects, limits)?;
        let Some(undo) = undo.filter(|it| it.len() <= READ_AT_ONCE) else { return Ok(None) };
        let around = self.around(run, &undo, suspects)?;
        Ok(Some(Remainder { undo: Some(undo), ..around }))
    }

    /// Looks for what of changes that fail is needed beside an undo: with what it certainly needs,
    /// or is believed to need, it mostly fails.
    fn around(
        &self,
        run: &mut Run<DeltaSet>,
        undo: &DeltaSet,
        failing: &DeltaSet,
    ) -> Result<Remainder, Waits> {
        let guesses = || {
            let certain = self.needs.certain.closure_up_within(undo, failing).union(undo);
            let believed = self.needs.believed_within(undo, failing).union(undo);
            let mended = self.hints.mended(&believed).intersection(failing);
            vec![certain.intersection(failing), mended]
        };
        let suspects = self.guess(run, failing, guesses)?;
        if suspects == *failing {
            return Ok(Remainder::new(suspects, false));
        }
        self.without_undo().by_levels(run, suspects, false)
    }

    /// Looks for what has to go for the failure to be gone.
    pub(super) fn fix(&self, run: &mut Run<DeltaSet>, culprit: &DeltaSet) -> Result<Repair, Waits> {
        let all = self.parts.all();
        let undo = self.ask(run, Aim::Fix, all.len(), || {
            let read = self.hints.read(&all).pop().unwrap_or_else(DeltaSet::empty);
            Undo::new(all.clone(), self.ways_to_undo(culprit, &read))
        })?;
        if let Some(found) = undo.found() {
            return Ok(Repair { changes: Some(found), is_finished: true });
        }
        let groups = run.once(|| Arc::new(self.around_culprit(culprit)));
        let fix = self.ask(run, Aim::Fix, all.len(), || {
            let changes = groups.change_set(self.needs.believed());
            let fix = Grouped::new(Fix::new(changes, groups.of(culprit)), &groups);
            Patient::hasty(fix, groups.len(), self.persistence)
        })?;
        let left_out = groups.changes(&fix.search.search.left_out());
        // Everything left out is the good version, which is no answer unless all of it did it.
        let changes = (left_out != all || *culprit == all).then_some(left_out);
        Ok(Repair { changes, is_finished: fix.is_finished() })
    }

    /// Returns all changes in groups: near the culprit hunk by hunk; of other files all or nothing.
    fn around_culprit(&self, culprit: &DeltaSet) -> Groups {
        let files: BTreeSet<Option<usize>> =
            culprit.iter().map(|delta| self.parts.part(delta).file).collect();
        let coarseness = |delta: Delta| {
            if culprit.contains(delta) {
                Coarseness::Single
            } else if files.contains(&self.parts.part(delta).file) {
                Coarseness::Hunks
            } else {
                Coarseness::Files
            }
        };
        Groups::new(self.parts, self.order, &self.parts.all(), coarseness)
    }
}
