//! The settings of a run. The journal keeps them, so that the run can be continued.

mod atomic;
mod changes;
mod flaky;
mod history;
mod reduce;
mod sandbox;

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use atomic::{AtomicSettings, RankBy};
pub use changes::{
    ChangeGroup, ChangeGroups, ChangeLevel, ChangeSearch, ChangesSettings, VersionSettings,
};
pub use flaky::{FlakySettings, WhenFlaky};
pub use history::HistorySettings;
pub use reduce::{
    Certification, Destination, LanguageSettings, ReduceSettings, RuleSettings, Test,
};
pub use sandbox::SandboxMode;

/// Limits of a test; limits on time, memory and output that are not given are derived from the first
/// runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LimitSettings {
    /// Wall time.
    pub time: Option<Duration>,
    /// Memory in bytes.
    pub memory: Option<u64>,
    /// Output in bytes.
    pub output: Option<u64>,
    /// Number of processes at the same time.
    pub processes: Option<u32>,
}

/// The properties of the machine; the settings describe only the run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Surroundings {
    /// A program whose `main` begins with [`run_if_asked`](whodunit_exec::process::launcher::run_if_asked).
    pub launcher: PathBuf,
    /// Folders in which candidates may be laid out, the best one first.
    pub scratch: Vec<PathBuf>,
    /// Folders in which programs are searched, like `PATH`.
    pub path: OsString,
    /// Folder that keeps fetched histories for later runs.
    pub cache: PathBuf,
    /// C compiler for the user's own grammars, with arguments if needed.
    pub compiler: String,
    /// The values of the variables that the settings name.
    pub variables: HashMap<String, OsString>,
}

impl Surroundings {
    /// Returns surroundings in which this program launches its tests, candidates and fetched
    /// histories are kept below `folder`, and programs are searched in `path`.
    pub fn new(folder: &Path, path: impl Into<OsString>) -> Self {
        Surroundings {
            launcher: "/proc/self/exe".into(),
            scratch: vec![PathBuf::from("/dev/shm"), folder.into()],
            path: path.into(),
            cache: folder.join("cache"),
            compiler: "cc".into(),
            variables: HashMap::new(),
        }
    }
}
