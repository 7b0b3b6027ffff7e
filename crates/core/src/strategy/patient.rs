//! A search that is given up when many questions in a row have brought nothing.
//!
//! Where everything hangs together, as in a new file that only works whole, going down to single
//! lines would take more tests than anybody has time for. What was found by then is the answer.

use crate::{Answer, DeltaSet, Search, Step};

/// Questions without success that every search may ask before it gives up.
const PATIENCE: usize = 8;

/// The same where the run has another way to continue.
const HASTE: usize = 4;

/// Further questions without success for each time that the changes can be halved.
const FOR_EACH_HALVING: usize = 2;

/// Up to this many changes, each change may be asked about without success.
const EACH: usize = 32;

/// How many times longer each round goes on without success than the one before. Rounds start from
/// what the last one left, and repeat no test, so few and long ones are enough.
const LONGER: usize = 4;

/// How long searches go on without success: in each round longer than in the one before.
///
/// A round goes on from what the last one left, so that another one never makes an answer larger.
/// From some round on no search is given up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Persistence(u32);

impl Persistence {
    /// Enough for every search.
    pub const ENDLESS: Persistence = Persistence(usize::BITS / LONGER.ilog2());

    /// Returns how long the round after so many goes on.
    pub fn after(rounds: u32) -> Self {
        Persistence(rounds).min(Self::ENDLESS)
    }

    /// Returns how long the next round goes on.
    pub fn more(self) -> Self {
        Self::after(self.0.saturating_add(1))
    }

    /// Returns what is so many in the first round.
    pub fn times(self, count: usize) -> usize {
        count.saturating_mul(LONGER.saturating_pow(self.0))
    }
}

/// A search with a limited number of questions without success.
#[derive(Clone)]
pub struct Patient<S> {
    /// The search.
    pub search: S,
    /// How many questions in a row may bring nothing.
    patience: usize,
    /// How many have by now.
    in_vain: usize,
    /// How large the smallest failing candidate is.
    smallest: usize,
    /// Whether the search hears what an answer teaches beside the verdict.
    hears_lessons: bool,
}

impl<S: Search<Candidate = DeltaSet>> Patient<S> {
    /// Limits a search over so many changes or groups of them.
    pub fn new(search: S, count: usize, persistence: Persistence) -> Self {
        let halvings = usize::BITS - count.leading_zeros();
        Self::with(search, persistence.times(PATIENCE + FOR_EACH_HALVING * halvings as usize))
    }

    /// Limits one that need not be brought to an end more tightly.
    pub fn hasty(search: S, count: usize, persistence: Persistence) -> Self {
        let halvings = usize::BITS - count.leading_zeros();
        Self::with(search, persistence.times(HASTE + halvings as usize))
    }

    /// Limits one that shows of each change that it is needed, which is in vain each time. What
    /// else would have to go along is of no interest then.
    pub fn thorough(search: S, count: usize, persistence: Persistence) -> Self {
        let patient = Self::with(search, persistence.times(PATIENCE + count.min(EACH)));
        Patient { hears_lessons: false, ..patient }
    }

    fn with(search: S, patience: usize) -> Self {
        let smallest = search.best().len();
        Patient { search, patience, in_vain: 0, smallest, hears_lessons: true }
    }

    /// Returns whether nothing is left to ask: the search was neither given up nor cut short.
    pub fn is_finished(&self) -> bool {
        matches!(self.search.step(), Step::Done)
    }
}

impl<S: Search<Candidate = DeltaSet>> Search for Patient<S> {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        if self.in_vain >= self.patience { Step::Done } else { self.search.step() }
    }

    fn learn(&mut self, answer: &Answer) {
        if self.hears_lessons {
            self.search.learn(answer);
        } else {
            self.search.learn(&Answer::from(answer.verdict));
        }
        let left = self.search.best().len();
        if left < self.smallest {
            (self.smallest, self.in_vain) = (left, 0);
        } else {
            self.in_vain += 1;
        }
    }

    fn best(&self) -> DeltaSet {
        self.search.best()
    }

    fn likely(&self) -> f64 {
        self.search.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.search.heeds_unresolved()
    }
}
