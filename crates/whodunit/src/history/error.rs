//! Why a run of `history` gave no answer.

use whodunit_run::judge::Observation;
use whodunit_run::{Ended, Word};

use crate::answer::RevisionAnswer;
use crate::changes::ChangesError;
use crate::lab::{EndsRun, LabError};

/// Why a run of `history` gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The newest version passes, so there is no failure to explain.
    #[error("the newest version passes")]
    TipPasses {
        /// The observation of the test.
        seen: Box<Observation>,
    },
    /// The newest version cannot be tested.
    #[error("the newest version cannot be tested")]
    TipUntestable {
        /// The observation of the test.
        seen: Box<Observation>,
        /// Files that the checkout has and the folder of a test lacks.
        lacking: Vec<Word>,
    },
    /// A file that should be carried back does not exist.
    #[error("the newest version has no `{path}` to carry back")]
    NoOverlay {
        /// The path that the user gave.
        path: String,
    },
    /// There is nothing before the newest version.
    #[error("there is only one version")]
    OneVersion,
    /// The version that should pass, or the one that replaces it, fails.
    #[error("`{name}`, or what stands for it, fails, too")]
    GoodFails {
        /// The name that the user gave.
        name: String,
        /// The version that was tested instead, because the newest one does not come from `name`.
        base: Option<Box<RevisionAnswer>>,
    },
    /// The file with protected places cannot be used.
    #[error("cannot use `{path}`: {problem}")]
    Protect {
        /// The file.
        path: String,
        /// The fault in the file.
        problem: String,
    },
    /// An error that `changes` has, too: of a test, or of reading a version.
    #[error(transparent)]
    Changes(#[from] ChangesError),
}

impl From<whodunit_vcs::Error> for HistoryError {
    fn from(error: whodunit_vcs::Error) -> Self {
        HistoryError::Changes(error.into())
    }
}

impl From<whodunit_versions::ReadError> for HistoryError {
    fn from(error: whodunit_versions::ReadError) -> Self {
        HistoryError::Changes(error.into())
    }
}

impl From<Ended> for HistoryError {
    fn from(ended: Ended) -> Self {
        HistoryError::Changes(ended.into())
    }
}

impl From<std::io::Error> for HistoryError {
    fn from(error: std::io::Error) -> Self {
        HistoryError::Changes(error.into())
    }
}

impl From<LabError> for HistoryError {
    fn from(error: LabError) -> Self {
        HistoryError::Changes(error.into())
    }
}

impl EndsRun for HistoryError {
    fn of_lab(&self) -> Option<&LabError> {
        match self {
            HistoryError::Changes(error) => error.of_lab(),
            _ => None,
        }
    }
}
