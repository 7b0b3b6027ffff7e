//! The first runs: is the failure there, is it the same each time, what does it look like?

use std::time::Duration;

use serde::{Deserialize, Serialize};
use whodunit_core::Verdict;

use super::ReduceError;
use super::settings::{ReduceSettings, Test};
use super::workshop::Crew;
use crate::engine::Stop;
use crate::first_runs::{self, later_limits};
use crate::oracle::{Observation, Oracle, Rule, Signature, StageLimits};
use crate::process::{Ending, Limit};
use crate::subject::InputCandidate;

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
    pub limits: StageLimits,
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

/// Runs the oracle once, in a way that can be stopped.
pub(super) fn observe(
    crew: &mut Crew,
    candidate: &InputCandidate,
    stop: &Stop,
) -> Result<Observation, ReduceError> {
    first_runs::observe(&mut crew[0], candidate, stop)?.ok_or(ReduceError::StoppedEarly)
}
