//! The first runs: does the bad version fail and the good one pass, each time?

use std::collections::HashMap;
use std::ffi::OsString;

use whodunit_core::Verdict;
use whodunit_exec::Oracle;
use whodunit_run::Flakiness;
use whodunit_run::judge::{Failure, Inability, Observation, Origin, Rule};

use super::ChangesError;
use super::evidence;
use super::hunt::TreeWorkers;
use super::trace;
use super::trees::TreeState;
use crate::answer::{Evidence, LearnedEnds, OwnTest};
use crate::first_runs::{RunsOfEnds, count, go_on, later_limits, pairs};
use crate::lab::LabError;
use crate::settings::HuntSettings;

impl LearnedEnds {
    /// Puts together what two runs that fail and some that pass taught.
    pub(crate) fn of(
        settings: &HuntSettings,
        oracle: &Oracle,
        [first, second]: [Observation; 2],
        passing: Vec<Observation>,
    ) -> Result<Self, ChangesError> {
        let passing_runs: Vec<&Observation> = passing.iter().collect();
        let same = Failure::learn([&first, &second], &passing_runs, Origin::Tree);
        let any = Rule::Bisect { same: None, inability: Inability::LeavesOpen };
        let is_repeatable = match settings.any_failure {
            true => any.judge(&second) == Verdict::Fail,
            false => same.is_some(),
        };
        if !is_repeatable {
            let (first, second) = (Box::new(first), Box::new(second));
            return Err(ChangesError::Flaky { first, second });
        }
        let signature = same.filter(|_| !settings.any_failure);
        let failure = match &signature {
            Some(failure) => failure.to_string(),
            None => first.signature.to_string(),
        };
        let runs: Vec<Observation> = [first, second].into_iter().chain(passing).collect();
        Ok(LearnedEnds {
            signature,
            failure: format!("the test {failure}"),
            command: oracle.command.display(),
            durations: runs.iter().map(|run| run.duration).collect(),
            limits: later_limits(&settings.limits, &runs),
            used: Vec::new(),
            flaky: None,
            evidence: Evidence::default(),
            own: OwnTest::default(),
            own_script: None,
        })
    }

    /// Returns what counts as the failure.
    pub(crate) fn rule(&self, inability: Inability) -> Rule {
        Rule::Bisect { same: self.signature.clone(), inability }
    }
}

/// Learns the failure and how often it shows from many runs of the end that fails and of the other
/// one; how often is left out if it always does in the one and never in the other, unless later tests
/// showed that it `is_flaky`.
pub(crate) fn learn_flaky(
    settings: &HuntSettings,
    oracle: &Oracle,
    failing: &[Observation],
    other: &[Observation],
    is_flaky: bool,
) -> Result<LearnedEnds, ChangesError> {
    let any = Rule::Bisect { same: None, inability: Inability::LeavesOpen };
    let said = |runs: &[Observation], verdict| -> Vec<Observation> {
        runs.iter().filter(|run| any.judge(run) == verdict).cloned().collect()
    };
    let (shown, passing) = (said(failing, Verdict::Fail), said(other, Verdict::Pass));
    let mut learned = Err(differ(failing));
    for [first, second] in pairs(&shown) {
        let pair = [first.clone(), second.clone()];
        learned = LearnedEnds::of(settings, oracle, pair, passing.clone());
        if learned.is_ok() {
            break;
        }
    }
    let mut learned = learned?;
    let rule = learned.rule(Inability::LeavesOpen);
    let [there, elsewhere] = [failing, other].map(|runs| count(&rule, runs));
    let flaky = Flakiness { there, elsewhere, confidence: settings.flaky.confidence };
    if !flaky.tells_apart() {
        return Err(differ(failing));
    }
    let all: Vec<Observation> = failing.iter().chain(other).cloned().collect();
    learned.durations = all.iter().map(|run| run.duration).collect();
    learned.limits = later_limits(&settings.limits, &all);
    let is_steady = !is_flaky && there.seen == there.runs && elsewhere.seen == 0;
    learned.flaky = (!is_steady).then_some(flaky);
    Ok(learned)
}

/// Says that runs of one version differ.
fn differ(runs: &[Observation]) -> ChangesError {
    let any = Rule::Bisect { same: None, inability: Inability::LeavesOpen };
    let first = &runs[0];
    let is_other = |run: &&Observation| any.judge(run) != any.judge(first);
    let second = runs.iter().find(is_other).or(runs.get(1)).unwrap_or(first);
    ChangesError::Flaky { first: Box::new(first.clone()), second: Box::new(second.clone()) }
}

/// A verdict with what was seen.
pub(super) type Judged = (Verdict, Observation);

/// Tests both versions twice and learns what the failure looks like. Also returns what was seen
/// of the good and of the bad version. If tests of one version differ, or if the test `is_flaky` as
/// later tests showed, it goes on until it is known how often the failure shows.
pub(super) fn learn(
    settings: &HuntSettings,
    versions: &[TreeState; 2],
    workers: &mut TreeWorkers,
    variables: &HashMap<String, OsString>,
    is_flaky: bool,
) -> Result<(LearnedEnds, [Judged; 2]), ChangesError> {
    let [good, bad] = versions;
    let any = Rule::Bisect { same: None, inability: Inability::Stops };
    let is_repeated = is_flaky || settings.flaky.repeat.is_some();
    let failing = workers.observe(bad)?;
    let read_by_bad = workers.first().files_read();
    // Each version is seen in a clean folder, and then again where the other one was.
    workers.first().discard();
    let passing = workers.observe(good)?;
    let read_by_good = workers.first().files_read();
    if let Err(error) = check(&any, &failing, &passing) {
        let seen = Ends { failing: vec![failing], passing: vec![passing] };
        return match settings.flaky.goes_on() {
            true => seen.go_on_unless_steady(settings, versions, workers, (error, is_flaky)),
            false => Err(error),
        };
    }
    let [bad_again, good_again] = [workers.observe(bad)?, workers.observe(good)?];
    let is_good_steady = any.judge(&good_again) == Verdict::Pass;
    let is_bad_steady = Failure::learn([&failing, &bad_again], &[], Origin::Tree).is_some()
        || settings.any_failure && any.judge(&bad_again) == Verdict::Fail;
    if settings.flaky.goes_on() && (is_repeated || !is_good_steady || !is_bad_steady) {
        let failing = vec![failing, bad_again];
        let seen = Ends { failing, passing: vec![passing, good_again] };
        return seen.go_on(settings, versions, workers, is_flaky);
    }
    if !is_good_steady {
        let (first, second) = (Box::new(passing), Box::new(good_again));
        return Err(ChangesError::Flaky { first, second });
    }
    let read_by_bad = evidence::differing(&read_by_bad, bad);
    let read_by_good = evidence::differing(&read_by_good, good);
    let (mut ran_in_bad, mut ran_in_good) = (Vec::new(), Vec::new());
    if trace::is_worthwhile(&read_by_bad) {
        let ends = (bad, (Verdict::Fail, &failing));
        ran_in_bad = trace::run(workers, ends, &any, variables, &read_by_bad)?;
        let ends = (good, (Verdict::Pass, &passing));
        ran_in_good = trace::run(workers, ends, &any, variables, &read_by_good)?;
    }
    let evidence = Evidence {
        ran_in_bad,
        ran_in_good,
        read_by_bad,
        read_by_good,
        words: evidence::telling_words(&failing, &passing),
        named: evidence::named_lines(&failing.output.text(), bad),
        tested: evidence::tested(&workers.oracle().command),
    };
    let judged = [(Verdict::Pass, passing.clone()), (Verdict::Fail, failing.clone())];
    let passing = vec![passing, good_again];
    let learned = LearnedEnds::of(settings, workers.oracle(), [failing, bad_again], passing)?;
    Ok((LearnedEnds { evidence, ..learned }, judged))
}

/// Runs of both versions.
struct Ends {
    failing: Vec<Observation>,
    passing: Vec<Observation>,
}

impl Ends {
    /// Runs each version once more; if both say the same again, there is nothing to go on with.
    fn go_on_unless_steady(
        mut self,
        settings: &HuntSettings,
        versions: &[TreeState; 2],
        workers: &mut TreeWorkers,
        (error, is_flaky): (ChangesError, bool),
    ) -> Result<(LearnedEnds, [Judged; 2]), ChangesError> {
        use ChangesError::{BothFail, BothPass, Swapped};
        let [with_good, with_bad] = match error {
            BothPass { .. } => [false, true],
            BothFail { .. } => [true, false],
            Swapped => [true, true],
            _ => return Err(error),
        };
        let any = Rule::Bisect { same: None, inability: Inability::Stops };
        let [good, bad] = versions;
        if with_bad {
            self.failing = go_on(workers, bad, self.failing, 2)?;
        }
        if with_good {
            self.passing = go_on(workers, good, self.passing, 2)?;
        }
        let is_steady =
            |runs: &[Observation]| runs.iter().all(|it| any.judge(it) == any.judge(&runs[0]));
        let is_repeated = is_flaky || settings.flaky.repeat.is_some();
        if !is_repeated && is_steady(&self.failing) && is_steady(&self.passing) {
            return Err(error);
        }
        self.go_on(settings, versions, workers, is_flaky)
    }

    /// Runs both versions until it is known how often the failure shows.
    fn go_on(
        self,
        settings: &HuntSettings,
        [good, bad]: &[TreeState; 2],
        workers: &mut TreeWorkers,
        is_flaky: bool,
    ) -> Result<(LearnedEnds, [Judged; 2]), ChangesError> {
        let counts = RunsOfEnds::of(&settings.flaky);
        let failing = go_on(workers, bad, self.failing, counts.failing)?;
        let passing = go_on(workers, good, self.passing, counts.other)?;
        let oracle = workers.oracle().clone();
        let mut learned = learn_flaky(settings, &oracle, &failing, &passing, is_flaky)?;
        let rule = learned.rule(Inability::LeavesOpen);
        let shown = failing.iter().find(|run| rule.judge(run) == Verdict::Fail);
        let silent = passing.iter().find(|run| rule.judge(run) == Verdict::Pass);
        let (Some(shown), Some(silent)) = (shown, silent) else { return Err(differ(&passing)) };
        learned.evidence = Evidence {
            words: evidence::telling_words(shown, silent),
            tested: evidence::tested(&oracle.command),
            ..Evidence::default()
        };
        Ok((learned, [(Verdict::Pass, silent.clone()), (Verdict::Fail, shown.clone())]))
    }
}

/// Says what is wrong if the versions do not differ as they should.
fn check(rule: &Rule, bad: &Observation, good: &Observation) -> Result<(), ChangesError> {
    let seen = |seen: &Observation| Box::new(seen.clone());
    for run in [bad, good] {
        if rule.stops(run) {
            return Err(LabError::NotRunnable { seen: seen(run) }.into());
        }
    }
    match (rule.judge(bad), rule.judge(good)) {
        (Verdict::Fail, Verdict::Pass) => Ok(()),
        (Verdict::Pass, Verdict::Fail) => Err(ChangesError::Swapped),
        (Verdict::Pass, Verdict::Pass) => Err(ChangesError::BothPass { seen: seen(bad) }),
        (Verdict::Fail, Verdict::Fail) => Err(ChangesError::BothFail { seen: seen(good) }),
        (Verdict::Unresolved, _) => {
            Err(ChangesError::Untestable { is_good: false, seen: seen(bad) })
        }
        (_, Verdict::Unresolved) => {
            Err(ChangesError::Untestable { is_good: true, seen: seen(good) })
        }
    }
}
