//! The settings of a run of `history`. The journal keeps them, so that the run can be continued.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use whodunit_run::Word;

use crate::settings::VersionSettings;

/// The settings of a run of `history`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HistorySettings {
    /// The place of the history: a folder in a repository, a URL, or a folder of releases.
    pub place: Word,
    /// A version that passes, if one is known.
    pub good: Option<String>,
    /// The oldest version that counts: a revision or a date.
    pub since: Option<String>,
    /// The newest version: a revision or a date.
    pub until: Option<String>,
    /// Paths; only versions that change one of them count. If there are none, all versions count.
    pub paths: Vec<Word>,
    /// Longest time between revisions of files in one version of CVS, if it is not the usual one.
    #[serde(default)]
    pub cvs_window: Option<Duration>,
    /// Whether a version of CVS can have several authors and messages.
    #[serde(default)]
    pub cvs_any_author: bool,
    /// Whether every version is tested, one after the other.
    pub is_linear: bool,
    /// Whether versions on merged branches count.
    pub all_parents: bool,
    /// Files and folders of the newest version that every version gets.
    pub overlay: Vec<Word>,
    /// File with a list of places that a back-port may not remove.
    pub protect: Option<Word>,
    /// Shell command that also runs on the newest version with the fix.
    pub also: Option<String>,
    /// Tool that detects misuse of memory: `valgrind`, which then runs the test, or a shell
    /// command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memcheck: Option<String>,
    /// How versions are tested, and how changes are searched for.
    pub how: VersionSettings,
}

impl HistorySettings {
    /// Uses the whole history of the repository at `place`, and carries no files back.
    pub fn new(place: impl Into<Word>, how: VersionSettings) -> Self {
        HistorySettings {
            place: place.into(),
            good: None,
            since: None,
            until: None,
            paths: Vec::new(),
            cvs_window: None,
            cvs_any_author: false,
            is_linear: false,
            all_parents: false,
            overlay: Vec::new(),
            protect: None,
            also: None,
            memcheck: None,
            how,
        }
    }
}
