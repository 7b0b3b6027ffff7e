//! The newest version: it is tested first, and what it shows is what is tracked.

use whodunit_core::{DeltaSet, Verdict};

use super::{HistoryError, HistorySettings, Journey};
use crate::changes::{Crew, Evidence, LearnedEnds, TreeState, observe};
use crate::engine::Stop;
use crate::first_runs::later_limits;
use crate::oracle::{Explicit, Observation, Oracle, Rule, Signature};

/// Returns what is tracked: the very failure of the newest version, or any if that was asked for.
pub(super) fn rule(signature: Option<&Signature>) -> Rule {
    match signature {
        Some(signature) => Rule::Same(signature.clone()),
        None => Rule::Explicit(Explicit { any: true, ..Explicit::default() }),
    }
}

/// Tests the newest version twice and learns what the failure looks like.
pub(super) fn learn(
    settings: &HistorySettings,
    oracle: &Oracle,
    tip: &TreeState,
    crew: &mut Crew,
    stop: &Stop,
) -> Result<LearnedEnds, HistoryError> {
    let first = observe(crew, tip, stop)?;
    match rule(None).judge(&first) {
        Verdict::Fail if said_nothing(&first) => {
            return Err(HistoryError::TipUntestable { seen: Box::new(first) });
        }
        Verdict::Fail => {}
        Verdict::Pass => return Err(HistoryError::TipPasses { seen: Box::new(first) }),
        Verdict::Unresolved => {
            return Err(HistoryError::TipUntestable { seen: Box::new(first) });
        }
    }
    let second = observe(crew, tip, stop)?;
    let signature = (!settings.how.any_failure).then(|| first.signature.clone());
    if rule(signature.as_ref()).judge(&second) != Verdict::Fail {
        let (first, second) = (Box::new(first), Box::new(second));
        return Err(crate::changes::ChangesError::Flaky { first, second }.into());
    }
    let runs = [first, second];
    let failure = runs[0].signature.to_string();
    Ok(LearnedEnds {
        signature,
        failure: format!("the test {failure}"),
        command: oracle.command.display(),
        durations: runs.iter().map(|run| run.duration).collect(),
        limits: later_limits(&settings.how.limits, &runs),
        used: runs.iter().map(Observation::used).collect(),
        evidence: Evidence::default(),
    })
}

/// Whether a test says that it could not do its work.
fn said_nothing(seen: &Observation) -> bool {
    let any = Rule::Bisect { same: None };
    any.stops(seen) || any.judge(seen) == Verdict::Unresolved
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
