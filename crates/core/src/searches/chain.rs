//! `chain`: one search after the other, each starting from the result of the last one.
//!
//! This is how a subject goes from coarse to fine (lines, tokens, bytes), and how it repeats
//! until nothing gets smaller: [`Rounds`] looks at the finished search and names the next one.
//! The chain is itself a search, so look-ahead runs across the seams.

use crate::{Answer, Search, Step};

/// Names the next search of a chain. Pure, like a search itself.
pub trait Rounds: Clone {
    /// The kind of search that makes up the chain.
    type Search: Search;

    /// Returns what comes after `finished`, or `None` when the chain ends there.
    ///
    /// `&mut self` is the memory of the rounds so far; the chain copies it along.
    fn next(&mut self, finished: &Self::Search) -> Option<Self::Search>;
}

/// Searches one after the other.
#[derive(Clone, Debug)]
pub struct Chain<R: Rounds> {
    rounds: R,
    current: R::Search,
    finished: bool,
}

impl<R: Rounds> Chain<R> {
    /// Starts with `first`; the rest comes from `rounds`.
    pub fn new(first: R::Search, rounds: R) -> Self {
        let mut chain = Chain { rounds, current: first, finished: false };
        chain.settle();
        chain
    }

    /// Returns the search that is being asked, or the last one.
    pub fn current(&self) -> &R::Search {
        &self.current
    }

    /// Returns the memory of the rounds.
    pub fn rounds(&self) -> &R {
        &self.rounds
    }

    /// Moves on while the search at hand has nothing to ask.
    fn settle(&mut self) {
        while !self.finished && matches!(self.current.step(), Step::Done) {
            match self.rounds.next(&self.current) {
                Some(next) => self.current = next,
                None => self.finished = true,
            }
        }
    }
}

impl<R: Rounds> Search for Chain<R> {
    type Candidate = <R::Search as Search>::Candidate;

    fn step(&self) -> Step<Self::Candidate> {
        if self.finished { Step::Done } else { self.current.step() }
    }

    fn learn(&mut self, answer: &Answer) {
        if !self.finished {
            self.current.learn(answer);
            self.settle();
        }
    }

    fn best(&self) -> Self::Candidate {
        self.current.best()
    }

    fn likely(&self) -> f64 {
        self.current.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.current.heeds_unresolved()
    }
}
