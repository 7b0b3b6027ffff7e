//! Searches files, then functions, then lines, and keeps the groups that are needed at each level.

use std::sync::Arc;

use crate::searches::Closure;
use crate::{Aim, Delta, DeltaSet, Run, Search, Waits};

use super::Strategy;
use super::groups::{Coarseness, Grouped};
use super::patient::Patient;

/// The search stops after the level of functions if that level gave up and more changes than this are
/// left: lines rarely separate changes that functions did not. Persistence multiplies the limit.
const MOST_FOR_LINES: usize = 500;

/// At most this many changes are searched at the finest level right away; coarser levels would cost more
/// tests than they save.
pub(super) const FEW: usize = 32;

/// At most this many groups are left out one by one right away, without halving them first.
const MOST_SINGLY: usize = 5;

/// With this many groups or fewer the level is skipped, and their members are searched directly.
const MOST_SKIPPED: usize = 2;

/// The suspects that are left after a search.
#[derive(Clone)]
pub struct Remainder {
    /// Suspects that fail together.
    pub suspects: DeltaSet,
    /// Whether each group of the suspects is needed: the search was neither given up nor cut short.
    pub is_smallest: bool,
    /// The level after which the search yielded to another way; see [`Strategy::yields`].
    pub yielded: Option<Coarseness>,
}

impl Remainder {
    /// Makes the remainder of a search that did not yield.
    pub fn new(suspects: DeltaSet, is_smallest: bool) -> Self {
        Remainder { suspects, is_smallest, yielded: None }
    }
}

impl Strategy<'_> {
    /// Searches the suspects by files, then by functions, then at the finest level. `is_tangled`: most
    /// questions of the search before could not be tested.
    pub fn by_levels(
        &self,
        run: &mut Run<DeltaSet>,
        suspects: DeltaSet,
        is_tangled: bool,
    ) -> Result<Remainder, Waits> {
        self.by_levels_after(run, None, suspects, is_tangled)
    }

    /// Continues below the level after which the search yielded.
    pub fn go_on(&self, run: &mut Run<DeltaSet>, left: &Remainder) -> Result<Remainder, Waits> {
        let passed = left.yielded;
        let onward = Strategy { yields: false, ..self.clone() };
        onward.by_levels_after(run, passed, left.suspects.clone(), true)
    }

    fn by_levels_after(
        &self,
        run: &mut Run<DeltaSet>,
        passed: Option<Coarseness>,
        mut suspects: DeltaSet,
        mut is_tangled: bool,
    ) -> Result<Remainder, Waits> {
        let (finest, coarser) = self.finest.levels();
        let first = passed.and_then(|passed| coarser.iter().position(|it| *it == passed));
        for &coarseness in &coarser[first.unwrap_or(0)..] {
            if suspects.len() <= FEW {
                break;
            }
            if passed == Some(coarseness) {
                if coarseness == Coarseness::Items && self.has_too_many_lines(&suspects) {
                    return Ok(Remainder::new(suspects, false));
                }
            } else if self.count_groups(run, &suspects, coarseness) > MOST_SKIPPED {
                let before = run.answers();
                let narrowed = self.narrow(run, &suspects, &|_| coarseness)?;
                is_tangled = (run.answers() - before).are_mostly_unresolved();
                if self.yields && !narrowed.is_smallest && narrowed.suspects.len() > FEW {
                    return Ok(Remainder { yielded: Some(coarseness), ..narrowed });
                }
                // If functions cannot be separated, their lines mostly cannot be separated either.
                if !narrowed.is_smallest
                    && coarseness == Coarseness::Items
                    && self.has_too_many_lines(&narrowed.suspects)
                {
                    return Ok(narrowed);
                }
                suspects = narrowed.suspects;
            }
            if coarseness == Coarseness::Files {
                let loud = || vec![suspects.minus(&self.knowledge.quiet(&suspects))];
                suspects = self.guess(run, &suspects, loud)?;
            }
        }
        self.finish(run, &suspects, finest, is_tangled)
    }

    /// Returns whether more changes are left than are worth a search for lines.
    fn has_too_many_lines(&self, suspects: &DeltaSet) -> bool {
        suspects.len() > self.persistence.times(MOST_FOR_LINES)
    }

    /// Finds the groups among the suspects that are needed. The next level continues with the changes that
    /// are left.
    pub(super) fn narrow(
        &self,
        run: &mut Run<DeltaSet>,
        suspects: &DeltaSet,
        coarseness: &dyn Fn(Delta) -> Coarseness,
    ) -> Result<Remainder, Waits> {
        let grouped = |changes: &DeltaSet| Arc::new(self.layout.groups(changes, coarseness));
        let groups = run.once(|| grouped(suspects));
        if groups.count() < 2 {
            return Ok(Remainder::new(suspects.clone(), true));
        }
        let search = self.ask(run, Aim::Culprit, suspects.len(), || {
            let changes = groups.change_set(self.needs.believed());
            let search = Grouped::new(Closure::over(changes), &groups);
            Patient::new(search, groups.count(), self.persistence)
        })?;
        let (found, is_finished) = (search.best(), search.is_finished());
        let are_items = found.first().is_some_and(|it| coarseness(it) == Coarseness::Items);
        let is_tangle = are_items && self.has_too_many_lines(&found);
        // The first search kept changes that are only believed to be needed; the second one tests that.
        let groups = run.once(|| grouped(&found));
        // A second search rarely helps where many changes depend on each other or the first gave up.
        if !is_finished || is_tangle || found.len() <= FEW || groups.count() < 2 {
            return Ok(Remainder::new(found, is_finished && !is_tangle));
        }
        let search = self.ask(run, Aim::Smallest, found.len(), || {
            let changes = groups.change_set(self.needs.certain());
            let search = Grouped::new(Closure::over(changes), &groups);
            Patient::hasty(search, groups.count(), self.persistence)
        })?;
        Ok(Remainder::new(search.best(), search.is_finished()))
    }

    /// Returns the number of groups into which some changes fall.
    pub(super) fn count_groups(
        &self,
        run: &mut Run<DeltaSet>,
        changes: &DeltaSet,
        coarseness: Coarseness,
    ) -> usize {
        run.once(|| self.layout.groups(changes, |_| coarseness).count())
    }

    /// Finds the groups among the suspects that are needed, at the finest level.
    fn finish(
        &self,
        run: &mut Run<DeltaSet>,
        suspects: &DeltaSet,
        finest: Coarseness,
        is_tangled: bool,
    ) -> Result<Remainder, Waits> {
        let count = self.count_groups(run, suspects, finest);
        if count < 2 {
            return Ok(Remainder::new(suspects.clone(), true));
        }
        let mut left = Remainder::new(suspects.clone(), true);
        // `singly` asks about each of a few groups anyway.
        if count > MOST_SINGLY {
            // If most questions cannot be tested, removing group by group works better than halving.
            let ways = if is_tangled { [Way::Trim, Way::Halve] } else { [Way::Halve, Way::Trim] };
            for way in ways {
                left = self.make_smaller(run, &left.suspects, finest, way)?;
                if left.is_smallest {
                    break;
                }
            }
        }
        if left.is_smallest { self.singly(run, &left.suspects, finest) } else { Ok(left) }
    }

    /// Asks for each group whether the suspects fail without it; for suspects that are mostly needed.
    pub fn singly(
        &self,
        run: &mut Run<DeltaSet>,
        suspects: &DeltaSet,
        finest: Coarseness,
    ) -> Result<Remainder, Waits> {
        if self.count_groups(run, suspects, finest) < 2 {
            return Ok(Remainder::new(suspects.clone(), true));
        }
        let search = self.ask(run, Aim::Smallest, suspects.len(), || {
            let groups = Arc::new(self.layout.groups(suspects, |_| finest));
            let changes = groups.change_set(self.needs.in_pairs());
            let search = Closure::suspecting(changes, DeltaSet::full(groups.count()));
            Patient::thorough(Grouped::new(search, &groups), groups.count(), self.persistence)
        })?;
        Ok(Remainder::new(search.best(), search.is_finished()))
    }

    /// Removes groups that are not needed, each with the groups that are believed to need it.
    fn make_smaller(
        &self,
        run: &mut Run<DeltaSet>,
        suspects: &DeltaSet,
        finest: Coarseness,
        way: Way,
    ) -> Result<Remainder, Waits> {
        let search = self.ask(run, Aim::Culprit, suspects.len(), || {
            let groups = Arc::new(self.layout.groups(suspects, |_| finest));
            let changes = groups.change_set(self.needs.believed());
            match way {
                Way::Halve => {
                    let search = Grouped::new(Closure::over(changes), &groups);
                    Patient::hasty(search, groups.count(), self.persistence)
                }
                Way::Trim => {
                    let search = Closure::suspecting(changes, DeltaSet::full(groups.count()));
                    Patient::new(Grouped::new(search, &groups), groups.count(), self.persistence)
                }
            }
        })?;
        Ok(Remainder::new(search.best(), search.is_finished()))
    }
}

/// How a set of suspects is made smaller.
#[derive(Clone, Copy)]
enum Way {
    Halve,
    /// Group by group.
    Trim,
}
