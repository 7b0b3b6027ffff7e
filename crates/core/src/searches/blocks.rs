//! `blocks`: minimises a list by adaptive group testing. The default for lists.
//!
//! Deleting a block succeeds iff it holds no needed delta, so finding the needed ones is group
//! testing. The search goes from the last delta to the first, because things are defined before
//! they are used. It estimates how dense needed deltas are and tries blocks that can be dropped
//! with a chance of about one half. Where a block cannot be dropped it looks for its longest part
//! that can, which also refutes one delta singly. It sweeps until every survivor has been refuted
//! against the final candidate, so the result is 1-minimal for any oracle.

use std::ops::Range;

use crate::searches::density::{Density, Resistance, SINGLES};
use crate::{Answer, Delta, DeltaSet, Search, Step};

/// The search; see the module's text.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// The smallest candidate known to fail.
    current: DeltaSet,
    /// Survivors refuted singly: `current` without one of them is known not to fail.
    refuted: DeltaSet,
    resistance: Resistance,
    certify: Certify,
    after_dropped: Density,
    after_needed: Density,
    later_sweeps: Density,
    sweep: Sweep,
    probe: Probe,
}

/// How much is done to prove that every survivor is needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Certify {
    /// Sweeps until every survivor was refuted against the final candidate: 1-minimal.
    #[default]
    Full,
    /// Asks again only about neighbours of deltas that were dropped since.
    Dirty,
    /// One sweep, nothing more.
    None,
}

/// Where a walk from the last delta to the first stands.
#[derive(Clone, Debug)]
struct Sweep {
    /// Deltas below this one are still to be looked at.
    end: u32,
    first: bool,
    cut_something: bool,
    /// Whether the delta looked at last could not be dropped.
    beside_needed: bool,
    /// Size of the next block in sweeps after the first.
    stride: usize,
}

/// The question at hand.
#[derive(Clone, Debug)]
enum Probe {
    /// Drop everything.
    Nothing,
    /// Drop the last `size` deltas before the sweep's end.
    Block {
        size: usize,
    },
    /// Drop the last `middle`: dropping the last `low` is known to fail, the last `high` not to.
    Part {
        low: usize,
        middle: usize,
        high: usize,
    },
    Finished,
}

impl Blocks {
    /// Starts with `count` deltas, all of which together are known to fail.
    pub fn new(count: usize) -> Self {
        Self::start(count, Resistance::Equal)
    }

    /// Starts with deltas of the given sizes. Larger ones are taken to be needed more often.
    pub fn weighted(sizes: impl IntoIterator<Item = usize>) -> Self {
        let (count, resistance) = Resistance::from_sizes(sizes);
        Self::start(count, resistance)
    }

    /// Sets how much is done to prove that every survivor is needed.
    #[must_use]
    pub fn certify(mut self, certify: Certify) -> Self {
        self.certify = certify;
        self
    }

    /// Skips the question whether the empty candidate fails.
    #[must_use]
    pub fn skip_empty(mut self) -> Self {
        if matches!(self.probe, Probe::Nothing) {
            self.proceed();
        }
        self
    }

    /// Returns the survivors that were refuted singly against [`best`](Search::best).
    pub fn refuted(&self) -> &DeltaSet {
        &self.refuted
    }

    fn start(count: usize, resistance: Resistance) -> Self {
        let current = DeltaSet::full(count);
        Blocks {
            sweep: Sweep::over(&current, true),
            refuted: DeltaSet::empty(),
            resistance,
            certify: Certify::Full,
            // First guesses: one needed delta in the whole list; beside a needed delta, one in
            // eight.
            after_dropped: Density::new(count as f64 / 2.0),
            after_needed: Density::new(count.min(8) as f64 / 2.0),
            later_sweeps: Density { needed: 4.0, dropped: 0.5 },
            probe: if count == 0 { Probe::Finished } else { Probe::Nothing },
            current,
        }
    }

    /// Returns the last `size` deltas before the sweep's end.
    fn block(&self, size: usize) -> DeltaSet {
        let before = self.current.rank(Delta(self.sweep.end));
        self.current.slice(before - size..before)
    }

    /// Drops the last `size` deltas before the end.
    fn cut(&mut self, size: usize) {
        if size == 0 {
            return;
        }
        let gone = self.block(size);
        let (first, last) = (gone.first().expect("size > 0"), gone.last().expect("size > 0"));
        // Only the first delta of a dropped run lies beside a needed one.
        let first_gone = self.resistance.sum(&self.block(1));
        self.density_mut().dropped += first_gone;
        self.sweep.beside_needed = false;
        self.density_mut().dropped += self.resistance.sum(&gone) - first_gone;
        self.current = self.current.minus(&gone);
        self.refuted = match self.certify {
            Certify::Full => DeltaSet::empty(),
            Certify::Dirty | Certify::None => self.refuted.minus(&self.neighbours(first, last)),
        };
        self.sweep.cut_something = true;
        self.sweep.end = first.0;
    }

    /// Marks the last delta before the end as needed.
    fn refute(&mut self) {
        let needed = self.block(1);
        self.density_mut().needed += 1.0;
        self.refuted = self.refuted.union(&needed);
        self.sweep.beside_needed = true;
        self.sweep.end = needed.first().expect("a block of one").0;
    }

    fn neighbours(&self, first: Delta, last: Delta) -> DeltaSet {
        let before = self.current.rank(first);
        self.current.slice(before.saturating_sub(1)..self.current.rank(last) + 1)
    }

    fn density_mut(&mut self) -> &mut Density {
        match (self.sweep.first, self.sweep.beside_needed) {
            (false, _) => &mut self.later_sweeps,
            (true, false) => &mut self.after_dropped,
            (true, true) => &mut self.after_needed,
        }
    }

    /// Finds the next question once the last one is settled.
    fn proceed(&mut self) {
        loop {
            if self.refuted.len() == self.current.len() {
                self.probe = Probe::Finished;
                return;
            }
            let left = self.current.rank(Delta(self.sweep.end));
            if left == 0 {
                if !self.sweep.cut_something || self.certify == Certify::None {
                    self.probe = Probe::Finished;
                    return;
                }
                self.sweep = Sweep::over(&self.current, false);
                continue;
            }
            let next = self.block(1).first().expect("a block of one");
            if self.refuted.contains(next) {
                self.sweep.end = next.0;
                self.sweep.beside_needed = true;
                continue;
            }
            self.probe = Probe::Block { size: self.block_size(left) };
            return;
        }
    }

    fn block_size(&self, left: usize) -> usize {
        if !self.sweep.first {
            return self.sweep.stride.min(left);
        }
        let p = self.density().mean();
        if p >= SINGLES {
            return 1;
        }
        // Golomb's optimum: the block that can be dropped with a chance of 1/(2-p).
        self.reach(left, 0, (2.0 - p).recip()).clamp(1, left)
    }

    /// Splits a part so that both answers are equally likely.
    fn part(&self, low: usize, high: usize) -> Probe {
        let left = self.current.rank(Delta(self.sweep.end));
        let middle = low + self.reach(left, low, (1.0 + self.chance(left, low..high)) / 2.0);
        Probe::Part { low, middle: middle.clamp(low + 1, high - 1), high }
    }

    /// Returns the chance that the deltas at `places`, counted back from the sweep's end, can be
    /// dropped if all deltas at the places before them can.
    fn chance(&self, left: usize, places: Range<usize>) -> f64 {
        let resistance = |places: Range<usize>| {
            let ranks = left - places.end..left - places.start;
            self.resistance.between(&self.current, ranks)
        };
        if places.start > 0 {
            return self.inner_density().survival(resistance(places));
        }
        self.density().survival(resistance(0..1))
            * self.inner_density().survival(resistance(1..places.end))
    }

    /// Returns how many deltas from place `from` on can be dropped together with the given
    /// chance.
    fn reach(&self, left: usize, from: usize, chance: f64) -> usize {
        let mut missing = -chance.ln();
        let mut found = 0;
        if from == 0 {
            missing += self.chance(left, 0..1).ln();
            found = 1;
        }
        if missing <= 0.0 {
            return found;
        }
        let enough = missing / -(1.0 - self.inner_density().mean()).ln();
        found + self.resistance.reach(&self.current, left - from - found, enough)
    }

    fn density(&self) -> &Density {
        match (self.sweep.first, self.sweep.beside_needed) {
            (false, _) => &self.later_sweeps,
            (true, false) => &self.after_dropped,
            (true, true) => &self.after_needed,
        }
    }

    /// Returns the density among deltas whose neighbour was dropped.
    fn inner_density(&self) -> &Density {
        if self.sweep.first { &self.after_dropped } else { &self.later_sweeps }
    }

    fn narrow(&mut self, low: usize, high: usize) {
        if high - low > 1 {
            self.probe = self.part(low, high);
        } else {
            self.cut(low);
            self.refute();
            self.sweep.stride = 1;
            self.proceed();
        }
    }
}

impl Search for Blocks {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        match self.probe {
            Probe::Nothing => Step::Ask(DeltaSet::empty()),
            Probe::Block { size } | Probe::Part { middle: size, .. } => {
                Step::Ask(self.current.minus(&self.block(size)))
            }
            Probe::Finished => Step::Done,
        }
    }

    fn learn(&mut self, answer: &Answer) {
        let goes = answer.verdict.is_fail();
        match self.probe {
            Probe::Nothing if goes => {
                self.current = DeltaSet::empty();
                self.probe = Probe::Finished;
            }
            Probe::Nothing => {
                if self.current.len() == 1 {
                    self.refuted = self.current.clone();
                }
                self.proceed();
            }
            Probe::Block { size } if goes => {
                self.cut(size);
                self.sweep.stride = size * 2;
                self.proceed();
            }
            Probe::Block { size } => self.narrow(0, size),
            Probe::Part { middle, high, .. } if goes => self.narrow(middle, high),
            Probe::Part { low, middle, .. } => self.narrow(low, middle),
            Probe::Finished => {}
        }
    }

    fn best(&self) -> DeltaSet {
        match self.probe {
            Probe::Part { low, .. } if low > 0 => self.current.minus(&self.block(low)),
            _ => self.current.clone(),
        }
    }

    fn likely(&self) -> f64 {
        match self.probe {
            Probe::Nothing => 0.05,
            Probe::Block { size } => self.chance(self.current.rank(Delta(self.sweep.end)), 0..size),
            Probe::Part { .. } => 0.5,
            Probe::Finished => 0.0,
        }
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}

impl Sweep {
    fn over(current: &DeltaSet, first: bool) -> Self {
        Sweep {
            end: current.last().map_or(0, |last| last.0 + 1),
            first,
            cut_something: false,
            beside_needed: false,
            stride: 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;

    fn tests_needed(mut search: Blocks, needed: &DeltaSet) -> usize {
        let mut tests = 0;
        while let Step::Ask(candidate) = search.step() {
            let verdict = if needed.is_subset(&candidate) { Verdict::Fail } else { Verdict::Pass };
            search.learn(&verdict.into());
            tests += 1;
        }
        assert_eq!(&search.best(), needed);
        assert_eq!(search.refuted(), needed);
        tests
    }

    #[test]
    fn needed_deltas_are_found_wherever_they_are() {
        for needed in [vec![], vec![0], vec![99], vec![3, 50, 51, 52, 98]] {
            let needed: DeltaSet = needed.into_iter().map(Delta).collect();
            assert!(tests_needed(Blocks::new(100), &needed) < 60);
            let sizes = (0..100).map(|i| 1 + i * i % 37);
            assert!(tests_needed(Blocks::weighted(sizes), &needed) < 60);
        }
    }

    #[test]
    fn nothing_is_asked_about_nothing() {
        assert_eq!(tests_needed(Blocks::new(0), &DeltaSet::empty()), 0);
    }
}
