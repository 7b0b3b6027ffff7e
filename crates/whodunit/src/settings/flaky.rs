//! What is done about a test that does not always say the same.

use serde::{Deserialize, Serialize};

/// What is done about a test that does not always say the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FlakySettings {
    /// Whether the run goes on.
    pub when: WhenFlaky,
    /// How often each end is run before the search, whether it is steady or not; as often as it takes
    /// if nothing is said. Claims are tested several times then, even if nothing differs.
    pub repeat: Option<u32>,
    /// How sure an answer has to be.
    pub confidence: f64,
    /// The rate at which a result has to show the failure at least; as it comes if nothing is said.
    #[serde(default)]
    pub keep_rate: Option<f64>,
    /// Whether a result is looked for that shows the failure more often.
    #[serde(default)]
    pub raise: bool,
}

/// Whether a run goes on with a test that does not always say the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WhenFlaky {
    /// Notice it, and repeat tests.
    #[default]
    Auto,
    /// Refuse to go on.
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
    /// Returns whether a rate is asked for, also of a test that is steady in the beginning.
    pub(crate) fn wants_rate(&self) -> bool {
        self.keep_rate.is_some() || self.raise
    }

    /// Returns whether the run goes on with a test that is not steady.
    pub(crate) fn goes_on(&self) -> bool {
        self.when == WhenFlaky::Auto
    }
}
