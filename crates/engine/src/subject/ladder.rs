//! Pass after pass, from coarse to fine and round again.
//!
//! A pass is a search over one decomposition of the input: files, syntax nodes, lines, tokens,
//! bytes. The next one starts from what it left. In the first round a pass over text is swept
//! once: what a finer one takes away would spoil the proof of a coarser one. Then they are taken
//! again and certified, until a whole round changes nothing: then no single file, node, line, token
//! or byte can go.

use std::sync::Arc;

use whodunit_core::searches::{Blocks, Certify, Chain, Rounds, Sweep};
use whodunit_core::{Answer, Search, Step};
use whodunit_syntax::language::Language;

use super::candidate::InputCandidate;
use super::protect::Protection;
use super::rung::{Granularity, Rung};
use super::snapshot::{InputFile, Snapshot};
use super::structure::Structure;

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
    fn of(&self, file: &InputFile) -> Option<Language> {
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
        let parsed = base.files().iter().any(|file| settings.languages.of(file).is_some());
        let passes = PASSES.iter().copied().filter(|pass| match pass {
            Pass::Syntax => parsed,
            Pass::Text(Granularity::Bytes) => !parsed && settings.finest == Granularity::Bytes,
            Pass::Text(granularity) => *granularity <= settings.finest,
        });
        let climb = Climb {
            passes: passes.collect(),
            settings: Arc::new(settings),
            finished: 0,
            quiet: 0,
            asked_nothing: false,
        };
        let rung = Arc::new(Rung::uncut(base.clone()));
        Ladder(Chain::new(PassSearch::Text { rung, blocks: Blocks::new(0) }, climb))
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

/// A way to take the input apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    Text(Granularity),
    Syntax,
}

const PASSES: [Pass; 5] = [
    Pass::Text(Granularity::Files),
    Pass::Syntax,
    Pass::Text(Granularity::Lines),
    Pass::Text(Granularity::Tokens),
    Pass::Text(Granularity::Bytes),
];

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
    type Search = PassSearch;

    fn next(&mut self, finished: &PassSearch) -> Option<PassSearch> {
        let base = finished.best().snapshot();
        if !Arc::ptr_eq(&base, finished.base()) {
            self.quiet = 1;
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
            let pass = self.passes[self.finished % count];
            self.finished += 1;
            self.quiet += 1;
            if let Some(search) = self.search(pass, &base, certify) {
                return Some(search);
            }
        }
    }
}

impl Climb {
    /// Returns the search of a pass, or `None` if there is nothing to search.
    fn search(&mut self, pass: Pass, base: &Arc<Snapshot>, certify: Certify) -> Option<PassSearch> {
        match pass {
            Pass::Text(granularity) => {
                let rung = Rung::cut(base.clone(), granularity, &self.settings.protection);
                let blocks = self.blocks(&rung)?.certify(certify);
                Some(PassSearch::Text { rung: Arc::new(rung), blocks })
            }
            Pass::Syntax => {
                let language = |file: usize| self.settings.languages.of(&base.files()[file]);
                let structure = Structure::read(base, language, &self.settings.protection)?;
                self.asked_nothing = true;
                let sweep = Sweep::new(structure.tree());
                Some(PassSearch::Syntax { structure: Arc::new(structure), sweep })
            }
        }
    }

    /// Returns a search of a rung, or `None` if there is nothing to search on it.
    fn blocks(&mut self, rung: &Rung) -> Option<Blocks> {
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
        if files || self.asked_nothing {
            return Some(blocks.skip_empty());
        }
        self.asked_nothing = true;
        Some(blocks)
    }
}

/// One pass being searched.
#[derive(Clone, Debug)]
enum PassSearch {
    Text { rung: Arc<Rung>, blocks: Blocks },
    Syntax { structure: Arc<Structure>, sweep: Sweep },
}

impl PassSearch {
    fn base(&self) -> &Arc<Snapshot> {
        match self {
            PassSearch::Text { rung, .. } => rung.base(),
            PassSearch::Syntax { structure, .. } => structure.base(),
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
        }
    }

    fn learn(&mut self, answer: &Answer) {
        match self {
            PassSearch::Text { blocks, .. } => blocks.learn(answer),
            PassSearch::Syntax { sweep, .. } => sweep.learn(answer),
        }
    }

    fn best(&self) -> InputCandidate {
        match self {
            PassSearch::Text { rung, blocks } => InputCandidate::new(rung.clone(), blocks.best()),
            PassSearch::Syntax { structure, sweep } => {
                InputCandidate::shown(structure.clone(), sweep.best())
            }
        }
    }

    fn likely(&self) -> f64 {
        match self {
            PassSearch::Text { blocks, .. } => blocks.likely(),
            PassSearch::Syntax { sweep, .. } => sweep.likely(),
        }
    }

    fn heeds_unresolved(&self) -> bool {
        false
    }
}
