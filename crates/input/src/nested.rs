//! Text in disguise inside text: JSON in a string, base64, a script in a page.
//!
//! Each such region is searched like an input of its own, and its candidates are put back in
//! disguise. The regions are taken from the last to the first, so that what was found about the
//! places of the next ones holds.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use whodunit_core::searches::{Chain, Rounds};
use whodunit_core::{Answer, Search, Step, Verdict};
use whodunit_run::Subject;
use whodunit_syntax::language::Language;
use whodunit_syntax::outline::{self, NestedFormat};
use whodunit_syntax::parse::parse;

use super::candidate::{Input, InputCandidate};
use super::edits::Edit;
use super::ladder::{Ladder, LadderSettings};
use super::languages::Languages;
use super::passes::Pass;
use super::snapshot::{InputFile, Snapshot};
use super::tokens;

/// What has fewer tokens is not worth opening.
const WORTH_OPENING: usize = 4;

/// A region is large if it is more than this part of all, so there are never many.
const LARGE: u64 = 8;

/// Which regions are opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Regions {
    /// Those that are much of the input.
    Large,
    All,
}

/// A region of a snapshot with something nested in it.
#[derive(Clone, Debug)]
struct Region {
    addresses: Range<u64>,
    /// How it is disguised, if it is.
    format: Option<NestedFormat>,
    language: Option<Language>,
}

/// A region of one snapshot.
#[derive(Debug)]
pub(super) struct Host {
    base: Arc<Snapshot>,
    region: Region,
}

impl Host {
    pub(super) fn base(&self) -> &Arc<Snapshot> {
        &self.base
    }

    /// Returns what is different from the base when this is in the region.
    pub(super) fn edits(&self, inner: &InputCandidate) -> Vec<Edit> {
        let old = self.base.bytes(self.region.addresses.clone());
        let new = self.encoded(inner).filter(|new| new != old);
        new.map(|text| Edit { range: self.region.addresses.clone(), text }).into_iter().collect()
    }

    /// Foretells what cannot be disguised, or is foretold by itself.
    pub(super) fn foretell(&self, inner: &InputCandidate) -> Option<Verdict> {
        let can_be_written = self.encoded(inner).is_some();
        if can_be_written { Input.foretell(inner) } else { Some(Verdict::Unresolved) }
    }

    fn decoded(&self) -> Option<Vec<u8>> {
        self.region.decode(self.base.bytes(self.region.addresses.clone()))
    }

    fn encoded(&self, inner: &InputCandidate) -> Option<Vec<u8>> {
        let mut plain = Vec::new();
        for file in inner.snapshot().files() {
            plain.extend_from_slice(&file.bytes);
        }
        match self.region.format {
            Some(format) => format.encode(&plain),
            None => Some(plain),
        }
    }
}

impl Region {
    fn decode(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        match self.format {
            Some(format) => format.decode(bytes),
            None => Some(bytes.to_vec()),
        }
    }

    /// Finds the regions of a snapshot that are worth opening, in order.
    fn all(base: &Snapshot, settings: &LadderSettings) -> Vec<Region> {
        let mut regions = Vec::new();
        for (index, file) in base.files().iter().enumerate() {
            if tokens::is_binary(&file.bytes) {
                continue;
            }
            let start = base.addresses(index).start;
            let shields = settings.protection.shields(&file.bytes);
            let mut add = |range: Range<usize>, format, language| {
                let addresses = start + range.start as u64..start + range.end as u64;
                let region = Region { addresses, format, language };
                let bytes = &file.bytes[range.clone()];
                let is_worth = |plain: Vec<u8>| tokens::count(&plain) >= WORTH_OPENING;
                if !shields.touch(&range) && region.decode(bytes).is_some_and(is_worth) {
                    regions.push(region);
                }
            };
            let language = settings.languages.of(file);
            let is_page = language.as_ref().is_some_and(|language| language.name() == "html");
            let mut taken = Vec::new();
            if let Some(language) = language.filter(|_| is_page) {
                for embedded in outline::embedded(&parse(&language, file.bytes.clone())) {
                    taken.push(embedded.range.clone());
                    add(embedded.range, None, Some(embedded.language));
                }
            }
            for nested in outline::nested(&file.bytes) {
                let within = |taken: &Range<usize>| {
                    taken.start < nested.range.end && nested.range.start < taken.end
                };
                if !taken.iter().any(within) {
                    let bytes = &file.bytes[nested.range.clone()];
                    let language = nested.format.decode(bytes).and_then(|plain| looks_like(&plain));
                    add(nested.range, Some(nested.format), language);
                }
            }
        }
        regions.sort_by_key(|region| region.addresses.start);
        regions
    }
}

/// Returns the language of something decoded.
fn looks_like(plain: &[u8]) -> Option<Language> {
    let first = plain.iter().find(|byte| !byte.is_ascii_whitespace());
    first.filter(|byte| matches!(byte, b'{' | b'[')).and(Language::by_name("json").ok())
}

/// The search of what is nested, one region after the other.
#[derive(Clone, Debug)]
pub(super) struct NestedSearch {
    base: Arc<Snapshot>,
    chain: Box<Chain<Ahead>>,
}

impl NestedSearch {
    /// Searches what is nested in a snapshot, and what is nested in that so many `levels` deep.
    /// `None` if there is nothing.
    pub(super) fn new(
        base: &Arc<Snapshot>,
        settings: &LadderSettings,
        regions: Regions,
        levels: u8,
    ) -> Option<NestedSearch> {
        let mut found = Region::all(base, settings);
        if regions == Regions::Large {
            let least = base.len() / LARGE;
            found.retain(|region| region.addresses.end - region.addresses.start > least);
        }
        let settings = Arc::new(settings.clone());
        let mut ahead = Ahead { regions: found.into(), settings, levels };
        let first = ahead.search(base.clone())?;
        Some(NestedSearch { base: base.clone(), chain: Box::new(Chain::new(first, ahead)) })
    }

    pub(super) fn base(&self) -> &Arc<Snapshot> {
        &self.base
    }
}

/// The regions that are still to be searched; the next one is the last.
#[derive(Clone, Debug)]
struct Ahead {
    regions: Arc<[Region]>,
    settings: Arc<LadderSettings>,
    levels: u8,
}

impl Ahead {
    /// Returns the search of the next region.
    fn search(&mut self, base: Arc<Snapshot>) -> Option<RegionSearch> {
        let (region, rest) = self.regions.split_last()?;
        let host = Host { base, region: region.clone() };
        self.regions = rest.into();
        let bytes = host.decoded().unwrap_or_default().into();
        let file = InputFile { name: PathBuf::from("nested"), bytes, mode: 0o644 };
        let inner = Arc::new(Snapshot::new(vec![file]));
        let languages = host.region.language.clone().map_or(Languages::None, Languages::Given);
        let settings = LadderSettings { languages, ..(*self.settings).clone() };
        let passes = Pass::within(&inner, &settings, self.levels);
        let ladder = Ladder::with_passes(&inner, settings, passes);
        Some(RegionSearch { host: Arc::new(host), ladder })
    }
}

impl Rounds for Ahead {
    type Search = RegionSearch;

    fn next(&mut self, finished: &RegionSearch) -> Option<RegionSearch> {
        self.search(finished.best().snapshot())
    }
}

/// The search of one region.
#[derive(Clone, Debug)]
struct RegionSearch {
    host: Arc<Host>,
    ladder: Ladder,
}

impl Search for RegionSearch {
    type Candidate = InputCandidate;

    fn step(&self) -> Step<InputCandidate> {
        self.ladder.step().map(|inner| InputCandidate::nested(self.host.clone(), inner))
    }

    fn learn(&mut self, answer: &Answer) {
        self.ladder.learn(answer);
    }

    fn best(&self) -> InputCandidate {
        InputCandidate::nested(self.host.clone(), self.ladder.best())
    }

    fn likely(&self) -> f64 {
        self.ladder.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.ladder.heeds_unresolved()
    }
}

impl Search for NestedSearch {
    type Candidate = InputCandidate;

    fn step(&self) -> Step<InputCandidate> {
        self.chain.step()
    }

    fn learn(&mut self, answer: &Answer) {
        self.chain.learn(answer);
    }

    fn best(&self) -> InputCandidate {
        self.chain.best()
    }

    fn likely(&self) -> f64 {
        self.chain.likely()
    }

    fn heeds_unresolved(&self) -> bool {
        self.chain.heeds_unresolved()
    }
}
