//! The knowledge about a flaky test, as a journal keeps it.

use std::fmt;

use serde::{Deserialize, Serialize};
use whodunit_core::{LeastRate, Noise, Sightings};

/// Runs of one kind, and how many of them showed the failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Runs that showed the failure.
    pub seen: u32,
    /// All runs.
    pub runs: u32,
}

impl From<Sightings> for Counts {
    fn from(Sightings { seen, runs }: Sightings) -> Self {
        Counts { seen, runs }
    }
}

impl From<Counts> for Sightings {
    fn from(Counts { seen, runs }: Counts) -> Self {
        Sightings { seen, runs }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.seen, self.runs)
    }
}

/// How often a test shows the failure, as its first runs say.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flakiness {
    /// Runs where the failure is.
    pub there: Counts,
    /// Runs where it is not.
    pub elsewhere: Counts,
    /// How sure an answer has to be.
    pub confidence: f64,
    /// The rate below which a candidate is refused though it shows the failure, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<f64>,
}

impl Flakiness {
    /// Returns the two rates with their uncertainty.
    pub fn noise(&self) -> Noise {
        Noise { there: self.there.into(), elsewhere: self.elsewhere.into() }
    }

    /// Returns the rate below which a candidate is refused.
    pub fn least_rate(&self) -> Option<LeastRate> {
        self.least.map(LeastRate)
    }

    /// Returns whether the two rates differ enough to go by.
    pub fn tells_apart(&self) -> bool {
        let rate = |counts: Counts| f64::from(counts.seen) / f64::from(counts.runs.max(1));
        self.there.seen > 0 && rate(self.there) > 1.5 * rate(self.elsewhere)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_fails_as_often_without_the_failure_tells_nothing() {
        let flaky = |there, elsewhere| Flakiness {
            there: Counts { seen: there, runs: 10 },
            elsewhere: Counts { seen: elsewhere, runs: 10 },
            confidence: 0.99,
            least: None,
        };
        assert!(flaky(7, 0).tells_apart());
        assert!(flaky(10, 2).tells_apart());
        assert!(!flaky(5, 5).tells_apart());
        assert!(!flaky(0, 0).tells_apart());
    }
}
