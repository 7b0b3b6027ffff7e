//! What is said about atomic changes; part of the documented schemas of `changes --json` and
//! `atoms --json`.

use serde::{Deserialize, Serialize};
use whodunit_run::Word;

/// How the three phases went, and which atomic changes did it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AtomicAnswer {
    /// The atomic changes that the culprit is made of, bodies before the definitions they need.
    pub culprit: Vec<AtomAnswer>,
    /// What was suspected, phase by phase.
    pub phases: Phases,
}

/// How many changes each phase began and ended with, and the tests it took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Phases {
    /// How many atomic changes there are.
    pub atoms: u64,
    /// How many of them the failing test can depend on.
    pub responsible: u64,
    /// How that is known.
    pub responsible_by: ResponsibleBy,
    /// Where the failing test begins, if that is what the answer rests on.
    pub entries: Vec<String>,
    /// Whether the failure was not found among the responsible changes, so that the others came
    /// back.
    pub came_back: bool,
    /// Sets that hold all that their changes need.
    pub chains: Phase,
    /// Atomic changes; the definitions that others need are left out of the count.
    pub changes: Phase,
    /// Definitions that came along with what needs them.
    pub definitions: u64,
    /// Changed lines.
    pub statements: Phase,
    /// What could not be made use of, in words.
    pub notes: Vec<String>,
}

/// A test with the atomic changes that can affect it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AffectedTest {
    /// Its name.
    pub name: String,
    /// The file it is in, if it was found in the sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Word>,
    /// The changes that it can depend on, with all that these need, by their numbers; none if the
    /// test cannot be affected.
    pub changes: Vec<u64>,
}

/// One phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Phase {
    /// With how many it began.
    pub of: u64,
    /// How many of them are needed for the failure.
    pub left: u64,
    /// The tests it took.
    pub tests: u64,
}

/// How it is known what a test can depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResponsibleBy {
    /// By the calls that are written in the program.
    Calls,
    /// By what was measured while it ran.
    Coverage,
    /// It is not: everything is suspected.
    Nothing,
}

/// One atomic change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AtomAnswer {
    /// Its number, from 1.
    pub number: u64,
    /// Its kind, as in the catalogue: `AF`, `CM` and so on.
    pub kind: String,
    /// Its kind in words.
    pub description: String,
    /// What is changed, with the names that it is in.
    pub name: String,
    /// What it was called before, if it has another name now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
    /// The file.
    pub file: Word,
    /// The first and the last line in the good version, from 1.
    pub old_lines: Option<[u32; 2]>,
    /// The first and the last line in the bad version, from 1.
    pub new_lines: Option<[u32; 2]>,
    /// The numbers of the changes that it needs.
    pub needs: Vec<u64>,
    /// Whether the failing test can depend on it, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responsible: Option<bool>,
    /// How suspect a suite of tests makes it, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}
