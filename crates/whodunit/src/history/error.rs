//! Why a run of `history` gave no answer.

use whodunit_run::judge::Observation;
use whodunit_run::{Ended, Word};

use crate::answer::RevisionAnswer;
use crate::changes::ChangesError;
use crate::lab::{EndsRun, LabError};

/// Why a run of `history` gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// There is nothing to explain.
    #[error("the newest version passes")]
    TipPasses {
        /// What was seen.
        seen: Box<Observation>,
    },
    /// The newest version says nothing.
    #[error("the newest version cannot be tested")]
    TipUntestable {
        /// What was seen.
        seen: Box<Observation>,
        /// What the checkout has and the folder of a test has not.
        lacking: Vec<Word>,
    },
    /// A file to be carried back is not there.
    #[error("the newest version has no `{path}` to carry back")]
    NoOverlay {
        /// What was asked for.
        path: String,
    },
    /// There is nothing before the newest version.
    #[error("there is only one version")]
    OneVersion,
    /// The version that is said to pass does not, or the one that stands for it.
    #[error("`{name}`, or what stands for it, fails, too")]
    GoodFails {
        /// What was given.
        name: String,
        /// The version that was tested instead, because the newest one does not come from `name`.
        base: Option<Box<RevisionAnswer>>,
    },
    /// What is to be protected cannot be read.
    #[error("cannot use `{path}`: {problem}")]
    Protect {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Tests or versions could not be had.
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
