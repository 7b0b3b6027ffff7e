//! Why a test could not be run on this machine.

use std::io;
use std::path::PathBuf;

use whodunit_run::judge::Observation;

use crate::command::BadCommand;
use crate::process::ProcessError;
use crate::scratch::ScratchError;

/// Why a test could not be run.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The candidate could not be put on disk.
    #[error("cannot lay out a candidate in `{}`", .folder.display())]
    LayOut {
        /// The folder of the test.
        folder: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The folder of the last test could not be cleared.
    #[error(transparent)]
    Clear(#[from] ScratchError),
    /// The command does not fit these files.
    #[error(transparent)]
    Command(#[from] BadCommand),
    /// The command could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The test asks to stop the run. Its output is in the observation.
    #[error("`{command}` {}: by the convention of `git bisect run` that stops the run", .seen.signature)]
    Stopped {
        /// The command as it can be typed.
        command: String,
        /// The observation.
        seen: Box<Observation>,
    },
}
