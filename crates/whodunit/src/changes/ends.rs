//! The first runs: does the bad version fail and the good one pass, each time?

use std::collections::HashMap;
use std::ffi::OsString;

use whodunit_core::Verdict;
use whodunit_exec::Oracle;
use whodunit_run::judge::{Failure, Inability, Observation, Origin, Rule};

use super::ChangesError;
use super::evidence;
use super::hunt::TreeWorkers;
use super::trace;
use super::trees::TreeState;
use crate::answer::{Evidence, LearnedEnds, OwnTest};
use crate::first_runs::later_limits;
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

/// A verdict with what was seen.
pub(super) type Judged = (Verdict, Observation);

/// Tests both versions twice and learns what the failure looks like. Also returns what was seen
/// of the good and of the bad version.
pub(super) fn learn(
    settings: &HuntSettings,
    [good, bad]: &[TreeState; 2],
    workers: &mut TreeWorkers,
    variables: &HashMap<String, OsString>,
) -> Result<(LearnedEnds, [Judged; 2]), ChangesError> {
    let any = Rule::Bisect { same: None, inability: Inability::Stops };
    let failing = workers.observe(bad)?;
    let read_by_bad = workers.first().files_read();
    // Each version is seen in a clean folder, and then again where the other one was.
    workers.first().discard();
    let passing = workers.observe(good)?;
    let read_by_good = workers.first().files_read();
    check(&any, &failing, &passing)?;
    let [bad_again, good_again] = [workers.observe(bad)?, workers.observe(good)?];
    if any.judge(&good_again) != Verdict::Pass {
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
        tested: evidence::tested(&workers.oracle().command),
    };
    let judged = [(Verdict::Pass, passing.clone()), (Verdict::Fail, failing.clone())];
    let passing = vec![passing, good_again];
    let learned = LearnedEnds::of(settings, workers.oracle(), [failing, bad_again], passing)?;
    Ok((LearnedEnds { evidence, ..learned }, judged))
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
