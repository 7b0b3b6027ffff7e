//! How a command ended, its resources, and its limits.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::output::Output;

/// How much one test may use, its whole process tree taken together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time.
    pub time: Duration,
    /// Memory in bytes: that of the processes (pages they share count each time), files that they write
    /// to a folder in memory, and shared memory that no process maps.
    pub memory: Option<u64>,
    /// Bytes written to standard output and standard error together.
    pub output: u64,
    /// Processes at the same time, each with its threads.
    pub processes: u32,
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ending {
    /// The program exited with this status.
    Exited(u8),
    /// This signal ended the program.
    Signaled(i32),
    /// The test used more than it may and was ended.
    Limited(Limit),
}

/// The limit that struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Limit {
    /// [`Limits::time`].
    Time,
    /// [`Limits::memory`].
    Memory,
    /// [`Limits::output`].
    Output,
    /// [`Limits::processes`].
    Processes,
}

/// The result of a command that ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// How it ended.
    pub ending: Ending,
    /// Its output, standard output and standard error in the order of writing.
    pub output: Output,
    /// Wall time from the start of the program to its end.
    pub duration: Duration,
    /// The largest memory seen, in bytes: of its biggest process, or of the tree if that was
    /// sampled and was more. Never below the few megabytes of the launcher it was started from.
    pub peak_memory: u64,
}
