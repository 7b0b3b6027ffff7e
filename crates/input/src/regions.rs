//! Text in disguise inside text: JSON in a string, base64, a script in a page.

use std::ops::Range;
use std::sync::Arc;

use whodunit_syntax::language::Language;
use whodunit_syntax::outline::{self, NestedFormat};
use whodunit_syntax::parse::parse;

use super::edits::Edit;
use super::settings::LadderSettings;
use super::snapshot::Snapshot;
use super::tokens;

/// Tokens that the decoded text of a region must have to be searched; a smaller one is left to the
/// other passes. Chosen by hand.
const MIN_TOKENS: usize = 4;

/// A region of a snapshot with something nested in it.
#[derive(Clone, Debug)]
pub(super) struct NestedRegion {
    pub(super) addresses: Range<u64>,
    /// How it is disguised, if it is.
    format: Option<NestedFormat>,
    pub(super) language: Option<Language>,
}

/// A region of one snapshot.
#[derive(Debug)]
pub(super) struct Host {
    base: Arc<Snapshot>,
    region: NestedRegion,
}

impl Host {
    pub(super) fn new(base: Arc<Snapshot>, region: NestedRegion) -> Self {
        Host { base, region }
    }

    pub(super) fn base(&self) -> &Arc<Snapshot> {
        &self.base
    }

    /// Returns the edits of the base that put this text into the region.
    pub(super) fn edits(&self, plain: &[u8]) -> Vec<Edit> {
        let old = self.base.bytes(self.region.addresses.clone());
        let new = self.encode(plain).filter(|new| new != old);
        new.map(|text| Edit { range: self.region.addresses.clone(), text }).into_iter().collect()
    }

    /// Returns the plain text of the region.
    pub(super) fn decoded(&self) -> Option<Vec<u8>> {
        self.region.decode(self.base.bytes(self.region.addresses.clone()))
    }

    /// Writes plain text in the format of the region; `None` if the format cannot hold it.
    pub(super) fn encode(&self, plain: &[u8]) -> Option<Vec<u8>> {
        match self.region.format {
            Some(format) => format.encode(plain),
            None => Some(plain.to_vec()),
        }
    }
}

impl NestedRegion {
    fn decode(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        match self.format {
            Some(format) => format.decode(bytes),
            None => Some(bytes.to_vec()),
        }
    }

    /// Finds the regions of a snapshot that are worth opening, in order.
    pub(super) fn all(base: &Snapshot, settings: &LadderSettings) -> Vec<NestedRegion> {
        let mut regions = Vec::new();
        for (index, file) in base.files().iter().enumerate() {
            if tokens::is_binary(&file.bytes) {
                continue;
            }
            let start = base.addresses(index).start;
            let shields = settings.protection.shields(&file.bytes);
            let mut add = |range: Range<usize>, format, language| {
                let addresses = start + range.start as u64..start + range.end as u64;
                let region = NestedRegion { addresses, format, language };
                let bytes = &file.bytes[range.clone()];
                let is_worth = |plain: Vec<u8>| tokens::count(&plain) >= MIN_TOKENS;
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

/// Returns the language of a decoded text.
fn looks_like(plain: &[u8]) -> Option<Language> {
    let first = plain.iter().find(|byte| !byte.is_ascii_whitespace());
    first.filter(|byte| matches!(byte, b'{' | b'[')).and(Language::by_name("json").ok())
}
