//! The verdicts on contents: each content is tested once.

use std::collections::HashMap;

use whodunit_core::{Sightings, Verdict};

use crate::event::Source;
use crate::evidence::Evidence;
use crate::hints::Mention;
use crate::judge::{Failure, Observation, Provenance, Used};
use crate::key::Key;
use crate::refutation::Refutation;

/// The verdicts on all contents seen so far, about 30 bytes each.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    known: HashMap<Key, Remembered>,
    /// Each reason that some content was refuted for, once.
    refutations: Vec<Refutation>,
    /// Where each of them is.
    places: HashMap<Refutation, u32>,
    /// The mentions in the output of unresolved tests; most have none.
    mentions: HashMap<Key, Vec<Mention>>,
    /// The tracked failure, if a run that shows another value at the same assertion is
    /// distinguished from other failures.
    tracked: Option<Failure>,
    /// The time, memory and output of tests that showed the failure, if they are measured.
    used: Option<HashMap<Key, Used>>,
    /// The runs in clean folders of contents that several runs decided.
    counts: HashMap<Key, Sightings>,
    ran: u64,
    /// Tests that ran ahead, and were run again outside of any question before a question came.
    overtaken: u64,
}

#[derive(Clone, Copy, Debug)]
struct Remembered {
    verdict: Verdict,
    /// Why it does not fail: an index into the refutations.
    refutation: Option<u32>,
    origin: Provenance,
    /// Whether it has not answered a question yet.
    fresh: bool,
    /// Whether it was tested outside of any question.
    confirmed: bool,
    /// Whether the verdict rests on a time limit that the user did not set.
    hasty: bool,
}

impl Memory {
    /// Starts empty, and measures the tests that show the failure.
    pub fn measuring() -> Self {
        Memory { used: Some(HashMap::new()), ..Memory::default() }
    }

    /// From now on distinguishes a run that shows another value at the failure's assertion from
    /// other failures.
    pub fn track(&mut self, failure: Option<Failure>) {
        self.tracked = failure;
    }

    /// Returns the time, memory and output of a test that showed the failure, if they are measured.
    pub fn used(&self, key: Key) -> Option<Used> {
        self.used.as_ref()?.get(&key).copied()
    }

    /// Remembers the result of a test.
    pub fn add(&mut self, key: Key, verdict: Verdict, seen: Option<&Observation>) {
        self.ran += 1;
        let refutation = self.place(self.refuted_by(verdict, seen));
        // A claim needs an observation.
        let origin =
            seen.map_or_else(Provenance::default, |seen| Evidence::of(verdict, seen).origin());
        let known =
            Remembered { verdict, refutation, origin, fresh: true, confirmed: false, hasty: false };
        self.known.insert(key, known);
        self.mention(key, verdict, seen);
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

    /// Remembers a test that no question asked for, such as a first run or a test for the proof. It
    /// replaces an earlier verdict, and does not count as another test: a question about the content is
    /// answered from here, whether a test of it ran ahead before or not.
    pub fn know(&mut self, key: Key, verdict: Verdict, seen: Option<&Observation>) {
        self.confirm(key, verdict, seen, false);
    }

    /// The same after an interruption, for a content that a question had asked about before: the question
    /// comes again, and its test counts.
    pub fn know_again(&mut self, key: Key, verdict: Verdict, seen: Option<&Observation>) {
        self.confirm(key, verdict, seen, true);
    }

    fn confirm(
        &mut self,
        key: Key,
        verdict: Verdict,
        seen: Option<&Observation>,
        will_be_asked: bool,
    ) {
        self.overtaken += u64::from(self.is_fresh(key) && !will_be_asked);
        let ran = self.ran;
        self.add(key, verdict, seen);
        self.ran = ran;
        if let Some(known) = self.known.get_mut(&key) {
            (known.fresh, known.confirmed) = (will_be_asked, true);
        }
    }

    /// Remembers a verdict that several runs of a content decided, the last of which was `last`.
    pub fn decide(&mut self, key: Key, verdict: Verdict, last: u32) {
        let mut counts = Sightings::default();
        for nth in 0..=last {
            if let Some(run) = self.known.get(&key.repeat(nth))
                && run.origin == Provenance::Clean
            {
                counts.count(run.verdict.is_fail());
            }
        }
        let from = key.repeat(last);
        let Some(&run) = self.known.get(&from) else { return };
        let origin = if counts.runs > last { Provenance::Clean } else { run.origin };
        let refutation = run.refutation.filter(|_| verdict != Verdict::Fail);
        let known = Remembered { verdict, refutation, origin, fresh: false, ..run };
        self.known.insert(key, known);
        self.counts.insert(key, counts);
        if let Some(mentions) = self.mentions.get(&from).cloned() {
            self.mentions.insert(key, mentions);
        }
        if let Some(used) = &mut self.used
            && let Some(it) = used.get(&from).copied()
        {
            used.insert(key, it);
        }
    }

    /// Remembers the runs of a content in clean folders.
    pub fn count(&mut self, key: Key, counts: Sightings) {
        self.counts.insert(key, counts);
    }

    /// Returns the runs of a content in clean folders, if several decided it.
    pub fn counts(&self, key: Key) -> Option<Sightings> {
        self.counts.get(&key).copied()
    }

    /// Forgets what several runs decided, but not these runs: another criterion may decide otherwise.
    pub fn forget_decided(&mut self) {
        for key in std::mem::take(&mut self.counts).into_keys() {
            self.known.remove(&key);
        }
    }

    /// Prepares for the same search to be asked again from the beginning.
    pub fn rewind(&mut self) {
        for known in self.known.values_mut() {
            known.fresh = true;
        }
    }

    /// Returns the verdict on a content.
    pub fn get(&self, key: Key) -> Option<Verdict> {
        self.known.get(&key).map(|known| known.verdict)
    }

    /// Returns the verdict on a content with where it comes from.
    pub fn evidence(&self, key: Key) -> Option<Evidence> {
        self.known.get(&key).map(|known| Evidence::new(known.verdict, known.origin))
    }

    /// Returns the verdict on a content that a question or a proof was about, with where it comes
    /// from.
    ///
    /// Which tests ran ahead and decided nothing depends on the number of workers, so answers must
    /// not mention them.
    pub fn asked(&self, key: Key) -> Option<Evidence> {
        let known = self.known.get(&key).filter(|known| !known.fresh || known.confirmed)?;
        Some(Evidence::new(known.verdict, known.origin))
    }

    /// Returns whether something is remembered from before an interruption.
    pub fn reaches_back(&self) -> bool {
        self.known.values().any(|known| known.origin == Provenance::Earlier)
    }

    /// Returns why a content does not fail, if that is known.
    pub fn refutation(&self, key: Key) -> Option<&Refutation> {
        let place = self.known.get(&key)?.refutation?;
        Some(&self.refutations[place as usize])
    }

    /// Returns the mentions in the output of an unresolved test of a content.
    pub fn mentions(&self, key: Key) -> &[Mention] {
        self.mentions.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Uses the verdict on a content as an answer, and returns its source: a test counts as
    /// committed for the first question that it decides.
    pub fn commit(&mut self, key: Key) -> Option<(Verdict, Source)> {
        let known = self.known.get_mut(&key)?;
        let source = if known.fresh { Source::Committed } else { Source::Cached };
        known.fresh = false;
        Some((known.verdict, source))
    }

    /// Returns whether the next commit of this content counts as a test.
    pub fn is_fresh(&self, key: Key) -> bool {
        self.known.get(&key).is_some_and(|known| known.fresh)
    }

    /// Returns the number of tests that no question has asked for so far.
    pub fn unasked(&self) -> u64 {
        self.known.values().filter(|known| known.fresh).count() as u64 + self.overtaken
    }

    /// Returns how many tests of this run were added.
    pub fn ran(&self) -> u64 {
        self.ran
    }

    fn refuted_by(&self, verdict: Verdict, seen: Option<&Observation>) -> Option<Refutation> {
        Refutation::tracking(self.tracked.as_ref(), verdict, seen)
    }

    fn mention(&mut self, key: Key, verdict: Verdict, seen: Option<&Observation>) {
        if let (Some(used), Some(seen), Verdict::Fail) = (&mut self.used, seen, verdict) {
            used.insert(key, seen.used());
        }
        self.mentions.remove(&key);
        match seen.map(|seen| &seen.mentions) {
            Some(mentions) if verdict == Verdict::Unresolved && !mentions.is_empty() => {
                self.mentions.insert(key, mentions.clone());
            }
            _ => {}
        }
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
