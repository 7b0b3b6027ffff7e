//! The first runs: is the failure there, is it the same each time, what does it look like?

use whodunit_core::Verdict;
use whodunit_input::InputCandidate;
use whodunit_run::judge::{Failure, InputWords, Observation, Origin, Rule, Stage};
use whodunit_run::{Ending, Limit};

use super::ReduceError;
use super::reduction::InputWorkers;
use crate::answer::Learned;
use crate::first_runs::later_limits;
use crate::lab::LabError;
use crate::settings::{ReduceSettings, Test};

impl Learned {
    /// Returns what counts as the failure.
    pub(super) fn rule(&self, settings: &ReduceSettings) -> Result<Rule, ReduceError> {
        Ok(match (&self.signature, &settings.test) {
            (Some(failure), _) => Rule::Same(failure.clone()),
            (None, Test::Script(_)) if settings.rule.explicit()?.is_empty() => Rule::Script,
            (None, _) => Rule::Explicit(settings.rule.explicit()?),
        })
    }
}

/// Tests the input twice and learns what its failure looks like.
pub(super) fn learn(
    settings: &ReduceSettings,
    whole: &InputCandidate,
    workers: &mut InputWorkers,
) -> Result<Learned, ReduceError> {
    let mut learned = Learned {
        signature: None,
        failure: String::new(),
        command: workers.oracle().command.display(),
        limits: workers.oracle().limits.clone(),
        durations: Vec::new(),
    };
    let is_given =
        matches!(settings.test, Test::Script(_)) || !settings.rule.explicit()?.is_empty();
    let given = is_given.then(|| learned.rule(settings)).transpose()?;
    let first = workers.observe(whole)?;
    check_first(given.as_ref(), &first)?;
    let second = workers.observe(whole)?;
    if given.is_none() {
        learned.signature = learn_failure([&first, &second], whole);
    }
    let is_same = match &given {
        Some(rule) => rule.judge(&second) == Verdict::Fail,
        None => learned.signature.is_some(),
    };
    if !is_same {
        return Err(ReduceError::Flaky { first: Box::new(first), second: Box::new(second) });
    }
    learned.failure = learned.rule(settings)?.describe();
    learned.durations = vec![first.duration, second.duration];
    learned.limits = later_limits(&settings.limits, &[first, second]);
    Ok(learned)
}

/// Returns what both runs on the whole input have in common.
fn learn_failure(runs: [&Observation; 2], whole: &InputCandidate) -> Option<Failure> {
    let snapshot = whole.snapshot();
    let texts = snapshot.files().iter().map(|file| String::from_utf8_lossy(&file.bytes));
    let text = texts.collect::<Vec<_>>().join("\n");
    Failure::learn(runs, &[], Origin::Input(&InputWords::of(&text)))
}

/// Says what is wrong if the first run did not show a failure to go by. Without a given rule it is
/// to be learned.
fn check_first(given: Option<&Rule>, first: &Observation) -> Result<(), ReduceError> {
    let seen = || Box::new(first.clone());
    let is_explicit = matches!(given, Some(Rule::Explicit(_)));
    let wants_timeout = matches!(given, Some(Rule::Explicit(explicit)) if explicit.timeout);
    let shows_it = match given {
        Some(rule) => rule.judge(first) == Verdict::Fail,
        None => first.stage == Stage::Test && first.ending() != Ending::Exited(0),
    };
    match first.ending() {
        Ending::Limited(Limit::Time) if wants_timeout => Ok(()),
        Ending::Limited(limit) => Err(ReduceError::CutShort { limit }),
        // Shells say so when they cannot find or execute what they were asked to.
        Ending::Exited(126 | 127) if !is_explicit => {
            Err(LabError::NotRunnable { seen: seen() }.into())
        }
        _ if !shows_it => Err(ReduceError::DoesNotFail { seen: seen() }),
        _ => Ok(()),
    }
}
