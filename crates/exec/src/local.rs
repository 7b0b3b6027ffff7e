//! A worker on this machine: lays a candidate out in a folder of its own and runs the oracle.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whodunit_run::judge::{Observation, Rule};
use whodunit_run::{LayOut, Observe, Tested, Ticket, Worker};

use crate::again::{Attempt, until_undisturbed};
use crate::error::WorkerError;
use crate::oracle::Oracle;
use crate::process::Launcher;
use crate::runner::{Place, Runner};
use crate::scratch::Slot;

/// How a test gets its candidate.
#[derive(Clone, Debug)]
pub struct Feeding {
    /// The names that the command is given: of files, and of folders with files in them.
    pub names: Vec<PathBuf>,
    /// The names of all files that a candidate may have.
    pub files: Vec<PathBuf>,
    /// Whether the first file is also the standard input.
    pub stdin: bool,
}

/// A worker on this machine.
pub struct Local<B> {
    subject: B,
    runner: Runner,
    slot: Slot,
    feeding: Feeding,
    oracle: Arc<Oracle>,
    /// Whether the folder holds nothing of earlier tests.
    is_clear: bool,
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
        let oracle = Arc::new(oracle);
        let runner = Runner::new(launcher, oracle.clone());
        Local { subject, runner, slot, feeding, oracle, is_clear: true }
    }

    /// Sets the oracle to run and the rule that judges it.
    pub fn instruct(&mut self, oracle: &Arc<Oracle>, rule: &Arc<Rule>) {
        self.oracle = oracle.clone();
        self.runner.instruct(oracle, rule);
    }

    /// Returns the protections of the sandbox that could be enforced.
    pub fn enforced(&self) -> &crate::process::Enforced {
        self.runner.enforced()
    }

    /// Lays a candidate out in the folder, which holds at most its file, to be overwritten.
    fn lay_out(&self, candidate: &B::Candidate) -> Result<(), WorkerError> {
        let folder = self.slot.candidate();
        self.subject
            .lay_out(candidate, &folder)
            .map_err(|source| WorkerError::LayOut { folder, source })
    }

    /// Empties the folder, unless the test is no longer wanted.
    fn clear(&mut self, ticket: Ticket) -> Result<(), WorkerError> {
        // One of several files may be missing from the next candidate, so all are deleted.
        let only = match &self.feeding.files[..] {
            [only] => Some(only.as_os_str()),
            _ => None,
        };
        self.is_clear = false;
        self.slot.clear_but(only, &|| !self.runner.is_cancelled(ticket))?;
        self.is_clear = true;
        Ok(())
    }

    fn run(&mut self, ticket: Ticket) -> Result<Option<Observation>, WorkerError> {
        let folder = self.slot.candidate();
        let stdin = self.feeding.stdin.then(|| folder.join(&self.feeding.names[0]));
        let names = names_laid_out(&self.feeding, &folder);
        let place = Place {
            folder: &folder,
            temporary: &self.slot.temporary(),
            names: &names,
            stdin: stdin.as_deref(),
            own: &self.feeding.files,
        };
        self.runner.observe(ticket, &place)
    }
}

/// Returns the names to give to the command. A file or folder that the candidate lacks is
/// left out, unless it is the only name.
fn names_laid_out<'a>(feeding: &'a Feeding, folder: &Path) -> Cow<'a, [PathBuf]> {
    if feeding.names.len() == 1 {
        return (&feeding.names).into();
    }
    feeding.names.iter().filter(|name| folder.join(name).exists()).cloned().collect()
}

impl<B: LayOut + Send> Worker<B::Candidate> for Local<B> {
    type Error = WorkerError;

    fn test(
        &mut self,
        ticket: Ticket,
        candidate: &B::Candidate,
    ) -> Result<Option<Tested>, WorkerError> {
        let seen = self.observe(ticket, candidate)?;
        seen.map(|seen| self.runner.judge(seen, &self.oracle)).transpose()
    }

    fn canceller(&self) -> Box<dyn Fn(Ticket) + Send> {
        self.runner.canceller()
    }
}

impl<B: LayOut + Send> Observe<B::Candidate> for Local<B> {
    fn observe(
        &mut self,
        ticket: Ticket,
        candidate: &B::Candidate,
    ) -> Result<Option<Observation>, WorkerError> {
        until_undisturbed(&mut Trial { worker: self, ticket, candidate })
    }
}

/// A candidate and the worker that tests it.
struct Trial<'a, B: LayOut> {
    worker: &'a mut Local<B>,
    ticket: Ticket,
    candidate: &'a B::Candidate,
}

impl<B: LayOut> Attempt for Trial<'_, B> {
    fn attempt(&mut self) -> Result<Option<Observation>, WorkerError> {
        let worker = &mut *self.worker;
        if !worker.is_clear {
            match worker.clear(self.ticket) {
                Err(_) if worker.runner.is_cancelled(self.ticket) => return Ok(None),
                cleared => cleared?,
            }
        }
        let observed = worker.lay_out(self.candidate).and_then(|()| worker.run(self.ticket));
        // Also after an error: the files left behind may be what filled the disk.
        let cleared = worker.clear(self.ticket);
        let observed = observed?;
        match cleared {
            // The deletion of many files was cut short. The next test deletes the rest.
            Err(_) if worker.runner.is_cancelled(self.ticket) => Ok(None),
            cleared => cleared.map(|()| observed),
        }
    }

    fn runner(&self) -> &Runner {
        &self.worker.runner
    }
}
