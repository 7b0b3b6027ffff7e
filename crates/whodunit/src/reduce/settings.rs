//! What a run of `reduce` was asked to do. Kept in the journal, so that it can go on.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use regex::bytes::RegexBuilder;
use serde::{Deserialize, Serialize};
use whodunit_core::searches::Certify;
use whodunit_exec::Command;
use whodunit_input::{Granularity, LadderSettings, Languages, Protection};
use whodunit_run::Word;
use whodunit_run::judge::Explicit;

use super::language::LanguageSettings;
use super::{ReduceError, input};

/// What a run of `reduce` was asked to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    pub sandbox: bool,
    /// Variables that the outcome of a test depends on.
    pub variables: Vec<String>,
    /// Where to keep every candidate that was asked about.
    pub keep_tests: Option<Word>,
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

/// What counts as the failure, in the user's words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// How much a test may use; what is not given comes from the first runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitSettings {
    /// Wall time.
    pub time: Option<Duration>,
    /// Memory in bytes.
    pub memory: Option<u64>,
    /// Output in bytes.
    pub output: Option<u64>,
    /// Processes at once.
    pub processes: Option<u32>,
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

/// What the settings do not say because it belongs to the machine, not to the run.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// A program whose `main` begins with [`run_if_asked`](whodunit_exec::process::launcher::run_if_asked).
    pub launcher: PathBuf,
    /// Where candidates may be laid out, the best place first.
    pub scratch: Vec<PathBuf>,
    /// Where programs are looked for.
    pub path: OsString,
    /// Where histories that were fetched are kept for later runs.
    pub cache: PathBuf,
    /// The C compiler for grammars of the user's own, with arguments if need be.
    pub compiler: String,
    /// The values of the variables that the settings name.
    pub variables: HashMap<String, OsString>,
}

impl ReduceSettings {
    /// Returns the paths of the inputs.
    pub fn paths(&self) -> Vec<PathBuf> {
        input::paths(self)
    }

    /// Returns the names that the inputs have in the folder of a test, files and folders alike.
    pub fn names(&self) -> Vec<PathBuf> {
        input::names(self)
    }

    /// Returns whether the only input is a description of events: then its texts are reduced.
    pub fn reads_description(&self) -> bool {
        let same = |file: &Word, input: &Word| {
            let origin = self.origin.as_path();
            origin.join(file.as_path()) == origin.join(input.as_path())
        };
        match (&self.language, self.inputs.as_slice()) {
            (LanguageSettings::Hierarchy(file), [input]) => same(file, input),
            _ => false,
        }
    }

    pub(super) fn ladder(&self, languages: Languages) -> Result<LadderSettings, ReduceError> {
        let protection = Protection::new(&self.protect)
            .map_err(|source| ReduceError::Pattern { flag: "--protect", source })?;
        // Events are not cut.
        let is_described = matches!(self.language, LanguageSettings::Hierarchy(_));
        let finest = if is_described { Granularity::Files } else { self.finest };
        Ok(LadderSettings { finest, protection, certify: self.certify.into(), languages })
    }

    pub(super) fn command(&self, surroundings: &Surroundings) -> Result<Command, ReduceError> {
        let origin = self.origin.as_path();
        let command = match &self.test {
            Test::Command(words) => {
                let words: Vec<OsString> =
                    words.iter().map(|word| word.as_os_str().to_owned()).collect();
                Command::typed(&words, origin, &surroundings.path)?
            }
            Test::Script(script) => {
                // A bare name means the file here, not a program of that name elsewhere.
                let script = origin.join(script.as_path()).into_os_string();
                Command::typed(&[script], origin, &surroundings.path)?.with_place()
            }
        };
        Ok(command)
    }

    /// Returns how many words of the command are the program itself: a script that follows an
    /// interpreter is part of it.
    pub(super) fn program_words(&self) -> usize {
        match &self.test {
            Test::Command(words) => {
                let script = words.get(1).map(|word| self.origin.as_path().join(word.as_path()));
                1 + usize::from(script.is_some_and(|script| script.is_file()))
            }
            Test::Script(_) => 1,
        }
    }

    /// Returns the files that are the test itself, by their real paths.
    pub(super) fn test_files(&self) -> Vec<PathBuf> {
        let words = match &self.test {
            Test::Command(words) => &words[..self.program_words()],
            Test::Script(script) => std::slice::from_ref(script),
        };
        let is_script = matches!(self.test, Test::Script(_));
        // A program without a slash in its name is not the file of that name here.
        let is_here = |place: usize, word: &Word| {
            place > 0 || is_script || word.as_path().components().count() > 1
        };
        let here = words.iter().enumerate().filter(|(place, word)| is_here(*place, word));
        let real = |word: &Word| fs::canonicalize(self.origin.as_path().join(word.as_path())).ok();
        here.filter_map(|(_, word)| real(word)).collect()
    }

    pub(super) fn gates(&self, surroundings: &Surroundings) -> Result<Vec<Command>, ReduceError> {
        let shell = |line: &String| Command::shell(line, self.origin.as_path(), &surroundings.path);
        self.gates.iter().map(|line| Ok(shell(line)?)).collect()
    }

    /// Returns whether the candidate is given to the test as its standard input.
    pub(super) fn feeds_stdin(&self, command: &Command) -> bool {
        self.inputs.len() == 1 && (matches!(self.test, Test::Script(_)) || !command.has_place())
    }
}

impl RuleSettings {
    pub(super) fn explicit(&self) -> Result<Explicit, ReduceError> {
        let matching = self
            .matching
            .as_ref()
            .map(|pattern| RegexBuilder::new(pattern).multi_line(true).build())
            .transpose()
            .map_err(|source| ReduceError::Pattern { flag: "--fail-match", source })?;
        let RuleSettings { exit, signal, timeout, any, .. } = self.clone();
        Ok(Explicit { exit, matching, signal, timeout, any })
    }
}

impl From<Certification> for Certify {
    fn from(certification: Certification) -> Self {
        match certification {
            Certification::Full => Certify::Full,
            Certification::Dirty => Certify::Dirty,
            Certification::None => Certify::None,
        }
    }
}
