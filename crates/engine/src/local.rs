//! A worker on this machine: lays a candidate out in a folder of its own and runs the oracle.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::oracle::{Observation, Oracle, Rule, Stage};
use crate::process::{Ending, Invocation, Launcher, Ran, Ticket};
use crate::scratch::Slot;
use crate::subject::LayOut;
use crate::worker::{Tested, Worker, WorkerError};

/// How a test gets its candidate.
#[derive(Clone, Debug)]
pub struct Feeding {
    /// What the command is given: the names of files, and of folders with files in them.
    pub names: Vec<PathBuf>,
    /// The names of all files that a candidate may have.
    pub files: Vec<PathBuf>,
    /// Whether the first file is also the standard input.
    pub stdin: bool,
}

/// A worker on this machine.
pub struct Local<B> {
    subject: B,
    launcher: Launcher,
    slot: Slot,
    feeding: Feeding,
    oracle: Arc<Oracle>,
    rule: Option<Arc<Rule>>,
}

impl<B: LayOut> Local<B> {
    /// Makes a worker that lays out candidates in `slot`.
    pub fn new(
        subject: B,
        launcher: Launcher,
        slot: Slot,
        feeding: Feeding,
        oracle: Oracle,
    ) -> Self {
        Local { subject, launcher, slot, feeding, oracle: Arc::new(oracle), rule: None }
    }

    /// Sets what to run and how to judge it.
    pub fn instruct(&mut self, oracle: &Arc<Oracle>, rule: &Arc<Rule>) {
        self.oracle = oracle.clone();
        self.rule = Some(rule.clone());
    }

    /// Returns what the sandbox could enforce.
    pub fn enforced(&self) -> &crate::process::Enforced {
        self.launcher.enforced()
    }

    /// Runs the oracle on one candidate and says what was seen, without judging it.
    pub fn observe(
        &mut self,
        ticket: Ticket,
        candidate: &B::Candidate,
    ) -> Result<Option<Observation>, WorkerError> {
        let observed = self.lay_out(candidate).and_then(|()| self.run(ticket));
        // Also after an error: what is left lying around may be what filled the disk.
        let cleared = self.clear();
        let observed = observed?;
        cleared?;
        Ok(observed)
    }

    /// Lays a candidate out in the folder, which holds at most its file, to be written over.
    fn lay_out(&self, candidate: &B::Candidate) -> Result<(), WorkerError> {
        let folder = self.slot.candidate();
        self.subject
            .lay_out(candidate, &folder)
            .map_err(|source| WorkerError::LayOut { folder, source })
    }

    fn clear(&self) -> Result<(), WorkerError> {
        // With several files one may be missing from the next candidate, so none is left.
        let only = match &self.feeding.files[..] {
            [only] => Some(only.as_os_str()),
            _ => None,
        };
        Ok(self.slot.clear_but(only)?)
    }

    fn run(&mut self, ticket: Ticket) -> Result<Option<Observation>, WorkerError> {
        let oracle = self.oracle.clone();
        let stages = oracle.gates.iter().map(|gate| (Stage::Gate, gate));
        for (stage, command) in stages.chain([(Stage::Test, &oracle.command)]) {
            let Some(ran) = self.run_command(ticket, command)? else { return Ok(None) };
            if stage == Stage::Test || ran.ending != Ending::Exited(0) {
                return Ok(Some(Observation::new(stage, ran, &self.feeding.files)));
            }
        }
        unreachable!("the test itself is the last stage")
    }

    /// Returns the names to give to the command; a file or folder that the candidate lacks is not
    /// among them, unless there is no other.
    fn names_laid_out(&self, folder: &Path) -> Cow<'_, [PathBuf]> {
        let names = &self.feeding.names;
        if names.len() == 1 {
            return names.into();
        }
        names.iter().filter(|name| folder.join(name).exists()).cloned().collect()
    }

    fn run_command(
        &mut self,
        ticket: Ticket,
        command: &crate::oracle::Command,
    ) -> Result<Option<Ran>, WorkerError> {
        let folder = self.slot.candidate();
        let stdin = self.feeding.stdin.then(|| folder.join(&self.feeding.names[0]));
        let invocation = Invocation {
            program: command.program().to_owned(),
            args: command.args(&self.names_laid_out(&folder))?,
            stdin,
            folder,
            // What a killed compiler leaves in its temporary folder must go with the test.
            env: vec![(OsString::from("TMPDIR"), self.slot.temporary().into_os_string())],
        };
        Ok(self.launcher.run(ticket, &invocation, &self.oracle.limits)?)
    }
}

impl<B: LayOut + Send> Worker<B::Candidate> for Local<B> {
    fn test(
        &mut self,
        ticket: Ticket,
        candidate: &B::Candidate,
    ) -> Result<Option<Tested>, WorkerError> {
        let Some(observation) = self.observe(ticket, candidate)? else { return Ok(None) };
        let rule = self.rule.as_ref().expect("a worker is instructed before it judges");
        Ok(Some(Tested {
            verdict: rule.judge(&observation),
            doubtful: self.oracle.derived_time && observation.ran_out_of_time(),
            observation: Some(observation),
        }))
    }

    fn canceller(&self) -> Box<dyn Fn(Ticket) + Send> {
        let canceller = self.launcher.canceller();
        Box::new(move |ticket| canceller.cancel(ticket))
    }
}
