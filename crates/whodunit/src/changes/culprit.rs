//! Finds the changes that did it, and those that have to go.

use std::collections::BTreeSet;
use std::sync::Arc;

use whodunit_core::searches::{Dd, DdPlus, Ddmin, Fix, Isolate, SmallestUndo};
use whodunit_core::{Delta, DeltaSet, Search, Step, Verdict};
use whodunit_run::Ended;
use whodunit_versions::{Decomposition, Grouping, Order};

use super::cause::{Finding, Repair, Scene};
use super::goal::{Goal, GoalSearch};
use super::grouped::{Coarseness, Grouped, Groups};
use super::leads::Leads;
use super::levels::{Remainder, is_mostly_unresolved};
use super::needs::Needs;
use super::patient::{Patient, Persistence};
use super::spot::{Cutouts, SpotSearch};
use super::suspects::{Suspects, undoable};
use super::trees::{Deltas, Space, TreeState};
use super::undo::Undo;
use super::{ChangesError, Finder, phases};
use crate::answer::{Cause, Partner};
use crate::atomic::Suspicion;
use crate::event::Stage;
use crate::settings::{ChangeGroup, ChangeLevel, ChangeSearch};

/// A culprit of so many changes or fewer is read at once. A larger one is looked for from the bad
/// version as well, by what has to be taken back.
const READ_AT_ONCE: usize = 10;

/// How many groups of changes are taken back before the search for an undo gives up.
const UNDO_PATIENCE: usize = 60;

/// How many are where the search from the good end gave a level up and still has a finer one to ask
/// about: the most suspect groups are often the answer.
const EARLY_PATIENCE: usize = 12;

/// How many questions that may be in all, until what is found is read at once.
const EARLY_QUESTIONS: usize = 36;

/// Parts of the bad version that are taken out, one after the other, before the search for a spot gives
/// up. Chosen by hand.
const SPOT_PATIENCE: usize = 100;

/// Where the culprit is read at once, a spot is of less use, and its search may ask one question for every
/// so many that were asked before: the run gets a fifth longer at the most.
const SPOT_SHARE: u64 = 5;

/// Questions about a spot that are asked however few there were before. Chosen by hand.
const FEWEST_SPOTS: usize = 8;

/// Finds the cause, or all of them if that was asked for. What was given up on the way can be gone
/// on with; see [`go_on`]. If the run is stopped before a cause is found, it is the fewest changes
/// that were seen to fail.
pub(super) fn find(
    finder: &mut Finder<'_>,
    scene: &Scene<'_>,
) -> Result<Vec<(Cause, Finding)>, ChangesError> {
    let mut found = Vec::new();
    finder.fewest = Some((scene.space.clone(), scene.parts.all()));
    finder.until_stopped(|finder| Grounds::of(finder, scene)?.add_causes(finder, &mut found))?;
    if let (true, Some((_, fewest))) = (found.is_empty(), finder.fewest.take()) {
        let mut finding = Finding::unfinished(fewest);
        found.push((scene.cause(finder, &mut finding)?, finding));
    }
    Ok(found)
}

/// Goes on with what was given up, as long as there is persistence for it.
pub(super) fn go_on(
    finder: &mut Finder<'_>,
    scene: &Scene<'_>,
    found: &mut Vec<(Cause, Finding)>,
) -> Result<(), ChangesError> {
    finder.until_stopped(|finder| refine_all(finder, scene, found))?;
    Ok(())
}

fn refine_all(
    finder: &mut Finder<'_>,
    scene: &Scene<'_>,
    found: &mut Vec<(Cause, Finding)>,
) -> Result<(), ChangesError> {
    let mut grounds = None;
    while finder.lab.ended == Ended::Done
        && let Some(open) = least_patient(found, finder.persistence)
    {
        let grounds = match &mut grounds {
            Some(grounds) => grounds,
            None => grounds.insert(Grounds::of(finder, scene)?),
        };
        let (cause, finding) = &mut found[open];
        grounds.refine(finder, cause, finding)?;
        // What is no longer blamed may hold another cause.
        grounds.add_causes(finder, found)?;
    }
    Ok(())
}

/// Returns the cause to go on with: of those that were given up the one given up soonest.
fn least_patient(found: &[(Cause, Finding)], most: Persistence) -> Option<usize> {
    let open = found.iter().enumerate();
    let open = open.filter(|(_, (cause, it))| !cause.is_settled() && it.persistence < most);
    open.min_by_key(|(_, (_, finding))| finding.persistence).map(|(place, _)| place)
}

/// What is known of all changes before a cause is looked for among them.
struct Grounds<'a> {
    scene: &'a Scene<'a>,
    needs: Needs,
    order: Order,
    /// The commit of each change, where that is known.
    commits: Option<Vec<u32>>,
    /// Whether changes are grouped by these.
    by_commit: bool,
    suspicion: Option<Suspicion>,
}

impl<'a> Grounds<'a> {
    fn of(finder: &Finder<'_>, scene: &'a Scene<'a>) -> Result<Self, ChangesError> {
        let parts = scene.parts;
        let commits = scene.origins.labels();
        let by_commit = finder.settings.group == ChangeGroup::Process;
        let labels = commits.as_deref().filter(|_| by_commit);
        let order = Order::of(parts, grouping(finder.settings.group, labels));
        let needs = Needs::of(parts, finder)?;
        let suspicion = match &finder.settings.atomic {
            Some(settings) => Some(finder.suspicion(settings, parts)?),
            None => None,
        };
        Ok(Grounds { scene, needs, order, commits, by_commit, suspicion })
    }

    fn site(&self, failing: DeltaSet, persistence: Persistence) -> Site<'_> {
        Site {
            parts: self.scene.parts,
            space: self.scene.space,
            needs: &self.needs,
            order: &self.order,
            labels: self.commits.as_deref().filter(|_| self.by_commit),
            goal: Goal::Fail,
            failing,
            persistence,
            seeks_undo: true,
        }
    }

    /// Looks for a cause, and for others in what is left without those found if all were asked for.
    fn add_causes(
        &self,
        finder: &mut Finder<'_>,
        found: &mut Vec<(Cause, Finding)>,
    ) -> Result<(), ChangesError> {
        loop {
            let mut failing = self.scene.parts.all();
            for (_, Finding { culprit, .. }) in &*found {
                let needing = self.needs.all.dependents_within(culprit, &failing);
                failing = failing.minus(&culprit.union(&needing));
            }
            let is_first = found.is_empty();
            if !is_first {
                if !finder.settings.all || finder.lab.ended != Ended::Done || failing.is_empty() {
                    return Ok(());
                }
                let rest = TreeState { space: self.scene.space.clone(), set: failing.clone() };
                if finder.ask_in_time(&rest)? != Some(Verdict::Fail) {
                    return Ok(());
                }
            }
            let mut finding = self.cause(finder, failing)?;
            let cause = self.scene.cause(finder, &mut finding)?;
            found.push((cause, finding));
        }
    }

    /// Finds a cause among changes that fail.
    fn cause(&self, finder: &mut Finder<'_>, failing: DeltaSet) -> Result<Finding, ChangesError> {
        let persistence = Persistence::default();
        let site = self.site(failing, persistence);
        let (culprit, atomic) = match &self.suspicion {
            Some(suspicion) => {
                let (left, atomic) =
                    phases::find(&site, finder, suspicion, self.commits.as_deref())?;
                (Culprit::alone(left), Some(atomic))
            }
            None => (site.culprit(finder)?, None),
        };
        let Culprit { mut changes, with, mut is_smallest, undo: mut fix } = culprit;
        // What is read in a minute need not be found from the other end.
        if finder.settings.search == ChangeSearch::Closure
            && with.is_empty()
            && changes.len() > READ_AT_ONCE
            && fix.is_none()
        {
            fix = site.smallest_undo(finder, &changes, (UNDO_PATIENCE, usize::MAX))?;
            if let Some(undo) = &fix {
                let around = site.around(finder, undo, &changes)?;
                if around.suspects.len() < changes.len() {
                    (changes, is_smallest) = (around.suspects, around.is_smallest);
                }
            }
        }
        let fix = match fix {
            Some(undo) => Repair { changes: Some(undo), is_finished: true },
            None => site.fix(finder, &changes)?,
        };
        let spot = site.spot(finder, &changes, &fix)?;
        let each_needed = is_smallest;
        Ok(Finding { culprit: changes, with, each_needed, fix, spot, atomic, persistence })
    }

    /// Looks for less than was found of a cause, and for what has to go if that is not known.
    fn refine(
        &self,
        finder: &mut Finder<'_>,
        cause: &mut Cause,
        finding: &mut Finding,
    ) -> Result<(), ChangesError> {
        finding.persistence = finding.persistence.more();
        let site = self.site(finding.culprit.clone(), finding.persistence);
        let are_partners_open = !cause.partners.iter().all(Partner::is_settled);
        let before = (finding.culprit.clone(), finding.fix.changes.clone());
        if !finding.each_needed {
            let by_levels =
                finder.settings.search == ChangeSearch::Closure || self.suspicion.is_some();
            let left = match by_levels {
                true => site.by_levels(finder, before.0.clone(), false)?,
                false => site.singly(finder, &before.0, Coarseness::Single)?,
            };
            (finding.culprit, finding.each_needed) = (left.suspects, left.is_smallest);
            if let Some(undo) = left.undo {
                let undo = Repair { changes: Some(undo), is_finished: true };
                finding.fix = finding.fix.clone().or_smaller(undo);
            }
            if let (Some(suspicion), Some(atomic)) = (&self.suspicion, &mut finding.atomic) {
                atomic.culprit = suspicion.culprit(&finding.culprit);
            }
        }
        if finding.culprit != before.0 || !finding.fix.is_settled() {
            let fix = site.fix(finder, &finding.culprit)?;
            finding.fix = finding.fix.clone().or_smaller(fix);
        }
        let had_spot = finding.spot.is_some();
        if !had_spot {
            finding.spot = site.spot(finder, &finding.culprit, &finding.fix)?;
        }
        // What is carried to other versions is tested anew only if there is something new.
        let is_new = before != (finding.culprit.clone(), finding.fix.changes.clone())
            || had_spot != finding.spot.is_some();
        let is_proved = finding.each_needed == cause.proof.each_needed.holds();
        if are_partners_open || is_new || !is_proved {
            *cause = self.scene.cause(finder, finding)?;
        } else {
            cause.proof.fix_sought = finding.fix.is_settled();
        }
        Ok(())
    }
}

/// Finds what of some changes is needed for the failure, which all of them together show.
pub(super) fn needed(
    finder: &mut Finder<'_>,
    parts: &Arc<Decomposition>,
    persistence: Persistence,
) -> Result<Remainder, ChangesError> {
    let space = &Arc::new(Space::Deltas(Deltas::new(parts.clone(), true)));
    let (needs, order) = (&Needs::of(parts, finder)?, &Order::of(parts, Grouping::Location));
    let (goal, failing, seeks_undo) = (Goal::Fail, parts.all(), false);
    Site { parts, space, needs, order, labels: None, goal, failing, persistence, seeks_undo }
        .closure(finder)
}

/// Finds the smallest part of some changes, all of which together reach a goal, that does so by
/// itself. Of each of some sets all or nothing is taken.
pub(crate) fn smallest(
    finder: &mut Finder<'_>,
    parts: &Arc<Decomposition>,
    space: &Arc<Space>,
    goal: Goal,
    wholes: &[DeltaSet],
) -> Result<DeltaSet, ChangesError> {
    let needs = &Needs::of(parts, finder)?.keeping(wholes);
    let (order, failing) = (&Order::of(parts, Grouping::Location), parts.all());
    let (labels, persistence, seeks_undo) = (None, Persistence::default(), false);
    let site = Site { parts, space, needs, order, labels, goal, failing, persistence, seeks_undo };
    if finder.settings.search == ChangeSearch::Closure {
        return Ok(site.closure(finder)?.suspects);
    }
    // Others know nothing of what needs what.
    let whole = |delta: Delta| wholes.iter().position(|whole| whole.contains(delta));
    let unit = |delta: Delta| match whole(delta) {
        Some(place) => Coarseness::Commit(place as u32),
        None => Coarseness::Single,
    };
    let groups = Arc::new(Groups::new(parts, order, &site.failing, unit));
    let search = Grouped::new(Ddmin::new(groups.len()), &groups);
    Ok(site.ask(finder, Stage::Culprit, search, parts.len())?.best())
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
    pub(super) persistence: Persistence,
    /// Whether little may be looked for that has to be taken back.
    pub(super) seeks_undo: bool,
}

impl Site<'_> {
    /// Finds the changes that did it.
    fn culprit(&self, finder: &mut Finder<'_>) -> Result<Culprit, ChangesError> {
        let search = finder.settings.search;
        if search == ChangeSearch::Closure && !finder.settings.ordered {
            return Ok(Culprit::alone(self.closure(finder)?));
        }
        let single = |_| Coarseness::Single;
        let groups = Arc::new(Groups::new(self.parts, self.order, &self.failing, single));
        if finder.settings.ordered {
            return self.in_order(finder, &groups);
        }
        let count = groups.len();
        let said = match search {
            ChangeSearch::Isolate => {
                let search = self.run(finder, Isolate::new(count), &groups)?;
                return Ok(Culprit {
                    changes: groups.changes(&search.difference()),
                    with: groups.changes(&search.passing()),
                    is_smallest: matches!(search.step(), Step::Done),
                    undo: None,
                });
            }
            ChangeSearch::Dd => {
                let search = self.run(finder, Dd::new(count), &groups)?;
                (search.found(), search.best())
            }
            ChangeSearch::DdPlus => {
                let search = self.run(finder, DdPlus::new(count), &groups)?;
                (search.found(), search.best())
            }
            // Without an order `closure` has its own way.
            ChangeSearch::Ddmin | ChangeSearch::Closure => {
                let search = self.run(finder, Ddmin::new(count), &groups)?;
                let is_smallest = matches!(search.step(), Step::Done);
                let suspects = groups.changes(&search.best());
                return Ok(Culprit::alone(Remainder::new(suspects, is_smallest)));
            }
        };
        let seen = self.seen(finder, groups.changes(&said.0), groups.changes(&said.1))?;
        // These may leave something that is not needed, or ask nothing that shows it.
        Ok(Culprit::alone(self.singly(finder, &seen, Coarseness::Single)?))
    }

    /// Finds the change that did it where each is only possible after all before it (section 6 and
    /// Table 7 of "Yesterday, my program worked. Today, it does not. Why?", Zeller 1999).
    fn in_order(
        &self,
        finder: &mut Finder<'_>,
        groups: &Arc<Groups>,
    ) -> Result<Culprit, ChangesError> {
        let turn = finder.bisect(Stage::Culprit, groups.len(), self.space, |search| {
            Grouped::new(search, groups)
        })?;
        let [with, all] = [turn.passing, turn.failing].map(|end| groups.first(end));
        let changes = all.minus(&with);
        Ok(Culprit { changes, with, is_smallest: turn.is_finished, undo: None })
    }

    fn run<S: Search<Candidate = DeltaSet>>(
        &self,
        finder: &mut Finder<'_>,
        search: S,
        groups: &Arc<Groups>,
    ) -> Result<S, ChangesError> {
        Ok(self.search(finder, Grouped::new(search, groups), groups.len())?.search)
    }

    /// Returns what an algorithm says it has found, if that fails by itself, else the smallest that
    /// was seen to fail: what had to stay applied for the tests is not among what `dd` and `dd_plus`
    /// find, and may be needed.
    pub(super) fn seen(
        &self,
        finder: &mut Finder<'_>,
        found: DeltaSet,
        best: DeltaSet,
    ) -> Result<DeltaSet, ChangesError> {
        if found == best || self.guess(finder, &self.failing, [found.clone()])? == found {
            return Ok(found);
        }
        Ok(best)
    }

    /// Asks a search for the culprit among so many changes until it is done.
    pub(super) fn search<S: Search<Candidate = DeltaSet>>(
        &self,
        finder: &mut Finder<'_>,
        search: S,
        count: usize,
    ) -> Result<S, ChangesError> {
        self.ask(finder, Stage::Culprit, search, count)
    }

    /// Returns the same where nothing to take back is looked for.
    fn without_undo(&self) -> Self {
        Site { failing: self.failing.clone(), seeks_undo: false, ..*self }
    }

    /// Returns some changes with all that they are believed to need.
    pub(super) fn with_needs(&self, changes: &DeltaSet) -> DeltaSet {
        self.needs.believed.closure_up_within(changes, &self.failing)
    }

    /// Looks for files, then for functions in them, then for what is as fine as was asked for.
    fn closure(&self, finder: &mut Finder<'_>) -> Result<Remainder, ChangesError> {
        let before = finder.lab.tally;
        let mut suspects = self.first_suspects(finder)?;
        let is_tangled = is_mostly_unresolved(before, finder.lab.tally);
        if let Some(labels) = self.labels {
            let commit = |delta: Delta| Coarseness::Commit(labels[delta.0 as usize]);
            suspects = self.narrow(finder, &suspects, &commit)?.suspects;
        }
        self.by_levels(finder, suspects, is_tangled)
    }

    /// Looks for the fewest of some changes that have to be taken back for the failure to be gone.
    fn smallest_undo(
        &self,
        finder: &mut Finder<'_>,
        suspects: &DeltaSet,
        (patience, most): (usize, usize),
    ) -> Result<Option<DeltaSet>, ChangesError> {
        let weights = {
            let (parts, evidence) = (self.parts.clone(), finder.evidence.clone());
            let suspects = suspects.clone();
            let weights =
                move || Suspects { parts: &parts, evidence: &evidence }.weights(&suspects);
            finder.search_stop().wait_for(weights)?
        };
        let patience = self.persistence.times(patience);
        let undoable = undoable(self, suspects, &weights, (patience, most));
        let search = SmallestUndo::new(undoable);
        let search = self.ask(finder, Stage::Fix, search, self.parts.len())?;
        Ok(search.found().cloned())
    }

    /// Looks for little that has to be taken back of the bad version, among the most suspect changes
    /// only; then for what it needs on the good one. Nothing if there is none at hand.
    pub(super) fn by_undo(
        &self,
        finder: &mut Finder<'_>,
        suspects: &DeltaSet,
    ) -> Result<Option<Remainder>, ChangesError> {
        let limits = (EARLY_PATIENCE, self.persistence.times(EARLY_QUESTIONS));
        let undo = self.smallest_undo(finder, suspects, limits)?;
        let Some(undo) = undo.filter(|it| it.len() <= READ_AT_ONCE) else { return Ok(None) };
        let around = self.around(finder, &undo, suspects)?;
        Ok(Some(Remainder { undo: Some(undo), ..around }))
    }

    /// Looks for a part of the bad version without which it passes, unless little has to be taken
    /// back for that.
    fn spot(
        &self,
        finder: &mut Finder<'_>,
        culprit: &DeltaSet,
        fix: &Repair,
    ) -> Result<Option<TreeState>, ChangesError> {
        let settings = finder.settings;
        let is_fine =
            matches!(settings.level, ChangeLevel::Line | ChangeLevel::Hunk | ChangeLevel::Token);
        let is_ours = settings.search == ChangeSearch::Closure && !settings.ordered;
        let is_little = |it: &DeltaSet| it.len() <= READ_AT_ONCE;
        if !is_fine || !is_ours || fix.changes.as_ref().is_some_and(is_little) || finder.is_over() {
            return Ok(None);
        }
        let share = (finder.lab.tally.answers() / SPOT_SHARE) as usize;
        let patience = if is_little(culprit) { share.max(FEWEST_SPOTS) } else { SPOT_PATIENCE };
        let most = self.persistence.times(patience);
        let cutouts = {
            let (parts, evidence) = (self.parts.clone(), finder.evidence.clone());
            finder.search_stop().wait_for(move || Cutouts::of(&parts, &evidence, most))??
        };
        if cutouts.len() == 0 {
            return Ok(None);
        }
        let (count, search) = (cutouts.len(), SpotSearch::new(Arc::new(cutouts)));
        Ok(finder.search_trees(Stage::Spot, search, count, &mut |_, _| ())?.found())
    }

    /// Looks for what of changes that fail is needed beside an undo: with what it certainly needs,
    /// or is believed to need, it mostly fails.
    fn around(
        &self,
        finder: &mut Finder<'_>,
        undo: &DeltaSet,
        failing: &DeltaSet,
    ) -> Result<Remainder, ChangesError> {
        let certain = self.needs.certain.closure_up_within(undo, failing).union(undo);
        let believed = self.needs.believed_within(undo, failing).union(undo);
        let mended = self.mended(finder, &believed).intersection(failing);
        let guesses = [certain.intersection(failing), mended];
        let suspects = self.guess(finder, failing, guesses)?;
        if suspects == *failing {
            return Ok(Remainder::new(suspects, false));
        }
        self.without_undo().by_levels(finder, suspects, false)
    }

    pub(super) fn ask<S: Search<Candidate = DeltaSet>>(
        &self,
        finder: &mut Finder<'_>,
        stage: Stage,
        search: S,
        count: usize,
    ) -> Result<S, ChangesError> {
        let search = GoalSearch { search, goal: self.goal };
        let stage = match self.goal {
            Goal::Fail => stage,
            Goal::Restore | Goal::Answer | Goal::Pass => Stage::Port,
        };
        Ok(finder.search(stage, search, self.space, count, &mut |_, _| ())?.search)
    }

    /// Looks for what has to go for the failure to be gone.
    fn fix(&self, finder: &mut Finder<'_>, culprit: &DeltaSet) -> Result<Repair, ChangesError> {
        let all = self.parts.all();
        let evidence = finder.evidence.clone();
        let leads = Leads { parts: self.parts, evidence: &evidence };
        let read = leads.read(&all).last().unwrap_or_else(DeltaSet::empty);
        let undo = Undo::new(all.clone(), self.ways_to_undo(culprit, &read));
        let undo = self.ask(finder, Stage::Fix, undo, all.len())?;
        if let Some(found) = undo.found() {
            return Ok(Repair { changes: Some(found), is_finished: true });
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
        let fix = Patient::hasty(fix, groups.len(), self.persistence);
        let fix = self.ask(finder, Stage::Fix, fix, all.len())?;
        let left_out = groups.changes(&fix.search.search.left_out());
        // Everything left out is the good version, which is no answer unless all of it did it. In a
        // history the good version may show another value instead of passing; then there is no fix.
        let good = TreeState { space: self.space.clone(), set: DeltaSet::empty() };
        let is_answer = *culprit == all && finder.other_value(&good).is_none();
        let changes = (left_out != all || is_answer).then_some(left_out);
        Ok(Repair { changes, is_finished: fix.is_finished() })
    }
}

/// Changes that did it.
struct Culprit {
    changes: DeltaSet,
    /// What else of the bad version has to be there.
    with: DeltaSet,
    /// Whether each of them is needed.
    is_smallest: bool,
    /// What has to be taken back of the bad version for it to pass, if that came up.
    undo: Option<DeltaSet>,
}

impl Culprit {
    /// Takes changes that need no others.
    fn alone(left: Remainder) -> Self {
        let Remainder { suspects: changes, is_smallest, undo } = left;
        Culprit { changes, with: DeltaSet::empty(), is_smallest, undo }
    }
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
