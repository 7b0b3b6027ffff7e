//! The first questions: the changes that the tests of both versions point at.

use crate::{Aim, DeltaSet, Run, Search, Waits};

use super::Strategy;
use super::groups::Coarseness;
use super::growing::Growing;
use super::guesses::Guesses;
use super::levels::FEW;
use super::patient::Patient;

impl Strategy<'_> {
    /// Asks first about the changes that the tests of both versions point at.
    pub(super) fn first_suspects(&self, run: &mut Run<DeltaSet>) -> Result<DeltaSet, Waits> {
        let certain = |set: DeltaSet| self.needs.certain.closure_up_within(&set, &self.failing);
        let read = || self.knowledge.read(&self.failing).into_iter().map(certain).collect();
        let suspects = self.guess(run, &self.failing, read)?;
        let spoken_of = || {
            let spoken_of = self.knowledge.spoken_of(&suspects);
            let spoken_of = self.needs.with_partners(&spoken_of, &suspects);
            vec![self.mended(&spoken_of).intersection(&suspects)]
        };
        let suspects = self.guess(run, &suspects, spoken_of)?;
        if suspects.len() <= FEW {
            return Ok(suspects);
        }
        let tested = run.once(|| self.tested(&suspects));
        let found = self.guess(run, &suspects, || tested.clone())?;
        match tested.iter().position(|set| *set == found) {
            Some(place) if place > 0 => self.grow(run, &tested[place - 1], &found),
            _ => Ok(found),
        }
    }

    /// Returns the changes of what the test names and uses, with their needs; the smallest set
    /// first.
    fn tested(&self, suspects: &DeltaSet) -> Vec<DeltaSet> {
        let close = |tested: &DeltaSet| {
            let tested = self.needs.believed_within(tested, suspects);
            self.mended(&tested).intersection(suspects)
        };
        let mut tested: Vec<DeltaSet> = self.knowledge.tested(suspects).iter().map(close).collect();
        // Skip a guess unless it is at most half the size of the next larger one.
        let mut next = suspects.len();
        tested.reverse();
        tested.retain(|set| {
            let spares = set.len() * 2 <= next;
            next = if spares { set.len() } else { next };
            spares
        });
        tested.reverse();
        tested
    }

    /// Finds the part of a failing set that is needed beside `base`, a part of it that does not
    /// fail.
    fn grow(
        &self,
        run: &mut Run<DeltaSet>,
        base: &DeltaSet,
        failing: &DeltaSet,
    ) -> Result<DeltaSet, Waits> {
        let search = || {
            let added = failing.minus(base);
            let groups = self.layout.groups(&added, |_| Coarseness::Items);
            let close = |unit: DeltaSet| self.needs.believed_within(&unit, failing).minus(base);
            let units: Vec<DeltaSet> = groups.into_parts().into_iter().map(close).collect();
            let count = units.len();
            Patient::hasty(Growing::new(base.clone(), units), count, self.persistence)
        };
        Ok(self.ask(run, Aim::Culprit, failing.len(), search)?.best())
    }

    /// Returns the first of the guesses that fails, or `failing` if none of them does.
    pub fn guess(
        &self,
        run: &mut Run<DeltaSet>,
        failing: &DeltaSet,
        guesses: impl FnOnce() -> Vec<DeltaSet>,
    ) -> Result<DeltaSet, Waits> {
        let search = || Guesses::new(failing.clone(), guesses());
        Ok(self.ask(run, Aim::Culprit, failing.len(), search)?.best())
    }
}
