//! The settings of a run of `reduce`.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use whodunit_input::{Granularity, ReduceSearch};
use whodunit_run::Word;

use crate::settings::{FlakySettings, LimitSettings, SandboxMode};

/// The settings of a run of `reduce`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ReduceSettings {
    /// The folder that everything else is relative to.
    pub origin: Word,
    /// The files and folders to reduce.
    pub inputs: Vec<Word>,
    /// The test to run on them.
    pub test: Test,
    /// Whether arguments of the command that do not matter are dropped too.
    pub reduce_args: bool,
    /// Cheap checks that run first, as shell commands.
    pub gates: Vec<String>,
    /// The failure as the user describes it; it is learned if this is empty.
    pub rule: RuleSettings,
    /// Limits of a test.
    pub limits: LimitSettings,
    /// The search that decides.
    #[serde(default)]
    pub search: ReduceSearch,
    /// Whether only sentences of the grammars are tested.
    #[serde(default)]
    pub valid: bool,
    /// The finest granularity of the search.
    pub finest: Granularity,
    /// The language of the files.
    #[serde(default)]
    pub language: LanguageSettings,
    /// Patterns of text that must not be changed.
    pub protect: Vec<String>,
    /// How thoroughly the result is proved.
    pub certify: Certification,
    /// Where the result is written.
    pub destination: Destination,
    /// The number of tests that run at the same time.
    pub jobs: usize,
    /// The time that the run may take.
    pub budget: Option<Duration>,
    /// The number of tests that the run may make.
    pub max_tests: Option<u64>,
    /// Whether tests may write only in their own folder, without a network.
    pub sandbox: SandboxMode,
    /// Environment variables that the outcome of a test depends on.
    pub variables: Vec<String>,
    /// The treatment of a flaky test.
    #[serde(default)]
    pub flaky: FlakySettings,
    /// Folder that keeps every candidate that was asked about.
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

/// The command or script that tests a candidate.
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

/// The failure as the user describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RuleSettings {
    /// Exit statuses.
    pub exit: Vec<u8>,
    /// A pattern in the output.
    pub matching: Option<String>,
    /// Signals by number.
    pub signal: Vec<i32>,
    /// Whether reaching the time limit is the failure.
    pub timeout: bool,
    /// Whether any outcome but success is the failure.
    pub any: bool,
}

/// How thoroughly a run proves that every remaining piece is needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certification {
    /// Every remaining piece is removed from the result and tested.
    #[default]
    Full,
    /// Only pieces next to removed ones are tested again.
    Dirty,
    /// No test is made only for the proof.
    None,
}

/// Where the result is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Destination {
    /// Beside each input, with `.reduced` before the extension.
    Beside,
    /// To this file, or to this folder if there are several inputs.
    At(Word),
    /// To the inputs themselves, which it replaces.
    InPlace,
}

/// The language of the input, as the user gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LanguageSettings {
    /// The language that the name or first bytes of each file tell.
    #[default]
    ByFile,
    /// No language: plain text.
    Text,
    /// The language of this name.
    Named(String),
    /// The language of this grammar.
    Grammar {
        /// The folder or library of a tree-sitter grammar, or a `.y` file.
        path: Word,
        /// The tokens of a `.y` file, if they are not beside it.
        lexical: Option<Word>,
    },
    /// The events that this file describes.
    Hierarchy(Word),
}
