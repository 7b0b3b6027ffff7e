//! The settings of a ladder.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use whodunit_core::searches::Certify;

use super::languages::Languages;
use super::protect::Protection;
use super::snapshot::Snapshot;
use super::structure::Structure;

/// The unit of one delta of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Granularity {
    /// A whole file.
    Files,
    /// A line with its line feed.
    Lines,
    /// A word, a run of white space, or one other character.
    Tokens,
    /// A character of UTF-8 text, a byte of anything else.
    Bytes,
}

/// The settings of a ladder.
#[derive(Clone, Debug)]
pub struct LadderSettings {
    /// The finest granularity to go to.
    pub finest: Granularity,
    /// Parts of the input that must not be touched.
    pub protection: Protection,
    /// How much is done to prove that every survivor is needed.
    pub certify: Certify,
    /// The languages of the files.
    pub languages: Languages,
}

impl LadderSettings {
    /// Parses a snapshot; `None` if nothing of it has a language, or if nodes are too fine.
    pub fn structure(&self, base: &Arc<Snapshot>) -> Option<Structure> {
        if self.finest < Granularity::Tokens {
            return None;
        }
        Structure::read(base, &self.languages, &self.protection)
    }
}
