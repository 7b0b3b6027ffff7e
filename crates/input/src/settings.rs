//! The settings of a ladder.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use whodunit_core::searches::Certify;

use super::languages::Languages;
use super::protect::Protection;
use super::snapshot::Snapshot;
use super::structure::Structure;
use super::validity::Validity;

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

/// The search that decides which candidates are asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReduceSearch {
    /// Pass after pass, until none of them finds anything more.
    #[default]
    Passes,
    /// The smallest failing list, of 2002.
    Ddmin,
    /// The smallest difference between a passing and a failing list, of 2002.
    Isolate,
    /// `ddmin` on one level of the tree after the other, of 2007.
    Hdd,
    /// The same, then one node at a time.
    HddPlus,
    /// The same, until it removes nothing.
    HddStar,
    /// `ddmin` on the children of one node after the other.
    HddRecursive,
}

impl ReduceSearch {
    /// Returns whether it searches a tree.
    pub fn is_over_tree(self) -> bool {
        match self {
            ReduceSearch::Hdd | ReduceSearch::HddRecursive => true,
            ReduceSearch::HddPlus | ReduceSearch::HddStar => true,
            ReduceSearch::Passes | ReduceSearch::Ddmin | ReduceSearch::Isolate => false,
        }
    }

    /// Returns whether it promises that no piece of its result can be left out alone.
    pub fn promises_each_needed(self) -> bool {
        match self {
            ReduceSearch::Passes | ReduceSearch::Ddmin => true,
            ReduceSearch::HddPlus | ReduceSearch::HddStar => true,
            ReduceSearch::Hdd | ReduceSearch::HddRecursive | ReduceSearch::Isolate => false,
        }
    }
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
    /// The search.
    pub search: ReduceSearch,
    /// The demands on every candidate, if there are any: grammars, protected text.
    pub validity: Option<Arc<Validity>>,
    /// The names of passes that are left out, to measure their worth.
    pub without: Vec<String>,
}

impl LadderSettings {
    /// Goes down to bytes with all passes, proves all of it, and protects nothing.
    pub fn new(languages: Languages) -> Self {
        LadderSettings {
            finest: Granularity::Bytes,
            protection: Protection::new(&[]).expect("no pattern is a valid list of patterns"),
            certify: Certify::Full,
            languages,
            search: ReduceSearch::default(),
            validity: None,
            without: Vec::new(),
        }
    }

    /// Returns whether only sentences of the grammars are asked about.
    pub fn wants_sentences(&self) -> bool {
        self.validity.as_ref().is_some_and(|validity| validity.wants_sentences())
    }

    /// Parses a snapshot; `None` if nothing of it has a language, or if nodes are too fine.
    pub fn structure(&self, base: &Arc<Snapshot>) -> Option<Structure> {
        if self.finest < Granularity::Tokens {
            return None;
        }
        Structure::read(base, &self.languages, &self.protection)
    }

    /// Takes a snapshot apart: by its grammars, or by its layout where there are none. `None` if it
    /// is a plain list.
    pub fn tree(&self, base: &Arc<Snapshot>) -> Option<Structure> {
        let outline = || Structure::outline(base, &self.languages, &self.protection);
        let has_nodes = |structure: &Structure| {
            structure.has_depth() || structure.tree().len() > 2 && base.files().len() > 1
        };
        self.structure(base).filter(has_nodes).or_else(|| outline().filter(has_nodes))
    }
}
