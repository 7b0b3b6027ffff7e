//! What a run is asked to do. Kept in its journal, so that it can go on.

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

/// How much a test may use; what is not given comes from the first runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
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

/// What the settings do not say because it belongs to the machine, not to the run.
#[derive(Clone, Debug)]
#[non_exhaustive]
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

impl Surroundings {
    /// Returns surroundings in which this program launches its tests, with candidates and fetched
    /// histories in folders of their own below `folder`, and programs looked for in `path`.
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
