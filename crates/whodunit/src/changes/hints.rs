//! What is known of the changes before the first question, beside what needs what: replies to what a
//! strategy wants to know of some suspects.
//!
//! All of it is read off the versions and the first runs, so the same question has the same reply. What
//! takes long is given up when the run is stopped; then nothing more is asked, whatever the reply.

use std::collections::BTreeMap;
use std::sync::Arc;

use whodunit_core::{Delta, DeltaSet};
use whodunit_run::Stop;
use whodunit_versions::{Decomposition, ParseGate};

use super::leads::Leads;
use super::suspects::Suspects;
use super::trees::{Deltas, Space};
use crate::answer::Evidence;

/// See the module's text.
#[derive(Clone)]
pub(super) struct Hints {
    pub(super) parts: Arc<Decomposition>,
    pub(super) evidence: Arc<Evidence>,
    gate: Option<Arc<ParseGate>>,
    stop: Stop,
}

impl Hints {
    pub(super) fn new(
        parts: &Arc<Decomposition>,
        space: &Space,
        evidence: &Evidence,
        stop: Stop,
    ) -> Self {
        let gate = match space {
            Space::Deltas(Deltas { gate, .. }) => gate.clone(),
            Space::Commits(_) | Space::Row(_) => None,
        };
        Hints { parts: parts.clone(), evidence: Arc::new(evidence.clone()), gate, stop }
    }

    /// Returns the changes of files that the bad version's test reads, then of those that either test
    /// does; less where that leaves most files.
    pub(super) fn read(&self, suspects: &DeltaSet) -> Vec<DeltaSet> {
        self.leads().read(suspects).collect()
    }

    /// Returns the changes that bring words of the failure, as far as few do.
    pub(super) fn spoken_of(&self, suspects: &DeltaSet) -> DeltaSet {
        self.leads().spoken_of(suspects)
    }

    /// Returns the changes of what the test names and of what that uses, the nearest first.
    pub(super) fn tested(&self, suspects: &DeltaSet) -> Vec<DeltaSet> {
        let suspects = suspects.clone();
        self.in_time(move |hints| hints.leads().tested(&suspects))
    }

    /// Returns the changes that do nothing when the program runs: comments and layout.
    pub(super) fn quiet(&self, suspects: &DeltaSet) -> DeltaSet {
        let suspects = suspects.clone();
        let quiet = self.in_time(move |hints| Some(hints.parts.quiet(&suspects)));
        quiet.unwrap_or_else(DeltaSet::empty)
    }

    /// Returns how suspect each change is.
    pub(super) fn weights(&self, suspects: &DeltaSet) -> BTreeMap<Delta, f64> {
        let suspects = suspects.clone();
        self.in_time(move |hints| {
            Suspects { parts: &hints.parts, evidence: &hints.evidence }.weights(&suspects)
        })
    }

    /// Returns a set with what makes it parse.
    pub(super) fn mended(&self, set: &DeltaSet) -> DeltaSet {
        let mended =
            self.gate.as_ref().and_then(|gate| gate.mend(set, &|| !self.stop.is_stopped()));
        mended.unwrap_or_else(|| set.clone())
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
