//! Where a verdict comes from, and what an answer may claim because of it.
//!
//! A claim can only be made of evidence from a test of this run in a clean folder. Verdicts from
//! elsewhere steer a search; before an answer claims one of them it is asked again.

use serde::{Deserialize, Serialize};
use whodunit_core::Verdict;

use crate::judge::{Observation, Provenance};
use crate::noise::Counts;
use crate::word::verdict;

/// A verdict with where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence {
    verdict: Verdict,
    origin: Provenance,
}

impl Evidence {
    /// Takes the verdict on what was seen.
    ///
    /// A test that was killed is evidence only if that is the failure we are after.
    pub fn of(verdict: Verdict, seen: &Observation) -> Self {
        let is_own_end = !seen.was_killed() || verdict == Verdict::Fail;
        let is_of_this_run = seen.origin != Provenance::Earlier;
        let origin =
            if is_own_end || !is_of_this_run { seen.origin } else { Provenance::Disturbed };
        Evidence { verdict, origin }
    }

    /// Takes a verdict with where it comes from.
    pub fn new(verdict: Verdict, origin: Provenance) -> Self {
        Evidence { verdict, origin }
    }

    /// Returns the verdict.
    pub fn verdict(self) -> Verdict {
        self.verdict
    }

    /// Returns where it comes from.
    pub fn origin(self) -> Provenance {
        self.origin
    }

    /// Returns whether a later test of the same content contradicts this verdict. An unresolved
    /// verdict is contradicted by a failure only: a pass agrees with it, because an unresolved
    /// candidate was treated as not failing.
    pub fn is_contradicted_by(self, verdict: Verdict) -> bool {
        match self.verdict {
            Verdict::Unresolved => verdict == Verdict::Fail,
            Verdict::Fail | Verdict::Pass => verdict != self.verdict,
        }
    }

    /// Returns what an answer may claim; `None` if the verdict has to be asked for again.
    pub fn claim(self) -> Option<Claim> {
        let claim = Claim { verdict: self.verdict, counts: None };
        (self.origin == Provenance::Clean).then_some(claim)
    }
}

/// A verdict that a test of this run gave in a clean folder, or several if one does not suffice; in
/// an answer that is read back, one that the answer claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WrittenClaim", into = "WrittenClaim")]
pub struct Claim {
    verdict: Verdict,
    counts: Option<Counts>,
}

impl Claim {
    /// Returns the verdict.
    pub fn verdict(self) -> Verdict {
        self.verdict
    }

    /// Returns how many runs showed the failure, if several decided.
    pub fn counts(self) -> Option<Counts> {
        self.counts
    }

    /// Adds the runs that decided.
    pub fn of_runs(self, counts: Option<Counts>) -> Self {
        Claim { counts, ..self }
    }
}

/// A claim as it is written: the verdict alone if one test decided.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenClaim {
    One(#[serde(with = "verdict")] Verdict),
    Several {
        #[serde(with = "verdict")]
        verdict: Verdict,
        seen: u32,
        runs: u32,
    },
}

impl From<WrittenClaim> for Claim {
    fn from(written: WrittenClaim) -> Self {
        match written {
            WrittenClaim::One(verdict) => Claim { verdict, counts: None },
            WrittenClaim::Several { verdict, seen, runs } => {
                Claim { verdict, counts: Some(Counts { seen, runs }) }
            }
        }
    }
}

impl From<Claim> for WrittenClaim {
    fn from(Claim { verdict, counts }: Claim) -> Self {
        match counts {
            None => WrittenClaim::One(verdict),
            Some(Counts { seen, runs }) => WrittenClaim::Several { verdict, seen, runs },
        }
    }
}

/// The claim that each part of a culprit is needed: without it the failure does not show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EachNeeded(bool);

impl EachNeeded {
    /// Takes the claims about candidates without each of the parts.
    pub fn of(without: &[Claim]) -> Self {
        EachNeeded(without.iter().all(|claim| claim.verdict() != Verdict::Fail))
    }

    /// Returns whether each part is needed; `false` also if that was not asked.
    pub fn holds(self) -> bool {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clean_test_of_this_run_supports_a_claim() {
        let claim = |origin| Evidence::new(Verdict::Fail, origin).claim();
        assert_eq!(claim(Provenance::Clean).map(Claim::verdict), Some(Verdict::Fail));
        assert_eq!(claim(Provenance::Warm), None);
        assert_eq!(claim(Provenance::Earlier), None);
    }

    #[test]
    fn not_to_know_is_contradicted_by_a_failure_only() {
        let [pass, open, fail] = [Verdict::Pass, Verdict::Unresolved, Verdict::Fail];
        let earlier = |verdict| Evidence::new(verdict, Provenance::Earlier);
        assert!(earlier(fail).is_contradicted_by(open) && earlier(pass).is_contradicted_by(open));
        assert!(earlier(open).is_contradicted_by(fail) && !earlier(open).is_contradicted_by(pass));
        assert!([pass, open, fail].iter().all(|&it| !earlier(it).is_contradicted_by(it)));
    }

    #[test]
    fn a_part_without_which_it_still_fails_is_not_needed() {
        let claim = |verdict| Evidence::new(verdict, Provenance::Clean).claim().unwrap();
        let [pass, open, fail] = [Verdict::Pass, Verdict::Unresolved, Verdict::Fail].map(claim);
        assert!(EachNeeded::of(&[pass, open]).holds());
        assert!(!EachNeeded::of(&[pass, fail]).holds());
        assert!(!EachNeeded::default().holds());
    }
}
