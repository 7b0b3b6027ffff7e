//! Finds the changes that did it, and those that have to go.

use std::collections::BTreeSet;
use std::sync::Arc;

use whodunit_changes::{Decomposition, Grouping, Order};
use whodunit_core::searches::{ChangeSet, Closure, Dd, DdPlus, Ddmin, Fix, Isolate};
use whodunit_core::{Delta, DeltaSet, Implications, Search, Verdict};

use super::answer::Cause;
use super::cause::{Finding, Scene};
use super::goal::{Goal, HoldingOn};
use super::grouped::{Coarseness, Grouped, Groups};
use super::leads::Leads;
use super::levels::is_mostly_unresolved;
use super::needs::Needs;
use super::patient::Patient;
use super::settings::{ChangeGroup, ChangeSearch};
use super::trees::{Deltas, Space, TreeState};
use super::undo::Undo;
use super::{ChangesError, Hunt, phases};
use crate::engine::Ended;
use crate::event::Stage;
use crate::key::Key;

/// Finds the cause, or all of them if that was asked for.
pub(super) fn find(
    hunt: &mut Hunt<'_>,
    scene: &Scene<'_>,
) -> Result<Vec<(Cause, Finding)>, ChangesError> {
    let Scene { parts, space, .. } = scene;
    let commits = scene.origins.labels();
    let labels = commits.clone().filter(|_| hunt.settings.group == ChangeGroup::Process);
    let needs = Needs::of(parts);
    let order = Order::of(parts, grouping(hunt.settings.group, labels.as_deref()));
    let suspicion = match &hunt.settings.atomic {
        Some(settings) => Some(hunt.suspicion(settings, parts)?),
        None => None,
    };
    let mut failing = parts.all();
    let mut causes = Vec::new();
    loop {
        let failing_now = failing.clone();
        let (order, needs) = (&order, &needs);
        let labels = labels.as_deref();
        let goal = Goal::Fail;
        let site = Site { parts, space, needs, order, labels, goal, failing: failing_now };
        let (Culprit { changes: culprit, with }, atomic) = match &suspicion {
            Some(suspicion) => {
                let (changes, atomic) = phases::find(&site, hunt, suspicion, commits.as_deref())?;
                (Culprit { changes, with: DeltaSet::empty() }, Some(atomic))
            }
            None => (site.culprit(hunt)?, None),
        };
        let fix = site.fix(hunt, &culprit)?;
        let finding = Finding { culprit, with, fix, atomic };
        let cause = scene.cause(hunt, &finding)?;
        let culprit = finding.culprit.clone();
        causes.push((cause, finding));
        if !hunt.settings.all || hunt.ended != Ended::Done {
            return Ok(causes);
        }
        let needing = needs.all.dependents_within(&culprit, &failing);
        failing = failing.minus(&culprit.union(&needing));
        let rest = TreeState { space: (*space).clone(), set: failing.clone() };
        if failing.is_empty() || hunt.ask(&rest)? != Verdict::Fail {
            return Ok(causes);
        }
    }
}

/// Finds what of some changes is needed for the failure, which all of them together show.
pub(super) fn needed(
    hunt: &mut Hunt<'_>,
    parts: &Arc<Decomposition>,
    key: Key,
) -> Result<DeltaSet, ChangesError> {
    let space = &Arc::new(Space::Deltas(Deltas::new(parts.clone(), key, true)));
    let (needs, order) = (&Needs::of(parts), &Order::of(parts, Grouping::Location));
    let (goal, failing) = (Goal::Fail, parts.all());
    let site = Site { parts, space, needs, order, labels: None, goal, failing };
    let gave_up = hunt.gave_up;
    let found = site.closure(hunt);
    // That is said of the culprit alone.
    hunt.gave_up = gave_up;
    found
}

/// Finds the smallest part of some changes, all of which together reach a goal, that does so by
/// itself. Of each of some sets all or nothing is taken.
pub(crate) fn smallest(
    hunt: &mut Hunt<'_>,
    parts: &Arc<Decomposition>,
    space: &Arc<Space>,
    goal: Goal,
    wholes: &[DeltaSet],
) -> Result<DeltaSet, ChangesError> {
    let needs = &Needs::of(parts).keeping(wholes);
    let (order, failing) = (&Order::of(parts, Grouping::Location), parts.all());
    let site = Site { parts, space, needs, order, labels: None, goal, failing };
    if hunt.settings.search == ChangeSearch::Closure {
        return site.closure(hunt);
    }
    // Others know nothing of what needs what.
    let whole = |delta: Delta| wholes.iter().position(|whole| whole.contains(delta));
    let unit = |delta: Delta| match whole(delta) {
        Some(place) => Coarseness::Commit(place as u32),
        None => Coarseness::Single,
    };
    let groups = Arc::new(Groups::new(parts, order, &site.failing, unit));
    let search = Grouped::new(Ddmin::new(groups.len()), &groups);
    Ok(site.ask(hunt, Stage::Culprit, search, parts.len())?.best())
}

/// Where a cause is looked for.
pub(super) struct Site<'a> {
    pub(super) parts: &'a Arc<Decomposition>,
    pub(super) space: &'a Arc<Space>,
    pub(super) needs: &'a Needs,
    pub(super) order: &'a Order,
    /// The commit of each change, if they are grouped by it.
    labels: Option<&'a [u32]>,
    goal: Goal,
    /// Changes that are known to reach the goal together.
    pub(super) failing: DeltaSet,
}

impl Site<'_> {
    /// Finds the changes that did it.
    fn culprit(&self, hunt: &mut Hunt<'_>) -> Result<Culprit, ChangesError> {
        let (count, with) = (self.parts.len(), DeltaSet::empty());
        Ok(match hunt.settings.search {
            ChangeSearch::Closure => Culprit { changes: self.closure(hunt)?, with },
            ChangeSearch::Dd => {
                let search = self.run(hunt, Dd::new(count))?;
                Culprit { changes: self.seen(hunt, search.found(), search.best())?, with }
            }
            ChangeSearch::DdPlus => {
                let search = self.run(hunt, DdPlus::new(count))?;
                Culprit { changes: self.seen(hunt, search.found(), search.best())?, with }
            }
            ChangeSearch::Ddmin => {
                Culprit { changes: self.run(hunt, Ddmin::new(count))?.best(), with }
            }
            ChangeSearch::Isolate => {
                let search = self.run(hunt, Isolate::new(count))?;
                Culprit { changes: search.difference(), with: search.passing() }
            }
        })
    }

    fn run<S: Search<Candidate = DeltaSet>>(
        &self,
        hunt: &mut Hunt<'_>,
        search: S,
    ) -> Result<S, ChangesError> {
        self.search(hunt, search, self.parts.len())
    }

    /// Returns what an algorithm says it has found, if that fails by itself, else the smallest that
    /// was seen to fail: what had to stay applied for the tests is not among what `dd` and `dd_plus`
    /// find, and may be needed.
    pub(super) fn seen(
        &self,
        hunt: &mut Hunt<'_>,
        found: DeltaSet,
        best: DeltaSet,
    ) -> Result<DeltaSet, ChangesError> {
        if found == best || self.guess(hunt, &self.failing, [found.clone()])? == found {
            return Ok(found);
        }
        Ok(best)
    }

    /// Asks a search for the culprit among so many changes until it is done.
    pub(super) fn search<S: Search<Candidate = DeltaSet>>(
        &self,
        hunt: &mut Hunt<'_>,
        search: S,
        count: usize,
    ) -> Result<S, ChangesError> {
        self.ask(hunt, Stage::Culprit, search, count)
    }

    /// Returns some changes with all that they are believed to need.
    pub(super) fn with_needs(&self, changes: &DeltaSet) -> DeltaSet {
        self.needs.believed.closure_up_within(changes, &self.failing)
    }

    /// Looks for files, then for functions in them, then for what is as fine as was asked for.
    fn closure(&self, hunt: &mut Hunt<'_>) -> Result<DeltaSet, ChangesError> {
        if hunt.settings.ordered {
            let count = self.parts.len();
            let implications = Implications::chain(count);
            let changes = ChangeSet { implications, ..ChangeSet::new(count) };
            return Ok(self.run(hunt, Closure::over(changes))?.best());
        }
        let before = hunt.tally;
        let mut suspects = self.first_suspects(hunt)?;
        let is_tangled = is_mostly_unresolved(before, hunt.tally);
        if let Some(labels) = self.labels {
            let commit = |delta: Delta| Coarseness::Commit(labels[delta.0 as usize]);
            suspects = self.narrow(hunt, &suspects, &commit)?.suspects;
        }
        self.by_levels(hunt, suspects, is_tangled)
    }

    pub(super) fn ask<S: Search<Candidate = DeltaSet>>(
        &self,
        hunt: &mut Hunt<'_>,
        stage: Stage,
        search: S,
        count: usize,
    ) -> Result<S, ChangesError> {
        let search = HoldingOn { search, goal: self.goal };
        let stage = match self.goal {
            Goal::Fail => stage,
            Goal::Restore | Goal::Pass => Stage::Port,
        };
        Ok(hunt.search(stage, search, self.space, count, &mut |_, _| ())?.search)
    }

    /// Returns what has to go for the failure to be gone, if that can be found.
    fn fix(
        &self,
        hunt: &mut Hunt<'_>,
        culprit: &DeltaSet,
    ) -> Result<Option<DeltaSet>, ChangesError> {
        let all = self.parts.all();
        let evidence = hunt.evidence.clone();
        let leads = Leads { parts: self.parts, evidence: &evidence };
        let read = leads.read(&all).last().unwrap_or_else(DeltaSet::empty);
        let undo = Undo::new(all.clone(), self.ways_to_undo(culprit, &read));
        let undo = self.ask(hunt, Stage::Fix, undo, all.len())?;
        if let Some(found) = undo.found() {
            return Ok(Some(found));
        }
        let files: BTreeSet<Option<usize>> =
            culprit.iter().map(|delta| self.parts.part(delta).file).collect();
        // Near the culprit hunk by hunk; of other files all or nothing.
        let coarseness = |delta: Delta| {
            if culprit.contains(delta) {
                Coarseness::Single
            } else if files.contains(&self.parts.part(delta).file) {
                Coarseness::Hunks
            } else {
                Coarseness::Files
            }
        };
        let groups = Arc::new(Groups::new(self.parts, self.order, &all, coarseness));
        let changes = groups.change_set(self.needs.believed());
        let fix = Grouped::new(Fix::new(changes, groups.of(culprit)), &groups);
        let fix = self.ask(hunt, Stage::Fix, Patient::hasty(fix, groups.len()), all.len())?;
        let left_out = groups.changes(&fix.search.search.left_out());
        // Everything left out is the good version, which is no answer unless all of it did it.
        Ok((left_out != all || *culprit == all).then_some(left_out))
    }
}

/// Changes that did it.
struct Culprit {
    changes: DeltaSet,
    /// What else of the bad version has to be there.
    with: DeltaSet,
}

/// Returns by what changes are put together; by location if they are to be by commit and there is
/// no history.
fn grouping(group: ChangeGroup, labels: Option<&[u32]>) -> Grouping<'_> {
    match group {
        ChangeGroup::Process => labels.map_or(Grouping::Location, Grouping::Process),
        ChangeGroup::Location => Grouping::Location,
        ChangeGroup::Syntactic => Grouping::Syntactic,
        ChangeGroup::Lexical => Grouping::Lexical,
    }
}
