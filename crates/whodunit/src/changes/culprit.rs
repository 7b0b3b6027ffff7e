//! Finds the changes that cause the failure, and those that must be undone.

use std::sync::Arc;

use whodunit_core::searches::Ddmin;
use whodunit_core::strategy::{
    Coarseness, Culprit, Finest, Goal, Grouped, Layout, Needs, Persistence, READ_AT_ONCE,
    Remainder, Repair, Strategy,
};
use whodunit_core::{Aim, Delta, DeltaSet, Run, Search, Verdict};
use whodunit_run::Ended;
use whodunit_versions::{Decomposition, Grouping, Order};

use super::bad_end::{self, Differences};
use super::cause::{Finding, Scene};
use super::deltas::{Chosen, Deltas};
use super::hints::Hints;
use super::in_space::Space;
use super::needs::{layout, needs};
use super::spot::SpotFound;
use super::{ChangesError, Finder, phases, published};
use crate::answer::{Cause, Partner};
use crate::atomic::Suspicion;
use crate::settings::{ChangeGroup, ChangeGroups, ChangeLevel, ChangeSearch, VersionSettings};

/// Questions next to the bad version: after the search from the good end left a large culprit, and again
/// when the culprit is known, where repeated questions cost no test. Persistence multiplies them. Chosen by
/// hand: with half of them werkzeug takes 577 tests instead of 250 and commander 307 instead of 169, but chrono
/// 245 instead of 389 (`docs/decisions/why-large-culprits-are-sought-from-the-bad-end.md`).
const NEAR_BAD_QUESTIONS: usize = 300;

/// If the culprit can be read at once, a spot is of less use: its search may ask one question for this many
/// answers so far, so that the run gets at most a fifth longer.
const SPOT_SHARE: u64 = 5;

/// Questions about a spot that are asked even if there were few answers before. Chosen by hand.
const FEWEST_SPOTS: usize = 8;

/// Finds the cause, or all causes if the settings ask for them. [`go_on`] continues the searches that were
/// given up. If the run is stopped before a cause is found, the cause is the smallest set of changes that
/// was seen to fail.
pub(super) fn find(
    finder: &mut Finder<'_>,
    scene: &Scene<'_>,
) -> Result<Vec<(Cause, Finding)>, ChangesError> {
    let mut found = Vec::new();
    finder.fewest = Some(Chosen { deltas: scene.space.clone(), set: scene.parts.all() });
    finder.until_stopped(|finder| Grounds::of(finder, scene)?.add_causes(finder, &mut found))?;
    if let (true, Some(Chosen { set: fewest, .. })) = (found.is_empty(), finder.fewest.take()) {
        let mut finding = Finding::unfinished(fewest);
        found.push((scene.cause(finder, &mut finding)?, finding));
    }
    Ok(found)
}

/// Continues the searches that were given up, as long as the persistence allows it.
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
        // Changes that are no longer part of this culprit may hold another cause.
        grounds.add_causes(finder, found)?;
    }
    Ok(())
}

/// Returns the cause to continue with: the one whose search was given up earliest.
fn least_patient(found: &[(Cause, Finding)], most: Persistence) -> Option<usize> {
    let open = found.iter().enumerate();
    let open = open.filter(|(_, (cause, it))| !cause.is_settled() && it.persistence < most);
    open.min_by_key(|(_, (_, finding))| finding.persistence).map(|(place, _)| place)
}

/// The knowledge about all changes before the search for a cause among them.
struct Grounds<'a> {
    scene: &'a Scene<'a>,
    needs: Needs,
    layout: Arc<Layout>,
    /// The labels of the groups that the settings ask for, from coarse to fine; empty by default.
    levels: Vec<Vec<u32>>,
    /// The commit of each change, if known.
    commits: Option<Vec<u32>>,
    /// Whether changes are grouped by commit.
    by_commit: bool,
    suspicion: Option<Suspicion>,
}

impl<'a> Grounds<'a> {
    fn of(finder: &Finder<'_>, scene: &'a Scene<'a>) -> Result<Self, ChangesError> {
        let parts = scene.parts;
        let commits = scene.origins.labels();
        let by_commit = finder.settings.group.contains(ChangeGroup::Process);
        let labels = commits.as_deref().filter(|_| by_commit);
        let order = Order::nested(parts, &groupings(&finder.settings.group, labels));
        let (layout, needs) = (layout(parts, &order), needs(parts, finder)?);
        // The default order by places makes no groups.
        let levels = match finder.settings.group.is_default() {
            true => Vec::new(),
            false => order.levels().to_vec(),
        };
        let suspicion = match &finder.settings.atomic {
            Some(settings) => Some(finder.suspicion(settings, parts)?),
            None => None,
        };
        Ok(Grounds { scene, needs, layout, levels, commits, by_commit, suspicion })
    }

    fn strategy(
        &self,
        finder: &Finder<'_>,
        failing: DeltaSet,
        persistence: Persistence,
    ) -> Strategy<'_> {
        let Scene { parts, space, .. } = *self.scene;
        let labels = self.commits.as_deref().filter(|_| self.by_commit);
        let strategy =
            strategy_among(finder, (parts, space), (&self.layout, &self.needs), Goal::Fail);
        let good = space.tree(DeltaSet::empty());
        let good_passes = finder.other_value(&good).is_none();
        Strategy { labels, failing, persistence, good_passes, ..strategy }
    }

    /// Finds a cause; if all are asked for, finds further ones among the changes without the causes so far.
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
                let rest = self.scene.space.tree(failing.clone());
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
        let (strategy, space) = (&self.strategy(finder, failing, persistence), self.scene.space);
        let search = finder.settings.search;
        let (mut atomic, mut found) = (None, None);
        if let Some(suspicion) = &self.suspicion {
            let (left, answer) =
                phases::find((strategy, space), finder, suspicion, self.commits.as_deref())?;
            (atomic, found) = (Some(answer), Some(Culprit::alone(left)));
        } else if finder.settings.ordered {
            found = Some(published::in_order(strategy, space, finder)?);
        }
        let mut spot = None;
        if let (None, true) = (&found, search == ChangeSearch::Closure) {
            (found, spot) = self.by_both_ends(finder, strategy)?;
        }
        let is_located = spot.is_some();
        let script = |run: &mut Run<DeltaSet>| {
            let found = match &found {
                Some(found) => found.clone(),
                None => published::culprit(strategy, run, search, &self.levels)?,
            };
            match is_located {
                true => {
                    let fix = Repair { changes: found.undo.clone(), is_finished: false };
                    Ok((found, fix))
                }
                false => strategy.with_fix(run, found, search == ChangeSearch::Closure),
            }
        };
        let (found, mut fix) = finder.carry_out(&script, self.scene.space, &strategy.failing)?;
        let Culprit { changes, with, is_smallest: each_needed, .. } = found;
        if !is_located {
            spot = self.spot(finder, strategy, &changes, &mut fix)?;
        }
        Ok(Finding { culprit: changes, with, each_needed, fix, spot, atomic, persistence })
    }

    /// Searches for the culprit from the good end. If that is given up, or the culprit cannot be read at
    /// once, searches for a small difference that makes the bad version pass. Only if there is none, the
    /// search from the good end continues.
    fn by_both_ends(
        &self,
        finder: &mut Finder<'_>,
        strategy: &Strategy<'_>,
    ) -> Result<(Option<Culprit>, Option<SpotFound>), ChangesError> {
        let space = self.scene.space;
        let yielding = Strategy { yields: true, ..strategy.clone() };
        let script = |run: &mut Run<DeltaSet>| yielding.closure(run);
        let mut left = finder.carry_out(&script, space, &strategy.failing)?;
        if left.suspects.len() <= READ_AT_ONCE {
            return Ok((Some(Culprit::alone(left)), None));
        }
        let differences = match (left.is_smallest, is_fine(finder.settings)) {
            (false, true) => Differences::All,
            (true, _) | (_, false) => Differences::Undo,
        };
        let most = strategy.persistence.times(NEAR_BAD_QUESTIONS);
        let at = (strategy, self.scene);
        let near = bad_end::search(finder, at, &left.suspects, (differences, most))?;
        let little = near.undo.as_ref().filter(|undo| undo.len() <= READ_AT_ONCE);
        if let Some(undo) = little {
            let script = |run: &mut Run<DeltaSet>| strategy.around(run, undo, &left.suspects);
            let around = finder.carry_out(&script, space, &strategy.failing)?;
            if around.suspects.len() < left.suspects.len() {
                left = around;
            }
        } else if near.spot.is_none() && left.yielded.is_some() {
            let script = |run: &mut Run<DeltaSet>| strategy.go_on(run, &left);
            left = finder.carry_out(&script, space, &strategy.failing)?;
        }
        Ok((Some(Culprit { undo: near.undo, ..Culprit::alone(left) }), near.spot))
    }

    /// Makes the culprit of a cause smaller, and searches for the changes that must be undone if unknown.
    fn refine(
        &self,
        finder: &mut Finder<'_>,
        cause: &mut Cause,
        finding: &mut Finding,
    ) -> Result<(), ChangesError> {
        finding.persistence = finding.persistence.more();
        let strategy = self.strategy(finder, finding.culprit.clone(), finding.persistence);
        let are_partners_open = !cause.partners.iter().all(Partner::is_settled);
        let before = (finding.culprit.clone(), finding.fix.changes.clone());
        if !finding.each_needed {
            let by_levels =
                finder.settings.search == ChangeSearch::Closure || self.suspicion.is_some();
            let script = |run: &mut Run<DeltaSet>| match by_levels {
                true => strategy.by_levels(run, before.0.clone(), false),
                false => strategy.singly(run, &before.0, Coarseness::Single),
            };
            let left = finder.carry_out(&script, self.scene.space, &strategy.failing)?;
            (finding.culprit, finding.each_needed) = (left.suspects, left.is_smallest);
            if let (Some(suspicion), Some(atomic)) = (&self.suspicion, &mut finding.atomic) {
                atomic.culprit = suspicion.culprit(&finding.culprit);
            }
        }
        if finding.culprit != before.0 || !finding.fix.is_settled() {
            let script = |run: &mut Run<DeltaSet>| strategy.fix(run, &finding.culprit);
            let fix = finder.carry_out(&script, self.scene.space, &strategy.failing)?;
            finding.fix = finding.fix.clone().or_smaller(fix);
        }
        let had_spot = finding.spot.is_some();
        if !had_spot {
            finding.spot = self.spot(finder, &strategy, &finding.culprit, &mut finding.fix)?;
        }
        // Partners and patches for other versions are tested again only if the changes are new.
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

    /// Searches for a line or a part of the bad version that makes it pass if it is reworded, taken out or
    /// replaced, unless a small fix is known. If the culprit is large, also searches for fewer changes to
    /// undo.
    fn spot(
        &self,
        finder: &mut Finder<'_>,
        strategy: &Strategy<'_>,
        culprit: &DeltaSet,
        fix: &mut Repair,
    ) -> Result<Option<SpotFound>, ChangesError> {
        let is_little = |it: &DeltaSet| it.len() <= READ_AT_ONCE;
        let is_fixed = fix.changes.as_ref().is_some_and(is_little);
        if !is_fine(finder.settings) || is_fixed || finder.is_over() {
            return Ok(None);
        }
        let share = (finder.lab.tally.answers() / SPOT_SHARE) as usize;
        let (differences, most) = match is_little(culprit) {
            true => (Differences::Spots, share.max(FEWEST_SPOTS)),
            false => (Differences::All, NEAR_BAD_QUESTIONS),
        };
        let (at, most) = ((strategy, self.scene), strategy.persistence.times(most));
        let near = bad_end::search(finder, at, culprit, (differences, most))?;
        if let Some(undo) = near.undo {
            let undo = Repair { changes: Some(undo), is_finished: true };
            *fix = fix.clone().or_smaller(undo);
        }
        Ok(near.spot)
    }
}

/// Returns whether the answer may name parts of lines.
fn is_fine(settings: &VersionSettings) -> bool {
    matches!(settings.level, ChangeLevel::Line | ChangeLevel::Hunk | ChangeLevel::Token)
        && settings.search == ChangeSearch::Closure
        && !settings.ordered
}

/// Finds which of some changes, all of which together fail, are needed for the failure.
pub(super) fn needed(
    finder: &mut Finder<'_>,
    parts: &Arc<Decomposition>,
    persistence: Persistence,
) -> Result<Remainder, ChangesError> {
    let space = &Arc::new(Deltas::new(parts.clone(), true));
    let layout = &layout(parts, &Order::of(parts, Grouping::Location));
    let needs = &needs(parts, finder)?;
    let strategy = strategy_among(finder, (parts, space), (layout, needs), Goal::Fail);
    let strategy = Strategy { persistence, ..strategy };
    finder.carry_out(&|run| strategy.closure(run), space, &strategy.failing)
}

/// Finds the smallest subset of some changes that reaches a goal; all of them together reach it. Each set
/// in `wholes` is kept or dropped as a whole.
pub(crate) fn smallest(
    finder: &mut Finder<'_>,
    parts: &Arc<Decomposition>,
    space: &Arc<Deltas>,
    goal: Goal,
    wholes: &[DeltaSet],
) -> Result<DeltaSet, ChangesError> {
    let needs = &needs(parts, finder)?.keeping(wholes);
    let layout = &layout(parts, &Order::of(parts, Grouping::Location));
    let strategy = &strategy_among(finder, (parts, space), (layout, needs), goal);
    if finder.settings.search == ChangeSearch::Closure {
        return Ok(finder
            .carry_out(&|run| strategy.closure(run), space, &strategy.failing)?
            .suspects);
    }
    // The published searches know nothing of needs, so each whole is one unit for them.
    let whole = |delta: Delta| wholes.iter().position(|whole| whole.contains(delta));
    let unit = |delta: Delta| match whole(delta) {
        Some(place) => Coarseness::Label(place as u32),
        None => Coarseness::Single,
    };
    let groups = &Arc::new(layout.groups(&strategy.failing, unit));
    let halving = published::halving(finder.settings.search, layout, groups);
    let script = |run: &mut Run<DeltaSet>| match &halving {
        Some(halving) => {
            let search = || Grouped::new(halving.clone(), groups);
            Ok(strategy.ask(run, Aim::Culprit, parts.len(), search)?.best())
        }
        None => {
            let search = || Grouped::new(Ddmin::new(groups.count()), groups);
            Ok(strategy.ask(run, Aim::Culprit, parts.len(), search)?.best())
        }
    };
    finder.carry_out(&script, space, &strategy.failing)
}

/// Returns the strategy for some changes that reach a goal together.
fn strategy_among<'a>(
    finder: &Finder<'_>,
    (parts, space): (&Arc<Decomposition>, &Deltas),
    (layout, needs): (&'a Arc<Layout>, &'a Needs),
    goal: Goal,
) -> Strategy<'a> {
    Strategy {
        layout,
        needs,
        knowledge: Arc::new(Hints::new(parts, space, &finder.evidence, finder.search_stop())),
        labels: None,
        finest: match finder.settings.level {
            ChangeLevel::Commit | ChangeLevel::Directory => Finest::Whole,
            ChangeLevel::File => Finest::File,
            ChangeLevel::Item => Finest::Item,
            ChangeLevel::Hunk => Finest::Hunk,
            ChangeLevel::Line | ChangeLevel::Token => Finest::Single,
        },
        goal,
        failing: parts.all(),
        persistence: Persistence::default(),
        yields: false,
        good_passes: true,
    }
}

/// Returns how changes are grouped; not by commit without a history.
fn groupings<'a>(groups: &ChangeGroups, labels: Option<&'a [u32]>) -> Vec<Grouping<'a>> {
    let grouping = |group: &ChangeGroup| match group {
        ChangeGroup::Process => labels.map(Grouping::Process),
        ChangeGroup::Location => Some(Grouping::Location),
        ChangeGroup::Syntactic => Some(Grouping::Syntactic),
        ChangeGroup::Lexical => Some(Grouping::Lexical),
        ChangeGroup::Semantic => Some(Grouping::Semantic),
    };
    groups.all().iter().filter_map(grouping).collect()
}
