//! Gives up a search after many questions in a row without success.
//!
//! Where everything hangs together, as in a new file that only works as a whole, going down to
//! single lines would take too many tests. The best candidate so far is then the answer.

use crate::{Answer, DeltaSet, Search, Step};

/// Questions without success that every search may ask before it gives up.
const PATIENCE: usize = 8;

/// The same where the run has another way to continue.
const HASTE: usize = 4;

/// Further questions without success for each time that the changes can be halved.
const FOR_EACH_HALVING: usize = 2;

/// Up to this many changes, each change may be asked about without success.
const EACH: usize = 32;

/// How many times more questions without success each round allows than the one before. Rounds
/// start from the last result and repeat no test, so few and long ones are enough.
const LONGER: usize = 4;

/// How many questions without success a search may ask: more in each round than in the one before.
///
/// A round starts from the result of the last one, so another round never makes an answer larger.
/// From some round on no search is given up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Persistence(u32);

impl Persistence {
    /// No search is given up.
    pub const ENDLESS: Persistence = Persistence(usize::BITS / LONGER.ilog2());

    /// Returns the persistence of the round after this many others.
    pub fn after(rounds: u32) -> Self {
        Persistence(rounds).min(Self::ENDLESS)
    }

    /// Returns the persistence of the next round.
    pub fn more(self) -> Self {
        Self::after(self.0.saturating_add(1))
    }

    /// Returns a limit that is `count` in the first round.
    pub fn times(self, count: usize) -> usize {
        count.saturating_mul(LONGER.saturating_pow(self.0))
    }
}

/// A search with a limited number of questions without success.
#[derive(Clone)]
pub struct Patient<S> {
    /// The search.
    pub search: S,
    /// The search is given up after this many questions in a row without success.
    patience: usize,
    /// The questions in a row without success so far.
    in_vain: usize,
    /// The size of the smallest failing candidate.
    smallest: usize,
    /// Whether the search learns the lessons of an answer beside its verdict.
    hears_lessons: bool,
}

impl<S: Search<Candidate = DeltaSet>> Patient<S> {
    /// Limits a search over `count` changes or groups of them.
    pub fn new(search: S, count: usize, persistence: Persistence) -> Self {
        let halvings = usize::BITS - count.leading_zeros();
        Self::with(search, persistence.times(PATIENCE + FOR_EACH_HALVING * halvings as usize))
    }

    /// Limits a search more tightly that need not be finished.
    pub fn hasty(search: S, count: usize, persistence: Persistence) -> Self {
        let halvings = usize::BITS - count.leading_zeros();
        Self::with(search, persistence.times(HASTE + halvings as usize))
    }

    /// Limits a search that shows of each change that it is needed: most of its questions are
    /// without success. It learns no lessons, because changes that need the one left out do not
    /// matter here.
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
