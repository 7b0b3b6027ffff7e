//! Passes: ways to take the input apart, each with its search.

mod joint;
mod layers;
#[cfg(test)]
mod listing;
mod literals;
mod names;
mod pairs;
mod references;
mod spaces;
mod stand_ins;
mod substitution;
mod windows;

use std::sync::Arc;

use whodunit_core::searches::{Blocks, Certify, Each, Sweep};
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

const PASSES: [Pass; 22] = [
    // First, because files that are referred to seldom go alone.
    Pass::References(Referred::Dropped),
    Pass::Text(Granularity::Files),
    Pass::Syntax,
    Pass::Coupled,
    Pass::References(Referred::Inlined),
    Pass::Changes(Finder::Joint),
    Pass::Changes(Finder::StandIns),
    Pass::Changes(Finder::Layers),
    Pass::Changes(Finder::Spaces),
    Pass::Changes(Finder::PlainWords),
    Pass::Changes(Finder::Zeros),
    Pass::Changes(Finder::Ones),
    Pass::Changes(Finder::EmptyStrings),
    Pass::Changes(Finder::ShortStrings),
    Pass::Changes(Finder::Unify),
    Pass::Changes(Finder::Shorten),
    Pass::Text(Granularity::Lines),
    Pass::Text(Granularity::Tokens),
    Pass::Text(Granularity::Bytes),
    Pass::Changes(Finder::Windows),
    Pass::Changes(Finder::Pairs),
    Pass::Changes(Finder::Substitution),
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
                let changes = Arc::new(finder.find(&structure()?)?);
                let count = changes.len();
                Some(if finder.lists_alternatives(count, certify) {
                    PassSearch::Alternatives { changes, each: Each::new(count) }
                } else {
                    // Once is enough: passes are taken again until none changes anything.
                    let blocks = Blocks::new(count).certify(Certify::None);
                    PassSearch::Changes { changes, blocks }
                })
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
            Pass::Syntax | Pass::Coupled | Pass::References(_) => true,
            Pass::Text(granularity) => granularity <= Granularity::Lines,
            Pass::Changes(_) => false,
        }
    }

    /// Returns whether it is only taken when the others have nothing more to say: it asks much for
    /// what it brings.
    pub(super) fn is_last(self, base: &Snapshot, settings: &LadderSettings) -> bool {
        let is_parsed = || base.files().iter().all(|file| settings.languages.of(file).is_some());
        match self {
            Pass::Text(granularity) => granularity != Granularity::Files && is_parsed(),
            Pass::Syntax | Pass::Coupled | Pass::References(_) => false,
            Pass::Changes(finder) => finder.is_for_the_end(),
        }
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
    /// Definitions with their uses, parameters with their arguments.
    Joint,
    /// Definitions, with something else in the place of their uses.
    StandIns,
    /// What is around a name, wherever it is written.
    Layers,
    /// Parts of the text in the place of longer ones.
    Substitution,
    /// Words of the language that may be others.
    PlainWords,
    /// Numbers that may be 0.
    Zeros,
    /// Numbers that may be 1.
    Ones,
    /// Strings that may be empty.
    EmptyStrings,
    /// Strings of which one character is enough.
    ShortStrings,
    /// Names that may be the same.
    Unify,
    /// Names that may be shorter.
    Shorten,
    /// White space that nobody needs.
    Spaces,
    /// A few tokens in a row.
    Windows,
    /// Places that go together.
    Pairs,
}

/// With no more changes than this a search in groups asks more questions than there are changes,
/// unless most of them can be made.
const FEW_CHANGES: usize = 24;

impl Finder {
    /// Lists the changes there are to what was parsed; `None` if there are none.
    fn find(self, structure: &Arc<Structure>) -> Option<Changes> {
        let find = match self {
            Finder::Joint => joint::find,
            Finder::StandIns => stand_ins::find,
            Finder::Layers => layers::find,
            Finder::Substitution => substitution::find,
            Finder::PlainWords => literals::plain_words,
            Finder::Zeros => literals::zeros,
            Finder::Ones => literals::ones,
            Finder::EmptyStrings => literals::empty_strings,
            Finder::ShortStrings => literals::short_strings,
            Finder::Unify => names::unify,
            Finder::Shorten => names::shorten,
            Finder::Spaces => spaces::find,
            Finder::Windows => windows::find,
            Finder::Pairs => pairs::find,
        };
        let changes: Vec<Change> = structure.parsed().flat_map(|file| find(&file)).collect();
        (!changes.is_empty()).then(|| Changes::new(structure.clone(), changes))
    }

    /// Whether groups of so many changes are not worth asking about.
    fn lists_alternatives(self, count: usize, certify: Certify) -> bool {
        // What can be made in groups was made in the first round.
        let is_left_over = certify != Certify::None;
        match self {
            Finder::StandIns | Finder::Layers | Finder::Unify => true,
            Finder::Joint => count <= FEW_CHANGES,
            _ => self.is_for_the_end() || (is_left_over && count <= FEW_CHANGES),
        }
    }

    /// Whether it is for what nothing else makes smaller.
    fn is_for_the_end(self) -> bool {
        matches!(self, Finder::Windows | Finder::Pairs | Finder::Substitution)
    }
}

/// One pass being searched.
#[derive(Clone, Debug)]
pub(super) enum PassSearch {
    Text { rung: Arc<Rung>, blocks: Blocks },
    Syntax { structure: Arc<Structure>, sweep: Sweep },
    Changes { changes: Arc<Changes>, blocks: Blocks },
    Alternatives { changes: Arc<Changes>, each: Each },
}

impl PassSearch {
    /// Returns how many deltas there were in the beginning.
    pub(super) fn deltas(&self) -> usize {
        match self {
            PassSearch::Text { rung, .. } => rung.deltas().len(),
            PassSearch::Syntax { structure, .. } => structure.tree().len(),
            PassSearch::Changes { changes, .. } | PassSearch::Alternatives { changes, .. } => {
                changes.len()
            }
        }
    }

    /// Returns whether the same can be asked about the result: what a description says holds for
    /// the input as it was.
    pub(super) fn can_be_taken_again(&self) -> bool {
        match self {
            PassSearch::Syntax { structure, .. } => !structure.is_described(),
            _ => true,
        }
    }

    pub(super) fn base(&self) -> &Arc<Snapshot> {
        match self {
            PassSearch::Text { rung, .. } => rung.base(),
            PassSearch::Syntax { structure, .. } => structure.base(),
            PassSearch::Changes { changes, .. } | PassSearch::Alternatives { changes, .. } => {
                changes.base()
            }
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
        }
    }

    fn learn(&mut self, answer: &Answer) {
        match self {
            PassSearch::Text { blocks, .. } | PassSearch::Changes { blocks, .. } => {
                blocks.learn(answer);
            }
            PassSearch::Syntax { sweep, .. } => sweep.learn(answer),
            PassSearch::Alternatives { each, .. } => each.learn(answer),
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
        }
    }

    fn likely(&self) -> f64 {
        match self {
            PassSearch::Text { blocks, .. } | PassSearch::Changes { blocks, .. } => blocks.likely(),
            PassSearch::Syntax { sweep, .. } => sweep.likely(),
            PassSearch::Alternatives { each, .. } => each.likely(),
        }
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}
