//! The observation of one test.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::recognise;
use super::signature::Signature;
use crate::hints::Mention;
use crate::{Ending, Limit, Output, Ran};

/// Signals of programs that access memory that is not theirs: SIGBUS and SIGSEGV.
const BAD_ACCESS: [i32; 2] = [7, 11];

/// The observation of one test: enough to judge it, now or later under another rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// Which command it is about.
    pub stage: Stage,
    /// How the command ended, and its telling line.
    pub signature: Signature,
    /// Its output; of a long one only the beginning and the end.
    pub output: Output,
    /// How long it took.
    pub duration: Duration,
    /// The most memory it had, in bytes.
    pub peak_memory: u64,
    /// The largest resources of one gate that let the candidate pass, if there are gates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gated: Option<Used>,
    /// The resources of the configuration that went well, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configured: Option<Used>,
    /// The successful build before the test, if there is a build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub built: Option<Built>,
    /// The files and names that the output mentions. They are read off the whole output and stored
    /// beside the shortened one, so that a stored observation teaches the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<Mention>,
    /// Where the test ran. Not stored: an observation that is read back is from an earlier run.
    #[serde(skip)]
    pub origin: Provenance,
}

/// Where a test ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Provenance {
    /// A test of this run, in a folder that held nothing but the candidate.
    Clean,
    /// A test of this run, in a folder where earlier tests have left things.
    Warm,
    /// A test of this run that something else killed, so that it did not come to its own end.
    Disturbed,
    /// A test from before the run was interrupted: the machine may have changed since. The default,
    /// because observations that are read from a journal are of this kind.
    #[default]
    Earlier,
}

/// A successful build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Built {
    /// Its output.
    pub output: Output,
    /// How long it took.
    pub duration: Duration,
    /// The most memory it had, in bytes.
    pub peak_memory: u64,
}

/// The resources that a command used.
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
    /// Returns the resources of the build.
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
    /// A configuration that failed.
    Configure,
    /// A build that failed.
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
            configured: None,
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

    /// Returns whether SIGKILL ended the command. Launchers report their own kills as limits, so
    /// somebody else sent it: a person, the kernel when the memory ran out, or the test itself.
    pub fn was_killed(&self) -> bool {
        self.ending() == Ending::Signaled(9)
    }

    /// Returns whether the command accessed memory that is not its own or not initialised, by the way
    /// it ended or by the word of a sanitizer or valgrind.
    pub fn misuses_memory(&self) -> bool {
        let is_bad_access = match self.ending() {
            Ending::Signaled(signal) => BAD_ACCESS.contains(&signal),
            Ending::Exited(code) => BAD_ACCESS.contains(&(i32::from(code) - 128)),
            Ending::Limited(_) => false,
        };
        is_bad_access || self.signature.complaints.iter().any(|it| recognise::is_memory(it))
    }

    /// Returns the resources of the command.
    pub fn used(&self) -> Used {
        let Observation { duration, peak_memory: memory, .. } = *self;
        Used { duration, memory, output: self.output.length }
    }

    /// Returns how the command ended.
    pub fn ending(&self) -> Ending {
        self.signature.ending
    }
}
