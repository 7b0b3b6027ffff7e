//! The newest version: it is tested first, and its failure is tracked.

use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_exec::Oracle;
use whodunit_run::judge::{Failure, Inability, Observation, Rule};

use super::own::Clues;
use super::row::Patched;
use super::{HistoryError, HistoryWalk, checkout};
use crate::answer::{LearnedEnds, OwnTest};
use crate::changes::{
    ChangesError, TreeState, TreeWorkers, failure_of_versions, words_of_versions,
};
use crate::first_runs::{self, Asked, Doubted, Ends, Unexpected};
use crate::settings::HistorySettings;

/// Tests the newest version twice, or more often if the test is flaky, and learns the failure.
/// `is_flaky` says that it is known to be flaky. Also returns the first test that shows the
/// failure.
pub(super) fn learn(
    settings: &HistorySettings,
    tip: &TreeState,
    workers: &mut TreeWorkers,
    is_flaky: bool,
) -> Result<(LearnedEnds, Observation), HistoryError> {
    let (flaky, limits) = (&settings.how.flaky, &settings.how.limits);
    let asked = Asked { flaky, limits, is_flaky };
    let (learned, runs) = first_runs::learn(&Newest { settings, tip }, workers, &asked)?;
    let learned = LearnedEnds::from(learned);
    let shown = runs.shown(&learned.rule(Inability::LeavesOpen)).clone();
    let own = own_test(settings, workers.oracle(), tip, &shown, &runs.read_by_failing)?;
    let used = runs.failing.iter().take(2).map(Observation::used).collect();
    Ok((LearnedEnds { used, own, ..learned }, shown))
}

/// The end of `history`: the newest version, which fails. No version is known to pass.
struct Newest<'a> {
    settings: &'a HistorySettings,
    tip: &'a TreeState,
}

/// The rule before the failure is known.
const ANY: Rule = Rule::Bisect { same: None, inability: Inability::LeavesOpen };

impl Ends for Newest<'_> {
    type Candidate = TreeState;
    type Error = HistoryError;

    fn failing(&self) -> &TreeState {
        self.tip
    }

    fn judge(&self, run: &Observation) -> Verdict {
        ANY.judge(run)
    }

    fn check(
        &self,
        first: &Observation,
        _: Option<&Observation>,
    ) -> Result<(), Unexpected<HistoryError>> {
        match ANY.judge(first) {
            Verdict::Fail => Ok(()),
            Verdict::Pass => Err(Unexpected {
                error: HistoryError::TipPasses { seen: Box::new(first.clone()) },
                doubted: Doubted { failing: true, passing: false },
            }),
            Verdict::Unresolved => {
                let untestable = untestable(self.settings, self.tip, first.clone());
                Err(untestable.unwrap_or_else(|error| error).into())
            }
        }
    }

    fn is_given(&self) -> bool {
        self.settings.how.any_failure
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

    fn differ(&self, first: Box<Observation>, second: Box<Observation>) -> HistoryError {
        ChangesError::Flaky { first, second }.into()
    }
}

/// Returns the error for a newest version that cannot be tested, with files that it may lack.
fn untestable(
    settings: &HistorySettings,
    tip: &TreeState,
    seen: Observation,
) -> Result<HistoryError, HistoryError> {
    let lacking = checkout::lacking(settings, &tip.version()?)?;
    Ok(HistoryError::TipUntestable { seen: Box::new(seen), lacking })
}

/// Finds the files and functions that belong to the test, after the test ran once.
fn own_test(
    settings: &HistorySettings,
    oracle: &Oracle,
    tip: &TreeState,
    seen: &Observation,
    read: &[Arc<[u8]>],
) -> Result<OwnTest, HistoryError> {
    let how = &settings.how;
    let words = how.test.iter().map(|word| word.as_os_str().to_string_lossy().into_owned());
    let lines = how.configure.iter().chain(&how.build).chain(&how.gates).cloned();
    let clues = Clues {
        newest: &tip.version()?,
        typed: words.chain(lines).collect(),
        script: oracle.command.script(),
        output: seen.output.text(),
        read,
    };
    Ok(clues.find()?)
}

impl HistoryWalk<'_, '_> {
    /// Tests the version that the user calls good, and returns its place if it passes.
    ///
    /// If the test cannot run there, the version is of no more use than others.
    pub(super) fn known_good(&mut self) -> Result<Option<usize>, HistoryError> {
        let Some(name) = &self.settings.good else { return Ok(None) };
        let last = self.row.len() - 1;
        let state = self.carried.at(last);
        match self.finder.ask(&state)? {
            Verdict::Pass => self.passes_with_newest_test(last, name).map(Some),
            Verdict::Unresolved => Ok(None),
            Verdict::Fail => Err(self.good_fails(name)),
        }
    }

    /// Checks that the version that the user calls good also passes with the newest test, if it can
    /// be tested with it. If it passes, the versions between are tested with that test.
    fn passes_with_newest_test(&mut self, good: usize, name: &str) -> Result<usize, HistoryError> {
        let Some(own) = self.own.first().cloned() else { return Ok(good) };
        if own.differs(&self.row.version(good)?)? {
            let carried = Arc::new(Patched::with_own(&self.row, own)?);
            match self.finder.ask(&carried.at(good))? {
                Verdict::Pass => self.carried = carried,
                Verdict::Unresolved => {}
                Verdict::Fail => return Err(self.good_fails(name)),
            }
        }
        Ok(good)
    }

    fn good_fails(&self, name: &str) -> HistoryError {
        HistoryError::GoodFails { name: name.to_owned(), base: self.base.clone().map(Box::new) }
    }
}
