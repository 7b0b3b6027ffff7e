//! Everything that can go wrong, with the facts for a message. The words are in
//! [`words`](crate::words), the exit codes in [`exit`](crate::exit).

use std::io;
use std::path::PathBuf;

use whodunit_exec::scratch::ScratchError;
use whodunit_jobs::RecordsError;
use whodunit_jobs::changes::{ChangesError, ChangesSettings};
use whodunit_jobs::foreign::BadAnswer;
use whodunit_jobs::history::{HistoryError, HistorySettings};
use whodunit_jobs::journal::RunsError;
use whodunit_jobs::listing::AtomsSettings;
use whodunit_jobs::reduce::{LanguageError, ReduceError, ReduceSettings};

#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    #[error(transparent)]
    Usage(#[from] Usage),
    /// A run that could not be carried out.
    #[error("{error}")]
    Reduce {
        error: ReduceError,
        settings: Box<ReduceSettings>,
        /// The name of the run, if it can be continued.
        run: Option<String>,
    },
    /// A run of `changes` that could not be carried out.
    #[error("{error}")]
    Changes {
        error: ChangesError,
        settings: Box<ChangesSettings>,
        /// The name of the run, if it can be continued.
        run: Option<String>,
    },
    /// A run of `history` that could not be carried out.
    #[error("{error}")]
    History {
        error: HistoryError,
        settings: Box<HistorySettings>,
        /// The name of the run, if it can be continued.
        run: Option<String>,
    },
    /// Atomic changes that could not be listed.
    #[error("{error}")]
    Atoms { error: ChangesError, settings: Box<AtomsSettings> },
    /// A proof that could not be replayed.
    #[error("{error}")]
    Verify { error: ReduceError, settings: Box<ReduceSettings> },
    #[error(transparent)]
    Runs(#[from] RunsError),
    #[error("`{}` is not an answer of whodunit", .path.display())]
    Answer { path: PathBuf, source: io::Error },
    #[error("`{}` is no answer that can be replayed", .path.display())]
    BadAnswer { path: PathBuf, source: BadAnswer },
    #[error("the commands of `{0}` are not run: nobody has confirmed them")]
    Untrusted(String),
    #[error("the run `{0}` has no answer yet")]
    NoAnswer(String),
    #[error(transparent)]
    Grammar(#[from] GrammarTrouble),
    #[error("there is no folder for journals: neither XDG_STATE_HOME nor HOME is set")]
    NoHome,
    #[error("cannot tell the current folder")]
    NoFolder(#[source] io::Error),
    #[error(transparent)]
    NoScratch(#[from] ScratchError),
    #[error("cannot listen for signals")]
    Signals(#[source] io::Error),
    #[error("cannot print")]
    Output(#[source] io::Error),
    #[error("cannot write the report to `{}`", .path.display())]
    Report { path: PathBuf, source: io::Error },
    #[error("cannot write `{}`", .path.display())]
    Write { path: PathBuf, source: io::Error },
}

impl From<RecordsError> for Trouble {
    fn from(error: RecordsError) -> Self {
        Trouble::Runs(error.into())
    }
}

/// Arguments that make no sense.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Usage {
    #[error("nothing to run on {0}")]
    NoTest(String),
    #[error("nothing to run on {inputs}, and `{script}` is a program")]
    TestAmongFiles { inputs: String, script: String },
    #[error("there is no file `{file}`, which {flag} names")]
    NoTestFile { flag: &'static str, file: String },
    #[error("`{id}` names no test")]
    NoTestName { id: String },
    #[error("`{word}` is one word, and no program has that name")]
    OneWord {
        word: String,
        /// The words to write after `--` instead.
        instead: String,
    },
    #[error("`reduce` reads files, not its standard input")]
    StandardInput,
    #[error("--test is a flag of `reduce`, and `{job}` takes a command after `--`")]
    ScriptOfReduce { job: &'static str, script: String },
    #[error("there is no folder `{0}` with a history")]
    NoPlace(String),
    #[error("two things to run: a test is a command after `--` or what one flag names")]
    TwoTests,
    #[error("the command names `{name}` itself, so every test would see the whole of it")]
    NamesInput {
        name: String,
        /// What to write instead.
        instead: String,
        /// The command, if the file may be the test.
        test: Option<String>,
    },
    #[error("`{path}`, where {flag} is written, is {what}")]
    WritesOver { flag: &'static str, path: String, what: &'static str },
    #[error("`{path}`, where {flag} is written, lies in `{folder}`, which is {what}")]
    WritesInto { flag: &'static str, path: String, folder: String, what: &'static str },
    #[error("{flag} and {other} are written to the same place, `{path}`")]
    WritesTwice { flag: &'static str, other: &'static str, path: String },
    #[error("more than two versions to compare")]
    ManyVersions,
    #[error("--test-coverage says nothing without --junit: which of the tests fail?")]
    NoReports,
    #[error("nothing to run in the versions")]
    NoChangesTest,
    #[error("nothing to run in the versions of the history")]
    NoHistoryTest,
    #[error("`history` cannot do with {flag}: {why}")]
    NotHistory { flag: &'static str, why: &'static str },
    #[error("`{range}` names both versions, and `{version}` is a third one")]
    RangeAndVersion { range: String, version: String },
    #[error("{flag} and {with} do not go together: {why}")]
    Clash { flag: &'static str, with: &'static str, why: &'static str },
    #[error("the run `{0}` is one of `reduce`; such pages are about changes between versions")]
    NoPages(String),
    #[error(
        "the run `{run}` has had {had} tests; --max-tests counts from its beginning, so {most} are no more"
    )]
    FewerTests { run: String, had: u64, most: u64 },
    #[error("--reduce-args needs a command after `--`: a script takes no arguments of its own")]
    NoArgs,
    #[error("the result is text and cannot replace the hierarchy")]
    DescriptionInPlace,
    #[error("--json and --events would both be printed")]
    JsonAndEvents,
    #[error("there is no command `{0}` to have a page about")]
    NoPage(String),
}

/// A language that is not known, a grammar that is not one, or a rule that the grammar does
/// not have.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GrammarTrouble {
    #[error(transparent)]
    Language(#[from] LanguageError),
    #[error("`{grammar}` has no rule `{rule}`")]
    NoRule { grammar: String, rule: String, near: Vec<String> },
}
