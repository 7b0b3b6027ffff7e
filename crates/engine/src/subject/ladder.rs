//! Pass after pass, from coarse to fine and round again.
//!
//! A pass is a search over one decomposition of the input: files, syntax nodes, lines, tokens,
//! bytes. The next one starts from what it left. In the first round a pass over text is swept
//! once: what a finer one takes away would spoil the proof of a coarser one. Then they are taken
//! again and certified, until a whole round changes nothing: then no single file, node, line, token
//! or byte can go.

use std::sync::Arc;

use whodunit_core::searches::{Blocks, Certify, Chain, Rounds};
use whodunit_core::{Answer, Search, Step};
use whodunit_syntax::language::Language;

use super::candidate::InputCandidate;
use super::passes::{Pass, PassSearch};
use super::protect::Protection;
use super::rung::{Granularity, Rung};
use super::snapshot::{InputFile, Snapshot};
use super::trial::Trial;

/// What a ladder needs to know.
#[derive(Clone, Debug)]
pub struct LadderSettings {
    /// The finest granularity to go to.
    pub finest: Granularity,
    /// What must not be touched.
    pub protection: Protection,
    /// How much is done to prove that every survivor is needed.
    pub certify: Certify,
    /// What the files are written in.
    pub languages: Languages,
}

/// What files are written in.
#[derive(Clone, Debug, Default)]
pub enum Languages {
    /// What their names and first bytes say.
    #[default]
    ByFile,
    /// All in this one.
    Given(Language),
    /// Nothing is parsed.
    None,
}

impl Languages {
    pub(super) fn of(&self, file: &InputFile) -> Option<Language> {
        match self {
            Languages::ByFile => Language::for_file(&file.name, &file.bytes),
            Languages::Given(language) => Some(language.clone()),
            Languages::None => None,
        }
    }
}

/// The search of `reduce`.
#[derive(Clone, Debug)]
pub struct Ladder(Chain<Climb>);

impl Ladder {
    /// Starts with everything of `base`, which is known to fail.
    pub fn new(base: &Arc<Snapshot>, settings: LadderSettings) -> Self {
        let climb = Climb {
            passes: Pass::all(base, &settings),
            settings: Arc::new(settings),
            finished: 0,
            quiet: 0,
            asked_nothing: false,
        };
        let rung = Arc::new(Rung::uncut(base.clone()));
        let nothing = PassSearch::Text { rung, blocks: Blocks::new(0) };
        Ladder(Chain::new(Trial::new(nothing, 0), climb))
    }
}

impl Search for Ladder {
    type Candidate = InputCandidate;

    fn step(&self) -> Step<InputCandidate> {
        self.0.step()
    }

    fn learn(&mut self, answer: &Answer) {
        self.0.learn(answer);
    }

    fn best(&self) -> InputCandidate {
        self.0.best()
    }

    fn likely(&self) -> f64 {
        self.0.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.0.heeds_unresolved()
    }
}

/// Where the ladder stands.
#[derive(Clone, Debug)]
struct Climb {
    settings: Arc<LadderSettings>,
    /// The passes that are taken in turn.
    passes: Vec<Pass>,
    /// How many passes were taken so far.
    finished: usize,
    /// How many certified passes it is since something changed, that one included.
    quiet: usize,
    /// Whether it was already asked if anything is needed at all.
    asked_nothing: bool,
}

impl Rounds for Climb {
    type Search = Trial;

    fn next(&mut self, finished: &Trial) -> Option<Trial> {
        let base = finished.best().snapshot();
        finished.report(&base);
        if !Arc::ptr_eq(&base, finished.base()) {
            self.quiet = 1;
        }
        if finished.gave_up() {
            self.quiet = 0;
        }
        let count = self.passes.len();
        loop {
            let first_round = self.finished < count;
            if self.finished == count {
                // Nothing has been certified yet.
                self.quiet = 0;
            }
            if !first_round && (self.settings.certify == Certify::None || self.quiet >= count) {
                return None;
            }
            let certify = if first_round { Certify::None } else { self.settings.certify };
            let place = self.finished % count;
            self.finished += 1;
            self.quiet += 1;
            let pass = self.passes[place];
            if let Some(search) = pass.search(&base, &self.settings, certify, !self.asked_nothing) {
                self.asked_nothing |= pass.asks_for_nothing();
                return Some(Trial::new(search, self.finished / count));
            }
        }
    }
}
