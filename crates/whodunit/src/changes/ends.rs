//! The ends of `changes`: the bad version, which fails, and the good version, which passes.

use std::collections::HashMap;
use std::ffi::OsString;

use whodunit_core::Verdict;
use whodunit_run::judge::{Failure, Inability, Observation, Origin, Rule};

use super::ChangesError;
use super::evidence;
use super::finder::TreeWorkers;
use super::test_lines;
use super::trace;
use super::trees::TreeState;
use crate::answer::{Evidence, Learned, LearnedEnds, OwnTest};
use crate::first_runs::{self, Asked, Doubted, Ends, FirstRuns, Unexpected};
use crate::lab::LabError;
use crate::settings::VersionSettings;

impl From<Learned> for LearnedEnds {
    fn from(learned: Learned) -> Self {
        let Learned { signature, failure, command, limits, durations, flaky } = learned;
        LearnedEnds {
            signature,
            failure,
            command,
            limits,
            durations,
            flaky,
            used: Vec::new(),
            evidence: Evidence::default(),
            own: OwnTest::default(),
            own_script: None,
        }
    }
}

impl LearnedEnds {
    /// Returns the rule that recognises the failure.
    pub(crate) fn rule(&self, inability: Inability) -> Rule {
        Rule::Bisect { same: self.signature.clone(), inability }
    }
}

/// Learns the failure of versions, whose outputs differ only in positions.
pub(crate) fn failure_of_versions(
    failing: [&Observation; 2],
    passing: &[&Observation],
) -> Option<Failure> {
    Failure::learn(failing, passing, Origin::Tree)
}

/// Returns the failure of versions in words.
pub(crate) fn words_of_versions(rule: &Rule, shown: &Observation) -> String {
    match rule {
        Rule::Bisect { same: Some(failure), .. } => format!("the test {failure}"),
        _ => format!("the test {}", shown.signature),
    }
}

/// A verdict with its observation.
pub(super) type Judged = (Verdict, Observation);

/// Tests both versions twice, or more often if the test is flaky, and learns the failure.
/// `is_flaky` says that it is known to be flaky. Also returns one test of the good and of the bad
/// version.
pub(super) fn learn(
    settings: &VersionSettings,
    versions: &[TreeState; 2],
    workers: &mut TreeWorkers,
    variables: &HashMap<String, OsString>,
    is_flaky: bool,
) -> Result<(LearnedEnds, [Judged; 2]), ChangesError> {
    let [good, bad] = versions;
    let ends = VersionEnds { good, bad, any_failure: settings.any_failure };
    let asked = Asked { flaky: &settings.flaky, limits: &settings.limits, is_flaky };
    let (learned, runs) = first_runs::learn(&ends, workers, &asked)?;
    let learned = LearnedEnds::from(learned);
    let rule = learned.rule(Inability::LeavesOpen);
    let (shown, silent) = (runs.shown(&rule), runs.silent(&rule).unwrap_or(&runs.passing[0]));
    let mut evidence = Evidence {
        words: evidence::telling_words(shown, silent),
        tested: evidence::tested(&workers.oracle().command),
        ..Evidence::default()
    };
    // Another run of a flaky test may read other files and execute other lines.
    if !runs.are_many {
        evidence.named = evidence::named_lines(&shown.output.text(), bad);
        let folder = workers.first().folder();
        let command = &workers.oracle().command;
        evidence.asked = test_lines::asked(&shown.output.text(), command, &folder);
        ends.trace(workers, variables, &runs, &mut evidence)?;
    }
    let judged = [(Verdict::Pass, silent.clone()), (Verdict::Fail, shown.clone())];
    Ok((LearnedEnds { evidence, ..learned }, judged))
}

/// The good and the bad version as the ends.
struct VersionEnds<'a> {
    good: &'a TreeState,
    bad: &'a TreeState,
    any_failure: bool,
}

/// The rule before the failure is known.
const ANY: Rule = Rule::Bisect { same: None, inability: Inability::Stops };

impl VersionEnds<'_> {
    /// Notes the differing files that both tests read and, if an interpreter can trace them, the
    /// lines that they run.
    fn trace(
        &self,
        workers: &mut TreeWorkers,
        variables: &HashMap<String, OsString>,
        runs: &FirstRuns,
        evidence: &mut Evidence,
    ) -> Result<(), ChangesError> {
        evidence.read_by_bad = evidence::differing(&runs.read_by_failing, self.bad);
        evidence.read_by_good = evidence::differing(&runs.read_by_passing, self.good);
        if trace::is_worthwhile(&evidence.read_by_bad) {
            let end = (self.bad, (Verdict::Fail, &runs.failing[0]));
            evidence.ran_in_bad = trace::run(workers, end, &ANY, variables, &evidence.read_by_bad)?;
            let end = (self.good, (Verdict::Pass, &runs.passing[0]));
            evidence.ran_in_good =
                trace::run(workers, end, &ANY, variables, &evidence.read_by_good)?;
        }
        Ok(())
    }
}

impl Ends for VersionEnds<'_> {
    type Candidate = TreeState;
    type Error = ChangesError;

    fn failing(&self) -> &TreeState {
        self.bad
    }

    fn passing(&self) -> Option<&TreeState> {
        Some(self.good)
    }

    fn judge(&self, run: &Observation) -> Verdict {
        ANY.judge(run)
    }

    fn check(
        &self,
        bad: &Observation,
        good: Option<&Observation>,
    ) -> Result<(), Unexpected<ChangesError>> {
        let good = good.expect("both versions were run");
        let seen = |seen: &Observation| Box::new(seen.clone());
        for run in [bad, good] {
            if ANY.stops(run) {
                return Err(ChangesError::from(LabError::NotRunnable { seen: seen(run) }).into());
            }
        }
        let doubt = |error, [passing, failing]: [bool; 2]| {
            Err(Unexpected { error, doubted: Doubted { failing, passing } })
        };
        match (ANY.judge(bad), ANY.judge(good)) {
            (Verdict::Fail, Verdict::Pass) => Ok(()),
            (Verdict::Pass, Verdict::Fail) => doubt(ChangesError::Swapped, [true, true]),
            (Verdict::Pass, Verdict::Pass) => {
                doubt(ChangesError::BothPass { seen: seen(bad) }, [false, true])
            }
            (Verdict::Fail, Verdict::Fail) => {
                doubt(ChangesError::BothFail { seen: seen(good) }, [true, false])
            }
            (Verdict::Unresolved, _) => {
                Err(ChangesError::Untestable { is_good: false, seen: seen(bad) }.into())
            }
            (_, Verdict::Unresolved) => {
                Err(ChangesError::Untestable { is_good: true, seen: seen(good) }.into())
            }
        }
    }

    fn is_given(&self) -> bool {
        self.any_failure
    }

    fn failure(&self, failing: [&Observation; 2], passing: &[&Observation]) -> Option<Failure> {
        failure_of_versions(failing, passing)
    }

    fn rule(&self, same: Option<Failure>) -> Rule {
        Rule::Bisect { same, inability: Inability::LeavesOpen }
    }

    fn words(&self, rule: &Rule, shown: &Observation) -> String {
        words_of_versions(rule, shown)
    }

    fn differ(&self, first: Box<Observation>, second: Box<Observation>) -> ChangesError {
        ChangesError::Flaky { first, second }
    }
}
