//! The workers of this machine: they run the oracle and return observations.
//!
//! The first runs, before the failure is known, and a verification need nothing more. A
//! [`Lab`](crate::lab::Lab) asks and proves with the same workers.

use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, PoisonError};

use whodunit_exec::local::Local;
use whodunit_exec::process::{
    Enforced, Launcher, NetworkAccess, ProcessError, Sandbox, Settings as LauncherSettings,
};
use whodunit_exec::scratch::Slot;
use whodunit_exec::warm::Warm;
use whodunit_exec::{Oracle, WorkerError};
use whodunit_run::judge::{Observation, Rule};
use whodunit_run::{Ended, GLANCE, LayOut, LayOutOver, Observe, Stop, Ticket};

use super::LabError;
use crate::settings::{SandboxMode, Surroundings};

/// A worker of this machine whose oracle can be set.
pub(crate) trait Hand<C>: Observe<C, Error = WorkerError> {
    /// Sets the oracle to run and the rule that judges it.
    fn instruct(&mut self, oracle: &Arc<Oracle>, rule: &Arc<Rule>);

    /// Makes the next test run in a clean folder.
    fn clean(&mut self);

    /// Returns the files of the candidate that the last test read, if the worker watches them.
    fn files_read(&mut self) -> Vec<Arc<[u8]>>;

    /// Returns the parts of the sandbox that could be enforced.
    fn enforced(&self) -> &Enforced;
}

impl<B: LayOut + Send> Hand<B::Candidate> for Local<B> {
    fn instruct(&mut self, oracle: &Arc<Oracle>, rule: &Arc<Rule>) {
        Local::instruct(self, oracle, rule);
    }

    /// Does nothing, because every folder is clean.
    fn clean(&mut self) {}

    /// Returns no files, because none are watched.
    fn files_read(&mut self) -> Vec<Arc<[u8]>> {
        Vec::new()
    }

    fn enforced(&self) -> &Enforced {
        Local::enforced(self)
    }
}

impl<B: LayOutOver + Send> Hand<B::Candidate> for Warm<B> {
    fn instruct(&mut self, oracle: &Arc<Oracle>, rule: &Arc<Rule>) {
        Warm::instruct(self, oracle, rule);
    }

    fn clean(&mut self) {
        self.discard();
    }

    fn files_read(&mut self) -> Vec<Arc<[u8]>> {
        Warm::files_read(self)
    }

    fn enforced(&self) -> &Enforced {
        Warm::enforced(self)
    }
}

/// The workers of a run, and their oracle.
pub(crate) struct Workers<W> {
    pub(crate) hands: Vec<W>,
    oracle: Arc<Oracle>,
    pub(crate) stop: Stop,
}

impl<W> Workers<W> {
    /// Takes workers that were made for this oracle.
    pub(crate) fn new(hands: Vec<W>, oracle: Oracle, stop: Stop) -> Self {
        Workers { hands, oracle: Arc::new(oracle), stop }
    }

    /// Returns the first worker, which makes the runs outside of searches.
    pub(crate) fn first(&mut self) -> &mut W {
        &mut self.hands[0]
    }

    /// Returns the oracle that the workers run.
    pub(crate) fn oracle(&self) -> &Oracle {
        &self.oracle
    }

    /// Returns the parts of the sandbox that are enforced, if one was asked for.
    pub(crate) fn sandbox<C>(&self) -> Option<&Enforced>
    where
        W: Hand<C>,
    {
        self.oracle.confined.then(|| self.hands[0].enforced())
    }

    /// Runs the oracle once; a stop of the run interrupts it.
    pub(crate) fn observe<C>(&mut self, candidate: &C) -> Result<Observation, LabError>
    where
        W: Hand<C>,
    {
        let Workers { hands, stop, .. } = self;
        observe(&mut hands[0], candidate, stop)?.map_err(LabError::StoppedEarly)
    }

    /// Runs another oracle once; the folder is clean for this run and for the next one.
    pub(crate) fn observe_with<C>(
        &mut self,
        oracle: &Arc<Oracle>,
        rule: &Arc<Rule>,
        candidate: &C,
    ) -> Result<Observation, LabError>
    where
        W: Hand<C>,
    {
        let usual = self.oracle.clone();
        let hand = self.first();
        hand.clean();
        hand.instruct(oracle, rule);
        let seen = self.observe(candidate);
        let hand = self.first();
        hand.clean();
        hand.instruct(&usual, rule);
        seen
    }

    /// Runs the oracle on several candidates in clean folders, as many at once as there are
    /// workers. A candidate that was not run has the reason instead.
    pub(crate) fn observe_all<C: Send>(
        &mut self,
        candidates: Vec<C>,
    ) -> Result<Vec<Result<Observation, Ended>>, WorkerError>
    where
        W: Hand<C>,
    {
        let stop = &self.stop;
        let mut seen: Vec<_> = candidates.iter().map(|_| Ok(Err(Ended::Stopped))).collect();
        let open = Mutex::new(candidates.into_iter().zip(&mut seen));
        std::thread::scope(|scope| {
            for hand in &mut self.hands {
                scope.spawn(|| {
                    let next = || open.lock().unwrap_or_else(PoisonError::into_inner).next();
                    while let Some((candidate, seen)) = next() {
                        hand.clean();
                        *seen = observe(hand, &candidate, stop);
                    }
                });
            }
        });
        seen.into_iter().collect()
    }

    /// Sets the oracle to run and the rule that judges it, for all later tests.
    pub(crate) fn instruct<C>(&mut self, oracle: Oracle, rule: &Arc<Rule>)
    where
        W: Hand<C>,
    {
        self.oracle = Arc::new(oracle);
        self.hands.iter_mut().for_each(|hand| hand.instruct(&self.oracle, rule));
    }
}

/// Runs the oracle once; returns the reason if the run was stopped before or meanwhile.
fn observe<C, W: Observe<C>>(
    worker: &mut W,
    candidate: &C,
    stop: &Stop,
) -> Result<Result<Observation, Ended>, W::Error> {
    if let Some(ended) = stop.ended() {
        return Ok(Err(ended));
    }
    let ticket = Ticket::next();
    let cancel = worker.canceller();
    let (over, is_over) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while is_over.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                if stop.is_stopped() {
                    return cancel(ticket);
                }
            }
        });
        let observed = worker.observe(ticket, candidate)?;
        drop(over);
        Ok(observed.ok_or_else(|| stop.ended().unwrap_or(Ended::Stopped)))
    })
}

/// Starts the launcher that runs the tests of one worker.
pub(crate) fn launcher(
    surroundings: &Surroundings,
    slot: &Slot,
    mode: SandboxMode,
) -> Result<Launcher, ProcessError> {
    let sandbox = mode
        .is_on()
        .then(|| Sandbox { writes_below: slot.folder().into(), network: NetworkAccess::Loopback });
    let launcher = Launcher::start(&LauncherSettings {
        program: surroundings.launcher.clone(),
        scratch: slot.folder().into(),
        sandbox,
        file_size: None,
    })?;
    let missing = &launcher.enforced().missing;
    if mode == SandboxMode::Enforce && !missing.is_empty() {
        return Err(ProcessError::SandboxIncomplete { missing: missing.clone() });
    }
    Ok(launcher)
}
