//! Runs the commands of an oracle on the files in a folder, and judges the outcome.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whodunit_run::judge::{Built, Observation, Rule, Stage, Used};
use whodunit_run::{Ending, Limits, Ran, Tested, Ticket};

use crate::command::Command;
use crate::error::WorkerError;
use crate::oracle::Oracle;
use crate::process::{Enforced, Invocation, Launcher};

/// Where commands run, and what they are given.
pub(crate) struct Place<'a> {
    /// The current folder of the commands.
    pub(crate) folder: &'a Path,
    /// The folder for their temporary files.
    pub(crate) temporary: &'a Path,
    /// The names that stand for the candidate in a command.
    pub(crate) names: &'a [PathBuf],
    /// The standard input.
    pub(crate) stdin: Option<&'a Path>,
    /// The candidate's own files, which are not part of a failure's identity.
    pub(crate) own: &'a [PathBuf],
}

/// Whether the build has to be run.
pub(crate) enum Builds<'a> {
    /// It has. This is called after a successful build, before the test.
    Run(&'a mut dyn FnMut()),
    /// The output of the build is there already.
    AreThere,
}

/// Runs the commands of an oracle, one after the other.
pub(crate) struct Runner {
    launcher: Launcher,
    oracle: Arc<Oracle>,
    rule: Option<Arc<Rule>>,
    /// Additional variables in the environment of the commands.
    variables: Vec<(OsString, OsString)>,
}

impl Runner {
    pub(crate) fn new(launcher: Launcher, oracle: Arc<Oracle>) -> Self {
        Runner { launcher, oracle, rule: None, variables: Vec::new() }
    }

    /// Sets the oracle to run and the rule that judges it.
    pub(crate) fn instruct(&mut self, oracle: &Arc<Oracle>, rule: &Arc<Rule>) {
        self.oracle = oracle.clone();
        self.rule = Some(rule.clone());
    }

    /// Sets additional variables in the environment of the commands.
    pub(crate) fn set_variables(&mut self, variables: Vec<(OsString, OsString)>) {
        self.variables = variables;
    }

    pub(crate) fn enforced(&self) -> &Enforced {
        self.launcher.enforced()
    }

    /// Returns a function that cancels a running test from another thread.
    pub(crate) fn canceller(&self) -> Box<dyn Fn(Ticket) + Send> {
        let canceller = self.launcher.canceller();
        Box::new(move |ticket| canceller.cancel(ticket))
    }

    pub(crate) fn is_cancelled(&self, ticket: Ticket) -> bool {
        self.launcher.is_cancelled(ticket)
    }

    /// Returns whether the test has to be repeated: something else killed it. A SIGKILL by the
    /// launcher itself is reported as a limit or a cancellation instead. If the failure we are
    /// after is that signal, the outcome counts.
    pub(crate) fn is_disturbed(&self, seen: &Observation) -> bool {
        let is_wanted = || self.rule.as_ref().is_some_and(|rule| rule.judge(seen).is_fail());
        seen.was_killed() && !is_wanted()
    }

    /// Returns whether the worker has a rule; it gets one after the first runs.
    pub(crate) fn is_instructed(&self) -> bool {
        self.rule.is_some()
    }

    /// Runs gates, configuration, build and test until one of them decides the outcome. `None` if
    /// the ticket was cancelled.
    pub(crate) fn observe(
        &mut self,
        ticket: Ticket,
        place: &Place<'_>,
    ) -> Result<Option<Observation>, WorkerError> {
        self.observe_built(ticket, place, Builds::Run(&mut || ()))
    }

    /// Like `observe`, with a build that is there already, or with a call after the build.
    pub(crate) fn observe_built(
        &mut self,
        ticket: Ticket,
        place: &Place<'_>,
        mut builds: Builds<'_>,
    ) -> Result<Option<Observation>, WorkerError> {
        let oracle = self.oracle.clone();
        let gates = oracle.gates.iter().map(|gate| (Stage::Gate, gate));
        let configure = oracle.configure.iter().map(|configure| (Stage::Configure, configure));
        let build = oracle.build.iter().map(|build| (Stage::Build, build));
        let test = [(Stage::Test, &oracle.command)];
        let (mut gated, mut configured, mut built) = (None, None, None);
        let is_built = matches!(builds, Builds::AreThere);
        let stages = gates.chain(configure).chain(build).chain(test);
        let is_done = |stage| is_built && matches!(stage, Stage::Configure | Stage::Build);
        for (stage, command) in stages.filter(|(stage, _)| !is_done(*stage)) {
            let limits = oracle.limits.of(stage);
            let Some(ran) = self.run(ticket, command, limits, place)? else { return Ok(None) };
            if stage == Stage::Test || ran.ending != Ending::Exited(0) {
                let observation = Observation::new(stage, ran, place.own);
                return Ok(Some(Observation { gated, configured, built, ..observation }));
            }
            let Ran { output, duration, peak_memory, .. } = ran;
            let used = Used { duration, memory: peak_memory, output: output.length };
            match stage {
                Stage::Gate => {
                    gated = Some(gated.map_or(used, |before: Used| before.most(used)));
                }
                Stage::Configure => configured = Some(used),
                Stage::Build | Stage::Test => {
                    built = Some(Built { output, duration, peak_memory });
                    if let Builds::Run(seen) = &mut builds {
                        seen();
                    }
                }
            }
        }
        unreachable!("the test itself is the last stage")
    }

    /// Runs one command.
    pub(crate) fn run(
        &mut self,
        ticket: Ticket,
        command: &Command,
        limits: &Limits,
        place: &Place<'_>,
    ) -> Result<Option<Ran>, WorkerError> {
        // Files that a killed compiler leaves in its temporary folder must be deleted with the
        // test.
        let temporary = (OsString::from("TMPDIR"), place.temporary.as_os_str().to_owned());
        let invocation = Invocation {
            program: command.program().to_owned(),
            args: command.args(place.names)?,
            stdin: place.stdin.map(Path::to_owned),
            folder: place.folder.to_owned(),
            env: self.variables.iter().cloned().chain([temporary]).collect(),
        };
        Ok(self.launcher.run(ticket, &invocation, limits)?)
    }

    /// Judges an observation; an error if the test asks to stop the run. `given` is the oracle in
    /// the user's words.
    pub(crate) fn judge(&self, seen: Observation, given: &Oracle) -> Result<Tested, WorkerError> {
        let rule = self.rule.as_ref().expect("a worker is instructed before it judges");
        if rule.stops(&seen) {
            let command = given.command.display();
            return Err(WorkerError::Stopped { command, seen: Box::new(seen) });
        }
        Ok(Tested {
            verdict: rule.judge(&seen),
            doubtful: given.is_hasty(&seen) || self.is_disturbed(&seen),
            observation: Some(seen),
        })
    }
}
