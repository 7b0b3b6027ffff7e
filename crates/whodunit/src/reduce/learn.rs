//! The first runs: is the failure there, is it the same each time, what does it look like?

use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_input::{InputCandidate, InputFile, Snapshot};
use whodunit_run::judge::{Failure, InputWords, Observation, Origin, Rule, Stage};
use whodunit_run::{Counts, Ending, Flakiness, Limit};

use super::ReduceError;
use super::reduction::InputWorkers;
use crate::answer::Learned;
use crate::first_runs::{self, RunsOfEnds, count, go_on, later_limits, pairs};
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

/// Tests the input twice and learns what its failure looks like. If the two tests differ, or if the
/// test `is_flaky` as later tests showed, it goes on until it is known how often the failure shows.
pub(super) fn learn(
    settings: &ReduceSettings,
    whole: &InputCandidate,
    workers: &mut InputWorkers,
    is_flaky: bool,
) -> Result<Learned, ReduceError> {
    let mut learned = Learned {
        signature: None,
        failure: String::new(),
        command: workers.oracle().command.display(),
        limits: workers.oracle().limits.clone(),
        durations: Vec::new(),
        flaky: None,
    };
    let is_given =
        matches!(settings.test, Test::Script(_)) || !settings.rule.explicit()?.is_empty();
    let given = is_given.then(|| learned.rule(settings)).transpose()?;
    let (goes_on, is_repeated) = (settings.flaky.goes_on(), settings.flaky.repeat.is_some());
    let first = workers.observe(whole)?;
    match check_first(given.as_ref(), &first) {
        Err(ReduceError::DoesNotFail { .. }) if goes_on => {}
        checked => checked?,
    }
    let second = workers.observe(whole)?;
    let shows = [&first, &second].map(|run| check_first(given.as_ref(), run).is_ok());
    if shows == [false, false] && !is_repeated && !is_flaky {
        check_first(given.as_ref(), &first)?;
    }
    if given.is_none() && shows == [true, true] {
        learned.signature = learn_failure([&first, &second], whole);
    }
    let is_same = match &given {
        Some(_) => shows == [true, true],
        None => learned.signature.is_some(),
    };
    let mut runs = vec![first, second];
    if !is_same || is_repeated || is_flaky {
        if !goes_on {
            return Err(differ(runs));
        }
        let count = RunsOfEnds::of(&settings.flaky);
        runs = go_on(workers, whole, runs, count.failing)?;
        learned.flaky =
            flakiness(settings, (whole, workers), &mut learned, &runs, (given, is_flaky))?;
    }
    learned.failure = learned.rule(settings)?.describe();
    learned.durations = runs.iter().map(|run| run.duration).collect();
    learned.limits = later_limits(&settings.limits, &runs);
    Ok(learned)
}

/// Learns the failure and how often it shows from many runs; nothing if it always does.
fn flakiness(
    settings: &ReduceSettings,
    (whole, workers): (&InputCandidate, &mut InputWorkers),
    learned: &mut Learned,
    runs: &[Observation],
    (given, is_flaky): (Option<Rule>, bool),
) -> Result<Option<Flakiness>, ReduceError> {
    if given.is_none() {
        let fails = |run: &&Observation| check_first(None, run).is_ok();
        let failing: Vec<Observation> = runs.iter().filter(fails).cloned().collect();
        if failing.is_empty() {
            check_first(None, &runs[0])?;
        }
        learned.signature = pairs(&failing).find_map(|pair| learn_failure(pair, whole));
        if learned.signature.is_none() {
            return Err(differ(runs.to_vec()));
        }
    }
    let rule = learned.rule(settings)?;
    let there = count(&rule, runs);
    if there.seen == there.runs && !is_flaky {
        return Ok(None);
    }
    if there.seen == 0 {
        check_first(given.as_ref(), &runs[0])?;
    }
    // Of nothing at all the failure is not expected; if it shows there, that tells nothing.
    let nothing = InputCandidate::whole(Arc::new(Snapshot::new(
        whole.snapshot().files().iter().map(emptied).collect(),
    )));
    let count = RunsOfEnds::of(&settings.flaky).other;
    let silent = first_runs::count(&rule, &go_on(workers, &nothing, Vec::new(), count)?);
    let elsewhere = if silent.seen == 0 { silent } else { Counts::default() };
    Ok(Some(Flakiness { there, elsewhere, confidence: settings.flaky.confidence }))
}

fn emptied(file: &InputFile) -> InputFile {
    InputFile { bytes: [].into(), ..file.clone() }
}

/// Says that two runs differ.
fn differ(runs: Vec<Observation>) -> ReduceError {
    let mut runs = runs.into_iter().map(Box::new);
    let [first, second] = [runs.next(), runs.next()].map(|it| it.expect("there were two runs"));
    ReduceError::Flaky { first, second }
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
