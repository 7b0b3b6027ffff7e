//! Learns the failure of `reduce` from runs of the whole input. An empty input is expected not to
//! show the failure.

use std::sync::Arc;

use whodunit_core::{Sightings, Verdict};
use whodunit_input::{InputCandidate, InputFile, Snapshot};
use whodunit_run::judge::{
    Failure, InputWords, Observation, Origin, Rule, Stage, with_other_letters,
};
use whodunit_run::{Ending, Flakiness, Limit};

use super::ReduceError;
use super::reduction::InputWorkers;
use crate::answer::Learned;
use crate::first_runs::{self, Asked, Doubted, Ends, FirstRuns, Unexpected};
use crate::lab::LabError;
use crate::settings::{ReduceSettings, Test};

/// Number of further runs of the input that are made at once while it is open whether its rate
/// suffices. More follow if these do not decide.
const MORE_RUNS: usize = 10;

impl Learned {
    /// Returns the rule that recognises the failure.
    pub(super) fn rule(&self, settings: &ReduceSettings) -> Result<Rule, ReduceError> {
        match &self.signature {
            Some(failure) => Ok(Rule::Same(failure.clone())),
            None => given_rule(settings),
        }
    }
}

/// Returns the rule that the settings give.
fn given_rule(settings: &ReduceSettings) -> Result<Rule, ReduceError> {
    let explicit = settings.rule.explicit()?;
    Ok(match &settings.test {
        Test::Script(_) if explicit.is_empty() => Rule::Script,
        _ => Rule::Explicit(explicit),
    })
}

/// Tests the input twice, or more often if the test is flaky, and learns the failure. `is_flaky`
/// means that the test is already known to be flaky.
pub(super) fn learn(
    settings: &ReduceSettings,
    whole: &InputCandidate,
    workers: &mut InputWorkers,
    is_flaky: bool,
) -> Result<Learned, ReduceError> {
    let given = given_rule(settings)?;
    let is_given = !matches!(&given, Rule::Explicit(explicit) if explicit.is_empty());
    let ends = InputEnds { whole, given, is_given };
    let asked = Asked { flaky: &settings.flaky, limits: &settings.limits, is_flaky };
    let (mut learned, runs) = first_runs::learn(&ends, workers, &asked)?;
    if learned.flaky.is_none() {
        keep_own_words(&ends, &mut learned, &runs, workers)?;
    }
    let rule = learned.rule(settings)?;
    if let Some(flaky) = &mut learned.flaky {
        check_rate(flaky, (whole, &rule), workers)?;
    }
    Ok(learned)
}

/// Keeps words of the failure that the input contains too, if they do not come from the input: a message of
/// the program may stand in a comment of the input, and then none of its words may be lost. The input is run
/// once with other letters in those places; if the message stays the same, it is the program's own.
fn keep_own_words(
    ends: &InputEnds<'_>,
    learned: &mut Learned,
    runs: &FirstRuns,
    workers: &mut InputWorkers,
) -> Result<(), ReduceError> {
    let [first, second, ..] = &*runs.failing else { return Ok(()) };
    let phrases = match learned.signature {
        Some(_) => Failure::phrases([first, second], &InputWords::of(&text_of(ends.whole))),
        None => Vec::new(),
    };
    if phrases.is_empty() {
        return Ok(());
    }
    let alter = |file: &InputFile| {
        let bytes = with_other_letters(&file.bytes, &phrases).into();
        InputFile { bytes, ..file.clone() }
    };
    let files = ends.whole.snapshot().files().iter().map(alter).collect();
    let altered = InputCandidate::whole(Arc::new(Snapshot::new(files)));
    let stricter = failure_on(&altered, [first, second], &[]);
    let Some(stricter) = stricter.filter(|it| learned.signature.as_ref() != Some(it)) else {
        return Ok(());
    };
    let seen = workers.observe(&altered)?;
    if stricter.is_shown_by(&seen.signature) {
        let rule = ends.rule(Some(stricter.clone()));
        learned.failure = ends.words(&rule, runs.shown(&rule));
        learned.signature = Some(stricter);
    }
    Ok(())
}

/// Returns the failure that two runs share; words of the failure that are also in the input may be lost.
fn failure_on(
    input: &InputCandidate,
    failing: [&Observation; 2],
    passing: &[&Observation],
) -> Option<Failure> {
    Failure::learn(failing, passing, Origin::Input(&InputWords::of(&text_of(input))))
}

/// Returns the text of all files of an input.
fn text_of(input: &InputCandidate) -> String {
    let snapshot = input.snapshot();
    let texts = snapshot.files().iter().map(|file| String::from_utf8_lossy(&file.bytes));
    texts.collect::<Vec<_>>().join("\n")
}

/// Runs the input until its rate is known to reach the rate that the user asks for, or returns an
/// error if the rate is lower. Does nothing if the user asks for no rate.
fn check_rate(
    flaky: &mut Flakiness,
    (whole, rule): (&InputCandidate, &Rule),
    workers: &mut InputWorkers,
) -> Result<(), ReduceError> {
    let Some(least) = flaky.least_rate() else { return Ok(()) };
    let mut counts = Sightings::from(flaky.there);
    loop {
        flaky.there = counts.into();
        match least.verdict(counts) {
            Some(Verdict::Fail) => return Ok(()),
            Some(_) => return Err(ReduceError::TooRare { seen: flaky.there, least: least.0 }),
            None => {}
        }
        for seen in workers.observe_all(vec![whole.clone(); MORE_RUNS]).map_err(LabError::from)? {
            counts.count(rule.judge(&seen.map_err(LabError::StoppedEarly)?) == Verdict::Fail);
        }
    }
}

/// The whole input as the failing end.
struct InputEnds<'a> {
    whole: &'a InputCandidate,
    /// The rule that the settings give.
    given: Rule,
    /// Whether that rule describes a failure.
    is_given: bool,
}

impl Ends for InputEnds<'_> {
    type Candidate = InputCandidate;
    type Error = ReduceError;

    fn failing(&self) -> &InputCandidate {
        self.whole
    }

    fn empty(&self) -> Option<InputCandidate> {
        let emptied = |file: &InputFile| InputFile { bytes: [].into(), ..file.clone() };
        let files = self.whole.snapshot().files().iter().map(emptied).collect();
        Some(InputCandidate::whole(Arc::new(Snapshot::new(files))))
    }

    fn judge(&self, run: &Observation) -> Verdict {
        if self.check(run, None).is_ok() { Verdict::Fail } else { Verdict::Pass }
    }

    fn check(
        &self,
        first: &Observation,
        _: Option<&Observation>,
    ) -> Result<(), Unexpected<ReduceError>> {
        let seen = || Box::new(first.clone());
        let is_explicit = self.is_given && matches!(self.given, Rule::Explicit(_));
        let wants_timeout = matches!(&self.given, Rule::Explicit(explicit) if explicit.timeout);
        let shows_it = match self.is_given {
            true => self.given.judge(first) == Verdict::Fail,
            false => first.stage == Stage::Test && first.ending() != Ending::Exited(0),
        };
        match first.ending() {
            Ending::Limited(Limit::Time) if wants_timeout => Ok(()),
            Ending::Limited(limit) => Err(ReduceError::CutShort { limit }.into()),
            // Shells exit with these codes when they cannot find or execute a command.
            Ending::Exited(126 | 127) if !is_explicit => {
                Err(ReduceError::from(LabError::NotRunnable { seen: seen() }).into())
            }
            _ if !shows_it => Err(Unexpected {
                error: ReduceError::DoesNotFail { seen: seen() },
                doubted: Doubted { failing: true, passing: false },
            }),
            _ => Ok(()),
        }
    }

    fn is_given(&self) -> bool {
        self.is_given
    }

    fn failure(&self, failing: [&Observation; 2], passing: &[&Observation]) -> Option<Failure> {
        failure_on(self.whole, failing, passing)
    }

    fn rule(&self, failure: Option<Failure>) -> Rule {
        failure.map_or_else(|| self.given.clone(), Rule::Same)
    }

    fn words(&self, rule: &Rule, _: &Observation) -> String {
        rule.describe()
    }

    fn differ(&self, first: Box<Observation>, second: Box<Observation>) -> ReduceError {
        ReduceError::Flaky { first, second }
    }
}
