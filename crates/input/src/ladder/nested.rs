//! The search of regions that hold encoded text.
//!
//! Each such region is searched like an input of its own, and its candidates are encoded again.
//! The regions are searched from the last to the first, so that the places of the next ones stay
//! valid.

use std::path::PathBuf;
use std::sync::Arc;

use whodunit_core::searches::{Chain, Rounds};
use whodunit_core::{Answer, Search, Step};

use super::Ladder;
use crate::candidate::InputCandidate;
use crate::languages::Languages;
use crate::passes::{Pass, Regions};
use crate::regions::{Host, NestedRegion};
use crate::settings::LadderSettings;
use crate::snapshot::{InputFile, Snapshot};

/// A region is large if it has more than one byte in this many of the input, so there are never
/// many. Chosen by hand.
const LARGE_PART: u64 = 8;

/// The search of nested texts, one region after the other.
#[derive(Clone, Debug)]
pub(super) struct NestedSearch {
    base: Arc<Snapshot>,
    chain: Box<Chain<RegionsAhead>>,
}

impl NestedSearch {
    /// Searches nested texts of a snapshot, and texts nested in these up to `levels` deep. `None`
    /// if there are none.
    pub(super) fn new(
        base: &Arc<Snapshot>,
        settings: &LadderSettings,
        regions: Regions,
        levels: u8,
    ) -> Option<NestedSearch> {
        let mut found = NestedRegion::all(base, settings);
        if regions == Regions::Large {
            let least = base.len() / LARGE_PART;
            found.retain(|region| region.addresses.end - region.addresses.start > least);
        }
        let settings = Arc::new(settings.clone());
        let mut ahead = RegionsAhead { regions: found.into(), settings, levels };
        let first = ahead.search(base.clone())?;
        Some(NestedSearch { base: base.clone(), chain: Box::new(Chain::new(first, ahead)) })
    }

    pub(super) fn base(&self) -> &Arc<Snapshot> {
        &self.base
    }
}

/// The regions that are still to be searched; the next one is the last.
#[derive(Clone, Debug)]
struct RegionsAhead {
    regions: Arc<[NestedRegion]>,
    settings: Arc<LadderSettings>,
    levels: u8,
}

impl RegionsAhead {
    /// Returns the search of the next region.
    fn search(&mut self, base: Arc<Snapshot>) -> Option<RegionSearch> {
        let (region, rest) = self.regions.split_last()?;
        let languages = region.language.clone().map_or(Languages::None, Languages::Given);
        let host = Host::new(base, region.clone());
        self.regions = rest.into();
        let bytes = host.decoded().unwrap_or_default().into();
        let file = InputFile { name: PathBuf::from("nested"), bytes, mode: 0o644 };
        let inner = Arc::new(Snapshot::new(vec![file]));
        let settings = LadderSettings { languages, ..(*self.settings).clone() };
        let passes = Pass::within(&inner, &settings, self.levels);
        let ladder = Ladder::with_passes(&inner, settings, passes);
        Some(RegionSearch { host: Arc::new(host), ladder })
    }
}

impl Rounds for RegionsAhead {
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
