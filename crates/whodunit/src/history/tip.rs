//! The newest version: it is tested first, and what it shows is what is tracked.

use std::sync::Arc;

use whodunit_core::Verdict;
use whodunit_exec::Oracle;
use whodunit_run::judge::{Inability, Observation, Rule};

use super::own::Clues;
use super::row::Patched;
use super::{HistoryError, Journey, checkout};
use crate::answer::{LearnedEnds, OwnTest};
use crate::changes::{TreeState, TreeWorkers};
use crate::settings::HistorySettings;

/// Tests the newest version twice and learns what the failure looks like. Also returns what was
/// seen first.
pub(super) fn learn(
    settings: &HistorySettings,
    tip: &TreeState,
    workers: &mut TreeWorkers,
) -> Result<(LearnedEnds, Observation), HistoryError> {
    let any = Rule::Bisect { same: None, inability: Inability::LeavesOpen };
    let first = workers.observe(tip)?;
    match any.judge(&first) {
        Verdict::Fail => {}
        Verdict::Pass => return Err(HistoryError::TipPasses { seen: Box::new(first) }),
        Verdict::Unresolved => {
            return Err(untestable(settings, tip, first)?);
        }
    }
    let read = workers.first().files_read();
    let own = own_test(settings, workers.oracle(), tip, &first, &read)?;
    let second = workers.observe(tip)?;
    let (used, seen) = ([&first, &second].map(Observation::used).to_vec(), first.clone());
    let learned = LearnedEnds::of(&settings.how, workers.oracle(), [first, second], Vec::new())?;
    Ok((LearnedEnds { used, own, ..learned }, seen))
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
