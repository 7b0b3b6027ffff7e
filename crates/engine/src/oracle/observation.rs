//! What was seen of one test.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::signature::Signature;
use crate::process::{Ending, Limit, Output, Ran};

/// What was seen of one test: enough to judge it, now or later under another rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// Which command it is about.
    pub stage: Stage,
    /// How the command ended, and its telling line.
    pub signature: Signature,
    /// What it printed; only its beginning and end are kept of much.
    pub output: Output,
    /// How long it took.
    pub duration: Duration,
    /// The most memory it had, in bytes.
    pub peak_memory: u64,
}

/// Which command an observation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// A gate that refused the candidate.
    Gate,
    /// The test itself.
    Test,
}

impl Observation {
    /// Reads the signature off what ran. `names` are the candidate's own files.
    pub fn new(stage: Stage, ran: Ran, names: &[PathBuf]) -> Self {
        Observation {
            stage,
            signature: Signature::read(ran.ending, &ran.output, names),
            output: ran.output,
            duration: ran.duration,
            peak_memory: ran.peak_memory,
        }
    }

    /// Returns the same with at most `bytes` of the output's beginning and end.
    #[must_use]
    pub fn shortened(&self, bytes: usize) -> Self {
        let Output { head, tail, length } = &self.output;
        let whole = self.output.whole();
        let end = whole.as_deref().unwrap_or(tail);
        let head = &head[..head.len().min(bytes)];
        let rest = (*length as usize).saturating_sub(head.len());
        let tail = &end[end.len() - end.len().min(bytes).min(rest)..];
        let output = Output { head: head.into(), tail: tail.into(), length: *length };
        Observation { signature: self.signature.clone(), output, ..*self }
    }

    /// Returns whether the time limit ended the command.
    pub fn ran_out_of_time(&self) -> bool {
        self.ending() == Ending::Limited(Limit::Time)
    }

    /// Returns how the command ended.
    pub fn ending(&self) -> Ending {
        self.signature.ending
    }
}
