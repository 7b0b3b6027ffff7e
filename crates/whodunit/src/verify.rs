//! Replays the proof of an answer: each of its claims is tested again in clean folders.
//!
//! A job contributes its claims, one candidate each, and the workers that test them. Only the
//! answer is read, and none of its statements is believed.

use std::collections::HashMap;
use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_exec::{Oracle, StageLimits};
use whodunit_run::evidence::Evidence;
use whodunit_run::judge::Rule;
use whodunit_run::{Flakiness, Subject};

use crate::lab::{Hand, LabError, SECOND_CHANCE, Workers, decide_again};

/// The claims of an answer after each was tested again.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The claims in the order of the answer. For `reduce` the first claim is about the whole result,
    /// each other claim about the result without one piece.
    pub claims: Vec<Claim>,
}

impl Verified {
    /// Returns whether every claim holds.
    pub fn holds(&self) -> bool {
        self.claims.iter().all(Claim::holds)
    }
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
}

impl Claim {
    /// Returns whether the test agrees with the answer.
    pub fn holds(&self) -> bool {
        match (self.claimed, self.seen) {
            (Said::Is(verdict), Seen::Verdict(seen)) => seen == verdict,
            (Said::NotFail, Seen::Verdict(seen)) => seen != Verdict::Fail,
            (_, Seen::Undecided | Seen::Unfounded) => false,
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
    /// Nothing was run, because the answer names changes or commits that do not exist.
    Unfounded,
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
    /// The description of the candidate; `None` if the answer names none that exists.
    pub(crate) of: Option<P>,
    pub(crate) claimed: Said,
}

/// Workers for the tests of an answer, and the answer's own settings for these tests.
pub(crate) struct Replay<'a, B, W> {
    pub(crate) subject: B,
    pub(crate) workers: Workers<W>,
    pub(crate) rule: Rule,
    pub(crate) limits: &'a StageLimits,
    pub(crate) flaky: Option<&'a Flakiness>,
}

impl<B: Subject, W: Hand<B::Candidate>> Replay<'_, B, W> {
    /// Tests `total` claims, one after the other. `candidate` makes a candidate from its
    /// description. Equal contents are tested once.
    pub(crate) fn run<P, E: From<LabError>>(
        self,
        (claimed, total): (impl Iterator<Item = Claimed<P>>, usize),
        candidate: impl Fn(P) -> Result<B::Candidate, E>,
        mut progress: impl FnMut(Check),
    ) -> Result<Verified, E> {
        let Replay { subject, mut workers, rule, limits, flaky } = self;
        let rule = Arc::new(rule);
        let oracle = Oracle { limits: limits.clone(), ..workers.oracle().clone() };
        // The run that made the answer also gave a slow test this much time.
        workers.instruct(oracle.patient(SECOND_CHANCE), &rule);
        let (mut claims, mut known) = (Vec::new(), HashMap::new());
        for Claimed { what, of, claimed } in claimed {
            // Claims about known contents run no test that would notice a stop.
            if let Some(ended) = workers.stop.ended() {
                return Err(LabError::from(ended).into());
            }
            let mut seen = Seen::Unfounded;
            if let Some(candidate) = of.map(&candidate).transpose()? {
                let key = subject.key(&candidate);
                seen = match known.get(&key) {
                    Some(seen) => *seen,
                    None => test(&mut workers, &candidate, &rule, flaky)?,
                };
                known.insert(key, seen);
            }
            claims.push(Claim { what, claimed, seen });
            progress(Check { done: claims.len(), total });
        }
        Ok(Verified { claims })
    }
}

/// Tests one candidate in the way its answer was decided.
fn test<C: Clone + Send, W: Hand<C>>(
    workers: &mut Workers<W>,
    candidate: &C,
    rule: &Rule,
    flaky: Option<&Flakiness>,
) -> Result<Seen, LabError> {
    let decided = decide_again(workers, candidate, rule, flaky)?;
    let claim = decided.and_then(|(verdict, seen)| Evidence::of(verdict, &seen).claim());
    Ok(claim.map_or(Seen::Undecided, |claim| Seen::Verdict(claim.verdict())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undecided_test_supports_no_claim() {
        let holds = |claimed, seen| Claim { what: String::new(), claimed, seen }.holds();
        for claimed in [Said::Is(Verdict::Pass), Said::Is(Verdict::Unresolved), Said::NotFail] {
            assert!(!holds(claimed, Seen::Undecided));
            assert!(!holds(claimed, Seen::Unfounded));
            assert!(!holds(claimed, Seen::Verdict(Verdict::Fail)));
        }
        assert!(holds(Said::NotFail, Seen::Verdict(Verdict::Unresolved)));
        assert!(!holds(Said::Is(Verdict::Pass), Seen::Verdict(Verdict::Unresolved)));
    }
}
