//! What a run of `history` was asked to do. Kept in the journal, so that it can go on.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use whodunit_run::Word;

use crate::settings::VersionSettings;

/// What a run of `history` was asked to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HistorySettings {
    /// Where the history is: a folder in a repository, a URL, or a folder of releases.
    pub place: Word,
    /// A version that passes, if one is known.
    pub good: Option<String>,
    /// The oldest version that counts: a revision or a date.
    pub since: Option<String>,
    /// The newest version: a revision or a date.
    pub until: Option<String>,
    /// Only versions that change one of these.
    pub paths: Vec<Word>,
    /// How far apart revisions of files can be in one version of CVS, if it is not the usual.
    #[serde(default)]
    pub cvs_window: Option<Duration>,
    /// Whether a version of CVS can have several authors and messages.
    #[serde(default)]
    pub cvs_any_author: bool,
    /// Whether each version is gone to, one after the other.
    pub is_linear: bool,
    /// Whether versions on merged branches count.
    pub all_parents: bool,
    /// Files and folders of the newest version that every version gets.
    pub overlay: Vec<Word>,
    /// A file with places that may not be taken out of what is carried back.
    pub protect: Option<Word>,
    /// What else is run on the newest version with the fix, as a line for the shell.
    pub also: Option<String>,
    /// What is run to see whether memory is misused: `valgrind`, below which the test is run, or a
    /// line for the shell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memcheck: Option<String>,
    /// How versions are tested, and how changes are searched for.
    pub how: VersionSettings,
}

impl HistorySettings {
    /// Looks at the whole history of the repository at `place`, with nothing to carry back.
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
