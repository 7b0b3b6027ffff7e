//! Verifies an answer: tests each of its claims again in clean folders.
//!
//! A job contributes its claims, one candidate each, and the workers that test them. Then it rebuilds its
//! answer from the versions or files and from these tests, and reports each field that differs. The answer
//! is the only input, and none of its statements is trusted.

mod compare;

use std::collections::HashMap;
use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_exec::{Oracle, StageLimits};
use whodunit_run::evidence::Evidence;
use whodunit_run::judge::{Failure, Rule};
use whodunit_run::{Flakiness, Refutation, Subject};

pub use compare::Difference;
pub(crate) use compare::{ShortNames, claimed, compare};

use crate::lab::{Hand, LabError, SECOND_CHANCE, Workers, decide_again};

/// The claims of an answer after each was tested again.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The claims in the order of the answer. For `reduce` the first claim is about the whole result,
    /// each other claim about the result without one piece.
    pub claims: Vec<Claim>,
    /// The fields of the answer that differ from the rebuilt answer.
    pub differences: Vec<Difference>,
}

impl Verified {
    /// Returns whether every claim holds, and every field that was compared.
    pub fn holds(&self) -> bool {
        self.differences.is_empty() && self.claims.iter().all(Claim::holds)
    }
}

/// Returns how the test of a claim ended; `what` is the claim's candidate in words.
pub(crate) fn shown<'a>(claims: &'a [Claim], what: &str) -> Option<&'a Shown> {
    claims.iter().find(|claim| claim.what == what)?.shown.as_ref()
}

/// One claim of an answer.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The tested candidate in words.
    pub what: String,
    /// The statement of the answer.
    pub claimed: Said,
    /// The outcome of the test.
    pub seen: Seen,
    /// How the test ended, if it came to a verdict.
    pub shown: Option<Shown>,
}

/// How a test ended, and why it is not the failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// How the test ended, with its telling line.
    pub signature: String,
    /// Why the test does not show the failure; `None` if it does.
    pub refutation: Option<Refutation>,
}

impl Claim {
    /// Returns whether the test agrees with the answer.
    pub fn holds(&self) -> bool {
        match (self.claimed, self.seen) {
            (Said::Is(verdict), Seen::Verdict(seen)) => seen == verdict,
            (Said::NotFail, Seen::Verdict(seen)) => seen != Verdict::Fail,
            (_, Seen::Undecided) => false,
        }
    }
}

/// A statement of an answer about a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// The test has this verdict.
    Is(Verdict),
    /// The test does not show the failure.
    NotFail,
}

/// The outcome of testing a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The test has this verdict.
    Verdict(Verdict),
    /// The runs do not suffice for a verdict: a flaky test was repeated as often as is allowed, or
    /// something else killed the test.
    Undecided,
}

/// The commands that test the claims of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commands {
    /// Those of the answer.
    OfTheAnswer,
    /// Those that the user gives. Printed words, and the reasons why tests do not fail, are not compared
    /// then.
    OfTheUser,
}

/// The progress of a verification.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Claims that were tested.
    pub done: usize,
    /// All claims.
    pub total: usize,
}

/// A claim before it is tested; `P` describes its candidate.
pub(crate) struct Claimed<P> {
    pub(crate) what: String,
    /// The description of the candidate.
    pub(crate) of: P,
    pub(crate) claimed: Said,
}

/// Workers for the tests of an answer, and the answer's own settings for these tests.
pub(crate) struct Replay<'a, B, W> {
    pub(crate) subject: B,
    pub(crate) workers: Workers<W>,
    pub(crate) rule: Rule,
    pub(crate) limits: &'a StageLimits,
    pub(crate) flaky: Option<&'a Flakiness>,
    /// The failure whose other values are told apart from other failures.
    pub(crate) tracked: Option<&'a Failure>,
}

impl<B: Subject, W: Hand<B::Candidate>> Replay<'_, B, W> {
    /// Tests `total` claims, one after the other. `candidate` makes a candidate from its
    /// description. Equal contents are tested once.
    pub(crate) fn run<P, E: From<LabError>>(
        self,
        (claimed, total): (impl Iterator<Item = Claimed<P>>, usize),
        candidate: impl Fn(P) -> Result<B::Candidate, E>,
        mut progress: impl FnMut(Check),
    ) -> Result<Vec<Claim>, E> {
        let Replay { subject, mut workers, rule, limits, flaky, tracked } = self;
        let rule = Arc::new(rule);
        let oracle = Oracle { limits: limits.clone(), ..workers.oracle().clone() };
        // The run that made the answer gave a slow test the same time.
        workers.instruct(oracle.patient(SECOND_CHANCE), &rule);
        let (mut claims, mut known) = (Vec::new(), HashMap::new());
        for Claimed { what, of, claimed } in claimed {
            // Claims about known contents run no test that would notice a stop.
            if let Some(ended) = workers.stop.ended() {
                return Err(LabError::from(ended).into());
            }
            let candidate = candidate(of)?;
            let key = subject.key(&candidate);
            let (seen, shown) = match known.get(&key) {
                Some(known) => Clone::clone(known),
                None => test(&mut workers, &candidate, (&rule, tracked), flaky)?,
            };
            known.insert(key, (seen, shown.clone()));
            claims.push(Claim { what, claimed, seen, shown });
            progress(Check { done: claims.len(), total });
        }
        Ok(claims)
    }
}

/// Tests one candidate in the same way as the run that made the answer.
fn test<C: Clone + Send, W: Hand<C>>(
    workers: &mut Workers<W>,
    candidate: &C,
    (rule, tracked): (&Rule, Option<&Failure>),
    flaky: Option<&Flakiness>,
) -> Result<(Seen, Option<Shown>), LabError> {
    let decided = decide_again(workers, candidate, rule, flaky)?;
    let decided = decided.filter(|(verdict, seen)| Evidence::of(*verdict, seen).claim().is_some());
    let Some((verdict, seen)) = decided else { return Ok((Seen::Undecided, None)) };
    let refutation = Refutation::tracking(tracked, verdict, Some(&seen));
    let shown = Shown { signature: seen.signature.to_string(), refutation };
    Ok((Seen::Verdict(verdict), Some(shown)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undecided_test_supports_no_claim() {
        let claim = |claimed, seen| Claim { what: String::new(), claimed, seen, shown: None };
        let holds = |claimed, seen| claim(claimed, seen).holds();
        for claimed in [Said::Is(Verdict::Pass), Said::Is(Verdict::Unresolved), Said::NotFail] {
            assert!(!holds(claimed, Seen::Undecided));
            assert!(!holds(claimed, Seen::Verdict(Verdict::Fail)));
        }
        assert!(holds(Said::NotFail, Seen::Verdict(Verdict::Unresolved)));
        assert!(!holds(Said::Is(Verdict::Pass), Seen::Verdict(Verdict::Unresolved)));
    }
}
