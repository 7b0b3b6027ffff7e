//! Why a run of `changes` gave no answer.

use std::io;
use std::path::PathBuf;

use whodunit_exec::BadCommand;
use whodunit_exec::process::ProcessError;
use whodunit_exec::scratch::ScratchError;
use whodunit_run::Ended;
use whodunit_run::judge::Observation;
use whodunit_versions::DoesNotApply;

use crate::atomic::AtomicError;
use crate::lab::{EndsRun, LabError};

/// Why a run of `changes` gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    /// There is no such version.
    #[error(
        "there is no file or folder `{name}` here, and no repository that it could be a revision of"
    )]
    NoSuchVersion {
        /// The name that the user gave.
        name: String,
    },
    /// A version cannot be read.
    #[error(transparent)]
    Version(#[from] whodunit_vcs::Error),
    /// A file of a version cannot be read.
    #[error(transparent)]
    File(#[from] whodunit_versions::ReadError),
    /// A file or folder that every version should get does not exist.
    #[error("there is no `{}` to link into every version", .path.display())]
    NoLink {
        /// The path that the user gave.
        path: PathBuf,
    },
    /// There are no changes to suspect.
    #[error("the two versions do not differ")]
    NoDifference,
    /// The versions changed after the run began.
    #[error("the versions are not what they were when the run began")]
    Changed,
    /// A file of a version changed after the run began.
    #[error("`{path}` of `{version}` changed while the search ran")]
    FileChanged {
        /// The version, as the user names it.
        version: String,
        /// The file in it.
        path: String,
    },
    /// The good version fails and the bad one passes.
    #[error("the versions are swapped: the first one fails, the second one passes")]
    Swapped,
    /// There is no failure.
    #[error("both versions pass")]
    BothPass {
        /// The observation of the bad version.
        seen: Box<Observation>,
    },
    /// No version passes.
    #[error("both versions fail")]
    BothFail {
        /// The observation of the good version.
        seen: Box<Observation>,
    },
    /// One of the versions cannot be tested.
    #[error("the {} version cannot be tested", if *.is_good { "good" } else { "bad" })]
    Untestable {
        /// Whether it is the good one.
        is_good: bool,
        /// The observation of the test.
        seen: Box<Observation>,
    },
    /// Two runs on the same version differ.
    #[error("two tests of the same version differ")]
    Flaky {
        /// The first run.
        first: Box<Observation>,
        /// The second run.
        second: Box<Observation>,
    },
    /// Two tests of the same version in clean folders differ.
    #[error(
        "the test is not steady: {version} was tested twice in clean folders, with two outcomes"
    )]
    Unsteady {
        /// The version, in words.
        version: String,
        /// The outcome of the first test, in words.
        first: String,
        /// The observation of the second test.
        second: Box<Observation>,
    },
    /// An answer contains no changes and no patches that could be verified.
    #[error("the answer names no changes and no patches")]
    NothingToVerify,
    /// A patch of an answer does not fit its version.
    #[error("the patch `{name}` does not apply to `{version}`")]
    DoesNotApply {
        /// The name of the patch.
        name: &'static str,
        /// The version.
        version: String,
        /// The reason.
        source: DoesNotApply,
    },
    /// A patch cannot be written.
    #[error("cannot write `{}`", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A statement about the changes that a change needs cannot be used.
    #[error("cannot use `{said}`: {problem}")]
    Needs {
        /// The place of the statement.
        said: String,
        /// The reason.
        problem: String,
    },
    /// Information about the failing test, or about others, cannot be used.
    #[error(transparent)]
    Atomic(AtomicError),
    /// The command cannot be used.
    #[error(transparent)]
    Command(#[from] BadCommand),
    /// There is no folder for the candidates.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// A test could not be run, or the run was stopped.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// A version or the journal cannot be read or written.
    #[error("cannot read a version or write down what happens")]
    Io(#[from] io::Error),
}

impl From<AtomicError> for ChangesError {
    fn from(error: AtomicError) -> Self {
        match error {
            AtomicError::File(error) => error.into(),
            error => ChangesError::Atomic(error),
        }
    }
}

impl From<Ended> for ChangesError {
    fn from(ended: Ended) -> Self {
        ChangesError::Lab(ended.into())
    }
}

impl From<ProcessError> for ChangesError {
    fn from(error: ProcessError) -> Self {
        ChangesError::Lab(LabError::Worker(error.into()))
    }
}

impl EndsRun for ChangesError {
    fn of_lab(&self) -> Option<&LabError> {
        match self {
            ChangesError::Lab(error) => Some(error),
            _ => None,
        }
    }
}
