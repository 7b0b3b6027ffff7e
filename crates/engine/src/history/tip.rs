//! The newest version: it is tested first, and what it shows is what is tracked.

use whodunit_core::{DeltaSet, Verdict};

use super::{HistoryError, HistorySettings, Journey};
use crate::changes::{Crew, LearnedEnds, TreeState, observe};
use crate::engine::Stop;
use crate::oracle::{Inability, Observation, Oracle, Rule};

/// Tests the newest version twice and learns what the failure looks like. Also returns what was
/// seen first.
pub(super) fn learn(
    settings: &HistorySettings,
    oracle: &Oracle,
    tip: &TreeState,
    crew: &mut Crew,
    stop: &Stop,
) -> Result<(LearnedEnds, Observation), HistoryError> {
    let any = Rule::Bisect { same: None, inability: Inability::LeavesOpen };
    let first = observe(crew, tip, stop)?;
    match any.judge(&first) {
        Verdict::Fail => {}
        Verdict::Pass => return Err(HistoryError::TipPasses { seen: Box::new(first) }),
        Verdict::Unresolved => {
            return Err(HistoryError::TipUntestable { seen: Box::new(first) });
        }
    }
    let second = observe(crew, tip, stop)?;
    let (used, seen) = ([&first, &second].map(Observation::used).to_vec(), first.clone());
    let learned = LearnedEnds::of(&settings.how, oracle, [first, second], Vec::new())?;
    Ok((LearnedEnds { used, ..learned }, seen))
}

impl Journey<'_, '_> {
    /// Tests the version that is said to pass, and returns its place if it does.
    ///
    /// If the test cannot be run there the version is of no more use than others.
    pub(super) fn known_good(&mut self) -> Result<Option<usize>, HistoryError> {
        let Some(name) = &self.settings.good else { return Ok(None) };
        let last = self.row.len() - 1;
        let state = TreeState { space: self.space(), set: DeltaSet::full(last) };
        match self.hunt.ask(&state)? {
            Verdict::Pass => Ok(Some(last)),
            Verdict::Unresolved => Ok(None),
            Verdict::Fail => Err(HistoryError::GoodFails { name: name.clone() }),
        }
    }
}
