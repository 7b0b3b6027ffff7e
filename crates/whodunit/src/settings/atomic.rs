//! The settings of a search over atomic changes.

use serde::{Deserialize, Serialize};
use whodunit_run::Word;

/// The start of the failing test, the lines that it ran, and the results of a whole suite of tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AtomicSettings {
    /// Start of the failing test, as `Class.method`, as a function or as a class. If none is given,
    /// it is looked for in the command and in the output of the failing version.
    pub entries: Vec<String>,
    /// Coverage files that show which lines the failing test ran in the bad version.
    pub coverage: Vec<Word>,
    /// JUnit XML reports that show which tests pass and which fail in the bad version.
    pub reports: Vec<Word>,
    /// Coverage of each of these tests: files, or folders of files, named after the tests.
    pub test_coverage: Vec<Word>,
    /// The formula that ranks the changes.
    pub rank: RankBy,
}

/// A formula that ranks changes over a suite of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RankBy {
    /// The share of failed tests among the tests that run a change, each side in per cent of its
    /// tests.
    #[default]
    Share,
    /// Ochiai's coefficient.
    Ochiai,
}
