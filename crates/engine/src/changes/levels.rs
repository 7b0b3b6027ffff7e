//! From files to functions to lines: at each level the groups that are needed.

use std::sync::Arc;

use whodunit_core::searches::Closure;
use whodunit_core::{Delta, DeltaSet, Search};

use super::culprit::Site;
use super::grouped::{Coarseness, Grouped, Groups};
use super::patient::Patient;
use super::settings::ChangeLevel;
use super::{ChangesError, Hunt};
use crate::event::Stage;

/// So many changes that cannot be told apart as functions are not looked at line by line.
const HOPELESS: usize = 500;

/// So few changes are looked at one by one at once.
pub(super) const FEW: usize = 32;

/// So few groups are not told apart before what is in them.
const HARDLY_ANY: usize = 2;

/// What is left of the suspects.
pub(super) struct Narrow {
    pub(super) suspects: DeltaSet,
    /// Whether each group of them is needed.
    is_smallest: bool,
}

impl Site<'_> {
    /// Looks for the files among the suspects that are needed, then for functions, then for lines.
    pub(super) fn by_levels(
        &self,
        hunt: &mut Hunt<'_>,
        mut suspects: DeltaSet,
    ) -> Result<DeltaSet, ChangesError> {
        let (finest, coarser) = levels(hunt.settings.level);
        // Whether most of what was asked about could not be tested.
        let mut is_tangled = false;
        for &coarseness in coarser {
            let groups = Groups::new(self.parts, self.order, &suspects, |_| coarseness);
            if suspects.len() <= FEW || groups.len() <= HARDLY_ANY {
                continue;
            }
            let before = hunt.tally;
            let narrowed = self.narrow(hunt, &suspects, &|_| coarseness)?;
            let (asked, unresolved) = (hunt.tally.committed, hunt.tally.unresolved);
            is_tangled = (unresolved - before.unresolved) * 2 > asked - before.committed;
            suspects = narrowed.suspects;
            hunt.gave_up = !narrowed.is_smallest;
            if coarseness == Coarseness::Files {
                let quiet = self.parts.quiet(&suspects);
                suspects = self.guess(hunt, &suspects, [suspects.minus(&quiet)])?;
            }
            // What hangs together in large parts hangs together in small ones.
            if hunt.gave_up && coarseness == Coarseness::Items && suspects.len() > HOPELESS {
                return Ok(suspects);
            }
        }
        let found = self.finish(hunt, &suspects, finest, !is_tangled)?;
        hunt.gave_up = !found.is_smallest;
        Ok(found.suspects)
    }

    /// Finds the groups among the suspects that are needed; the next level goes on from whatever
    /// is left.
    pub(super) fn narrow(
        &self,
        hunt: &mut Hunt<'_>,
        suspects: &DeltaSet,
        coarseness: &dyn Fn(Delta) -> Coarseness,
    ) -> Result<Narrow, ChangesError> {
        let groups = Arc::new(Groups::new(self.parts, self.order, suspects, coarseness));
        if groups.len() < 2 {
            return Ok(Narrow { suspects: suspects.clone(), is_smallest: true });
        }
        let changes = groups.change_set(self.needs.believed());
        let search = Grouped::new(Closure::over(changes), &groups);
        let search = Patient::new(search, groups.len());
        let search = self.ask(hunt, Stage::Culprit, search, suspects.len())?;
        let (found, gave_up) = (search.best(), search.gave_up());
        let are_items = found.first().is_some_and(|it| coarseness(it) == Coarseness::Items);
        let is_tangle = are_items && found.len() > HOPELESS;
        // What was taken along because it might be needed is now asked about by itself.
        let groups = Arc::new(Groups::new(self.parts, self.order, &found, coarseness));
        // Where so much hangs together, that is mostly in vain.
        if gave_up || is_tangle || found.len() <= FEW || groups.len() < 2 {
            return Ok(Narrow { suspects: found, is_smallest: !gave_up && !is_tangle });
        }
        let changes = groups.change_set(self.needs.certain());
        let search = Grouped::new(Closure::over(changes), &groups);
        let search = Patient::hasty(search, groups.len());
        let search = self.ask(hunt, Stage::Smallest, search, found.len())?;
        Ok(Narrow { suspects: search.best(), is_smallest: !search.gave_up() })
    }

    /// Finds the groups among the suspects that are needed, where there is no finer level.
    fn finish(
        &self,
        hunt: &mut Hunt<'_>,
        suspects: &DeltaSet,
        coarseness: Coarseness,
        may_halve: bool,
    ) -> Result<Narrow, ChangesError> {
        let grouped =
            |changes: &DeltaSet| Groups::new(self.parts, self.order, changes, |_| coarseness);
        let groups = Arc::new(grouped(suspects));
        if groups.len() < 2 {
            return Ok(Narrow { suspects: suspects.clone(), is_smallest: true });
        }
        let mut found = suspects.clone();
        let mut gave_up = true;
        // Of few each will be asked about anyway.
        if may_halve && groups.len() > FEW {
            let changes = groups.change_set(self.needs.believed());
            let search = Grouped::new(Closure::over(changes), &groups);
            let search = Patient::hasty(search, groups.len());
            let search = self.ask(hunt, Stage::Culprit, search, suspects.len())?;
            (found, gave_up) = (search.best(), search.gave_up());
        }
        // What cannot be halved is made smaller bit by bit, each with what is believed to need it.
        if gave_up {
            let groups = Arc::new(grouped(&found));
            let changes = groups.change_set(self.needs.believed());
            let search = Closure::suspecting(changes, DeltaSet::full(groups.len()));
            let search = Patient::new(Grouped::new(search, &groups), groups.len());
            let search = self.ask(hunt, Stage::Culprit, search, found.len())?;
            (found, gave_up) = (search.best(), search.gave_up());
        }
        let groups = Arc::new(grouped(&found));
        if gave_up || groups.len() < 2 {
            return Ok(Narrow { suspects: found, is_smallest: !gave_up });
        }
        // Most of it is needed by now, so that each is asked about by itself.
        let changes = groups.change_set(self.needs.in_pairs());
        let search = Closure::suspecting(changes, DeltaSet::full(groups.len()));
        let search = Patient::thorough(Grouped::new(search, &groups), groups.len());
        let search = self.ask(hunt, Stage::Smallest, search, found.len())?;
        Ok(Narrow { suspects: search.best(), is_smallest: !search.gave_up() })
    }
}

/// Returns the finest level, and those that are gone through before it.
fn levels(finest: ChangeLevel) -> (Coarseness, &'static [Coarseness]) {
    use Coarseness::{Files, Hunks, Items, Single};
    match finest {
        ChangeLevel::Commit | ChangeLevel::Directory => (Single, &[]),
        ChangeLevel::File => (Files, &[]),
        ChangeLevel::Item => (Items, &[Files]),
        ChangeLevel::Hunk => (Hunks, &[Files, Items]),
        ChangeLevel::Line | ChangeLevel::Token => (Single, &[Files, Items]),
    }
}
