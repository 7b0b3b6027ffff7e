//! The information from the versions and the first runs, for the strategy that looks for a cause.
//!
//! A slow computation is abandoned when the run is stopped; no questions follow then, so its result is
//! not needed.

use std::collections::BTreeMap;
use std::sync::Arc;

use whodunit_core::strategy::Knowledge;
use whodunit_core::{Delta, DeltaSet};
use whodunit_run::Stop;
use whodunit_versions::{Decomposition, ParseGate};

use super::deltas::Deltas;
use super::leads::Leads;
use super::suspects::Suspects;
use crate::answer::Evidence;

/// Answers the questions of a strategy from the versions and the first runs.
#[derive(Clone)]
pub(super) struct Hints {
    parts: Arc<Decomposition>,
    evidence: Arc<Evidence>,
    gate: Option<Arc<ParseGate>>,
    stop: Stop,
}

impl Hints {
    pub(super) fn new(
        parts: &Arc<Decomposition>,
        space: &Deltas,
        evidence: &Evidence,
        stop: Stop,
    ) -> Self {
        let (evidence, gate) = (Arc::new(evidence.clone()), space.gate.clone());
        Hints { parts: parts.clone(), evidence, gate, stop }
    }

    fn leads(&self) -> Leads<'_> {
        Leads { parts: &self.parts, evidence: &self.evidence }
    }

    fn in_time<T: Default + Send + 'static>(
        &self,
        work: impl FnOnce(&Hints) -> T + Send + 'static,
    ) -> T {
        let hints = self.clone();
        self.stop.wait_for(move || work(&hints)).unwrap_or_default()
    }
}

impl Knowledge for Hints {
    fn read(&self, suspects: &DeltaSet) -> Vec<DeltaSet> {
        self.leads().read(suspects).collect()
    }

    fn spoken_of(&self, suspects: &DeltaSet) -> DeltaSet {
        self.leads().spoken_of(suspects)
    }

    fn tested(&self, suspects: &DeltaSet) -> Vec<DeltaSet> {
        let suspects = suspects.clone();
        self.in_time(move |hints| hints.leads().tested(&suspects))
    }

    fn quiet(&self, suspects: &DeltaSet) -> DeltaSet {
        let suspects = suspects.clone();
        let quiet = self.in_time(move |hints| Some(hints.parts.quiet(&suspects)));
        quiet.unwrap_or_else(DeltaSet::empty)
    }

    fn weights(&self, suspects: &DeltaSet) -> BTreeMap<Delta, f64> {
        let suspects = suspects.clone();
        self.in_time(move |hints| {
            Suspects { parts: &hints.parts, evidence: &hints.evidence }.weights(&suspects)
        })
    }

    fn broken(&self, changes: &DeltaSet) -> Vec<usize> {
        let gate = self.gate.as_ref();
        gate.and_then(|gate| gate.broken(changes, &|| !self.is_over())).unwrap_or_default()
    }

    fn mended(&self, changes: &DeltaSet) -> Option<DeltaSet> {
        self.gate.as_ref()?.mend(changes, &|| !self.is_over())
    }

    fn is_over(&self) -> bool {
        self.stop.is_stopped()
    }
}
