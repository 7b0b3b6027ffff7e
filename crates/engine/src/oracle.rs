//! The user's command and the rule that judges it.

mod command;
mod observation;
mod recognise;
mod rule;
mod signature;

use std::ffi::OsString;
use std::time::Duration;

pub use command::{BadCommand, Command, Script, quote};
pub use observation::{Built, Observation, Stage, Used};
pub use rule::{Explicit, Rule};
pub use signature::{Signature, signal_name, signal_number};

use crate::key::{Key, KeyHasher};
use crate::process::Limits;

/// What is run on each candidate, and how far it may go.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// Cheap checks that run first; a candidate that fails one is unresolved.
    pub gates: Vec<Command>,
    /// What makes the candidate ready for the test; runs after the gates.
    pub build: Option<Build>,
    /// The test itself.
    pub command: Command,
    /// How much one test may use.
    pub limits: Limits,
    /// Whether the time limit comes from the first runs: a test that strikes it may only have
    /// been unlucky.
    pub derived_time: bool,
    /// Variables that the outcome depends on, with their values.
    pub variables: Vec<(String, Option<OsString>)>,
    /// Whether tests are confined to their folder, which can change what they do.
    pub confined: bool,
}

/// What makes a candidate ready for the test, in the same folder. A candidate on which it fails
/// does not build, and is unresolved.
#[derive(Clone, Debug)]
pub struct Build {
    /// What to run.
    pub command: Command,
    /// How much one build may use. Not the limits of the test: the first build in a folder can
    /// take a thousand times as long as the later ones.
    pub limits: Limits,
}

impl Oracle {
    /// Returns the identity under which outcomes are remembered across runs: the commands, the
    /// programs and scripts they name, the listed variables, and the limits the user gave.
    ///
    /// A time limit that was derived from the first runs is left out: it differs from run to run.
    pub fn identity(&self, time: Option<Duration>) -> Key {
        let mut hasher = KeyHasher::new();
        let build = self.build.as_ref().map(|build| &build.command);
        if build.is_some() {
            // A build is not one more gate.
            hasher.update(b"build");
        }
        for command in self.gates.iter().chain(build).chain([&self.command]) {
            command.identify(&mut hasher);
        }
        let limits = (time, self.limits.memory, self.limits.output, self.limits.processes);
        let rest = (limits, &self.variables, self.confined);
        hasher.update(format!("{rest:?}").as_bytes());
        hasher.finish()
    }
}
