//! The searches of passes.

use std::sync::Arc;

use whodunit_core::searches::{Blocks, Certify, Each, Sweep};
use whodunit_core::{Answer, Search, Step};

use super::nested::NestedSearch;
use super::walked::Walked;
use crate::candidate::InputCandidate;
use crate::changes::Changes;
use crate::columns::Columns;
use crate::passes::{Pass, words};
use crate::settings::{Granularity, LadderSettings};
use crate::snapshot::Snapshot;
use crate::structure::Structure;
use crate::text_cut::TextCut;

/// One pass being searched.
#[derive(Clone, Debug)]
pub(super) enum PassSearch {
    Text { cut: Arc<TextCut>, blocks: Blocks },
    Syntax { structure: Arc<Structure>, sweep: Sweep },
    Changes { changes: Arc<Changes>, blocks: Blocks },
    Alternatives { changes: Arc<Changes>, each: Each },
    Nested(NestedSearch),
}

impl PassSearch {
    /// Returns the search of a pass, or `None` if there is nothing to search.
    ///
    /// `may_be_empty` is true until the empty input was asked about. `walked` has the nodes that
    /// the same pass asked about before.
    pub(super) fn new(
        pass: Pass,
        base: &Arc<Snapshot>,
        settings: &LadderSettings,
        structure: &dyn Fn() -> Option<Arc<Structure>>,
        certify: Certify,
        may_be_empty: bool,
        walked: Option<&Walked>,
    ) -> Option<Self> {
        let (languages, protection) = (&settings.languages, &settings.protection);
        let outline = || Structure::outline(base, languages, protection).map(Arc::new);
        match pass {
            Pass::Text(_) | Pass::WideCharacters => {
                let cut = match pass {
                    Pass::Text(granularity) => TextCut::cut(base.clone(), granularity, settings),
                    _ => TextCut::wide_characters(base.clone(), settings),
                };
                let blocks = blocks(&cut, may_be_empty)?.certify(certify);
                Some(PassSearch::Text { cut: Arc::new(cut), blocks })
            }
            Pass::Changes(finder) => {
                let structure = if finder.is_for_data() { outline() } else { structure() };
                let changes = Arc::new(finder.find(&structure?)?);
                let count = changes.len();
                Some(if finder.lists_alternatives(count, certify) {
                    PassSearch::Alternatives { changes, each: Each::new(count) }
                } else {
                    // One sweep is enough: passes are repeated until none changes anything.
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

    /// Returns the number of deltas at the beginning.
    pub(super) fn deltas(&self) -> usize {
        match self {
            PassSearch::Text { cut, .. } => cut.deltas().len(),
            PassSearch::Syntax { structure, .. } => structure.tree().len(),
            PassSearch::Changes { changes, .. } | PassSearch::Alternatives { changes, .. } => {
                changes.len()
            }
            // The passes inside are suspended by themselves.
            PassSearch::Nested(_) => 0,
        }
    }

    /// Returns whether the pass can be repeated on its result. A description is only about the
    /// original input.
    pub(super) fn can_be_taken_again(&self) -> bool {
        match self {
            PassSearch::Syntax { structure, .. } => !structure.is_described(),
            _ => true,
        }
    }

    pub(super) fn base(&self) -> &Arc<Snapshot> {
        match self {
            PassSearch::Text { cut, .. } => cut.base(),
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
            PassSearch::Text { cut, blocks } => {
                blocks.step().map(|kept| InputCandidate::new(cut.clone(), kept))
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
            PassSearch::Text { cut, blocks } => InputCandidate::new(cut.clone(), blocks.best()),
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

/// Returns a search of a cut snapshot, or `None` if there is nothing to search in it.
fn blocks(cut: &TextCut, may_be_empty: bool) -> Option<Blocks> {
    let files = cut.granularity() == Granularity::Files;
    let sizes = cut.deltas().iter().map(|delta| (delta.end - delta.start) as usize);
    // Without any file there is nothing to test, so the last one is never dropped.
    if sizes.len() <= usize::from(files) {
        return None;
    }
    let blocks = match cut.granularity() {
        Granularity::Files | Granularity::Lines => Blocks::weighted(sizes),
        Granularity::Tokens | Granularity::Bytes => Blocks::new(sizes.len()),
    };
    Some(if files || !may_be_empty { blocks.skip_empty() } else { blocks })
}
