//! The answers with which runs end: the documented schemas of `--json`.

mod atomic;
mod changes;
mod history;
mod learned;
mod reduce;

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use serde::{Deserialize, Serialize};
use whodunit_run::{Key, Word};
use whodunit_versions::TreePath;

pub use atomic::{AffectedTest, AtomAnswer, AtomicAnswer, Phase, Phases, ResponsibleBy};
pub(crate) use changes::ended_with;
pub use changes::{
    Base, Beside, Cause, ChangeAnswer, ChangeCounts, ChangeNumbers, ChangeWord, ChangesAnswer,
    ChangesProof, CommitAnswer, CommitPair, Compared, EndsProof, LikelyCommit, Partner, PatchFiles,
    Replaced, Spot, SpotHow,
};
pub use history::{
    Also, BackPort, Begins, Belief, Fate, Forward, HistoryAnswer, HistoryOutcome, HistoryStep,
    Measure, MemoryCheck, NotARegression, PatchLines, RevisionAnswer, StepReason, StepResult,
    Stretch, Untested, Watched, Way,
};
pub use learned::{
    Evidence, Learned, LearnedEnds, NamedLine, OwnLines, OwnTest, RanLines, Shortened,
};
pub use reduce::{
    Answer, Differing, FileAnswer, FolderAnswer, Isolation, Level, Needed, Proof, Region, Regions,
    Rerun, Smaller, TextSize,
};

/// Version of the schema of answers; it grows when a field changes its meaning or is removed.
pub const SCHEMA: u32 = 4;

/// The job that an answer belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobName {
    /// The smallest input that still fails.
    Reduce,
    /// The changes between two versions that cause the failure.
    Changes,
    /// The version of a history where the failure begins, and the changes in it that cause the
    /// failure.
    History,
}

/// Why a run began again by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyAgain {
    /// The command, its script, the sandbox or a listed variable changed during the interruption.
    TestChanged,
    /// A test has another outcome than before the interruption.
    OutcomeChanged,
    /// Tests in folders with earlier builds had other outcomes than tests in clean ones.
    WarmFolders,
    /// A test had another outcome when it was repeated.
    Flaky,
    /// Other users could have written the journal of the run.
    OpenJournal,
}

/// Another failure that tests of the run showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OtherFailure {
    /// The failure in words.
    pub failure: String,
    /// The number of tests that showed it.
    pub tests: u64,
    /// The first content that showed it.
    pub key: Key,
}

/// Returns a path in the form that answers use.
pub(crate) fn word_of(path: &TreePath) -> Word {
    Word::from(OsString::from_vec(path.as_bytes().to_vec()))
}
