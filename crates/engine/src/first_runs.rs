//! The first runs of a job: who runs tests, what they may use, and running one that can be stopped.

use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use crate::engine::Stop;
use crate::oracle::Observation;
use crate::process::{self, Launcher, Limits, NetworkAccess, ProcessError, Sandbox, Ticket};
use crate::reduce::{LimitSettings, Surroundings};
use crate::scratch::Slot;
use crate::worker::{Observe, WorkerError};

/// How long the first runs may take if nothing was said.
const PATIENCE: Duration = Duration::from_secs(300);
/// How often to look whether somebody wants the run to stop.
const GLANCE: Duration = Duration::from_millis(50);
/// How much longer than the first runs a test may take, and what every test may take: on a busy
/// machine a short test can easily take a second.
const TIME_FACTOR: u32 = 10;
const TIME_GRACE: Duration = Duration::from_secs(2);
/// Mutated programs may well need more than the original, but not without end.
const MEMORY_FACTOR: u64 = 8;
const MEMORY_FLOOR: u64 = 1 << 30;
const OUTPUT_FLOOR: u64 = 16 << 20;
const PROCESSES: u32 = 512;

/// Starts what runs the tests of one worker.
pub(crate) fn launcher(
    surroundings: &Surroundings,
    slot: &Slot,
    is_confined: bool,
) -> Result<Launcher, ProcessError> {
    let sandbox = is_confined
        .then(|| Sandbox { writes_below: slot.folder().into(), network: NetworkAccess::Loopback });
    Launcher::start(&process::Settings {
        program: surroundings.launcher.clone(),
        scratch: slot.folder().into(),
        sandbox,
        file_size: None,
    })
}

/// Returns limits that let the first runs take their time.
pub(crate) fn first_limits(given: &LimitSettings) -> Limits {
    Limits {
        time: given.time.unwrap_or(PATIENCE),
        memory: given.memory,
        output: given.output.unwrap_or(OUTPUT_FLOOR),
        processes: given.processes.unwrap_or(PROCESSES),
    }
}

/// Returns the limits for all tests to come, from what the first ones used.
pub(crate) fn later_limits(given: &LimitSettings, runs: &[Observation]) -> Limits {
    let most = |measure: fn(&Observation) -> u64| runs.iter().map(measure).max().unwrap_or(0);
    let slowest = runs.iter().map(|run| run.duration).max().unwrap_or_default();
    let memory = most(|run| run.peak_memory);
    let output = most(|run| run.output.length);
    Limits {
        time: given.time.unwrap_or(slowest * TIME_FACTOR + TIME_GRACE),
        memory: Some(given.memory.unwrap_or((memory * MEMORY_FACTOR).max(MEMORY_FLOOR))),
        output: given.output.unwrap_or((output * MEMORY_FACTOR).max(OUTPUT_FLOOR)),
        processes: given.processes.unwrap_or(PROCESSES),
    }
}

/// Runs the oracle once, in a way that can be stopped. `None` means that it was.
pub(crate) fn observe<C, W: Observe<C>>(
    worker: &mut W,
    candidate: &C,
    stop: &Stop,
) -> Result<Option<Observation>, WorkerError> {
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
        let observed = worker.observe(ticket, candidate);
        drop(over);
        observed
    })
}
