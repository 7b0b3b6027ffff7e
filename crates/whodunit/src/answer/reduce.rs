//! The answer of a run of `reduce`: the result, and its proof.
//!
//! This is the documented schema of `--json`; see `docs/manual/answer.md`.

use std::fmt;

use serde::{Deserialize, Serialize};
use whodunit_exec::process::Enforced;
use whodunit_input::{Granularity, Snapshot};
use whodunit_run::evidence::Claim;
use whodunit_run::{Ended, Key, Refutation, Tally, Word};

use crate::answer::{JobName, Learned, OtherFailure, Shortened, WhyAgain};
use crate::settings::{Certification, ReduceSettings};

/// The answer of a run of `reduce`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Answer {
    /// The job that the answer belongs to.
    pub job: JobName,
    /// The version of this schema.
    pub schema: u32,
    /// The version of the program.
    pub version: String,
    /// The name of the run.
    pub run: String,
    /// Why the search ended; only `done` gives a smallest result.
    pub ended: Ended,
    /// The failure in words.
    pub failure: String,
    /// The command as it can be typed.
    pub command: String,
    /// The shortened command, if its arguments were reduced too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortened: Option<Shortened>,
    /// The files of the input and of the result.
    pub files: Vec<FileAnswer>,
    /// The folders of the input and of the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<FolderAnswer>,
    /// An input file that should have been replaced, but changed during the run; the result is
    /// written beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_input: Option<Word>,
    /// The size of the input.
    pub start: TextSize,
    /// The size of the result.
    pub size: TextSize,
    /// The number of tests.
    pub tests: Tally,
    /// The duration of the run in seconds.
    pub seconds: f64,
    /// Why the run began again by itself, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_over: Option<WhyAgain>,
    /// The parts of the sandbox that were enforced, if one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Enforced>,
    /// The proof of the result.
    pub proof: Proof,
    /// The input that passes beside the one that fails, for the search `isolate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolated: Option<Isolation>,
    /// Parts of the result, and why no smaller candidate replaced them.
    #[serde(default)]
    pub regions: Regions,
    /// Other failures that tests of the run showed.
    pub others: Vec<OtherFailure>,
    /// The lessons of the first runs.
    pub learned: Learned,
    /// The settings of the run.
    pub settings: ReduceSettings,
}

/// One file of the result.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FileAnswer {
    /// The file of the input.
    pub input: Word,
    /// Its name in the folder of a test.
    pub name: Word,
    /// The path of the result; `None` if the file is not needed at all.
    pub path: Option<Word>,
    /// The content of the result.
    pub key: Option<Key>,
    /// Bytes of the input.
    pub bytes_before: u64,
    /// Bytes of the result.
    pub bytes: u64,
}

/// One folder of the input.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FolderAnswer {
    /// The folder of the input.
    pub input: Word,
    /// The path of the result.
    pub path: Word,
    /// Number of files in the folder and below it.
    pub files_before: u64,
    /// Number of files of the result.
    pub files: u64,
}

/// The size of some files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TextSize {
    /// Bytes in all files.
    pub bytes: u64,
    /// Words and punctuation marks in all files; bytes where a file is not text.
    pub tokens: u64,
}

impl TextSize {
    /// Measures the files of a snapshot.
    pub fn of(snapshot: &Snapshot) -> Self {
        let tokens = snapshot.files().iter().map(|file| whodunit_input::count_tokens(&file.bytes));
        TextSize { bytes: snapshot.len(), tokens: tokens.sum::<usize>() as u64 }
    }
}

/// The proof of an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Proof {
    /// The finest level at which no piece can be removed; `None` if that is not proved.
    pub level: Option<Level>,
    /// All levels at which no piece can be removed.
    pub levels: Vec<Level>,
    /// The proof that the user asked for.
    pub certify: Certification,
    /// The verdict on the result when it was tested once more in a clean folder.
    pub rerun: Option<Rerun>,
    /// Why each delta of the result is needed; empty if the list would be too long.
    pub needed: Vec<Needed>,
}

/// The kinds of pieces of a result, from coarse to fine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A whole file.
    Files,
    /// A node of a parsed file, as far as the grammar allows its removal.
    Nodes,
    /// A line.
    Lines,
    /// A token.
    Tokens,
    /// A character of UTF-8 text, a byte of anything else.
    Bytes,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Files => "files",
            Level::Nodes => "nodes",
            Level::Lines => "lines",
            Level::Tokens => "tokens",
            Level::Bytes => "bytes",
        })
    }
}

impl From<Granularity> for Level {
    fn from(granularity: Granularity) -> Self {
        match granularity {
            Granularity::Files => Level::Files,
            Granularity::Lines => Level::Lines,
            Granularity::Tokens => Level::Tokens,
            Granularity::Bytes => Level::Bytes,
        }
    }
}

/// The result, tested again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rerun {
    /// The verdict.
    pub verdict: Claim,
}

/// A delta of the result with the test that shows that it is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Needed {
    /// The kind of the delta.
    pub level: Level,
    /// The file of the delta, by its place in the list of files.
    pub file: usize,
    /// The position of its first byte.
    pub start: u64,
    /// The position after its last byte.
    pub end: u64,
    /// The content of the result without the delta.
    pub key: Key,
    /// The verdict on that content; never `fail`.
    pub verdict: Claim,
    /// Why that content does not show the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<Refutation>,
}

/// An input that passes, as close to the result as `isolate` could bring the two.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Isolation {
    /// The files of the input that passes.
    pub files: Vec<FileAnswer>,
    /// The folders of the input that passes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<FolderAnswer>,
    /// The verdict on this input in a clean folder; always `pass`.
    pub verdict: Claim,
    /// The deltas that the result has and the passing input lacks, in the order of the text.
    pub difference: Vec<Differing>,
    /// Whether the difference is minimal: it is one delta, or each of its deltas alone was added to
    /// the passing input and removed from the result, and every verdict was unresolved.
    pub minimal: bool,
}

/// A delta of the result that the passing input lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Differing {
    /// The kind of the delta.
    pub level: Level,
    /// The file of the delta, by its place in the list of remaining files.
    pub file: usize,
    /// The position of its first byte.
    pub start: u64,
    /// The position after its last byte.
    pub end: u64,
    /// The line where it begins, from 1.
    pub line: u64,
    /// Its text, shortened.
    pub text: String,
}

/// Parts of the result, each with the nearest smaller candidates: why the search stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Regions {
    /// The parts in the order of the text, outer ones before those within them.
    pub listed: Vec<Region>,
    /// The number of parts that are not listed; the outermost ones are listed.
    pub more: u64,
}

/// A part of the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Region {
    /// The kind of the part: a file, a node or a line; a byte in a file that is not text.
    pub level: Level,
    /// The file of the part, by its place in the list of remaining files.
    pub file: usize,
    /// The position of its first byte.
    pub start: u64,
    /// The position after its last byte.
    pub end: u64,
    /// The line where it begins, from 1.
    pub line: u64,
    /// Its text, shortened.
    pub text: String,
    /// Smaller candidates that were asked about.
    pub smaller: Vec<Smaller>,
}

/// A candidate that is the result with a part removed or replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Smaller {
    /// The removed text, shortened.
    pub without: String,
    /// The text in its place, shortened; usually empty.
    pub instead: String,
    /// The content of the candidate.
    pub key: Key,
    /// Why the candidate does not show the failure.
    #[serde(flatten)]
    pub because: Refutation,
}
