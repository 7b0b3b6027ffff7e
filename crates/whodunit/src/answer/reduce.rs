//! The answer of a run: what is left, and what proves it.
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

/// The answer of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Answer {
    /// Which job it is the answer of.
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
    /// What is left of the command, if its arguments were reduced too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortened: Option<Shortened>,
    /// The files of the input, and what became of them.
    pub files: Vec<FileAnswer>,
    /// The folders among the inputs, and what became of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<FolderAnswer>,
    /// An input file that was to be replaced and changed during the run, so that the result is beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_input: Option<Word>,
    /// How large the input was.
    pub start: TextSize,
    /// How large the result is.
    pub size: TextSize,
    /// The tests it took.
    pub tests: Tally,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Why the run began again by itself, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_over: Option<WhyAgain>,
    /// What the sandbox enforced, if one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Enforced>,
    /// What proves it.
    pub proof: Proof,
    /// The input that passes beside the one that fails, for the search `isolate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolated: Option<Isolation>,
    /// Why it stopped: parts of the result, and what happened to the candidates without them.
    #[serde(default)]
    pub regions: Regions,
    /// Other failures that were met on the way.
    pub others: Vec<OtherFailure>,
    /// What the first runs taught.
    pub learned: Learned,
    /// What the run was asked to do.
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
    /// Where the result is; `None` if the file is not needed at all.
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
    /// The input.
    pub input: Word,
    /// Where the result is.
    pub path: Word,
    /// Files in and below it.
    pub files_before: u64,
    /// Files of the result.
    pub files: u64,
}

/// How large something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TextSize {
    /// Bytes in all files.
    pub bytes: u64,
    /// Words and marks in all files; bytes where a file is not text.
    pub tokens: u64,
}

impl TextSize {
    /// Measures the files of a snapshot.
    pub fn of(snapshot: &Snapshot) -> Self {
        let tokens = snapshot.files().iter().map(|file| whodunit_input::count_tokens(&file.bytes));
        TextSize { bytes: snapshot.len(), tokens: tokens.sum::<usize>() as u64 }
    }
}

/// What proves the answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Proof {
    /// The finest level at which nothing can be left out; `None` if that is not proved.
    pub level: Option<Level>,
    /// All levels at which nothing can be left out.
    pub levels: Vec<Level>,
    /// What was asked for.
    pub certify: Certification,
    /// The verdict on the result when it was tested once more in a clean folder.
    pub rerun: Option<Rerun>,
    /// Why each delta of the result is needed; empty where it would be too long to list.
    pub needed: Vec<Needed>,
}

/// What one piece of a result is that may be needed, from coarse to fine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A whole file.
    Files,
    /// A node of a file that was parsed, as far as the grammar lets it go.
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

/// The result, tested once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rerun {
    /// What came of it.
    pub verdict: Claim,
}

/// A delta of the result with the test that shows that it is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Needed {
    /// What kind of delta it is.
    pub level: Level,
    /// The file it lies in, by its place in the list of files.
    pub file: usize,
    /// Its first byte.
    pub start: u64,
    /// The byte after its last.
    pub end: u64,
    /// The content without it.
    pub key: Key,
    /// The verdict on that content; never `fail`.
    pub verdict: Claim,
    /// What happened to that content.
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
    /// The verdict on it in a clean folder; always `pass`.
    pub verdict: Claim,
    /// The deltas that the result has and the passing input has not, in the order of the text.
    pub difference: Vec<Differing>,
    /// Whether the difference is minimal: there is one delta, or each of several was added to the
    /// passing input and taken from the result by itself, and every outcome was unresolved.
    pub minimal: bool,
}

/// A delta of the result that the passing input has not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Differing {
    /// What kind of delta it is.
    pub level: Level,
    /// The file it lies in, by its place in the list of files that are left.
    pub file: usize,
    /// Its first byte.
    pub start: u64,
    /// The byte after its last.
    pub end: u64,
    /// The line it begins on, from 1.
    pub line: u64,
    /// Its text, cut short.
    pub text: String,
}

/// Parts of the result, each with the nearest smaller candidates: why the search stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Regions {
    /// In the order of the text, the outer ones before those within them.
    pub listed: Vec<Region>,
    /// How many more there are; the outermost ones are listed.
    pub more: u64,
}

/// A part of the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Region {
    /// What it is: a file, a node or a line; a byte of what is not text.
    pub level: Level,
    /// The file it lies in, by its place in the list of files that are left.
    pub file: usize,
    /// Its first byte.
    pub start: u64,
    /// The byte after its last.
    pub end: u64,
    /// The line it begins on, from 1.
    pub line: u64,
    /// Its text, cut short.
    pub text: String,
    /// Smaller candidates that were asked about.
    pub smaller: Vec<Smaller>,
}

/// A candidate that is the result without something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Smaller {
    /// What goes, cut short.
    pub without: String,
    /// What comes in its place, cut short; mostly nothing.
    pub instead: String,
    /// The content.
    pub key: Key,
    /// What happened to it.
    #[serde(flatten)]
    pub because: Refutation,
}
