//! `ddmin`: reduces a failing list until no single delta can go (Zeller and Hildebrandt, 2002; as
//! told in Misherghi's thesis on hierarchical delta debugging, 3.1).
//!
//! Chunks are tried alone, then each is left out, then they are halved. Departures, none of which
//! changes what is tested: after a chunk was left out the others stay as they are and none is
//! tried alone again; a chunk that cannot be halved is not asked about again; and the empty
//! candidate is asked about when one delta is left, so the result is 1-minimal for any oracle.

use std::sync::Arc;

use crate::{Answer, DeltaSet, Search, Step};

/// The search; see the module's text.
///
/// 1-minimal for any oracle, in a number of tests that can be quadratic. A question is repeated
/// only if chunks left out one after the other add up to a candidate that was tried before.
#[derive(Clone, Debug)]
pub struct Ddmin {
    /// The smallest candidate that was seen to fail.
    kept: DeltaSet,
    /// The kept deltas, in chunks of similar size.
    chunks: Arc<[DeltaSet]>,
    /// The chunks known neither to fail alone nor to be removable from the kept deltas.
    refuted: DeltaSet,
    probe: Probe,
}

/// The question at hand.
#[derive(Clone, Copy, Debug)]
enum Probe {
    /// Keep only this chunk.
    Subset(usize),
    /// Keep all but this chunk.
    Complement(usize),
    Exhausted,
}

impl Ddmin {
    /// Starts with `count` deltas, all of which together are known to fail.
    pub fn new(count: usize) -> Self {
        let mut search = Ddmin {
            kept: DeltaSet::empty(),
            chunks: [].into(),
            refuted: DeltaSet::empty(),
            probe: Probe::Exhausted,
        };
        search.reduce_to_subset(DeltaSet::full(count));
        search
    }

    fn complement(&self, index: usize) -> DeltaSet {
        self.kept.minus(&self.chunks[index])
    }

    fn is_refuted(&self, index: usize) -> bool {
        self.chunks[index].first().is_some_and(|delta| self.refuted.contains(delta))
    }

    /// Keeps only `subset` and starts again with two chunks.
    fn reduce_to_subset(&mut self, subset: DeltaSet) {
        self.chunks = subset.split(2).into();
        self.kept = subset;
        self.refuted = DeltaSet::empty();
        self.probe = match self.chunks.len() {
            0 => Probe::Exhausted,
            // The only chunk is what is kept, and that fails.
            1 => Probe::Complement(0),
            _ => Probe::Subset(0),
        };
    }

    /// Leaves one chunk out and starts again with leaving out each of the others.
    fn reduce_to_complement(&mut self, index: usize) {
        self.kept = self.complement(index);
        self.refuted = DeltaSet::empty();
        let mut chunks = self.chunks.to_vec();
        chunks.remove(index);
        self.chunks = chunks.into();
        self.ask_complement(0);
    }

    /// Moves to the first chunk from `index` on that is to be tried alone.
    fn ask_subset(&mut self, index: usize) {
        match (index..self.chunks.len()).find(|&index| !self.is_refuted(index)) {
            Some(index) => self.probe = Probe::Subset(index),
            None => self.ask_complement(0),
        }
    }

    /// Moves to the first chunk from `index` on that is to be left out.
    fn ask_complement(&mut self, index: usize) {
        let count = self.chunks.len();
        // Of two chunks each is the other's complement, and both were tried alone.
        let first = if count == 2 { count } else { index };
        match (first..count).find(|&index| !self.is_refuted(index)) {
            Some(index) => self.probe = Probe::Complement(index),
            None => self.refine(),
        }
    }

    /// Halves the chunks, all of which are refuted, or ends if none can be halved.
    fn refine(&mut self) {
        let (singles, divisible): (Vec<&DeltaSet>, Vec<&DeltaSet>) =
            self.chunks.iter().partition(|chunk| chunk.len() == 1);
        if divisible.is_empty() {
            self.probe = Probe::Exhausted;
            return;
        }
        self.refuted = singles.into_iter().flat_map(DeltaSet::iter).collect();
        self.chunks = self.chunks.iter().flat_map(|chunk| chunk.split(2)).collect();
        self.ask_subset(0);
    }
}

impl Search for Ddmin {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        match self.probe {
            Probe::Subset(index) => Step::Ask(self.chunks[index].clone()),
            Probe::Complement(index) => Step::Ask(self.complement(index)),
            Probe::Exhausted => Step::Done,
        }
    }

    fn learn(&mut self, answer: &Answer) {
        match (self.probe, answer.verdict.is_fail()) {
            (Probe::Subset(index), true) => {
                self.reduce_to_subset(self.chunks[index].clone());
            }
            (Probe::Subset(index), false) => self.ask_subset(index + 1),
            (Probe::Complement(index), true) => self.reduce_to_complement(index),
            (Probe::Complement(index), false) => self.ask_complement(index + 1),
            (Probe::Exhausted, _) => {}
        }
    }

    fn best(&self) -> DeltaSet {
        self.kept.clone()
    }

    fn likely(&self) -> f64 {
        match self.probe {
            // Culprits are seldom all in one chunk.
            Probe::Subset(_) => 0.5 / self.chunks.len() as f64,
            // Coarse chunks can seldom be left out, and most of the tests are spent on them.
            Probe::Complement(_) | Probe::Exhausted => 0.2,
        }
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{check, needs};

    #[test]
    fn three_culprits_are_found_as_in_2002() {
        // The paper's example. Some candidates come up again, as they do there.
        check(
            Ddmin::new(8),
            needs(&[1, 7, 8]),
            "
            ####.... ✓
            ....#### ✓
            ##...... ✓
            ..##.... ✓
            ....##.. ✓
            ......## ✓
            ..###### ✓
            ##..#### ✗
            ....#### ✓
            ##....## ✗
            #....... ✓
            .#...... ✓
            ......#. ✓
            .......# ✓
            .#....## ✓
            #.....## ✗
            ......## ✓
            #......# ✓
            #.....#. ✓
            #.....## =
            ",
        );
    }

    #[test]
    fn halves_are_not_asked_about_twice() {
        check(
            Ddmin::new(2),
            needs(&[1, 2]),
            "
            #. ✓
            .# ✓
            ## =
            ",
        );
    }

    #[test]
    fn a_chunk_that_cannot_be_halved_is_not_asked_about_again() {
        check(
            Ddmin::new(3),
            needs(&[1, 2, 3]),
            "
            #.. ✓
            .## ✓
            .#. ✓
            ..# ✓
            #.# ✓
            ##. ✓
            ### =
            ",
        );
    }

    #[test]
    fn the_last_delta_goes_if_nothing_is_needed() {
        check(
            Ddmin::new(2),
            needs(&[]),
            "
            #. ✗
            .. ✗
            .. =
            ",
        );
        check(Ddmin::new(0), needs(&[]), "=");
    }
}
