//! Passes: ways to take the input apart, each with its search.

mod data;
mod finder;
mod joint;
mod layers;
#[cfg(test)]
mod listing;
mod literals;
mod names;
mod optional;
mod pairs;
mod references;
mod search;
mod spaces;
mod stand_ins;
mod substitution;
mod together;
mod windows;
mod words;

use std::sync::Arc;

use whodunit_core::searches::{Blocks, Certify, Each, Sweep};

use super::changes::Changes;
use super::columns::Columns;
use super::ladder::LadderSettings;
use super::languages::{Languages, TOO_LARGE};
use super::nested::{NestedSearch, Regions};
use super::rung::{Granularity, Rung};
use super::snapshot::Snapshot;
use super::structure::Structure;
use super::walked::Walked;
use finder::Finder;
use references::Referred;
pub(super) use search::PassSearch;

/// A way to take the input apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Text(Granularity),
    Syntax,
    /// What numbers measure, with the numbers.
    Coupled,
    /// The same in files that do not parse.
    CoupledLines,
    /// The layout of files that do not parse.
    Outline,
    /// Columns of tables.
    Columns,
    /// What is nested in texts, so many levels deep.
    Nested {
        levels: u8,
        regions: Regions,
    },
    Changes(Finder),
    /// Single tokens of files that parse.
    Words,
    References(Referred),
}

const PASSES: [Pass; 32] = [
    // First, because files that are referred to seldom go alone.
    Pass::References(Referred::Dropped),
    Pass::Text(Granularity::Files),
    // A string is cut into pieces by the next pass, unless it is opened before.
    Pass::Nested { levels: 3, regions: Regions::Large },
    Pass::Syntax,
    Pass::Coupled,
    Pass::CoupledLines,
    Pass::Outline,
    Pass::Changes(Finder::Together),
    Pass::Columns,
    Pass::Nested { levels: 3, regions: Regions::All },
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
    Pass::Changes(Finder::Optional),
    Pass::Words,
    Pass::Changes(Finder::Data),
    Pass::Text(Granularity::Bytes),
    Pass::Changes(Finder::ZeroBytes),
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
            Pass::CoupledLines | Pass::Outline | Pass::Columns | Pass::Nested { .. } => {
                finest >= Granularity::Tokens && base.len() <= TOO_LARGE as u64
            }
            Pass::Changes(Finder::Together) => finest >= Granularity::Tokens,
            Pass::Changes(Finder::Data | Finder::ZeroBytes) => finest >= Granularity::Bytes,
            Pass::Syntax | Pass::Coupled | Pass::Words | Pass::Changes(_) => parsed,
            Pass::Text(granularity) => *granularity <= finest,
            Pass::References(_) => base.files().len() > 1,
        };
        let mut passes: Vec<Pass> = PASSES.into_iter().filter(makes_sense).collect();
        if parsed && base.files().iter().any(|file| settings.languages.reads_with_errors(file)) {
            // Where the grammar does not fit the layout says more.
            let place = |wanted| passes.iter().position(|&pass| pass == wanted);
            if let (Some(syntax), Some(outline)) = (place(Pass::Syntax), place(Pass::Outline)) {
                passes.swap(syntax, outline);
            }
        }
        passes
    }

    /// The same for something that is nested in an input, where so many `levels` are opened.
    pub(super) fn within(base: &Snapshot, settings: &LadderSettings, levels: u8) -> Vec<Pass> {
        let mut passes = Self::all(base, settings);
        passes.retain_mut(|pass| match pass {
            Pass::Nested { levels: deeper, .. } => {
                *deeper = levels.saturating_sub(1);
                *deeper > 0
            }
            _ => true,
        });
        passes
    }

    /// Returns the search of a pass, or `None` if there is nothing to search.
    ///
    /// `may_be_empty` tells whether it is not yet known that something is needed, `walked` what was
    /// asked about when the same pass was taken before.
    pub(super) fn search(
        self,
        base: &Arc<Snapshot>,
        settings: &LadderSettings,
        structure: &dyn Fn() -> Option<Arc<Structure>>,
        certify: Certify,
        may_be_empty: bool,
        walked: Option<&Walked>,
    ) -> Option<PassSearch> {
        let (languages, protection) = (&settings.languages, &settings.protection);
        let outline = || Structure::outline(base, languages, protection).map(Arc::new);
        match self {
            Pass::Text(granularity) => {
                let rung = Rung::cut(base.clone(), granularity, settings);
                let blocks = blocks(&rung, may_be_empty)?.certify(certify);
                Some(PassSearch::Text { rung: Arc::new(rung), blocks })
            }
            Pass::Changes(finder) => {
                let structure = if finder.is_for_data() { outline() } else { structure() };
                let changes = Arc::new(finder.find(&structure?)?);
                let count = changes.len();
                Some(if finder.lists_alternatives(count, certify) {
                    PassSearch::Alternatives { changes, each: Each::new(count) }
                } else {
                    // Once is enough: passes are taken again until none changes anything.
                    let blocks = Blocks::new(count).certify(Certify::None);
                    PassSearch::Changes { changes, blocks }
                })
            }
            Pass::Words => {
                let words = words::find(&structure()?, languages)?;
                let each = Each::new(words.changes.len()).doubting(words.legal, words.tried);
                Some(PassSearch::Alternatives { changes: Arc::new(words.changes), each })
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
            Pass::Columns => {
                let outline = outline()?;
                let columns = Columns::find(&outline)?;
                let changes = Changes::columns(outline, columns);
                let blocks = Blocks::new(changes.len()).certify(certify);
                Some(PassSearch::Changes { changes: Arc::new(changes), blocks })
            }
            Pass::Nested { levels, regions } => {
                let settings = LadderSettings { certify, ..settings.clone() };
                NestedSearch::new(base, &settings, regions, levels).map(PassSearch::Nested)
            }
            Pass::Outline => {
                let structure = outline().filter(|outline| outline.has_depth())?;
                let sweep = Sweep::new(structure.tree()).heaviest_lists_first().certify(certify);
                Some(PassSearch::Syntax { structure, sweep })
            }
            Pass::Syntax => {
                let structure = structure()?;
                let sweep = Sweep::new(structure.tree()).certify(certify);
                let tried = walked.and_then(|walked| walked.tried(&structure));
                let sweep = match tried {
                    Some(tried) => sweep.over_what_is_left(tried),
                    None => sweep,
                };
                Some(PassSearch::Syntax { structure, sweep })
            }
            Pass::Coupled => {
                let structure = Structure::read_coupled(base, languages, protection)?;
                let sweep = Sweep::new(structure.tree()).certify(certify);
                Some(PassSearch::Syntax { structure: Arc::new(structure), sweep })
            }
            Pass::CoupledLines => {
                let structure = Structure::outline_coupled(base, languages, protection)?;
                let sweep = Sweep::new(structure.tree()).certify(certify);
                Some(PassSearch::Syntax { structure: Arc::new(structure), sweep })
            }
        }
    }

    /// Returns whether it can take away much at once.
    pub(super) fn is_coarse(self) -> bool {
        match self {
            Pass::Syntax | Pass::Coupled | Pass::CoupledLines | Pass::Outline => true,
            Pass::References(_) => true,
            Pass::Columns | Pass::Nested { .. } | Pass::Words | Pass::Changes(_) => false,
            Pass::Text(granularity) => granularity <= Granularity::Lines,
        }
    }

    /// Returns whether its refusals are what the proof rests on.
    pub(super) fn is_proof(self) -> bool {
        match self {
            Pass::Words | Pass::References(_) => false,
            Pass::Changes(finder) => finder.is_proof(),
            _ => true,
        }
    }

    /// Returns whether it is only taken when the others have nothing more to say: it asks much for
    /// what it brings.
    pub(super) fn is_last(self, base: &Snapshot, settings: &LadderSettings) -> bool {
        let is_parsed = || base.files().iter().all(|file| settings.languages.of(file).is_some());
        match self {
            Pass::Text(granularity) => granularity != Granularity::Files && is_parsed(),
            Pass::Syntax | Pass::Coupled | Pass::CoupledLines | Pass::Outline => false,
            Pass::References(_) | Pass::Columns | Pass::Nested { .. } => false,
            Pass::Words => true,
            Pass::Changes(finder) => finder.is_for_the_end(),
        }
    }

    /// Returns whether the first question of this pass is if anything is needed at all.
    pub(super) fn asks_for_nothing(self) -> bool {
        matches!(self, Pass::Syntax | Pass::Text(_)) && self != Pass::Text(Granularity::Files)
    }
}

/// Returns the changes to a structure that leave out what the grammar lets go and no node stands
/// for; `None` if there is nothing like that.
pub(super) fn optional_parts(structure: &Arc<Structure>) -> Option<Changes> {
    Finder::Optional.find(structure)
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
