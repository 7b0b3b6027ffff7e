//! The first runs of a job: who runs tests, and what they may use.

use std::time::Duration;

use whodunit_core::Verdict;
use whodunit_exec::StageLimits;
use whodunit_exec::process::{self, Launcher, NetworkAccess, ProcessError, Sandbox};
use whodunit_exec::scratch::Slot;
use whodunit_run::judge::{Built, Observation, Rule, Used};
use whodunit_run::{Counts, Limits};

use crate::lab::{Hand, LabError, Workers};
use crate::settings::{FlakySettings, LimitSettings, SandboxMode, Surroundings};

/// How long the first runs may take if nothing was said.
const PATIENCE: Duration = Duration::from_secs(300);
/// How much longer than the first runs a test may take, and what every test may take: on a busy
/// machine a short test can easily take a second.
const TIME_FACTOR: u32 = 10;
const TIME_GRACE: Duration = Duration::from_secs(2);
/// Mutated programs may well need more than the original, but not without end.
const MEMORY_FACTOR: u64 = 8;
const MEMORY_FLOOR: u64 = 1 << 30;
const OUTPUT_FLOOR: u64 = 16 << 20;
/// How many processes and threads a test may have at once; beyond it the test is ended. A parallel build
/// on a machine with 64 processors has some 1,300 threads; many more would take the process numbers of
/// the machine (32,768 by default) from others.
const PROCESSES: u32 = 4096;

/// How often the failing end is run once two of its runs differ, and how often the other end. A rate
/// that is known from fewer runs makes every later question cost more (see `bench noisy`).
const FAILING_RUNS: usize = 20;
const OTHER_RUNS: usize = 10;

/// How many runs there are of an end, once it is known not to be steady or to be run by hand.
#[derive(Clone, Copy)]
pub(crate) struct RunsOfEnds {
    /// Of the end that fails.
    pub(crate) failing: usize,
    /// Of the other one.
    pub(crate) other: usize,
}

impl RunsOfEnds {
    /// Takes what was asked for.
    pub(crate) fn of(flaky: &FlakySettings) -> Self {
        match flaky.repeat {
            Some(runs) => RunsOfEnds { failing: runs as usize, other: runs as usize },
            None => RunsOfEnds { failing: FAILING_RUNS, other: OTHER_RUNS },
        }
    }
}

/// Runs a candidate in clean folders until there are so many runs of it.
pub(crate) fn go_on<C: Clone + Send, W: Hand<C>>(
    workers: &mut Workers<W>,
    candidate: &C,
    mut runs: Vec<Observation>,
    count: usize,
) -> Result<Vec<Observation>, LabError> {
    let more = count.saturating_sub(runs.len());
    for seen in workers.observe_all(vec![candidate.clone(); more])? {
        runs.push(seen?);
    }
    Ok(runs)
}

/// Returns how many runs show the failure.
pub(crate) fn count(rule: &Rule, runs: &[Observation]) -> Counts {
    let seen = runs.iter().filter(|run| rule.judge(run) == Verdict::Fail).count();
    Counts { seen: seen as u32, runs: runs.len() as u32 }
}

/// Returns all pairs of some runs, the earliest first.
pub(crate) fn pairs(runs: &[Observation]) -> impl Iterator<Item = [&Observation; 2]> {
    let from = move |at: usize| runs[at + 1..].iter().map(move |second| [&runs[at], second]);
    (0..runs.len()).flat_map(from)
}

/// Starts what runs the tests of one worker.
pub(crate) fn launcher(
    surroundings: &Surroundings,
    slot: &Slot,
    mode: SandboxMode,
) -> Result<Launcher, ProcessError> {
    let sandbox = mode
        .is_on()
        .then(|| Sandbox { writes_below: slot.folder().into(), network: NetworkAccess::Loopback });
    let launcher = Launcher::start(&process::Settings {
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

/// Returns limits that let the first runs take their time. A given time is that of the test: gates
/// and builds are as slow as they are.
pub(crate) fn first_limits(given: &LimitSettings) -> StageLimits {
    let limits = |time: Duration| Limits {
        time,
        memory: given.memory,
        output: given.output.unwrap_or(OUTPUT_FLOOR),
        processes: given.processes.unwrap_or(PROCESSES),
    };
    let patience = given.time.map_or(PATIENCE, |time| time.max(PATIENCE));
    StageLimits {
        gate: Some(limits(patience)),
        build: Some(limits(patience)),
        test: limits(given.time.unwrap_or(PATIENCE)),
    }
}

/// Returns the limits for all tests to come, of each stage from what it used in the first runs.
pub(crate) fn later_limits(given: &LimitSettings, runs: &[Observation]) -> StageLimits {
    let most = |used: &dyn Fn(&Observation) -> Option<Used>| {
        runs.iter().filter_map(used).reduce(Used::most)
    };
    let limits = |used: Used, time: Option<Duration>| Limits {
        time: time.unwrap_or(used.duration * TIME_FACTOR + TIME_GRACE),
        memory: Some(given.memory.unwrap_or((used.memory * MEMORY_FACTOR).max(MEMORY_FLOOR))),
        output: given.output.unwrap_or((used.output * MEMORY_FACTOR).max(OUTPUT_FLOOR)),
        processes: given.processes.unwrap_or(PROCESSES),
    };
    let test = most(&|run| Some(run.used())).expect("there were first runs");
    StageLimits {
        gate: most(&|run| run.gated).map(|used| limits(used, None)),
        build: most(&|run| run.built.as_ref().map(Built::used)).map(|used| limits(used, None)),
        test: limits(test, given.time),
    }
}

/// Returns how much of a budget of time is kept back to test what was found once more: as long as
/// the slowest of the first runs took, and no more than a quarter of it all.
pub(crate) fn reserve(durations: &[Duration], budget: Option<Duration>) -> Duration {
    let slowest = durations.iter().max().copied().unwrap_or_default();
    budget.map_or(Duration::ZERO, |budget| slowest.min(budget / 4))
}
