//! Events about tests and questions, in order.

use serde::{Deserialize, Serialize};
use whodunit_core::Verdict;

use crate::judge::Observation;
use crate::key::Key;
use crate::subject::Size;
use crate::word::verdict;

/// Something that happened to a test or a question.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TestEvent {
    /// A test ran; whether it decides anything shows later.
    Tested {
        /// The content that was tested.
        key: Key,
        /// The verdict of the rule.
        #[serde(with = "verdict")]
        verdict: Verdict,
        /// The observation, if a process was run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        observation: Option<Box<Observation>>,
    },
    /// A test ran that no question asked for: one of the first runs, or one for the proof.
    Known {
        /// The content that was tested.
        key: Key,
        /// The verdict of the rule.
        #[serde(with = "verdict")]
        verdict: Verdict,
        /// The observation.
        observation: Box<Observation>,
    },
    /// A question was answered.
    Committed {
        /// The number of the question, from 1.
        question: u64,
        /// The content it was about.
        key: Key,
        /// The answer.
        #[serde(with = "verdict")]
        verdict: Verdict,
        /// Where the answer came from.
        source: Source,
        /// How large the candidate was.
        size: Size,
    },
    /// The best candidate got smaller.
    Improved {
        /// The number of the question that showed it.
        question: u64,
        /// How large the best candidate is now.
        size: Size,
    },
}

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A test of this run decided.
    Committed,
    /// The content was known.
    Cached,
    /// It was certain without a test.
    Foretold,
}
