//! The treatment of a test that is flaky.

use serde::{Deserialize, Serialize};

/// The treatment of a test that is flaky.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FlakySettings {
    /// Whether the run continues with a flaky test.
    pub when: WhenFlaky,
    /// Number of runs of each end before the search, whether the test is steady or not; `None` for
    /// as many as needed. If set, each claim is also tested several times, even if no tests differ.
    pub repeat: Option<u32>,
    /// The probability with which an answer has to be right.
    pub confidence: f64,
    /// Rate at which a result must show the failure at least; `None` for any rate.
    #[serde(default)]
    pub keep_rate: Option<f64>,
    /// Whether the run looks for a result that shows the failure more often.
    #[serde(default)]
    pub raise: bool,
}

/// Whether a run continues with a flaky test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WhenFlaky {
    /// Detect that the test is flaky, and repeat tests.
    #[default]
    Auto,
    /// End the run.
    Refuse,
}

impl Default for FlakySettings {
    fn default() -> Self {
        FlakySettings {
            when: WhenFlaky::Auto,
            repeat: None,
            confidence: 0.99,
            keep_rate: None,
            raise: false,
        }
    }
}

impl FlakySettings {
    /// Returns whether a rate is asked for, also of a test that is steady in the first runs.
    pub(crate) fn wants_rate(&self) -> bool {
        self.keep_rate.is_some() || self.raise
    }

    /// Returns whether the run continues with a flaky test.
    pub(crate) fn goes_on(&self) -> bool {
        self.when == WhenFlaky::Auto
    }
}
