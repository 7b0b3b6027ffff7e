//! The searches of the papers over changes, as alternatives to the strategy of this program.

use std::sync::Arc;

use whodunit_core::searches::{Dd, DdPlus, Ddmin, Foretold, Halving, Isolate, Prefixes, Resolving};
use whodunit_core::strategy::{Coarseness, Culprit, Grouped, Groups, Layout, Remainder, Strategy};
use whodunit_core::{Delta, DeltaSet, Run, Search, Step, Verdict, Waits};

use super::deltas::Deltas;
use super::finder::Bisected;
use super::{ChangesError, Finder};
use crate::event::Stage;
use crate::settings::ChangeSearch;

/// Finds the changes that cause the failure. `levels` holds the labels of the groups that the user
/// asked for, from coarse to fine.
pub(super) fn culprit(
    strategy: &Strategy<'_>,
    run: &mut Run<DeltaSet>,
    search: ChangeSearch,
    levels: &[Vec<u32>],
) -> Result<Culprit, Waits> {
    let failing = by_groups(strategy, run, search, levels)?;
    let strategy = &Strategy { failing, ..strategy.clone() };
    let groups = &run.once(|| strategy.singles());
    if search == ChangeSearch::Isolate {
        return isolated(strategy, run, groups);
    }
    let left = smallest_of(strategy, run, search, groups)?;
    // The searches of 1999 may find changes that are not needed or were not asked about, and so may
    // a search whose questions were completed with needed changes.
    match left.is_smallest {
        true => Ok(Culprit::alone(left)),
        false => Ok(Culprit::alone(strategy.singly(run, &left.suspects, Coarseness::Single)?)),
    }
}

/// Looks for the needed groups, from coarse to fine.
fn by_groups(
    strategy: &Strategy<'_>,
    run: &mut Run<DeltaSet>,
    search: ChangeSearch,
    levels: &[Vec<u32>],
) -> Result<DeltaSet, Waits> {
    let mut failing = strategy.failing.clone();
    for level in levels {
        let label = |delta: Delta| Coarseness::Label(level[delta.0 as usize]);
        let groups = run.once(|| Arc::new(strategy.layout.groups(&failing, label)));
        if groups.count() > 1 && groups.count() < failing.len() {
            let strategy = Strategy { failing, ..strategy.clone() };
            failing = smallest_of(&strategy, run, search, &groups)?.suspects;
        }
    }
    Ok(failing)
}

/// Finds a small set of groups that fails.
fn smallest_of(
    strategy: &Strategy<'_>,
    run: &mut Run<DeltaSet>,
    search: ChangeSearch,
    groups: &Arc<Groups>,
) -> Result<Remainder, Waits> {
    let said = match search {
        ChangeSearch::Dd => {
            let search = resolving(strategy, run, groups, Dd::new)?;
            (search.completed(&search.search().found()), search.best())
        }
        ChangeSearch::DdPlus => {
            let search = resolving(strategy, run, groups, DdPlus::new)?;
            (search.completed(&search.search().found()), search.best())
        }
        ChangeSearch::Isolate => {
            let search = resolving(strategy, run, groups, Isolate::new)?;
            return Ok(Remainder::new(groups.changes(&search.best()), false));
        }
        ChangeSearch::Halving | ChangeSearch::HalvingFlat => {
            let halving = || {
                let halving = halving(search, strategy.layout, groups);
                halving.unwrap_or_else(|| Halving::new(groups.count()))
            };
            let search = strategy.over_groups(run, groups, halving)?;
            return Ok(Remainder::new(groups.changes(&search.best()), false));
        }
        // `closure` has its own strategy, so it never gets here.
        ChangeSearch::Ddmin | ChangeSearch::Closure => {
            let search = resolving(strategy, run, groups, Ddmin::new)?;
            let is_smallest = matches!(search.step(), Step::Done) && !search.has_added();
            return Ok(Remainder::new(groups.changes(&search.best()), is_smallest));
        }
    };
    let seen = strategy.seen(run, groups.changes(&said.0), groups.changes(&said.1))?;
    Ok(Remainder::new(seen, false))
}

/// Finds the smallest difference between a passing and a failing set.
fn isolated(
    strategy: &Strategy<'_>,
    run: &mut Run<DeltaSet>,
    groups: &Arc<Groups>,
) -> Result<Culprit, Waits> {
    let search = resolving(strategy, run, groups, Isolate::new)?;
    let is_smallest = matches!(search.step(), Step::Done);
    let failing = groups.changes(&search.best());
    let with = groups.changes(&search.completed(&search.search().passing()));
    // The passing set was completed with changes that the search learned about later, so it may
    // differ from the tested one.
    if search.has_added()
        && (!with.is_subset(&failing) || strategy.verdict(run, &with)? != Some(Verdict::Pass))
    {
        return Ok(Culprit::alone(strategy.singly(run, &failing, Coarseness::Single)?));
    }
    Ok(Culprit { changes: failing.minus(&with), with, is_smallest, undo: None })
}

/// Asks a search until it is done. Its questions are completed with the changes that the sources
/// show to be needed, or that failed builds complain about.
fn resolving<S>(
    strategy: &Strategy<'_>,
    run: &mut Run<DeltaSet>,
    groups: &Arc<Groups>,
    start: fn(usize) -> S,
) -> Result<Resolving<S>, Waits>
where
    S: Search<Candidate = DeltaSet> + Send + Sync + 'static,
{
    strategy.over_groups(run, groups, || {
        let known = groups.change_set(strategy.needs.believed()).implications;
        Resolving::new(groups.count(), start, known)
    })
}

/// Returns the bisection of iterative delta debugging (Artho 2011), if `search` names it: over
/// files, hunks and lines (3.4, Figure 5), or over a flat list (3.1, Figure 3).
pub(super) fn halving(search: ChangeSearch, layout: &Layout, groups: &Groups) -> Option<Halving> {
    match search {
        ChangeSearch::Halving => Some(Halving::over(layout.hierarchy(groups))),
        ChangeSearch::HalvingFlat => Some(Halving::new(groups.count())),
        _ => None,
    }
}

/// Finds the change that causes the failure in an order where each change needs all before it
/// (section 6 and Table 7 of "Yesterday, my program worked. Today, it does not. Why?", Zeller
/// 1999).
pub(super) fn in_order(
    strategy: &Strategy<'_>,
    space: &Arc<Deltas>,
    finder: &mut Finder<'_>,
) -> Result<Culprit, ChangesError> {
    let groups = &strategy.singles();
    let turn = match finder.settings.search {
        ChangeSearch::Closure => {
            let over = |search| Grouped::new(search, groups);
            finder.bisect(Stage::Culprit, groups.count(), space, over)?
        }
        ChangeSearch::Dd => turn(finder, space, groups, Dd::new)?,
        ChangeSearch::DdPlus => turn(finder, space, groups, DdPlus::new)?,
        ChangeSearch::Ddmin => turn(finder, space, groups, Ddmin::new)?,
        ChangeSearch::Isolate => turn(finder, space, groups, Isolate::new)?,
        ChangeSearch::Halving | ChangeSearch::HalvingFlat => {
            turn(finder, space, groups, Halving::new)?
        }
    };
    let [with, all] = [turn.passing, turn.failing].map(|end| groups.first(end));
    let changes = all.minus(&with);
    Ok(Culprit { changes, with, is_smallest: turn.is_finished, undo: None })
}

/// Asks a search only about beginnings of the order; all other sets are foretold to be unresolved.
fn turn<S: Search<Candidate = DeltaSet>>(
    finder: &mut Finder<'_>,
    space: &Arc<Deltas>,
    groups: &Arc<Groups>,
    start: fn(usize) -> S,
) -> Result<Bisected, ChangesError> {
    let count = groups.count();
    let search = Grouped::new(Foretold::new(start(count), Prefixes), groups);
    finder.turn(Stage::Culprit, count, space, search)
}
