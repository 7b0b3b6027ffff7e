//! The user's commands, and the limits of each.

use std::ffi::OsString;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use whodunit_run::judge::{Observation, Stage};
use whodunit_run::{Key, KeyHasher, Limits};

use crate::command::Command;

/// The commands that run on each candidate, and their limits.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// Cheap checks that run first; a candidate that fails one is unresolved.
    pub gates: Vec<Command>,
    /// Makes the candidate ready for the build, in the same folder; runs after the gates. A
    /// candidate on which it fails cannot be configured, and is unresolved.
    pub configure: Option<Command>,
    /// Makes the candidate ready for the test; runs after the configuration. A candidate on which
    /// it fails does not build, and is unresolved.
    pub build: Option<Command>,
    /// The test itself.
    pub command: Command,
    /// The limits of each stage of a test.
    pub limits: StageLimits,
    /// Whether the time limit of the test comes from the first runs, as those of gates and builds
    /// do: a test that exceeds it may only have been unlucky.
    pub derived_time: bool,
    /// Variables that the outcome depends on, with their values.
    pub variables: Vec<(String, Option<OsString>)>,
    /// Whether tests are confined to their folder, which can change what they do.
    pub confined: bool,
}

/// The limits of the commands of one test, stage by stage: a build can take a thousand times as
/// long as the test that follows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageLimits {
    /// The limits of each gate; `None` if there are no gates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Limits>,
    /// The limits of the configuration; `None` if there is no such command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configure: Option<Limits>,
    /// The limits of the build; `None` if there is no build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<Limits>,
    /// The limits of the test itself.
    pub test: Limits,
}

impl StageLimits {
    /// Returns the limits of a stage; a stage without limits of its own has those of the test.
    pub fn of(&self, stage: Stage) -> &Limits {
        let own = match stage {
            Stage::Gate => self.gate.as_ref(),
            Stage::Configure => self.configure.as_ref(),
            Stage::Build => self.build.as_ref(),
            Stage::Test => None,
        };
        own.unwrap_or(&self.test)
    }
}

impl From<Limits> for StageLimits {
    /// Gives every stage the same limits.
    fn from(test: Limits) -> Self {
        StageLimits { gate: None, configure: None, build: None, test }
    }
}

impl Oracle {
    /// Returns whether a run was ended by nothing but a time limit that comes from the first runs.
    pub fn is_hasty(&self, seen: &Observation) -> bool {
        seen.ran_out_of_time() && (self.derived_time || seen.stage != Stage::Test)
    }

    /// Returns the same oracle with `factor` times as much time where the limit comes from the
    /// first runs.
    #[must_use]
    pub fn patient(&self, factor: u32) -> Self {
        let more = |limits: &Limits| Limits { time: limits.time * factor, ..limits.clone() };
        let StageLimits { gate, configure, build, test } = &self.limits;
        let limits = StageLimits {
            gate: gate.as_ref().map(more),
            configure: configure.as_ref().map(more),
            build: build.as_ref().map(more),
            test: if self.derived_time { more(test) } else { test.clone() },
        };
        Oracle { limits, ..self.clone() }
    }

    /// Returns the key of everything that prepares a candidate for the test: configuration and
    /// build, the programs they name, and the listed variables.
    pub(crate) fn builder(&self) -> Key {
        let mut hasher = KeyHasher::new();
        for command in self.configure.iter().chain(&self.build) {
            command.identify(&mut hasher);
        }
        hasher.update(format!("{:?}", (self.configure.is_some(), &self.variables)).as_bytes());
        hasher.finish()
    }

    /// Returns the identity of the oracle, without which a resumed run starts again: the commands,
    /// the programs and scripts they name, the listed variables, and the limits the user gave.
    ///
    /// A time limit that was derived from the first runs is left out: it differs from run to run.
    pub fn identity(&self, time: Option<Duration>) -> Key {
        let mut hasher = KeyHasher::new();
        // So a configuration or a build is not taken for one more gate.
        for (stage, command) in [("configure", &self.configure), ("build", &self.build)] {
            if command.is_some() {
                hasher.update(stage.as_bytes());
            }
        }
        let stages = self.gates.iter().chain(&self.configure).chain(&self.build);
        for command in stages.chain([&self.command]) {
            command.identify(&mut hasher);
        }
        let Limits { memory, output, processes, .. } = &self.limits.test;
        let limits = (time, memory, output, processes);
        let rest = (limits, &self.variables, self.confined);
        hasher.update(format!("{rest:?}").as_bytes());
        hasher.finish()
    }
}
