//! What the first runs of a job taught. Kept in its journal and in its answer.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use whodunit_exec::StageLimits;
use whodunit_run::judge::{Failure, Used};
use whodunit_run::{Flakiness, Word};

/// What the first runs of `reduce` taught.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Learned {
    /// The failure, if it was to be learned.
    pub signature: Option<Failure>,
    /// The failure in words.
    pub failure: String,
    /// The command as it can be typed.
    pub command: String,
    /// The limits for all tests to come.
    pub limits: StageLimits,
    /// How long each of the first runs took.
    pub durations: Vec<Duration>,
    /// How often the failure shows, if it does not always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flaky: Option<Flakiness>,
}

/// A command without the arguments that do not matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Shortened {
    /// The words that are left.
    pub words: Vec<Word>,
    /// How many tests it took.
    pub tests: u64,
    /// Whether it is known of each word that is left that it matters.
    pub complete: bool,
}

/// What the first runs of `changes` and `history` taught.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LearnedEnds {
    /// The failure, if it was to be learned.
    pub signature: Option<Failure>,
    /// The failure in words.
    pub failure: String,
    /// The command as it can be typed.
    pub command: String,
    /// The limits for all tests to come.
    pub limits: StageLimits,
    /// How long each of the first runs took.
    pub durations: Vec<Duration>,
    /// How often the failure shows, if it does not always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flaky: Option<Flakiness>,
    /// What each of the first runs took, where that is watched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used: Vec<Used>,
    /// Where to look first.
    #[serde(default, skip_serializing_if = "Evidence::is_empty")]
    pub evidence: Evidence,
    /// What of the newest version belongs to the test, in `history`.
    #[serde(default, skip_serializing_if = "OwnTest::is_empty")]
    pub own: OwnTest,
    /// The script of the command, if each version was tested with its own: with the script as it is
    /// now, no version was found that passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_script: Option<Word>,
}

/// What was seen at the ends, beside the verdicts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Evidence {
    /// The files that differ and that the test of the bad version read, by their paths there.
    pub read_by_bad: Vec<Word>,
    /// The same of the good version.
    pub read_by_good: Vec<Word>,
    /// Words that the bad version printed and the good one did not.
    pub words: Vec<String>,
    /// Words of the test itself.
    #[serde(default)]
    pub tested: Vec<String>,
    /// Words of the lines of the test that the failure names, and of what these use of the test.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<String>,
    /// Lines of differing files that the failure names, as the frames of a stack do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<NamedLine>,
    /// The lines of differing files that the test of the bad version ran, where that was traced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ran_in_bad: Vec<RanLines>,
    /// The same of the good version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ran_in_good: Vec<RanLines>,
}

/// A line of the bad version that the failure names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NamedLine {
    /// The file.
    pub file: Word,
    /// The line, counted from 1.
    pub line: u32,
}

/// The lines of a file that ran: ranges of lines with their first and last, counted from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RanLines {
    /// The file.
    pub file: Word,
    /// Lines that ran in functions.
    pub called: Vec<[u32; 2]>,
    /// Lines that ran when the file was loaded.
    pub loaded: Vec<[u32; 2]>,
    /// Lines of which it is known whether they ran.
    pub measured: Vec<[u32; 2]>,
}

impl Evidence {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Evidence::default()
    }
}

/// What of the newest version belongs to the test. Kept in the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OwnTest {
    /// Files of tests that the command or the failure names; if there are none, all that were read.
    pub files: Vec<Word>,
    /// What the first run read beside them and is no test by itself, such as data. Versions get it
    /// that do not have such a file.
    pub beside: Vec<Word>,
    /// Other files of tests that the first run read.
    pub support: Vec<Word>,
    /// Tests in files that are not tests by their names.
    pub inside: Vec<OwnLines>,
    /// The functions in all of these that the command or the failure names.
    pub tracked: Vec<OwnLines>,
}

impl OwnTest {
    /// Whether nothing is known to belong to the test.
    pub fn is_empty(&self) -> bool {
        *self == OwnTest::default()
    }
}

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OwnLines {
    /// The file.
    pub file: Word,
    /// The first line, from 1.
    pub first: u32,
    /// The last line.
    pub last: u32,
}
