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

use super::Subject;
use super::candidate::{Input, InputCandidate};
use super::changes::Changes;
use super::passes::Finder;
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
        let parsed = base.files().iter().any(|file| settings.languages.of(file).is_some());
        let passes = PASSES.iter().copied().filter(|pass| match pass {
            Pass::Syntax | Pass::Changes(_) => parsed,
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
        let nothing = PassSearch::Text { rung, blocks: Blocks::new(0) };
        Ladder(Chain::new(Trial::new(nothing, None), climb))
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
    Changes(Finder),
}

const PASSES: [Pass; 6] = [
    Pass::Text(Granularity::Files),
    Pass::Syntax,
    Pass::Text(Granularity::Lines),
    Pass::Text(Granularity::Tokens),
    Pass::Text(Granularity::Bytes),
    Pass::Changes(Finder::Spaces),
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
    type Search = Trial;

    fn next(&mut self, finished: &Trial) -> Option<Trial> {
        let base = finished.search.best().snapshot();
        finished.report(&base);
        if !Arc::ptr_eq(&base, finished.search.base()) {
            self.quiet = 1;
        }
        if finished.gave_up {
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
            if let Some(search) = self.search(self.passes[place], &base, certify) {
                let patience = PATIENCE << (self.finished / count).min(20);
                // What is nearly done is not given up.
                let patience = Some(patience).filter(|&patience| {
                    count > 1 && search.deltas() / WORTH_FINISHING > patience as usize
                });
                return Some(Trial::new(search, patience));
            }
        }
    }
}

impl Climb {
    /// Returns the search of a pass, or `None` if there is nothing to search.
    fn search(&mut self, pass: Pass, base: &Arc<Snapshot>, certify: Certify) -> Option<PassSearch> {
        match pass {
            Pass::Text(granularity) => {
                let rung = Rung::cut(base.clone(), granularity, &self.settings);
                let blocks = self.blocks(&rung)?.certify(certify);
                Some(PassSearch::Text { rung: Arc::new(rung), blocks })
            }
            Pass::Changes(finder) => {
                let changes = finder.find(&self.structure(base)?)?;
                let blocks = Blocks::new(changes.len()).certify(certify);
                Some(PassSearch::Changes { changes: Arc::new(changes), blocks })
            }
            Pass::Syntax => {
                let structure = self.structure(base)?;
                self.asked_nothing = true;
                let sweep = Sweep::new(structure.tree());
                Some(PassSearch::Syntax { structure, sweep })
            }
        }
    }

    fn structure(&self, base: &Arc<Snapshot>) -> Option<Arc<Structure>> {
        let language = |file: usize| self.settings.languages.of(&base.files()[file]);
        Structure::read(base, language, &self.settings.protection).map(Arc::new)
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

/// A pass is given up for the next one if this many questions took away next to nothing; twice as
/// many the next time it is taken, and so on.
const PATIENCE: u32 = 32;

/// A pass over fewer than this many times as many deltas is not given up.
const WORTH_FINISHING: usize = 8;

/// What has to go in that many questions, as a share of what was there.
const WORTHWHILE: f64 = 0.02;

/// A pass being searched for as long as it is worthwhile.
#[derive(Clone, Debug)]
struct Trial {
    search: PassSearch,
    /// How many questions were asked.
    asked: u32,
    /// After how many questions without success it is given up, if at all.
    patience: Option<u32>,
    /// The questions asked and the bytes left at the last look.
    looked: (u32, u64),
    gave_up: bool,
}

impl Trial {
    fn new(search: PassSearch, patience: Option<u32>) -> Self {
        let bytes = search.base().len();
        Trial { search, asked: 0, patience, looked: (0, bytes), gave_up: false }
    }

    fn report(&self, base: &Snapshot) {
        if std::env::var_os("WD_DEBUG").is_some() {
            let name = match &self.search {
                PassSearch::Text { rung, .. } => {
                    format!("{:?} {}", rung.granularity(), rung.deltas().len())
                }
                PassSearch::Syntax { structure, .. } => {
                    format!("Syntax {}", structure.tree().len())
                }
                PassSearch::Changes { changes, .. } => format!("Changes {}", changes.len()),
            };
            eprintln!(
                "DEBUG {name}: {} -> {} in {} {}",
                self.search.base().len(),
                base.len(),
                self.asked,
                if self.gave_up { "gave up" } else { "" }
            );
        }
    }
}

impl Search for Trial {
    type Candidate = InputCandidate;

    fn step(&self) -> Step<InputCandidate> {
        if self.gave_up { Step::Done } else { self.search.step() }
    }

    fn learn(&mut self, answer: &Answer) {
        if self.gave_up {
            return;
        }
        self.search.learn(answer);
        self.asked += 1;
        let (asked, bytes) = self.looked;
        if self.patience.is_some_and(|patience| self.asked - asked >= patience) {
            let left = Input.size(&self.search.best()).bytes;
            self.gave_up = bytes.saturating_sub(left) as f64 <= WORTHWHILE * bytes as f64;
            self.looked = (self.asked, left);
        }
    }

    fn best(&self) -> InputCandidate {
        self.search.best()
    }

    fn likely(&self) -> f64 {
        self.search.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.search.heeds_unresolved()
    }
}

/// One pass being searched.
#[derive(Clone, Debug)]
enum PassSearch {
    Text { rung: Arc<Rung>, blocks: Blocks },
    Syntax { structure: Arc<Structure>, sweep: Sweep },
    Changes { changes: Arc<Changes>, blocks: Blocks },
}

impl PassSearch {
    /// Returns how many deltas there were in the beginning.
    fn deltas(&self) -> usize {
        match self {
            PassSearch::Text { rung, .. } => rung.deltas().len(),
            PassSearch::Syntax { structure, .. } => structure.tree().len(),
            PassSearch::Changes { changes, .. } => changes.len(),
        }
    }

    fn base(&self) -> &Arc<Snapshot> {
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
