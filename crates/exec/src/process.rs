//! Runs the user's command and reports how it ended.
//!
//! Nothing that a test starts outlives the test, and nothing outlives whodunit: each worker has a
//! small [`launcher`] process that starts the tests, adopts and ends whatever they leave
//! behind, and cleans up when its parent is gone, however that ended.
//! A command that could not be run is a [`ProcessError`], never an [`Ending`](whodunit_run::Ending).

pub mod launcher;

mod client;
mod entrance;
mod folder;
mod namespaces;
mod oom;
mod sandbox;
mod shared;
mod spawn;
mod sys;
mod syscalls;
mod tree;
mod watch;
mod wire;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use serde::{Deserialize, Serialize};

pub use client::{Canceller, Launcher};
pub use tree::{adopt_orphans, end_orphans};

/// One program to run, with its arguments and its folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The program; without a slash it is looked up in the `PATH` that the test gets, with one it
    /// is relative to `folder`.
    pub program: OsString,
    /// The arguments after the program's name.
    pub args: Vec<OsString>,
    /// The current folder of the test.
    pub folder: PathBuf,
    /// Variables added to the environment that whodunit was started with, or replaced in it.
    pub env: Vec<(OsString, OsString)>,
    /// The file to read as standard input; the null device if there is none.
    pub stdin: Option<PathBuf>,
}

/// How to start a launcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The program that becomes the launcher because its `main` begins with
    /// [`launcher::run_if_asked`]; `/proc/self/exe` names the running one even after it was
    /// replaced on disk.
    pub program: PathBuf,
    /// The worker's own folder. The launcher deletes it when it ends, and the folder above if that
    /// is a run's folder and then empty.
    pub scratch: PathBuf,
    /// The limits of what tests may touch; `None` for no limits.
    pub sandbox: Option<Sandbox>,
    /// The largest file a test may write, in bytes (it gets `SIGXFSZ` at this size).
    pub file_size: Option<u64>,
}

/// The limits of what tests may touch. Reading and executing are allowed everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    /// Tests write only here, and to devices such as the null device, which they cannot remove.
    pub writes_below: PathBuf,
    /// The network that tests reach.
    pub network: NetworkAccess,
}

/// The network that tests reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkAccess {
    /// Everything that whodunit reaches.
    Everything,
    /// A loopback interface of their own.
    Loopback,
}

/// Which parts of the asked-for sandbox this machine enforces.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforced {
    /// The protections that are enforced.
    pub kept: Vec<Protection>,
    /// The requested protections that are not enforced; empty if all are.
    pub missing: Vec<Missing>,
}

/// A protection against tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protection {
    /// Writing, making and removing files outside their folder.
    Files,
    /// Changing modes, owners, times and attributes of files outside their folder.
    Metadata,
    /// Reaching other machines, and other programs over sockets.
    Network,
    /// Signals to other processes, and their limits and priorities.
    Processes,
    /// Shared memory, semaphores, queues and keys of others, and leaving any.
    Ipc,
    /// Capabilities, and programs that give privileges.
    Privileges,
}

/// A protection that is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// The protection.
    pub protection: Protection,
    /// The reason.
    pub why: String,
}

impl Protection {
    /// All protections.
    pub const ALL: [Protection; 6] = [
        Protection::Files,
        Protection::Metadata,
        Protection::Network,
        Protection::Processes,
        Protection::Ipc,
        Protection::Privileges,
    ];

    /// Returns, in words, what tests can do without it.
    pub fn without(self) -> &'static str {
        match self {
            Protection::Files => "write files outside their folder",
            Protection::Metadata => "change modes, owners and times of files outside their folder",
            Protection::Network => "reach other machines and programs",
            Protection::Processes => "signal other processes",
            Protection::Ipc => "use and leave shared memory, semaphores and queues",
            Protection::Privileges => "use the privileges of root",
        }
    }
}

/// Why a test could not be run; never a verdict.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// The program is missing, is not executable or its interpreter is missing.
    #[error("cannot start `{}`", .program.display())]
    CannotStart {
        /// The program as it was given.
        program: OsString,
        /// The system's error; it always has an error number.
        source: io::Error,
    },
    /// The folder to run in is gone or cannot be entered.
    #[error("cannot enter the folder `{}`", .folder.display())]
    NoFolder {
        /// The folder as it was given.
        folder: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The standard input of the test cannot be opened.
    #[error("cannot read `{}` as standard input", .file.display())]
    NoStdin {
        /// The file as it was given.
        file: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// An argument, a variable or a path holds a zero byte, which no program can be given.
    #[error("a zero byte in an argument, a variable or a path for `{}`", .program.display())]
    ZeroByte {
        /// The program as it was given.
        program: OsString,
    },
    /// A process of the test is stuck in the kernel and does not die.
    #[error("process {pid} does not die: it is stuck in the kernel")]
    Stuck {
        /// The process.
        pid: i32,
    },
    /// A sandbox was asked for that this machine cannot enforce.
    #[error("this machine cannot enforce the whole sandbox: {}", gaps(.missing))]
    SandboxIncomplete {
        /// The missing protections, and why they are missing.
        missing: Vec<Missing>,
    },
    /// The launcher process could not be started.
    #[error("cannot start the launcher process `{}`", .program.display())]
    NoLauncher {
        /// [`Settings::program`].
        program: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The launcher process died; someone killed it, or memory ran out.
    #[error("the launcher process died{}", ended(.ending.as_ref()))]
    LauncherDied {
        /// How it ended, if that is known.
        ending: Option<ExitStatus>,
    },
    /// The launcher was stopped or did not reply in time; another one has taken its place.
    #[error("the launcher process was stopped, or does not reply")]
    LauncherSilent,
    /// The launcher could not do its work.
    #[error("the launcher process failed to {action}")]
    LauncherFailed {
        /// The action that failed.
        action: String,
        /// The system's error.
        source: io::Error,
    },
    /// The launcher sent a message that makes no sense; the program is not a launcher.
    #[error("the launcher process does not speak our protocol")]
    Garbled,
}

fn gaps(missing: &[Missing]) -> String {
    let gap = |Missing { protection, why }: &Missing| {
        format!("tests could {} ({why})", protection.without())
    };
    missing.iter().map(gap).collect::<Vec<_>>().join("; ")
}

fn ended(ending: Option<&ExitStatus>) -> String {
    ending.map_or_else(String::new, |status| format!(" ({status})"))
}
