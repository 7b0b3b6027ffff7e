//! From files to functions to lines: at each level the groups that are needed.

use std::sync::Arc;

use crate::searches::Closure;
use crate::{Aim, Delta, DeltaSet, Run, Search, Waits};

use super::Strategy;
use super::groups::{Coarseness, Grouped};
use super::patient::Patient;

/// If more changes than this are left after the level of functions gave up, the search stops there:
/// lines rarely separate what functions did not. Persistence multiplies it.
const MOST_FOR_LINES: usize = 500;

/// Up to this many changes are searched one by one right away; coarser levels would cost more tests
/// than they save.
pub(super) const FEW: usize = 32;

/// Up to this many groups are left out one by one, without asking which groups need which.
const MOST_SINGLY: usize = 5;

/// With this many groups or fewer the level is skipped, and their members are searched directly.
const MOST_SKIPPED: usize = 2;

/// What a search left of the suspects.
#[derive(Clone)]
pub struct Remainder {
    /// What fails.
    pub suspects: DeltaSet,
    /// Whether each group of them is needed: the search was neither given up nor cut short.
    pub is_smallest: bool,
    /// The level after which the search yielded to another way; see [`Strategy::yields`].
    pub yielded: Option<Coarseness>,
}

impl Remainder {
    /// Says what is left.
    pub fn new(suspects: DeltaSet, is_smallest: bool) -> Self {
        Remainder { suspects, is_smallest, yielded: None }
    }
}

impl Strategy<'_> {
    /// Looks for the files among the suspects that are needed, then for functions, then for lines.
    /// `is_tangled`: most of what was asked about before could not be tested.
    pub fn by_levels(
        &self,
        run: &mut Run<DeltaSet>,
        suspects: DeltaSet,
        is_tangled: bool,
    ) -> Result<Remainder, Waits> {
        self.by_levels_after(run, None, suspects, is_tangled)
    }

    /// Goes on below the level after which the search yielded.
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
                // What hangs together in large parts hangs together in small ones.
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

    /// Returns whether changes that cannot be told apart as functions are too many for lines.
    fn has_too_many_lines(&self, suspects: &DeltaSet) -> bool {
        suspects.len() > self.persistence.times(MOST_FOR_LINES)
    }

    /// Finds the groups among the suspects that are needed; the next level goes on from whatever
    /// is left.
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
        // What was taken along because it might be needed is now asked about by itself.
        let groups = run.once(|| grouped(&found));
        // Where so much hangs together, that is mostly in vain.
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

    /// Returns in how many groups some changes are.
    pub(super) fn count_groups(
        &self,
        run: &mut Run<DeltaSet>,
        changes: &DeltaSet,
        coarseness: Coarseness,
    ) -> usize {
        run.once(|| self.layout.groups(changes, |_| coarseness).count())
    }

    /// Finds the groups among the suspects that are needed, where there is no finer level.
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
        // Of few each will be asked about anyway.
        if count > MOST_SINGLY {
            // What cannot be tested in halves is made smaller bit by bit, and the other way round.
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

    /// Asks about each group among suspects that are mostly needed by itself.
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

    /// Leaves out what can be, each with what is believed to need it.
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

/// How what is left is made smaller.
#[derive(Clone, Copy)]
enum Way {
    Halve,
    /// Bit by bit.
    Trim,
}
