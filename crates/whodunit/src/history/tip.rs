//! The newest version: it is tested first, and what it shows is what is tracked.

use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_exec::Oracle;
use whodunit_run::judge::{Failure, Inability, Observation, Origin, Rule};

use super::own::Clues;
use super::row::Patched;
use super::{HistoryError, Journey, checkout};
use crate::answer::{LearnedEnds, OwnTest};
use crate::changes::{TreeState, TreeWorkers, learn_flaky};
use crate::first_runs::{RunsOfEnds, go_on};
use crate::settings::HistorySettings;

/// Tests the newest version twice and learns what the failure looks like. Also returns what was
/// seen first. If the two tests differ, or if the test `is_flaky` as later tests showed, it goes on
/// until it is known how often the failure shows.
pub(super) fn learn(
    settings: &HistorySettings,
    tip: &TreeState,
    workers: &mut TreeWorkers,
    is_flaky: bool,
) -> Result<(LearnedEnds, Observation), HistoryError> {
    let any = Rule::Bisect { same: None, inability: Inability::LeavesOpen };
    let flaky = &settings.how.flaky;
    let is_repeated = is_flaky || flaky.repeat.is_some();
    let first = workers.observe(tip)?;
    let mut passes = None;
    match any.judge(&first) {
        Verdict::Fail => {}
        Verdict::Pass if flaky.goes_on() => {
            passes = Some(HistoryError::TipPasses { seen: Box::new(first.clone()) });
        }
        Verdict::Pass => return Err(HistoryError::TipPasses { seen: Box::new(first) }),
        Verdict::Unresolved => {
            return Err(untestable(settings, tip, first)?);
        }
    }
    let read = workers.first().files_read();
    let second = workers.observe(tip)?;
    let is_same = match (any.judge(&first), any.judge(&second)) {
        (Verdict::Pass, Verdict::Pass) if !is_repeated => return Err(passes.expect("it passed")),
        (Verdict::Fail, Verdict::Fail) => {
            settings.how.any_failure
                || Failure::learn([&first, &second], &[], Origin::Tree).is_some()
        }
        _ => false,
    };
    let mut runs = vec![first, second];
    let learned = if flaky.goes_on() && (is_repeated || !is_same) {
        runs = go_on(workers, tip, runs, RunsOfEnds::of(flaky).failing)?;
        learn_flaky(&settings.how, workers.oracle(), &runs, &[], is_flaky)?
    } else {
        let both = [runs[0].clone(), runs[1].clone()];
        LearnedEnds::of(&settings.how, workers.oracle(), both, Vec::new())?
    };
    let rule = learned.rule(Inability::LeavesOpen);
    let shown =
        runs.iter().find(|run| rule.judge(run) == Verdict::Fail).unwrap_or(&runs[0]).clone();
    let own = own_test(settings, workers.oracle(), tip, &shown, &read)?;
    let used = runs.iter().take(2).map(Observation::used).collect();
    Ok((LearnedEnds { used, own, ..learned }, shown))
}

/// Says that the newest version cannot be tested, and what may be missing there.
fn untestable(
    settings: &HistorySettings,
    tip: &TreeState,
    seen: Observation,
) -> Result<HistoryError, HistoryError> {
    let lacking = checkout::lacking(settings, &tip.version()?)?;
    Ok(HistoryError::TipUntestable { seen: Box::new(seen), lacking })
}

/// Finds what of the newest version belongs to the test, after it ran once.
fn own_test(
    settings: &HistorySettings,
    oracle: &Oracle,
    tip: &TreeState,
    seen: &Observation,
    read: &[Arc<[u8]>],
) -> Result<OwnTest, HistoryError> {
    let how = &settings.how;
    let words = how.test.iter().map(|word| word.as_os_str().to_string_lossy().into_owned());
    let lines = how.build.iter().chain(&how.gates).cloned();
    let clues = Clues {
        newest: &tip.version()?,
        typed: words.chain(lines).collect(),
        script: oracle.command.script(),
        output: seen.output.text(),
        read,
    };
    Ok(clues.find()?)
}

impl Journey<'_, '_> {
    /// Tests the version that is said to pass, and returns its place if it does.
    ///
    /// If the test cannot be run there the version is of no more use than others.
    pub(super) fn known_good(&mut self) -> Result<Option<usize>, HistoryError> {
        let Some(name) = &self.settings.good else { return Ok(None) };
        let last = self.row.len() - 1;
        let state = self.carried.at(last);
        match self.hunt.ask(&state)? {
            Verdict::Pass => self.passes_with_newest_test(last, name).map(Some),
            Verdict::Unresolved => Ok(None),
            Verdict::Fail => Err(HistoryError::GoodFails { name: name.clone() }),
        }
    }

    /// Makes sure that the version that is said to pass does so with the newest test as well, as far
    /// as it can be tested with that. If it does, those between are tested with it.
    fn passes_with_newest_test(&mut self, good: usize, name: &str) -> Result<usize, HistoryError> {
        let Some(own) = self.own.first().cloned() else { return Ok(good) };
        if own.differs(&self.row.version(good)?)? {
            let carried = Arc::new(Patched::with_own(&self.row, own));
            match self.hunt.ask(&carried.at(good))? {
                Verdict::Pass => self.carried = carried,
                Verdict::Unresolved => {}
                Verdict::Fail => return Err(HistoryError::GoodFails { name: name.to_owned() }),
            }
        }
        Ok(good)
    }
}
