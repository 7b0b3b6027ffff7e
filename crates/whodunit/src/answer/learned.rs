//! The lessons of the first runs of a job. The journal and the answer keep them.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use whodunit_exec::StageLimits;
use whodunit_run::judge::{Failure, Used};
use whodunit_run::{Flakiness, Word};

/// The lessons of the first runs of `reduce`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Learned {
    /// The failure, unless the user described it.
    pub signature: Option<Failure>,
    /// The failure in words.
    pub failure: String,
    /// The command as it can be typed.
    pub command: String,
    /// The limits of all later tests.
    pub limits: StageLimits,
    /// The duration of each of the first runs.
    pub durations: Vec<Duration>,
    /// How often the failure shows, if the test is flaky.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flaky: Option<Flakiness>,
}

/// A command without the arguments that do not matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Shortened {
    /// The words that remain.
    pub words: Vec<Word>,
    /// The number of tests.
    pub tests: u64,
    /// Whether each remaining word is known to matter.
    pub complete: bool,
}

/// The lessons of the first runs of `changes` and `history`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LearnedEnds {
    /// The failure, unless the user described it.
    pub signature: Option<Failure>,
    /// The failure in words.
    pub failure: String,
    /// The command as it can be typed.
    pub command: String,
    /// The limits of all later tests.
    pub limits: StageLimits,
    /// The duration of each of the first runs.
    pub durations: Vec<Duration>,
    /// How often the failure shows, if the test is flaky.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flaky: Option<Flakiness>,
    /// The resources that each of the first runs used, where they are measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used: Vec<Used>,
    /// The evidence that tells the search where to look first.
    #[serde(default, skip_serializing_if = "Evidence::is_empty")]
    pub evidence: Evidence,
    /// The parts of the newest version that belong to the test, in `history`.
    #[serde(default, skip_serializing_if = "OwnTest::is_empty")]
    pub own: OwnTest,
    /// The script of the command, if each version was tested with its own: with the current script
    /// no version that passes was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_script: Option<Word>,
}

/// Observations at the ends other than the verdicts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Evidence {
    /// Differing files that the test of the bad version read, by their paths there.
    pub read_by_bad: Vec<Word>,
    /// Differing files that the test of the good version read.
    pub read_by_good: Vec<Word>,
    /// Words that the bad version printed and the good one did not.
    pub words: Vec<String>,
    /// Words of the test itself.
    #[serde(default)]
    pub tested: Vec<String>,
    /// Words of the test lines that the failure names, and of the parts of the test that these
    /// lines use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<String>,
    /// Lines of differing files that the failure names, as the frames of a stack do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<NamedLine>,
    /// The lines of differing files that the test of the bad version ran, if it was traced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ran_in_bad: Vec<RanLines>,
    /// The lines of differing files that the test of the good version ran, if it was traced.
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
    /// Lines for which it is known whether they ran.
    pub measured: Vec<[u32; 2]>,
}

impl Evidence {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Evidence::default()
    }
}

/// The parts of the newest version that belong to the test. The journal keeps them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OwnTest {
    /// Test files that the command or the failure names; if there are none, all test files that
    /// were read.
    pub files: Vec<Word>,
    /// Other files that the first run read and that are no tests by themselves, such as data. Only
    /// versions without such a file get it.
    pub beside: Vec<Word>,
    /// Other test files that the first run read.
    pub support: Vec<Word>,
    /// Tests in files whose names are not those of tests.
    pub inside: Vec<OwnLines>,
    /// The functions in all these files that the command or the failure names.
    pub tracked: Vec<OwnLines>,
}

impl OwnTest {
    /// Whether no part of the version is known to belong to the test.
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
