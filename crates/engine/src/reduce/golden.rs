//! The first runs: is the failure there, is it the same each time, what does it look like?

use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use whodunit_core::Verdict;

use super::ReduceError;
use super::settings::{LimitSettings, ReduceSettings, Test};
use super::workshop::Crew;
use crate::engine::Stop;
use crate::oracle::{Observation, Oracle, Rule, Signature};
use crate::process::{Ending, Limit, Limits, Ticket};
use crate::subject::InputCandidate;
use crate::worker::Worker;

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

/// What the first runs taught.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learned {
    /// The failure, if it was to be learned.
    pub signature: Option<Signature>,
    /// The failure in words.
    pub failure: String,
    /// The command as it can be typed.
    pub command: String,
    /// The limits for all tests to come.
    pub limits: Limits,
    /// How long each of the first runs took.
    pub durations: Vec<Duration>,
}

impl Learned {
    /// Returns what counts as the failure.
    pub(super) fn rule(&self, settings: &ReduceSettings) -> Result<Rule, ReduceError> {
        Ok(match (&self.signature, &settings.test) {
            (Some(signature), _) => Rule::Same(signature.clone()),
            (None, Test::Script(_)) if settings.rule.explicit()?.is_empty() => Rule::Script,
            (None, _) => Rule::Explicit(settings.rule.explicit()?),
        })
    }
}

/// Returns limits that let the first runs take their time.
pub(super) fn first_limits(given: &LimitSettings) -> Limits {
    Limits {
        time: given.time.unwrap_or(PATIENCE),
        memory: given.memory,
        output: given.output.unwrap_or(OUTPUT_FLOOR),
        processes: given.processes.unwrap_or(PROCESSES),
    }
}

/// Tests the input twice and learns what its failure looks like.
pub(super) fn learn(
    settings: &ReduceSettings,
    oracle: &Oracle,
    whole: &InputCandidate,
    crew: &mut Crew,
    stop: &Stop,
) -> Result<Learned, ReduceError> {
    let explicit = settings.rule.explicit()?;
    let first = observe(crew, whole, stop)?;
    let is_script = matches!(settings.test, Test::Script(_));
    let signature = (explicit.is_empty() && !is_script).then(|| first.signature.clone());
    let mut learned = Learned {
        signature,
        failure: String::new(),
        command: oracle.command.display(),
        limits: oracle.limits.clone(),
        durations: Vec::new(),
    };
    let rule = learned.rule(settings)?;
    check_first(&rule, &first)?;
    let second = observe(crew, whole, stop)?;
    if rule.judge(&second) != Verdict::Fail {
        return Err(ReduceError::Flaky { first: Box::new(first), second: Box::new(second) });
    }
    learned.failure = rule.describe();
    learned.durations = vec![first.duration, second.duration];
    learned.limits = later_limits(&settings.limits, &[first, second]);
    Ok(learned)
}

/// Says what is wrong if the first run did not show a failure to go by.
fn check_first(rule: &Rule, first: &Observation) -> Result<(), ReduceError> {
    let seen = || Box::new(first.clone());
    let wants_timeout = matches!(rule, Rule::Explicit(explicit) if explicit.timeout);
    match first.ending() {
        Ending::Limited(Limit::Time) if wants_timeout => Ok(()),
        Ending::Limited(limit) => Err(ReduceError::CutShort { limit }),
        // Shells say so when they cannot find or execute what they were asked to.
        Ending::Exited(126 | 127) if !matches!(rule, Rule::Explicit(_)) => {
            Err(ReduceError::NotRunnable { seen: seen() })
        }
        Ending::Exited(0) if matches!(rule, Rule::Same(_)) => {
            Err(ReduceError::DoesNotFail { seen: seen() })
        }
        _ if rule.judge(first) != Verdict::Fail => Err(ReduceError::DoesNotFail { seen: seen() }),
        _ => Ok(()),
    }
}

fn later_limits(given: &LimitSettings, runs: &[Observation]) -> Limits {
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

/// Runs the oracle once, in a way that can be stopped.
pub(super) fn observe(
    crew: &mut Crew,
    candidate: &InputCandidate,
    stop: &Stop,
) -> Result<Observation, ReduceError> {
    let ticket = Ticket::next();
    let worker = &mut crew[0];
    let cancel = worker.canceller();
    let (over, is_over) = std::sync::mpsc::channel::<()>();
    let observed = std::thread::scope(|scope| {
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
    });
    observed?.ok_or(ReduceError::StoppedEarly)
}
