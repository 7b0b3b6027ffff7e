//! What is known about contents: each is tested once.

use std::collections::HashMap;

use whodunit_core::Verdict;

use crate::event::Source;
use crate::key::Key;
use crate::oracle::Observation;
use crate::refutation::Refutation;

/// The verdicts on all contents seen so far, about 30 bytes each.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    known: HashMap<Key, Known>,
    /// Each reason that some content was refuted for, once.
    refutations: Vec<Refutation>,
    /// Where each of them is.
    places: HashMap<Refutation, u32>,
    ran: u64,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    verdict: Verdict,
    /// Why it does not fail, by place.
    refutation: Option<u32>,
    /// Whether a test of this run found it.
    ours: bool,
    /// Whether it has not decided anything yet.
    fresh: bool,
    /// Whether only a time limit said so that nobody gave.
    hasty: bool,
}

impl Memory {
    /// Remembers what an earlier run found.
    pub fn recall(&mut self, key: Key, verdict: Verdict, seen: Option<&Observation>) {
        if !self.known.contains_key(&key) {
            let refutation = self.place(Refutation::of(verdict, seen));
            let known = Known { verdict, refutation, ours: false, fresh: false, hasty: false };
            self.known.insert(key, known);
        }
    }

    /// Remembers what a test of this run found.
    pub fn add(&mut self, key: Key, verdict: Verdict, seen: Option<&Observation>) {
        self.ran += 1;
        let refutation = self.place(Refutation::of(verdict, seen));
        let known = Known { verdict, refutation, ours: true, fresh: true, hasty: false };
        self.known.insert(key, known);
    }

    /// Marks a verdict that rests on a time limit which was derived from other tests.
    pub fn doubt(&mut self, key: Key) {
        if let Some(known) = self.known.get_mut(&key) {
            known.hasty = true;
        }
    }

    /// Returns whether a verdict was marked as doubtful.
    pub fn is_doubtful(&self, key: Key) -> bool {
        self.known.get(&key).is_some_and(|known| known.hasty)
    }

    /// Replaces a doubtful verdict by one that is certain. Not counted as another test.
    pub fn settle(&mut self, key: Key, verdict: Verdict, seen: Option<&Observation>) {
        let refutation = self.place(Refutation::of(verdict, seen));
        if let Some(known) = self.known.get_mut(&key) {
            known.verdict = verdict;
            known.refutation = refutation;
            known.hasty = false;
        }
    }

    /// Prepares for the same search to be asked again from the beginning.
    pub fn rewind(&mut self) {
        for known in self.known.values_mut() {
            known.fresh = known.ours;
        }
    }

    /// Returns the verdict on a content.
    pub fn get(&self, key: Key) -> Option<Verdict> {
        self.known.get(&key).map(|known| known.verdict)
    }

    /// Returns why a content does not fail, if that is known.
    pub fn refutation(&self, key: Key) -> Option<&Refutation> {
        let place = self.known.get(&key)?.refutation?;
        Some(&self.refutations[place as usize])
    }

    /// Takes the verdict on a content as an answer, and says where it comes from: a test counts
    /// as committed for the first question that it decides.
    pub(crate) fn commit(&mut self, key: Key) -> Option<(Verdict, Source)> {
        let known = self.known.get_mut(&key)?;
        let source = if known.fresh && known.ours { Source::Committed } else { Source::Cached };
        known.fresh = false;
        Some((known.verdict, source))
    }

    /// Returns whether the next commit of this content counts as a test.
    pub(crate) fn is_fresh(&self, key: Key) -> bool {
        self.known.get(&key).is_some_and(|known| known.fresh)
    }

    /// Returns how many tests of this run were added.
    pub fn ran(&self) -> u64 {
        self.ran
    }

    /// Returns the place of a refutation, which is kept once however many contents have it.
    fn place(&mut self, refutation: Option<Refutation>) -> Option<u32> {
        let refutation = refutation?;
        if let Some(&place) = self.places.get(&refutation) {
            return Some(place);
        }
        let place = self.refutations.len() as u32;
        self.refutations.push(refutation.clone());
        self.places.insert(refutation, place);
        Some(place)
    }
}
