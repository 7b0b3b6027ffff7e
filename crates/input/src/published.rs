//! The search of `reduce`: all passes, or one published search over one decomposition of the input.
//!
//! The published searches take the same trees and the same text as the passes do: `ddmin` and
//! `isolate` a list of lines, tokens or characters (Zeller and Hildebrandt, 2002), the `hdd` family
//! the tree of files and syntax nodes, or the outline of a text without a grammar (Misherghi's
//! thesis, 2007). They do no more than their papers say: no joint edits, no hoisting, no rounds.

mod isolating;

use std::sync::Arc;

use whodunit_core::searches::{Ddmin, Hdd, HddPlus, HddRecursive, HddStar};
use whodunit_core::{Answer, Search, Step, Tree, TreeCandidate};

use super::candidate::InputCandidate;
use super::ladder::Ladder;
use super::settings::{LadderSettings, ReduceSearch};
use super::snapshot::Snapshot;
use super::structure::Structure;
use super::text_cut::TextCut;
use super::validity::Validity;
use isolating::Isolating;
pub use isolating::{Isolated, IsolatedDelta};

/// The search that the settings name.
#[derive(Clone, Debug)]
pub struct InputSearch {
    strategy: Strategy,
    /// The grammars that every candidate must match, if any.
    validity: Option<Arc<Validity>>,
}

#[derive(Clone, Debug)]
enum Strategy {
    Passes(Box<Ladder>),
    Ddmin {
        cut: Arc<TextCut>,
        ddmin: Ddmin,
    },
    Isolate(Isolating),
    Tree {
        structure: Arc<Structure>,
        search: TreeSearch,
    },
    /// There is no tree to search.
    Nothing(Arc<Snapshot>),
}

/// A search over a tree.
#[derive(Clone, Debug)]
enum TreeSearch {
    Hdd(Hdd),
    Plus(HddPlus),
    Star(HddStar),
    Recursive(HddRecursive),
}

impl InputSearch {
    /// Starts with everything of `base`, which is known to fail.
    pub fn new(base: &Arc<Snapshot>, settings: LadderSettings) -> Self {
        let flat = || Arc::new(TextCut::flat(base.clone(), settings.finest, &settings));
        let tree = |search: fn(&Tree) -> TreeSearch| match settings.tree(base) {
            Some(structure) => {
                Strategy::Tree { search: search(structure.tree()), structure: Arc::new(structure) }
            }
            None => Strategy::Nothing(base.clone()),
        };
        let validity = settings.validity.clone();
        let strategy = match settings.search {
            ReduceSearch::Passes => Strategy::Passes(Box::new(Ladder::new(base, settings))),
            ReduceSearch::Ddmin => {
                let cut = flat();
                Strategy::Ddmin { ddmin: Ddmin::new(cut.deltas().len()), cut }
            }
            ReduceSearch::Isolate => Strategy::Isolate(Isolating::new(flat())),
            ReduceSearch::Hdd => tree(|it| TreeSearch::Hdd(Hdd::new(it))),
            ReduceSearch::HddPlus => tree(|it| TreeSearch::Plus(HddPlus::new(it))),
            ReduceSearch::HddStar => tree(|it| TreeSearch::Star(HddStar::new(it))),
            ReduceSearch::HddRecursive => tree(|it| TreeSearch::Recursive(HddRecursive::new(it))),
        };
        InputSearch { strategy, validity }
    }

    /// Returns the two candidates that `isolate` brought together; `None` for other searches, and
    /// while nothing is known to pass.
    pub fn isolated(&self) -> Option<Isolated> {
        match &self.strategy {
            Strategy::Isolate(isolating) => isolating.isolated(),
            _ => None,
        }
    }
}

impl Search for InputSearch {
    type Candidate = InputCandidate;

    fn step(&self) -> Step<InputCandidate> {
        let step = self.strategy.step();
        match &self.validity {
            Some(validity) => step.map(|candidate| candidate.demanding(validity)),
            None => step,
        }
    }

    fn learn(&mut self, answer: &Answer) {
        self.strategy.learn(answer);
    }

    fn best(&self) -> InputCandidate {
        self.strategy.best()
    }

    fn likely(&self) -> f64 {
        self.strategy.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.strategy.heeds_unresolved()
    }
}

impl Search for Strategy {
    type Candidate = InputCandidate;

    fn step(&self) -> Step<InputCandidate> {
        match self {
            Strategy::Passes(ladder) => ladder.step(),
            Strategy::Ddmin { cut, ddmin } => {
                ddmin.step().map(|kept| InputCandidate::new(cut.clone(), kept))
            }
            Strategy::Isolate(isolating) => isolating.step(),
            Strategy::Tree { structure, search } => {
                search.step().map(|shown| InputCandidate::shown(structure.clone(), shown))
            }
            Strategy::Nothing(_) => Step::Done,
        }
    }

    fn learn(&mut self, answer: &Answer) {
        match self {
            Strategy::Passes(ladder) => ladder.learn(answer),
            Strategy::Ddmin { ddmin, .. } => ddmin.learn(answer),
            Strategy::Isolate(isolating) => isolating.learn(answer),
            Strategy::Tree { search, .. } => search.learn(answer),
            Strategy::Nothing(_) => {}
        }
    }

    fn best(&self) -> InputCandidate {
        match self {
            Strategy::Passes(ladder) => ladder.best(),
            Strategy::Ddmin { cut, ddmin } => InputCandidate::new(cut.clone(), ddmin.best()),
            Strategy::Isolate(isolating) => isolating.best(),
            Strategy::Tree { structure, search } => {
                InputCandidate::shown(structure.clone(), search.best())
            }
            Strategy::Nothing(base) => InputCandidate::whole(base.clone()),
        }
    }

    fn likely(&self) -> f64 {
        match self {
            Strategy::Passes(ladder) => ladder.likely(),
            Strategy::Ddmin { ddmin, .. } => ddmin.likely(),
            Strategy::Isolate(isolating) => isolating.likely(),
            Strategy::Tree { search, .. } => search.likely(),
            Strategy::Nothing(_) => 0.0,
        }
    }

    fn heeds_unresolved(&self) -> bool {
        match self {
            Strategy::Passes(ladder) => ladder.heeds_unresolved(),
            Strategy::Ddmin { ddmin, .. } => ddmin.heeds_unresolved(),
            Strategy::Isolate(isolating) => isolating.heeds_unresolved(),
            Strategy::Tree { search, .. } => search.heeds_unresolved(),
            Strategy::Nothing(_) => false,
        }
    }
}

impl Search for TreeSearch {
    type Candidate = TreeCandidate;

    fn step(&self) -> Step<TreeCandidate> {
        match self {
            TreeSearch::Hdd(search) => search.step(),
            TreeSearch::Plus(search) => search.step(),
            TreeSearch::Star(search) => search.step(),
            TreeSearch::Recursive(search) => search.step(),
        }
    }

    fn learn(&mut self, answer: &Answer) {
        match self {
            TreeSearch::Hdd(search) => search.learn(answer),
            TreeSearch::Plus(search) => search.learn(answer),
            TreeSearch::Star(search) => search.learn(answer),
            TreeSearch::Recursive(search) => search.learn(answer),
        }
    }

    fn best(&self) -> TreeCandidate {
        match self {
            TreeSearch::Hdd(search) => search.best(),
            TreeSearch::Plus(search) => search.best(),
            TreeSearch::Star(search) => search.best(),
            TreeSearch::Recursive(search) => search.best(),
        }
    }

    fn likely(&self) -> f64 {
        match self {
            TreeSearch::Hdd(search) => search.likely(),
            TreeSearch::Plus(search) => search.likely(),
            TreeSearch::Star(search) => search.likely(),
            TreeSearch::Recursive(search) => search.likely(),
        }
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}
