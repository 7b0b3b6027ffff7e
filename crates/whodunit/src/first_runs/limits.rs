//! Limits of the first runs, and of all tests after them.

use std::time::Duration;

use whodunit_exec::StageLimits;
use whodunit_run::Limits;
use whodunit_run::judge::{Built, Observation, Used};

use crate::settings::LimitSettings;

/// Time that a first run may take if the user gives no limit. A slower test needs `--timeout`; most
/// test suites end within five minutes.
const PATIENCE: Duration = Duration::from_secs(300);
/// A later test may take this many times as long as the slowest first run, and [`TIME_GRACE`] more: on
/// a busy machine a short test easily takes a second.
const TIME_FACTOR: u32 = 10;
const TIME_GRACE: Duration = Duration::from_secs(2);
/// A later test may use this many times the memory and output of the first runs, but at least
/// [`MEMORY_FLOOR`] and [`OUTPUT_FLOOR`] bytes: a mutated program may well need more than the original.
const MEMORY_FACTOR: u64 = 8;
const MEMORY_FLOOR: u64 = 1 << 30;
const OUTPUT_FLOOR: u64 = 16 << 20;
/// Processes and threads that a test may have at once if the user gives no limit; beyond it the test is
/// ended. A parallel build on a machine with 64 processors has some 1,300 threads; many more would take
/// the process numbers of the machine (32,768 by default) from others.
const PROCESSES: u32 = 4096;

/// Returns the limits of the first runs. A given time limits the test alone: gates and builds are as
/// slow as they are.
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
        configure: Some(limits(patience)),
        build: Some(limits(patience)),
        test: limits(given.time.unwrap_or(PATIENCE)),
    }
}

/// Returns the limits for all later tests, for each stage from the resources that it used in the first
/// runs.
pub(crate) fn later_limits(given: &LimitSettings, runs: &[&Observation]) -> StageLimits {
    let most = |used: &dyn Fn(&Observation) -> Option<Used>| {
        runs.iter().filter_map(|run| used(run)).reduce(Used::most)
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
        configure: most(&|run| run.configured).map(|used| limits(used, None)),
        build: most(&|run| run.built.as_ref().map(Built::used)).map(|used| limits(used, None)),
        test: limits(test, given.time),
    }
}

/// Returns the part of a time budget that is reserved to test the result once more: the time of the
/// slowest first run, but at most a quarter of the budget.
pub(crate) fn reserve(durations: &[Duration], budget: Option<Duration>) -> Duration {
    let slowest = durations.iter().max().copied().unwrap_or_default();
    budget.map_or(Duration::ZERO, |budget| slowest.min(budget / 4))
}
