//! The contract between a search and whoever drives it.

use crate::Answer;

/// A strategy as a value.
///
/// Whoever drives a search alternates between [`step`](Search::step) and
/// [`learn`](Search::learn) until the step is [`Step::Done`]. A search decides by counts and
/// answers alone, so two copies that were told the same are the same. Copies must be cheap: the
/// engine makes one for each answer it imagines.
pub trait Search: Clone {
    /// What a question is about: a [`DeltaSet`](crate::DeltaSet) for searches over lists, richer
    /// descriptions for searches over texts and trees.
    type Candidate: Clone;

    /// Returns the next question. Pure: asking twice gives the same step.
    fn step(&self) -> Step<Self::Candidate>;

    /// Takes the answer to the question that [`step`](Search::step) returned.
    ///
    /// Does nothing when the search is done.
    fn learn(&mut self, answer: &Answer);

    /// Returns the smallest candidate that is known to fail.
    fn best(&self) -> Self::Candidate;

    /// Returns how likely the next question fails, between 0 and 1. It steers look-ahead only:
    /// a bad guess costs time, never the answer.
    fn likely(&self) -> f64 {
        0.2
    }

    /// Returns whether an `Unresolved` answer can lead elsewhere than a `Pass`.
    ///
    /// A search that only asks "does it fail?" says `false`, and what was foreseen for one of
    /// the two answers then holds for the other.
    fn heeds_unresolved(&self) -> bool {
        true
    }

    /// Returns what the next question is for, with a number that changes from task to task; `None` for
    /// a search that has one task only.
    fn task(&self) -> Option<(usize, Task)> {
        None
    }
}

/// What a part of a search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// What it is.
    pub aim: Aim,
    /// Among how many deltas.
    pub among: usize,
}

/// What can be looked for among changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The changes that did it.
    Culprit,
    /// What of the changes is needed when each is taken for itself.
    Smallest,
    /// What must go for the failure to be gone.
    Fix,
    /// What a version lacks for the outcome to be the same.
    Port,
}

/// What a search wants next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<C> {
    /// The verdict on this candidate.
    Ask(C),
    /// Nothing more.
    Done,
}

impl<C> Step<C> {
    /// Turns the candidate asked about into another description of it.
    pub fn map<D>(self, describe: impl FnOnce(C) -> D) -> Step<D> {
        match self {
            Step::Ask(candidate) => Step::Ask(describe(candidate)),
            Step::Done => Step::Done,
        }
    }

    /// Returns the candidate asked about, if there is one.
    pub fn question(self) -> Option<C> {
        match self {
            Step::Ask(candidate) => Some(candidate),
            Step::Done => None,
        }
    }
}
