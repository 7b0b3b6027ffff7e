//! The subject of a run, seen from the engine.

use serde::{Deserialize, Serialize};
use whodunit_core::{Answer, Lesson, Reason, Verdict};

use crate::hints::Mention;
use crate::key::Key;
use crate::refutation::Refutation;

/// The subject of a run: turns a search's candidates into content.
pub trait Subject {
    /// How a search describes a state of the subject.
    type Candidate: Clone + Send + Sync;

    /// Returns the name of the content that `candidate` stands for; equal content, equal key.
    fn key(&self, candidate: &Self::Candidate) -> Key;

    /// Returns how large `candidate` is.
    fn size(&self, candidate: &Self::Candidate) -> Size;

    /// Returns the verdict if it is certain without a test.
    fn foretell(&self, _candidate: &Self::Candidate) -> Option<Verdict> {
        None
    }

    /// Returns the answer that follows from a verdict which is certain without a test.
    fn certain(&self, verdict: Verdict) -> Answer {
        verdict.into()
    }

    /// Returns whether one test decides a question. If not, a candidate that a test calls failing is
    /// not yet the best one.
    fn is_decided_by_one(&self) -> bool {
        true
    }

    /// Returns the lessons of an unresolved test of `candidate`. They depend on the mentions only:
    /// mentions are kept with the verdict, so that a remembered verdict teaches the same as a new
    /// one.
    fn lessons(&self, _candidate: &Self::Candidate, _mentions: &[Mention]) -> Vec<Lesson> {
        Vec::new()
    }

    /// Returns the reason of an unresolved test of `candidate`, if its searches distinguish
    /// reasons.
    fn reason(&self, _candidate: &Self::Candidate, _refutation: &Refutation) -> Option<Reason> {
        None
    }

    /// Returns whether `candidate` brings a test of its own, other than the tracked one, so that
    /// its output without the failure may be about something else. This reads the content, which
    /// searches do not do.
    fn has_other_test(&self, _candidate: &Self::Candidate) -> bool {
        false
    }
}

impl<B: Subject> Subject for &B {
    type Candidate = B::Candidate;

    fn key(&self, candidate: &Self::Candidate) -> Key {
        (**self).key(candidate)
    }

    fn size(&self, candidate: &Self::Candidate) -> Size {
        (**self).size(candidate)
    }

    fn foretell(&self, candidate: &Self::Candidate) -> Option<Verdict> {
        (**self).foretell(candidate)
    }

    fn lessons(&self, candidate: &Self::Candidate, mentions: &[Mention]) -> Vec<Lesson> {
        (**self).lessons(candidate, mentions)
    }

    fn reason(&self, candidate: &Self::Candidate, refutation: &Refutation) -> Option<Reason> {
        (**self).reason(candidate, refutation)
    }

    fn has_other_test(&self, candidate: &Self::Candidate) -> bool {
        (**self).has_other_test(candidate)
    }
}

/// How large a candidate is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Number of deltas kept, at the granularity being searched; of a version in a row, the number of
    /// versions before it.
    pub deltas: usize,
    /// Number of bytes in all files; where they are not counted, the same as `deltas`. A candidate
    /// is smaller than another if this is.
    pub bytes: u64,
}
