//! The contract between a search and its driver.

use crate::Answer;

/// A strategy as a value.
///
/// The driver of a search alternates between [`step`](Search::step) and [`learn`](Search::learn)
/// until the step is [`Step::Done`]. A search decides by counts and answers alone, so two copies
/// that learned the same answers behave the same. Copies must be cheap: the engine makes one for
/// each answer it imagines.
pub trait Search: Clone {
    /// The type of its questions: a [`DeltaSet`](crate::DeltaSet) for searches over lists, richer
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

    /// Returns the probability that the next question fails. It steers look-ahead only: a bad guess
    /// costs time, never the answer.
    fn likely(&self) -> f64 {
        0.2
    }

    /// Returns whether an `Unresolved` answer can lead elsewhere than a `Pass`.
    ///
    /// A search that only asks "does it fail?" returns `false`; then a prediction made for one of
    /// the two answers also holds for the other.
    fn heeds_unresolved(&self) -> bool {
        true
    }

    /// Returns the purpose of the next question, with a number that changes from task to task;
    /// `None` for a search that has one task only.
    fn task(&self) -> Option<(usize, Task)> {
        None
    }
}

/// One part of a search: its aim, and the number of deltas it searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The aim.
    pub aim: Aim,
    /// The number of deltas that are searched.
    pub among: usize,
}

/// The aim of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The changes that cause the failure.
    Culprit,
    /// The needed part of the changes, when each change is tested singly.
    Smallest,
    /// The changes that must be undone for the failure to be gone.
    Fix,
    /// The changes that a version lacks to have the same outcome.
    Port,
}

/// The next step of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<C> {
    /// Asks for the verdict on this candidate.
    Ask(C),
    /// Asks for nothing more.
    Done,
}

impl<C> Step<C> {
    /// Replaces the candidate asked about by another description of it.
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
