//! Why a run of `reduce` gave no answer.

use std::io;
use std::path::PathBuf;

use whodunit_exec::BadCommand;
use whodunit_exec::process::ProcessError;
use whodunit_exec::scratch::ScratchError;
use whodunit_run::Counts;
use whodunit_run::judge::Observation;
use whodunit_run::{Ended, Limit};

use super::language::LanguageError;
use crate::answer::Level;
use crate::lab::{EndsRun, LabError};

/// Why an input could not be reduced.
#[derive(Debug, thiserror::Error)]
pub enum ReduceError {
    /// The input cannot be read.
    #[error("cannot read `{}`", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The input is a folder without a name, which a test could not see.
    #[error("`{}` has no name that a test could see it under", .0.display())]
    Nameless(PathBuf),
    /// The input has no content.
    #[error("`{}` is empty: there is nothing to reduce", .0.display())]
    Empty(PathBuf),
    /// No part of the input may be left out.
    #[error("there is nothing to ask: down to {level}, no part of the input may be left out")]
    NothingToAsk {
        /// The finest level.
        level: Level,
    },
    /// A search over trees was asked for, and the input is a plain list.
    #[error("there is no tree to search: the input has no grammar and no blocks")]
    NoTree,
    /// The empty input does not pass, so `isolate` has no passing input to begin with.
    #[error("the empty input does not pass, so there is nothing to compare the input with")]
    NoPassing,
    /// Only sentences of the grammar are tested, and the input is not one.
    #[error("`{}` is not a sentence of its grammar", .0.display())]
    NoSentence(PathBuf),
    /// Only sentences of a grammar are tested, and no file has a grammar.
    #[error("no file of the input has a grammar that candidates could keep to")]
    NoGrammar,
    /// The same file was given twice.
    #[error("`{}` is given twice", .0.display())]
    Twice(PathBuf),
    /// The result would be written over the input.
    #[error("`{}` is the input itself", .0.display())]
    OverInput(PathBuf),
    /// The place for the folder of the result is occupied.
    #[error("`{}` is there already", .0.display())]
    Occupied(PathBuf),
    /// The result would be part of the input.
    #[error("`{}` lies in `{}`, which is to be reduced", .path.display(), .folder.display())]
    Inside {
        /// The place where a file would be written.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The input changed after the run began.
    #[error("the input is not what it was when the run began")]
    Changed,
    /// The result is not the one that the answer describes.
    #[error("`{}` is not the result that the answer is about", .0.display())]
    ResultChanged(PathBuf),
    /// The language is not known, or the grammar or hierarchy cannot be used.
    #[error(transparent)]
    Language(Box<LanguageError>),
    /// A pattern is not valid.
    #[error("the pattern of {flag} is not valid")]
    Pattern {
        /// The flag that gave it.
        flag: &'static str,
        /// The fault in the pattern.
        source: regex::Error,
    },
    /// The result cannot be written.
    #[error("cannot write `{}`", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The command cannot be used.
    #[error(transparent)]
    Command(#[from] BadCommand),
    /// The test does not show the failure on the whole input.
    #[error("the input does not fail to begin with")]
    DoesNotFail {
        /// The observation of the test.
        seen: Box<Observation>,
    },
    /// The test of the whole input reached a limit.
    #[error("the test of the input as it is struck a limit")]
    CutShort {
        /// The limit.
        limit: Limit,
    },
    /// Two runs on the same bytes differ.
    #[error("two tests of the same bytes differ")]
    Flaky {
        /// The first run.
        first: Box<Observation>,
        /// The second run.
        second: Box<Observation>,
    },
    /// The whole input may show the failure at a lower rate than the one that results must have.
    #[error("the input fails in {seen} runs, which may be less often than at a rate of {least}")]
    TooRare {
        /// The runs of the whole input, and those that showed the failure.
        seen: Counts,
        /// The rate that was asked for.
        least: f64,
    },
    /// There is no folder for the candidates.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// A test could not be run, or the run was stopped.
    #[error(transparent)]
    Lab(#[from] LabError),
}

impl From<LanguageError> for ReduceError {
    fn from(error: LanguageError) -> Self {
        ReduceError::Language(Box::new(error))
    }
}

impl From<Ended> for ReduceError {
    fn from(ended: Ended) -> Self {
        ReduceError::Lab(ended.into())
    }
}

impl From<ProcessError> for ReduceError {
    fn from(error: ProcessError) -> Self {
        ReduceError::Lab(LabError::Worker(error.into()))
    }
}

/// Only errors of the journal are converted, because all others name their file.
impl From<io::Error> for ReduceError {
    fn from(error: io::Error) -> Self {
        ReduceError::Lab(LabError::Journal(error))
    }
}

impl EndsRun for ReduceError {
    fn of_lab(&self) -> Option<&LabError> {
        match self {
            ReduceError::Lab(error) => Some(error),
            _ => None,
        }
    }
}
