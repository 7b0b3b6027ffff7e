//! Asks about a few sets that probably fail, before a search without assumptions.
//!
//! Each guess costs at most one test, and a right one saves many.

use crate::{Answer, DeltaSet, Search, Step, Verdict};

/// Sets that may fail, in the order of asking.
#[derive(Clone)]
pub(super) struct Guesses {
    /// The smallest set known to fail.
    best: DeltaSet,
    /// The sets still to be asked about, the next one last.
    ahead: Vec<DeltaSet>,
}

impl Guesses {
    /// Guesses that one of these sets fails like `failing`. Guesses that would tell nothing
    /// are left out: the empty set, `failing` itself, and sets that it does not hold.
    pub(super) fn new(failing: DeltaSet, guesses: impl IntoIterator<Item = DeltaSet>) -> Self {
        let mut ahead: Vec<DeltaSet> = Vec::new();
        for guess in guesses {
            let says_nothing = guess.is_empty() || !guess.is_subset(&failing) || guess == failing;
            if !says_nothing && !ahead.contains(&guess) {
                ahead.push(guess);
            }
        }
        ahead.reverse();
        Guesses { best: failing, ahead }
    }
}

impl Search for Guesses {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        self.ahead.last().cloned().map_or(Step::Done, Step::Ask)
    }

    fn learn(&mut self, answer: &Answer) {
        let Some(guess) = self.ahead.pop() else { return };
        if answer.verdict == Verdict::Fail {
            self.best = guess;
            self.ahead.clear();
        }
    }

    fn best(&self) -> DeltaSet {
        self.best.clone()
    }

    fn likely(&self) -> f64 {
        0.8
    }
}
