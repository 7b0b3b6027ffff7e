//! Passes: ways to take the input apart, each with its search.

mod references;
mod spaces;

use std::sync::Arc;

use whodunit_core::searches::{Blocks, Certify, Sweep};
use whodunit_core::{Answer, Search, Step};

use super::candidate::InputCandidate;
use super::changes::{Change, Changes};
use super::ladder::LadderSettings;
use super::languages::Languages;
use super::rung::{Granularity, Rung};
use super::snapshot::Snapshot;
use super::structure::Structure;
use references::Referred;

/// A way to take the input apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Text(Granularity),
    Syntax,
    /// What numbers measure, with the numbers.
    Coupled,
    Changes(Finder),
    References(Referred),
}

const PASSES: [Pass; 9] = [
    // First, because files that are referred to seldom go alone.
    Pass::References(Referred::Dropped),
    Pass::Text(Granularity::Files),
    Pass::Syntax,
    Pass::Coupled,
    Pass::Text(Granularity::Lines),
    Pass::References(Referred::Inlined),
    Pass::Changes(Finder::Spaces),
    Pass::Text(Granularity::Tokens),
    Pass::Text(Granularity::Bytes),
];

impl Pass {
    /// Returns the passes that make sense for an input, in the order in which they are taken.
    pub(super) fn all(base: &Snapshot, settings: &LadderSettings) -> Vec<Pass> {
        let finest = settings.finest;
        if let Languages::Hierarchy(_) = settings.languages {
            return vec![Pass::Syntax];
        }
        // Nodes are as fine as tokens.
        let parsed = finest >= Granularity::Tokens
            && base.files().iter().any(|file| settings.languages.syntax_of(file).is_some());
        let makes_sense = |pass: &Pass| match pass {
            Pass::Syntax | Pass::Coupled | Pass::Changes(_) => parsed,
            Pass::Text(granularity) => *granularity <= finest,
            Pass::References(_) => base.files().len() > 1,
        };
        PASSES.into_iter().filter(makes_sense).collect()
    }

    /// Returns the search of a pass, or `None` if there is nothing to search.
    ///
    /// `may_be_empty` tells whether it is not yet known that something is needed.
    pub(super) fn search(
        self,
        base: &Arc<Snapshot>,
        settings: &LadderSettings,
        certify: Certify,
        may_be_empty: bool,
    ) -> Option<PassSearch> {
        let structure =
            || Structure::read(base, &settings.languages, &settings.protection).map(Arc::new);
        match self {
            Pass::Text(granularity) => {
                let rung = Rung::cut(base.clone(), granularity, settings);
                let blocks = blocks(&rung, may_be_empty)?.certify(certify);
                Some(PassSearch::Text { rung: Arc::new(rung), blocks })
            }
            Pass::Changes(finder) => {
                let changes = finder.find(&structure()?)?;
                let blocks = Blocks::new(changes.len()).certify(certify);
                Some(PassSearch::Changes { changes: Arc::new(changes), blocks })
            }
            Pass::References(referred) => {
                let changes = referred.find(base, &settings.protection);
                if changes.is_empty() {
                    return None;
                }
                let changes = Changes::across(base.clone(), structure(), changes);
                let blocks = Blocks::weighted(changes.sizes()).certify(certify);
                Some(PassSearch::Changes { changes: Arc::new(changes), blocks })
            }
            Pass::Syntax => {
                let structure = structure()?;
                let sweep = Sweep::new(structure.tree()).certify(certify);
                Some(PassSearch::Syntax { structure, sweep })
            }
            Pass::Coupled => {
                let (languages, protection) = (&settings.languages, &settings.protection);
                let structure = Structure::read_coupled(base, languages, protection)?;
                let sweep = Sweep::new(structure.tree()).certify(certify);
                Some(PassSearch::Syntax { structure: Arc::new(structure), sweep })
            }
        }
    }

    /// Returns whether it can take away much at once.
    pub(super) fn is_coarse(self) -> bool {
        match self {
            Pass::Syntax | Pass::Coupled => true,
            Pass::Text(granularity) => granularity <= Granularity::Lines,
            Pass::References(_) => true,
            Pass::Changes(_) => false,
        }
    }

    /// Returns whether it is taken without certifying anything the first time.
    pub(super) fn is_swept_first(self) -> bool {
        !matches!(self, Pass::Changes(_) | Pass::References(_))
    }

    /// Returns whether the first question of this pass is if anything is needed at all.
    pub(super) fn asks_for_nothing(self) -> bool {
        let starts_small = matches!(self, Pass::Coupled | Pass::Changes(_) | Pass::References(_));
        !starts_small && self != Pass::Text(Granularity::Files)
    }
}

/// Returns a search of a rung, or `None` if there is nothing to search on it.
fn blocks(rung: &Rung, may_be_empty: bool) -> Option<Blocks> {
    let files = rung.granularity() == Granularity::Files;
    let sizes = rung.deltas().iter().map(|delta| (delta.end - delta.start) as usize);
    // Without any file there is nothing to test, so the last one is never dropped.
    if sizes.len() <= usize::from(files) {
        return None;
    }
    let blocks = match rung.granularity() {
        Granularity::Files | Granularity::Lines => Blocks::weighted(sizes),
        Granularity::Tokens | Granularity::Bytes => Blocks::new(sizes.len()),
    };
    Some(if files || !may_be_empty { blocks.skip_empty() } else { blocks })
}

/// A way to find changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finder {
    /// White space that nobody needs.
    Spaces,
}

impl Finder {
    /// Lists the changes there are to what was parsed; `None` if there are none.
    fn find(self, structure: &Arc<Structure>) -> Option<Changes> {
        let find = match self {
            Finder::Spaces => spaces::find,
        };
        let changes: Vec<Change> = structure.parsed().flat_map(|file| find(&file)).collect();
        (!changes.is_empty()).then(|| Changes::new(structure.clone(), changes))
    }
}

/// One pass being searched.
#[derive(Clone, Debug)]
pub(super) enum PassSearch {
    Text { rung: Arc<Rung>, blocks: Blocks },
    Syntax { structure: Arc<Structure>, sweep: Sweep },
    Changes { changes: Arc<Changes>, blocks: Blocks },
}

impl PassSearch {
    /// Returns how many deltas there were in the beginning.
    pub(super) fn deltas(&self) -> usize {
        match self {
            PassSearch::Text { rung, .. } => rung.deltas().len(),
            PassSearch::Syntax { structure, .. } => structure.tree().len(),
            PassSearch::Changes { changes, .. } => changes.len(),
        }
    }

    /// Returns whether the same can be asked about the result: what a description says holds for
    /// the input as it was.
    pub(super) fn can_be_taken_again(&self) -> bool {
        match self {
            PassSearch::Syntax { structure, .. } => !structure.is_described(),
            PassSearch::Text { .. } | PassSearch::Changes { .. } => true,
        }
    }

    pub(super) fn base(&self) -> &Arc<Snapshot> {
        match self {
            PassSearch::Text { rung, .. } => rung.base(),
            PassSearch::Syntax { structure, .. } => structure.base(),
            PassSearch::Changes { changes, .. } => changes.base(),
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
        }
    }

    fn learn(&mut self, answer: &Answer) {
        match self {
            PassSearch::Text { blocks, .. } | PassSearch::Changes { blocks, .. } => {
                blocks.learn(answer);
            }
            PassSearch::Syntax { sweep, .. } => sweep.learn(answer),
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
        }
    }

    fn likely(&self) -> f64 {
        match self {
            PassSearch::Text { blocks, .. } | PassSearch::Changes { blocks, .. } => blocks.likely(),
            PassSearch::Syntax { sweep, .. } => sweep.likely(),
        }
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}
