//! Finds the changes that did it, and those that have to go.

use std::sync::Arc;

use whodunit_core::searches::Ddmin;
use whodunit_core::{Aim, Delta, DeltaSet, Run, Search, Verdict};
use whodunit_run::Ended;
use whodunit_versions::{Decomposition, Grouping, Order};

use super::cause::{Finding, Repair, Scene};
use super::goal::Goal;
use super::grouped::{Coarseness, Grouped, Groups};
use super::hints::Hints;
use super::levels::Remainder;
use super::needs::Needs;
use super::patient::Persistence;
use super::spot::{Cutouts, SpotSearch};
use super::strategy::{Culprit, READ_AT_ONCE, Site};
use super::trees::{Deltas, Space, TreeState};
use super::{ChangesError, Finder, phases};
use crate::answer::{Cause, Partner};
use crate::atomic::Suspicion;
use crate::event::Stage;
use crate::settings::{ChangeGroup, ChangeLevel, ChangeSearch};

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

    fn site(&self, finder: &Finder<'_>, failing: DeltaSet, persistence: Persistence) -> Site<'_> {
        let Scene { parts, space, .. } = self.scene;
        let labels = self.commits.as_deref().filter(|_| self.by_commit);
        let site = site(finder, (parts, space), (&self.needs, &self.order), Goal::Fail);
        Site { labels, failing, persistence, seeks_undo: true, ..site }
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
        let site = &self.site(finder, failing, persistence);
        let search = finder.settings.search;
        let (mut atomic, mut found) = (None, None);
        if let Some(suspicion) = &self.suspicion {
            let (left, answer) = phases::find(site, finder, suspicion, self.commits.as_deref())?;
            (atomic, found) = (Some(answer), Some(Culprit::alone(left)));
        } else if finder.settings.ordered {
            found = Some(in_order(site, finder)?);
        }
        let script = |run: &mut Run<DeltaSet>| {
            let found = match &found {
                Some(found) => found.clone(),
                None => site.culprit(run, search)?,
            };
            site.with_fix(run, found, search)
        };
        let (found, fix) = finder.carry_out(&script, site.space, &site.failing)?;
        let Culprit { changes, with, is_smallest: each_needed, .. } = found;
        let spot = spot(site, finder, &changes, &fix)?;
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
        let site = self.site(finder, finding.culprit.clone(), finding.persistence);
        let are_partners_open = !cause.partners.iter().all(Partner::is_settled);
        let before = (finding.culprit.clone(), finding.fix.changes.clone());
        if !finding.each_needed {
            let by_levels =
                finder.settings.search == ChangeSearch::Closure || self.suspicion.is_some();
            let script = |run: &mut Run<DeltaSet>| match by_levels {
                true => site.by_levels(run, before.0.clone(), false),
                false => site.singly(run, &before.0, Coarseness::Single),
            };
            let left = finder.carry_out(&script, site.space, &site.failing)?;
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
            let script = |run: &mut Run<DeltaSet>| site.fix(run, &finding.culprit);
            let fix = finder.carry_out(&script, site.space, &site.failing)?;
            finding.fix = finding.fix.clone().or_smaller(fix);
        }
        let had_spot = finding.spot.is_some();
        if !had_spot {
            finding.spot = spot(&site, finder, &finding.culprit, &finding.fix)?;
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
    let site = site(finder, (parts, space), (needs, order), Goal::Fail);
    let site = Site { persistence, ..site };
    finder.carry_out(&|run| site.closure(run), space, &site.failing)
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
    let order = &Order::of(parts, Grouping::Location);
    let site = &site(finder, (parts, space), (needs, order), goal);
    if finder.settings.search == ChangeSearch::Closure {
        return Ok(finder.carry_out(&|run| site.closure(run), space, &site.failing)?.suspects);
    }
    // Others know nothing of what needs what.
    let whole = |delta: Delta| wholes.iter().position(|whole| whole.contains(delta));
    let unit = |delta: Delta| match whole(delta) {
        Some(place) => Coarseness::Commit(place as u32),
        None => Coarseness::Single,
    };
    let groups = &Arc::new(Groups::new(parts, order, &site.failing, unit));
    let script = |run: &mut Run<DeltaSet>| {
        let search = || Grouped::new(Ddmin::new(groups.len()), groups);
        Ok(site.ask(run, Aim::Culprit, parts.len(), search)?.best())
    };
    finder.carry_out(&script, space, &site.failing)
}

/// Returns where something is looked for among changes, all of which reach a goal together.
fn site<'a>(
    finder: &Finder<'_>,
    (parts, space): (&'a Arc<Decomposition>, &'a Arc<Space>),
    (needs, order): (&'a Needs, &'a Order),
    goal: Goal,
) -> Site<'a> {
    let stop = finder.search_stop();
    Site {
        parts,
        space,
        needs,
        order,
        hints: Hints::new(parts, space, &finder.evidence, stop.clone()),
        stop,
        labels: None,
        level: finder.settings.level,
        goal,
        failing: parts.all(),
        persistence: Persistence::default(),
        seeks_undo: false,
    }
}

/// Finds the change that did it where each is only possible after all before it (section 6 and
/// Table 7 of "Yesterday, my program worked. Today, it does not. Why?", Zeller 1999).
fn in_order(site: &Site<'_>, finder: &mut Finder<'_>) -> Result<Culprit, ChangesError> {
    let groups = site.singles();
    let turn = finder
        .bisect(Stage::Culprit, groups.len(), site.space, |search| Grouped::new(search, &groups))?;
    let [with, all] = [turn.passing, turn.failing].map(|end| groups.first(end));
    let changes = all.minus(&with);
    Ok(Culprit { changes, with, is_smallest: turn.is_finished, undo: None })
}

/// Looks for a part of the bad version without which it passes, unless little has to be taken
/// back for that.
fn spot(
    site: &Site<'_>,
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
    let most = site.persistence.times(patience);
    let cutouts = {
        let (parts, evidence) = (site.parts.clone(), finder.evidence.clone());
        finder.search_stop().wait_for(move || Cutouts::of(&parts, &evidence, most))??
    };
    if cutouts.len() == 0 {
        return Ok(None);
    }
    let (count, search) = (cutouts.len(), SpotSearch::new(Arc::new(cutouts)));
    Ok(finder.search_trees(Stage::Spot, search, count, &mut |_, _| ())?.found())
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
