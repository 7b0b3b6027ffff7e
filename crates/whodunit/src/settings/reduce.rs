//! What a run of `reduce` is asked to do.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use whodunit_input::{Granularity, ReduceSearch};
use whodunit_run::Word;

use crate::settings::{FlakySettings, LimitSettings, SandboxMode};

/// What a run of `reduce` was asked to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ReduceSettings {
    /// The folder that everything else is relative to.
    pub origin: Word,
    /// The files and folders to reduce.
    pub inputs: Vec<Word>,
    /// What to run on them.
    pub test: Test,
    /// Whether arguments of the command that do not matter are dropped too.
    pub reduce_args: bool,
    /// Cheap checks to run first, as lines for the shell.
    pub gates: Vec<String>,
    /// What counts as the failure; if nothing is said it is learned.
    pub rule: RuleSettings,
    /// How much a test may use.
    pub limits: LimitSettings,
    /// The search that decides.
    #[serde(default)]
    pub search: ReduceSearch,
    /// Whether only sentences of the grammars are tested.
    #[serde(default)]
    pub valid: bool,
    /// The finest granularity to go to.
    pub finest: Granularity,
    /// What the files are written in.
    #[serde(default)]
    pub language: LanguageSettings,
    /// Patterns of what must not be touched.
    pub protect: Vec<String>,
    /// How much is done to prove the result.
    pub certify: Certification,
    /// Where the result goes.
    pub destination: Destination,
    /// How many tests run at once.
    pub jobs: usize,
    /// How long it may take.
    pub budget: Option<Duration>,
    /// How many tests it may take.
    pub max_tests: Option<u64>,
    /// Whether tests may write in their own folder only, without a network.
    pub sandbox: SandboxMode,
    /// Variables that the outcome of a test depends on.
    pub variables: Vec<String>,
    /// What is done about a test that does not always say the same.
    #[serde(default)]
    pub flaky: FlakySettings,
    /// Where to keep every candidate that was asked about.
    pub keep_tests: Option<Word>,
}

impl ReduceSettings {
    /// Reduces these inputs with this test, both relative to the folder `origin`: down to bytes, with
    /// a proof, one test at a time, the result beside each input.
    pub fn new(
        origin: impl Into<Word>,
        inputs: impl IntoIterator<Item: Into<Word>>,
        test: Test,
    ) -> Self {
        ReduceSettings {
            origin: origin.into(),
            inputs: inputs.into_iter().map(Into::into).collect(),
            test,
            reduce_args: false,
            gates: Vec::new(),
            rule: RuleSettings::default(),
            limits: LimitSettings::default(),
            search: ReduceSearch::default(),
            valid: false,
            finest: Granularity::Bytes,
            language: LanguageSettings::default(),
            protect: Vec::new(),
            certify: Certification::default(),
            destination: Destination::Beside,
            jobs: 1,
            budget: None,
            max_tests: None,
            sandbox: SandboxMode::Off,
            variables: Vec::new(),
            flaky: FlakySettings::default(),
            keep_tests: None,
        }
    }
}

/// What to run on a candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// A command in which `{}` stands for the candidate.
    Command(Vec<Word>),
    /// A script that exits with 0 if the failure is there.
    Script(Word),
}

impl Test {
    /// Returns a command in which `{}` stands for the candidate.
    pub fn command(words: impl IntoIterator<Item: Into<Word>>) -> Self {
        Test::Command(words.into_iter().map(Into::into).collect())
    }
}

/// What counts as the failure, in the user's words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RuleSettings {
    /// Exit statuses.
    pub exit: Vec<u8>,
    /// A pattern in the output.
    pub matching: Option<String>,
    /// Signals by number.
    pub signal: Vec<i32>,
    /// The time limit.
    pub timeout: bool,
    /// Anything but success.
    pub any: bool,
}

/// How much is done to prove that every survivor is needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certification {
    /// Every survivor is refuted against the result.
    #[default]
    Full,
    /// Only neighbours of what went are asked about again.
    Dirty,
    /// Nothing is asked for the proof alone.
    None,
}

/// Where the result goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Destination {
    /// Beside each input, with `.reduced` before the extension.
    Beside,
    /// Into this file, or this folder if there are several inputs.
    At(Word),
    /// Over the inputs.
    InPlace,
}

/// What the input is written in, in the user's words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LanguageSettings {
    /// What the names and first bytes of the files say.
    #[default]
    ByFile,
    /// Nothing that is known: just text.
    Text,
    /// The language of this name.
    Named(String),
    /// What this grammar describes.
    Grammar {
        /// The folder or library of a tree-sitter grammar, or a `.y` file.
        path: Word,
        /// The tokens of a `.y` file, if they are not beside it.
        lexical: Option<Word>,
    },
    /// The events that this file describes.
    Hierarchy(Word),
}
