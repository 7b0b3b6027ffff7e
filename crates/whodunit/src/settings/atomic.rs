//! What is asked about atomic changes.

use serde::{Deserialize, Serialize};
use whodunit_run::Word;

/// Where the failing test begins, what it runs, and what a whole suite of tests says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AtomicSettings {
    /// Where the failing test begins, as `Class.method`, as a function or as a class; looked for in
    /// the command and in what the failing version prints if nothing is said.
    pub entries: Vec<String>,
    /// What the failing test ran in the bad version, as files of a coverage tool.
    pub coverage: Vec<Word>,
    /// Which tests pass and which fail in the bad version, as JUnit's XML.
    pub reports: Vec<Word>,
    /// What each of these tests ran: files, or folders of files, named after the tests.
    pub test_coverage: Vec<Word>,
    /// By what changes are ranked.
    pub rank: RankBy,
}

/// By what changes are ranked over a suite of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RankBy {
    /// The share of failed tests among those that run it, each side in per cent of its tests.
    #[default]
    Share,
    /// Ochiai's coefficient.
    Ochiai,
}
