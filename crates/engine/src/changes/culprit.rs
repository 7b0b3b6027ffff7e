//! Finds the changes that did it, and those that have to go.

use std::collections::BTreeSet;
use std::sync::Arc;

use whodunit_changes::{Decomposition, Grouping, Order};
use whodunit_core::searches::{ChangeSet, Closure, Dd, DdPlus, Ddmin, Fix, Isolate};
use whodunit_core::{Delta, DeltaSet, Implications, Search, Step, Verdict};

use super::answer::Cause;
use super::cause::{Finding, Scene};
use super::goal::{Goal, HoldingOn};
use super::grouped::{Coarseness, Grouped, Groups};
use super::guesses::Guesses;
use super::leads::Leads;
use super::needs::Needs;
use super::patient::Patient;
use super::settings::{ChangeGroup, ChangeLevel, ChangeSearch};
use super::trees::{Deltas, Space, TreeState};
use super::undo::Undo;
use super::{ChangesError, Hunt, phases};
use crate::engine::Ended;
use crate::event::Stage;
use crate::key::Key;

/// So many changes that cannot be told apart as functions are not looked at line by line.
const HOPELESS: usize = 500;

/// So few lines are left out one by one, without halving before.
const SINGLY: usize = 5;

/// So few changes are looked at one by one at once.
const FEW: usize = 24;

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
    space: &'a Arc<Space>,
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
            ChangeSearch::Dd => Culprit { changes: self.run(hunt, Dd::new(count))?.found(), with },
            ChangeSearch::DdPlus => {
                Culprit { changes: self.run(hunt, DdPlus::new(count))?.found(), with }
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
        let mut suspects = self.first_suspects(hunt)?;
        if let Some(labels) = self.labels {
            let commit = |delta: Delta| Coarseness::Commit(labels[delta.0 as usize]);
            suspects = self.narrow(hunt, &suspects, &commit, false)?.suspects;
        }
        self.by_levels(hunt, suspects)
    }

    /// Looks for the files among the suspects that are needed, then for functions, then for lines.
    pub(super) fn by_levels(
        &self,
        hunt: &mut Hunt<'_>,
        mut suspects: DeltaSet,
    ) -> Result<DeltaSet, ChangesError> {
        let levels = levels(hunt.settings.level);
        for (place, &coarseness) in levels.iter().enumerate() {
            let is_last = place + 1 == levels.len();
            if !is_last && suspects.len() <= FEW {
                continue;
            }
            let narrowed = self.narrow(hunt, &suspects, &|_| coarseness, is_last)?;
            suspects = narrowed.suspects;
            hunt.gave_up = !narrowed.is_smallest;
            if coarseness == Coarseness::Files {
                let quiet = self.parts.quiet(&suspects);
                suspects = self.guess(hunt, &suspects, [suspects.minus(&quiet)])?;
            }
            // What hangs together in large parts hangs together in small ones.
            if !narrowed.is_smallest && coarseness == Coarseness::Items && suspects.len() > HOPELESS
            {
                break;
            }
        }
        Ok(suspects)
    }

    /// Asks first about what the tests of both ends point at.
    fn first_suspects(&self, hunt: &mut Hunt<'_>) -> Result<DeltaSet, ChangesError> {
        let evidence = hunt.evidence.clone();
        let leads = Leads { parts: self.parts, evidence: &evidence };
        let certain = |set: DeltaSet| self.needs.certain.closure_up_within(&set, &self.failing);
        let suspects = self.guess(hunt, &self.failing, leads.read(&self.failing).map(certain))?;
        let spoken_of = self.needs.with_partners(&leads.spoken_of(&suspects), &suspects);
        let spoken_of = self.mended(hunt, &spoken_of).intersection(&suspects);
        let suspects = self.guess(hunt, &suspects, [spoken_of])?;
        if suspects.len() <= FEW {
            return Ok(suspects);
        }
        let tested = self.needs.believed_within(&leads.tested(&suspects), &suspects);
        let tested = self.mended(hunt, &tested).intersection(&suspects);
        self.guess(hunt, &suspects, [tested])
    }

    /// Returns the first of some sets that fails, or else what is known to fail.
    pub(super) fn guess(
        &self,
        hunt: &mut Hunt<'_>,
        failing: &DeltaSet,
        guesses: impl IntoIterator<Item = DeltaSet>,
    ) -> Result<DeltaSet, ChangesError> {
        let guesses = Guesses::new(failing.clone(), guesses);
        match guesses.step() {
            Step::Ask(_) => Ok(self.ask(hunt, Stage::Culprit, guesses, failing.len())?.best()),
            Step::Done => Ok(failing.clone()),
        }
    }

    /// Returns a set with what makes it parse.
    fn mended(&self, hunt: &Hunt<'_>, set: &DeltaSet) -> DeltaSet {
        let Space::Deltas(Deltas { gate: Some(gate), .. }) = &**self.space else {
            return set.clone();
        };
        // Nothing is asked any more once the run is stopped.
        gate.mend(set, &|| !hunt.stop.is_stopped()).unwrap_or_else(|| set.clone())
    }

    /// Finds the groups among the suspects that are needed.
    pub(super) fn narrow(
        &self,
        hunt: &mut Hunt<'_>,
        suspects: &DeltaSet,
        coarseness: &dyn Fn(Delta) -> Coarseness,
        is_last: bool,
    ) -> Result<Narrow, ChangesError> {
        let groups = Arc::new(Groups::new(self.parts, self.order, suspects, coarseness));
        if groups.len() < 2 {
            return Ok(Narrow { suspects: suspects.clone(), is_smallest: true });
        }
        // Of so few each will be asked about anyway.
        let Halved { mut found, mut gave_up } = match is_last && groups.len() <= SINGLY {
            true => Halved { found: suspects.clone(), gave_up: false },
            false => self.halve(hunt, &groups, suspects, is_last)?,
        };
        let are_items = found.first().is_some_and(|it| coarseness(it) == Coarseness::Items);
        let is_tangle = are_items && found.len() > HOPELESS;
        if gave_up && is_last {
            let left = self.minimise(hunt, &found, coarseness)?;
            (found, gave_up) = (left.suspects, !left.is_smallest);
        }
        // What was taken along because it might be needed is now asked about by itself.
        let groups = Arc::new(Groups::new(self.parts, self.order, &found, coarseness));
        // Few changes will be asked about one by one at once.
        let is_left_to_the_last = !is_last && found.len() <= FEW;
        // Where so much hangs together, that is mostly in vain.
        if gave_up || is_tangle || is_left_to_the_last || groups.len() < 2 {
            return Ok(Narrow { suspects: found, is_smallest: !gave_up && !is_tangle });
        }
        let search = match is_last {
            // Most of it is needed by now, so that each is asked about by itself.
            true => {
                let changes = groups.change_set(self.needs.in_pairs());
                let search = Closure::suspecting(changes, DeltaSet::full(groups.len()));
                Patient::thorough(Grouped::new(search, &groups), groups.len())
            }
            // The next level goes on from whatever is left.
            false => {
                let changes = groups.change_set(self.needs.certain());
                Patient::hasty(Grouped::new(Closure::over(changes), &groups), groups.len())
            }
        };
        let search = self.ask(hunt, Stage::Smallest, search, found.len())?;
        Ok(Narrow { suspects: search.best(), is_smallest: !search.gave_up() })
    }

    /// Looks for the groups that are needed by halving, with what is believed of them.
    fn halve(
        &self,
        hunt: &mut Hunt<'_>,
        groups: &Arc<Groups>,
        suspects: &DeltaSet,
        is_last: bool,
    ) -> Result<Halved, ChangesError> {
        let changes = groups.change_set(self.needs.believed());
        let search = Grouped::new(Closure::over(changes), groups);
        let search = match is_last {
            // What cannot be halved is made smaller bit by bit.
            true => Patient::hasty(search, groups.len()),
            false => Patient::new(search, groups.len()),
        };
        let search = self.ask(hunt, Stage::Culprit, search, suspects.len())?;
        Ok(Halved { found: search.best(), gave_up: search.gave_up() })
    }

    /// Leaves out what can be, each with what is believed to need it, where halving is in vain.
    fn minimise(
        &self,
        hunt: &mut Hunt<'_>,
        found: &DeltaSet,
        coarseness: &dyn Fn(Delta) -> Coarseness,
    ) -> Result<Narrow, ChangesError> {
        let groups = Arc::new(Groups::new(self.parts, self.order, found, coarseness));
        let changes = groups.change_set(self.needs.believed());
        let search = Closure::suspecting(changes, DeltaSet::full(groups.len()));
        let search = Patient::new(Grouped::new(search, &groups), groups.len());
        let search = self.ask(hunt, Stage::Culprit, search, found.len())?;
        Ok(Narrow { suspects: search.best(), is_smallest: !search.gave_up() })
    }

    fn ask<S: Search<Candidate = DeltaSet>>(
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
        let undo = Undo::new(all.clone(), self.ways_to_undo(culprit));
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

/// What halving left of the suspects.
struct Halved {
    found: DeltaSet,
    gave_up: bool,
}

/// What is left of the suspects.
pub(super) struct Narrow {
    pub(super) suspects: DeltaSet,
    /// Whether each group of them is needed.
    pub(super) is_smallest: bool,
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

/// Returns the levels that are gone through one after the other.
fn levels(finest: ChangeLevel) -> &'static [Coarseness] {
    use Coarseness::{Files, Hunks, Items, Single};
    match finest {
        ChangeLevel::Commit | ChangeLevel::Directory => &[Single],
        ChangeLevel::File => &[Files],
        ChangeLevel::Item => &[Files, Items],
        ChangeLevel::Hunk => &[Files, Items, Hunks],
        ChangeLevel::Line | ChangeLevel::Token => &[Files, Items, Single],
    }
}
