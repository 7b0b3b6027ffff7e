//! What was seen of one test.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::signature::Signature;
use crate::hints::Mention;
use crate::{Ending, Limit, Output, Ran};

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
    /// The most that one of the gates took that let the candidate pass, if there are gates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gated: Option<Used>,
    /// What was seen of the build that came before, if there is one and it went well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub built: Option<Built>,
    /// What the output says about files and names. Read off the whole output and kept beside it,
    /// so that what is stored teaches what was seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<Mention>,
    /// Where it was seen. Not stored: what is read back was seen earlier.
    #[serde(skip)]
    pub origin: Provenance,
}

/// Where something was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Provenance {
    /// A test of this run, in a folder that held nothing but the candidate.
    Clean,
    /// A test of this run, in a folder where earlier tests have left things.
    Warm,
    /// A test from before the run was interrupted: the world may have changed since. The default,
    /// because that is what an observation is that was read from a journal.
    #[default]
    Earlier,
}

/// What was seen of a build that went well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Built {
    /// What it printed.
    pub output: Output,
    /// How long it took.
    pub duration: Duration,
    /// The most memory it had, in bytes.
    pub peak_memory: u64,
}

/// What a command took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// How long it took.
    pub duration: Duration,
    /// The most memory it had, in bytes.
    pub memory: u64,
    /// How much it printed, in bytes.
    pub output: u64,
}

impl Used {
    /// Returns the larger of each.
    #[must_use]
    pub fn most(self, other: Used) -> Used {
        Used {
            duration: self.duration.max(other.duration),
            memory: self.memory.max(other.memory),
            output: self.output.max(other.output),
        }
    }
}

impl Built {
    /// Returns what the build took.
    pub fn used(&self) -> Used {
        Used { duration: self.duration, memory: self.peak_memory, output: self.output.length }
    }
}

/// Which command an observation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// A gate that refused the candidate.
    Gate,
    /// A build that did not go well.
    Build,
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
            gated: None,
            built: None,
            mentions: Vec::new(),
            origin: Provenance::Clean,
        }
    }

    /// Returns the same with at most `bytes` of the outputs' beginning and end.
    #[must_use]
    pub fn shortened(&self, bytes: usize) -> Self {
        let built = self.built.as_ref();
        Observation {
            signature: self.signature.clone(),
            output: self.output.shortened(bytes),
            built: built.map(|built| Built { output: built.output.shortened(bytes), ..*built }),
            mentions: self.mentions.clone(),
            ..*self
        }
    }

    /// Returns whether the time limit ended the command.
    pub fn ran_out_of_time(&self) -> bool {
        self.ending() == Ending::Limited(Limit::Time)
    }

    /// Returns what the command took.
    pub fn used(&self) -> Used {
        let Observation { duration, peak_memory: memory, .. } = *self;
        Used { duration, memory, output: self.output.length }
    }

    /// Returns how the command ended.
    pub fn ending(&self) -> Ending {
        self.signature.ending
    }
}
