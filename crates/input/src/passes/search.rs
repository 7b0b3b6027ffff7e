//! The searches of passes.

use std::sync::Arc;

use whodunit_core::searches::{Blocks, Each, Sweep};
use whodunit_core::{Answer, Search, Step};

use crate::candidate::InputCandidate;
use crate::changes::Changes;
use crate::nested::NestedSearch;
use crate::rung::Rung;
use crate::snapshot::Snapshot;
use crate::structure::Structure;

/// One pass being searched.
#[derive(Clone, Debug)]
pub(crate) enum PassSearch {
    Text { rung: Arc<Rung>, blocks: Blocks },
    Syntax { structure: Arc<Structure>, sweep: Sweep },
    Changes { changes: Arc<Changes>, blocks: Blocks },
    Alternatives { changes: Arc<Changes>, each: Each },
    Nested(NestedSearch),
}

impl PassSearch {
    /// Returns how many deltas there were in the beginning.
    pub(crate) fn deltas(&self) -> usize {
        match self {
            PassSearch::Text { rung, .. } => rung.deltas().len(),
            PassSearch::Syntax { structure, .. } => structure.tree().len(),
            PassSearch::Changes { changes, .. } | PassSearch::Alternatives { changes, .. } => {
                changes.len()
            }
            // The passes inside are suspended by themselves.
            PassSearch::Nested(_) => 0,
        }
    }

    /// Returns whether the same can be asked about the result: what a description says holds for
    /// the input as it was.
    pub(crate) fn can_be_taken_again(&self) -> bool {
        match self {
            PassSearch::Syntax { structure, .. } => !structure.is_described(),
            _ => true,
        }
    }

    pub(crate) fn base(&self) -> &Arc<Snapshot> {
        match self {
            PassSearch::Text { rung, .. } => rung.base(),
            PassSearch::Syntax { structure, .. } => structure.base(),
            PassSearch::Changes { changes, .. } | PassSearch::Alternatives { changes, .. } => {
                changes.base()
            }
            PassSearch::Nested(nested) => nested.base(),
        }
    }
}

impl Search for PassSearch {
    type Candidate = InputCandidate;

    fn step(&self) -> Step<InputCandidate> {
        match self {
            PassSearch::Text { rung, blocks } => {
                blocks.step().map(|kept| InputCandidate::new(rung.clone(), kept))
            }
            PassSearch::Syntax { structure, sweep } => {
                sweep.step().map(|shown| InputCandidate::shown(structure.clone(), shown))
            }
            PassSearch::Changes { changes, blocks } => {
                blocks.step().map(|not_made| InputCandidate::changed(changes.clone(), not_made))
            }
            PassSearch::Alternatives { changes, each } => {
                each.step().map(|not_made| InputCandidate::changed(changes.clone(), not_made))
            }
            PassSearch::Nested(nested) => nested.step(),
        }
    }

    fn learn(&mut self, answer: &Answer) {
        match self {
            PassSearch::Text { blocks, .. } | PassSearch::Changes { blocks, .. } => {
                blocks.learn(answer);
            }
            PassSearch::Syntax { sweep, .. } => sweep.learn(answer),
            PassSearch::Alternatives { each, .. } => each.learn(answer),
            PassSearch::Nested(nested) => nested.learn(answer),
        }
    }

    fn best(&self) -> InputCandidate {
        match self {
            PassSearch::Text { rung, blocks } => InputCandidate::new(rung.clone(), blocks.best()),
            PassSearch::Syntax { structure, sweep } => {
                InputCandidate::shown(structure.clone(), sweep.best())
            }
            PassSearch::Changes { changes, blocks } => {
                InputCandidate::changed(changes.clone(), blocks.best())
            }
            PassSearch::Alternatives { changes, each } => {
                InputCandidate::changed(changes.clone(), each.best())
            }
            PassSearch::Nested(nested) => nested.best(),
        }
    }

    fn likely(&self) -> f64 {
        match self {
            PassSearch::Text { blocks, .. } | PassSearch::Changes { blocks, .. } => blocks.likely(),
            PassSearch::Syntax { sweep, .. } => sweep.likely(),
            PassSearch::Alternatives { each, .. } => each.likely(),
            PassSearch::Nested(nested) => nested.likely(),
        }
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}
