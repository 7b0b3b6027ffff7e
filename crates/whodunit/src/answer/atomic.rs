//! Atomic changes in answers; part of the documented schemas of `changes --json` and
//! `atoms --json`.

use serde::{Deserialize, Serialize};
use whodunit_run::Word;

/// The atomic changes that cause the failure, and the course of the three phases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AtomicAnswer {
    /// The atomic changes in the culprit, bodies before the definitions they need.
    pub culprit: Vec<AtomAnswer>,
    /// The suspects, phase by phase.
    pub phases: Phases,
}

/// The number of suspects at the start and the end of each phase, with the tests of each phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Phases {
    /// The number of all atomic changes.
    pub atoms: u64,
    /// The number of atomic changes that the failing test can depend on.
    pub responsible: u64,
    /// How these were found.
    pub responsible_by: ResponsibleBy,
    /// The places where the failing test begins, if the calls from there were used.
    pub entries: Vec<String>,
    /// Whether the failure was not found among the responsible changes, so that the others came
    /// back.
    pub came_back: bool,
    /// Sets of changes that contain everything their changes need.
    pub chains: Phase,
    /// Atomic changes, without the definitions that others need.
    pub changes: Phase,
    /// The number of definitions that were added because other changes need them.
    pub definitions: u64,
    /// Changed lines.
    pub statements: Phase,
    /// Notes about information that could not be used.
    pub notes: Vec<String>,
}

/// A test with the atomic changes that can affect it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AffectedTest {
    /// The name of the test.
    pub name: String,
    /// The file of the test, if it was found in the sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Word>,
    /// The numbers of the changes that the test can depend on, with all that these need; empty if
    /// the test cannot be affected.
    pub changes: Vec<u64>,
}

/// The numbers of one phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Phase {
    /// The number of suspects at the start.
    pub of: u64,
    /// The number of suspects that are needed for the failure.
    pub left: u64,
    /// The number of tests.
    pub tests: u64,
}

/// How the changes that a test can depend on were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResponsibleBy {
    /// By the calls in the source of the program.
    Calls,
    /// By coverage that was measured while the test ran.
    Coverage,
    /// They were not found: everything is suspected.
    Nothing,
}

/// One atomic change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AtomAnswer {
    /// The number of the atomic change, from 1.
    pub number: u64,
    /// The abbreviation of its kind, as in the catalogue: `AF`, `CM` and so on.
    pub kind: String,
    /// Its kind in words.
    pub description: String,
    /// The changed definition, with the names of the classes and the like around it.
    pub name: String,
    /// The name before the change, if it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
    /// The file.
    pub file: Word,
    /// The first and the last line in the good version, from 1.
    pub old_lines: Option<[u32; 2]>,
    /// The first and the last line in the bad version, from 1.
    pub new_lines: Option<[u32; 2]>,
    /// The numbers of the atomic changes that this one needs.
    pub needs: Vec<u64>,
    /// Whether the failing test can depend on this change, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responsible: Option<bool>,
    /// How suspicious a suite of tests makes this change, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}
