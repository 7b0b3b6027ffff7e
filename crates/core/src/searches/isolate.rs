//! `isolate`: brings a passing and a failing candidate as close together as they get (Zeller and
//! Hildebrandt, 2002, the algorithm *dd*).
//!
//! The difference is cut into chunks; each is added to the passing candidate and taken from the
//! failing one, and each resolved answer moves one of the two. Departures: the paper prefers
//! answers that leave a single chunk to those that leave all but one; here each resolved answer
//! is acted upon at once, so that without unresolved answers this is a binary search. And chunks
//! that stay in the difference stay as they are, so that a question about them and the candidate
//! that did not move is not asked again.

use std::sync::Arc;

use crate::{Answer, DeltaSet, Search, Step, Verdict};

/// The search; see the module's text.
///
/// The empty candidate must pass. At the end no single delta of the difference can be added to
/// the passing candidate or taken from the failing one with a resolved outcome. Or the
/// difference is a single delta: adding it to the passing candidate makes the failure.
#[derive(Clone, Debug)]
pub struct Isolate {
    passing: DeltaSet,
    /// A superset of `passing`.
    failing: DeltaSet,
    /// The difference of the two, cut into chunks.
    chunks: Arc<[DeltaSet]>,
    /// The chunks that, added to the passing candidate, are known to be unresolved.
    cannot_add: DeltaSet,
    /// The chunks that, taken from the failing candidate, are known to be unresolved.
    cannot_take: DeltaSet,
    probe: Probe,
}

/// The question at hand.
#[derive(Clone, Copy, Debug)]
enum Probe {
    /// Add this chunk to the passing candidate.
    Add(usize),
    /// Take this chunk from the failing candidate.
    Take(usize),
    Exhausted,
}

impl Isolate {
    /// Starts with `count` deltas, all of which together are known to fail.
    pub fn new(count: usize) -> Self {
        let mut search = Isolate {
            passing: DeltaSet::empty(),
            failing: DeltaSet::full(count),
            chunks: [].into(),
            cannot_add: DeltaSet::empty(),
            cannot_take: DeltaSet::empty(),
            probe: Probe::Exhausted,
        };
        search.start_afresh();
        search
    }

    /// Returns the largest candidate that was seen to pass; empty at first.
    pub fn passing(&self) -> DeltaSet {
        self.passing.clone()
    }

    /// Returns the deltas by which the failing candidate differs from the passing one.
    pub fn difference(&self) -> DeltaSet {
        self.failing.minus(&self.passing)
    }

    /// Cuts the difference into two chunks about which nothing is known.
    fn start_afresh(&mut self) {
        let difference = self.difference();
        self.cannot_add = DeltaSet::empty();
        self.cannot_take = DeltaSet::empty();
        if difference.len() < 2 {
            self.probe = Probe::Exhausted;
        } else {
            self.chunks = difference.split(2).into();
            self.probe = Probe::Add(0);
        }
    }

    /// Continues with the remaining chunks after the one at `index` has left the difference.
    fn remove(&mut self, index: usize) {
        let mut chunks = self.chunks.to_vec();
        chunks.remove(index);
        if chunks.len() < 2 {
            self.start_afresh();
        } else {
            self.chunks = chunks.into();
            self.look_from(index);
        }
    }

    /// Moves to the first open question from a chunk on, wrapping around; halves the chunks if
    /// there is none.
    fn look_from(&mut self, start: usize) {
        let count = self.chunks.len();
        let mut indices = (0..count).map(|ahead| (start + ahead) % count);
        match indices.find_map(|index| self.open_question(index)) {
            Some(probe) => self.probe = probe,
            None => self.refine(),
        }
    }

    /// Returns the first question about a chunk whose answer is not known.
    fn open_question(&self, index: usize) -> Option<Probe> {
        let known = |unresolved: &DeltaSet, index: usize| {
            self.chunks[index].first().is_some_and(|delta| unresolved.contains(delta))
        };
        // With two chunks, adding one is the same question as taking the other.
        let other = (self.chunks.len() == 2).then_some(1 - index.min(1));
        let taken = other.is_some_and(|other| known(&self.cannot_take, other));
        let added = other.is_some_and(|other| known(&self.cannot_add, other));
        if !known(&self.cannot_add, index) && !taken {
            Some(Probe::Add(index))
        } else if !known(&self.cannot_take, index) && !added {
            Some(Probe::Take(index))
        } else {
            None
        }
    }

    /// Halves the chunks, all of whose questions are answered, or ends if none can be halved.
    fn refine(&mut self) {
        let (singles, divisible): (Vec<&DeltaSet>, Vec<&DeltaSet>) =
            self.chunks.iter().partition(|chunk| chunk.len() == 1);
        if divisible.is_empty() {
            self.probe = Probe::Exhausted;
            return;
        }
        let known: DeltaSet = singles.into_iter().flat_map(DeltaSet::iter).collect();
        self.chunks = self.chunks.iter().flat_map(|chunk| chunk.split(2)).collect();
        self.cannot_add = known.clone();
        self.cannot_take = known;
        // A chunk that was halved has open questions.
        self.look_from(0);
    }
}

impl Search for Isolate {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        match self.probe {
            Probe::Add(index) => Step::Ask(self.passing.union(&self.chunks[index])),
            Probe::Take(index) => Step::Ask(self.failing.minus(&self.chunks[index])),
            Probe::Exhausted => Step::Done,
        }
    }

    fn learn(&mut self, answer: &Answer) {
        let Step::Ask(question) = self.step() else { return };
        match (self.probe, answer.verdict) {
            (Probe::Add(_), Verdict::Fail) => {
                self.failing = question;
                self.start_afresh();
            }
            (Probe::Take(_), Verdict::Pass) => {
                self.passing = question;
                self.start_afresh();
            }
            (Probe::Add(index), Verdict::Pass) => {
                self.passing = question;
                self.cannot_add = DeltaSet::empty();
                self.remove(index);
            }
            (Probe::Take(index), Verdict::Fail) => {
                self.failing = question;
                self.cannot_take = DeltaSet::empty();
                self.remove(index);
            }
            (Probe::Add(index), Verdict::Unresolved) => {
                self.cannot_add = self.cannot_add.union(&self.chunks[index]);
                self.look_from(index);
            }
            (Probe::Take(index), Verdict::Unresolved) => {
                self.cannot_take = self.cannot_take.union(&self.chunks[index]);
                self.look_from(index);
            }
            (Probe::Exhausted, _) => {}
        }
    }

    fn best(&self) -> DeltaSet {
        self.failing.clone()
    }

    fn likely(&self) -> f64 {
        // The chance that the one culprit is in the chunk at hand.
        let here = 1.0 / self.chunks.len().max(1) as f64;
        match self.probe {
            Probe::Add(_) => here,
            // Asked only if adding was unresolved; taking is then unresolved about as often as
            // not.
            Probe::Take(_) => (1.0 - here) / 2.0,
            Probe::Exhausted => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{check, needs, together};

    #[test]
    fn resolved_answers_make_it_a_binary_search() {
        check(
            Isolate::new(8),
            needs(&[7]),
            "
            ####.... ✓
            ######.. ✓
            #######. ✗
            #######. =
            ",
        );
    }

    #[test]
    fn one_of_two_interfering_changes_is_enough() {
        check(
            Isolate::new(8),
            needs(&[3, 6]),
            "
            ####.... ✓
            ######.. ✗
            #####... ✓
            ######.. =
            ",
        );
    }

    #[test]
    fn two_chunks_make_two_questions() {
        check(
            Isolate::new(2),
            together(&[1, 2], needs(&[1])),
            "
            #. ?
            .# ?
            ## =
            ",
        );
    }

    #[test]
    fn what_cannot_be_told_apart_stays_in_the_difference() {
        let mut search = Isolate::new(8);
        let oracle = together(&[2, 3, 7], needs(&[3]));
        while let Step::Ask(question) = search.step() {
            search.learn(&oracle(&question).into());
        }
        assert_eq!(search.difference(), crate::drawing::numbered(&[2, 3, 7]));
        assert!(oracle(&search.passing()) == Verdict::Pass);
    }

    #[test]
    fn nothing_is_asked_about_one_delta() {
        check(Isolate::new(1), needs(&[1]), "# =");
        check(Isolate::new(0), needs(&[]), "=");
    }
}
