//! What is asked about first: what the tests of both ends point at.

use whodunit_core::{DeltaSet, Search, Step};

use super::culprit::Site;
use super::grouped::{Coarseness, Groups};
use super::growing::Growing;
use super::guesses::Guesses;
use super::leads::Leads;
use super::levels::FEW;
use super::patient::Patient;
use super::trees::{Deltas, Space};
use super::{ChangesError, Finder};
use crate::event::Stage;

impl Site<'_> {
    /// Asks first about what the tests of both ends point at.
    pub(super) fn first_suspects(&self, finder: &mut Finder<'_>) -> Result<DeltaSet, ChangesError> {
        let evidence = finder.evidence.clone();
        let leads = Leads { parts: self.parts, evidence: &evidence };
        let certain = |set: DeltaSet| self.needs.certain.closure_up_within(&set, &self.failing);
        let suspects = self.guess(finder, &self.failing, leads.read(&self.failing).map(certain))?;
        let spoken_of = self.needs.with_partners(&leads.spoken_of(&suspects), &suspects);
        let spoken_of = self.mended(finder, &spoken_of).intersection(&suspects);
        let suspects = self.guess(finder, &suspects, [spoken_of])?;
        if suspects.len() <= FEW {
            return Ok(suspects);
        }
        let close = |tested: &DeltaSet| {
            let tested = self.needs.believed_within(tested, &suspects);
            self.mended(finder, &tested).intersection(&suspects)
        };
        let tested = {
            let (parts, evidence, suspects) =
                (self.parts.clone(), evidence.clone(), suspects.clone());
            let tested = move || Leads { parts: &parts, evidence: &evidence }.tested(&suspects);
            finder.search_stop().wait_for(tested)?
        };
        let mut tested: Vec<DeltaSet> = tested.iter().map(close).collect();
        // What spares little beside the next one is not worth a test.
        let mut next = suspects.len();
        tested.reverse();
        tested.retain(|set| {
            let spares = set.len() * 2 <= next;
            next = if spares { set.len() } else { next };
            spares
        });
        tested.reverse();
        let found = self.guess(finder, &suspects, tested.clone())?;
        match tested.iter().position(|set| *set == found) {
            Some(place) if place > 0 => self.grow(finder, &tested[place - 1], &found),
            _ => Ok(found),
        }
    }

    /// Finds what of a failing set is needed beside a part of it that does not fail.
    fn grow(
        &self,
        finder: &mut Finder<'_>,
        base: &DeltaSet,
        failing: &DeltaSet,
    ) -> Result<DeltaSet, ChangesError> {
        let added = failing.minus(base);
        let groups = Groups::new(self.parts, self.order, &added, |_| Coarseness::Items);
        let close = |unit: DeltaSet| self.needs.believed_within(&unit, failing).minus(base);
        let units: Vec<DeltaSet> = groups.into_parts().into_iter().map(close).collect();
        let count = units.len();
        let search = Patient::hasty(Growing::new(base.clone(), units), count, self.persistence);
        Ok(self.ask(finder, Stage::Culprit, search, failing.len())?.best())
    }

    /// Returns the first of some sets that fails, or else what is known to fail.
    pub(super) fn guess(
        &self,
        finder: &mut Finder<'_>,
        failing: &DeltaSet,
        guesses: impl IntoIterator<Item = DeltaSet>,
    ) -> Result<DeltaSet, ChangesError> {
        let guesses = Guesses::new(failing.clone(), guesses);
        match guesses.step() {
            Step::Ask(_) => Ok(self.ask(finder, Stage::Culprit, guesses, failing.len())?.best()),
            Step::Done => Ok(failing.clone()),
        }
    }

    /// Returns a set with what makes it parse.
    pub(super) fn mended(&self, finder: &Finder<'_>, set: &DeltaSet) -> DeltaSet {
        let Space::Deltas(Deltas { gate: Some(gate), .. }) = &**self.space else {
            return set.clone();
        };
        // Nothing is asked any more once the run is stopped.
        gate.mend(set, &|| !finder.lab.workers.stop.is_stopped()).unwrap_or_else(|| set.clone())
    }
}
