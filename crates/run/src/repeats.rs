//! Several runs of one candidate, each with a name of its own.
//!
//! A repeat is a question like any other for the engine: it can be remembered, foreseen, run ahead and
//! cancelled. Its key is made of the content and its number, so that it is the same run for any number
//! of workers and after an interruption.

use std::collections::HashMap;

use whodunit_core::{Answer, Lesson, Reason, Repeat, Verdict};

use crate::hints::Mention;
use crate::key::Key;
use crate::refutation::Refutation;
use crate::subject::{Size, Subject};
use crate::worker::{Tested, Ticket, Worker};

/// A subject whose candidates are run several times.
pub struct Repeats<'a, B> {
    /// The subject.
    pub subject: &'a B,
    /// Verdicts of contents that need no more runs.
    pub settled: &'a HashMap<Key, Verdict>,
}

impl<B: Subject> Subject for Repeats<'_, B> {
    type Candidate = Repeat<B::Candidate>;

    fn key(&self, repeat: &Self::Candidate) -> Key {
        self.subject.key(&repeat.candidate).repeat(repeat.nth)
    }

    fn size(&self, repeat: &Self::Candidate) -> Size {
        self.subject.size(&repeat.candidate)
    }

    fn foretell(&self, repeat: &Self::Candidate) -> Option<Verdict> {
        let settled = || self.settled.get(&self.subject.key(&repeat.candidate)).copied();
        self.subject.foretell(&repeat.candidate).or_else(settled)
    }

    fn certain(&self, verdict: Verdict) -> Answer {
        let mut answer = self.subject.certain(verdict);
        answer.lessons.push(Lesson::Certain);
        answer
    }

    fn is_decided_by_one(&self) -> bool {
        false
    }

    fn lessons(&self, repeat: &Self::Candidate, mentions: &[Mention]) -> Vec<Lesson> {
        self.subject.lessons(&repeat.candidate, mentions)
    }

    fn reason(&self, repeat: &Self::Candidate, refutation: &Refutation) -> Option<Reason> {
        self.subject.reason(&repeat.candidate, refutation)
    }

    fn has_other_test(&self, repeat: &Self::Candidate) -> bool {
        self.subject.has_other_test(&repeat.candidate)
    }
}

/// A worker that runs repeats.
pub struct RepeatWorker<'a, W>(pub &'a mut W);

impl<C, W: Worker<C>> Worker<Repeat<C>> for RepeatWorker<'_, W> {
    type Error = W::Error;

    fn test(&mut self, ticket: Ticket, repeat: &Repeat<C>) -> Result<Option<Tested>, W::Error> {
        self.0.test(ticket, &repeat.candidate)
    }

    fn canceller(&self) -> Box<dyn Fn(Ticket) + Send> {
        self.0.canceller()
    }
}
