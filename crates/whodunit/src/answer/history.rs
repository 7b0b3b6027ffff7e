//! The answer of a run of `history`: the version where the failure begins, the patch that had to be
//! carried back to test it, and the patch that carries the fix forward.
//!
//! This is the documented schema of `history --json`; see `docs/manual/history.md`.

use serde::{Deserialize, Serialize};
use whodunit_core::Verdict;
use whodunit_exec::process::Enforced;
use whodunit_run::evidence::Claim;
use whodunit_run::{Ended, Key, Tally, Word, verdict};

use crate::answer::{Cause, EndsProof, JobName, LearnedEnds, OtherFailure, WhyAgain};
use crate::settings::HistorySettings;

/// The answer of a run of `history`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HistoryAnswer {
    /// The job that the answer belongs to.
    pub job: JobName,
    /// The version of this schema.
    pub schema: u32,
    /// The version of the program.
    pub version: String,
    /// The name of the run.
    pub run: String,
    /// Why the search ended. Only with `done` was every question asked that the claims about the
    /// causes need.
    pub ended: Ended,
    /// The failure in words.
    pub failure: String,
    /// The command as it can be typed.
    pub command: String,
    /// The finding.
    pub outcome: HistoryOutcome,
    /// The number of versions, the newest included.
    pub versions: u64,
    /// The newest version.
    pub newest: RevisionAnswer,
    /// The oldest version that counts.
    #[serde(default)]
    pub oldest: Option<RevisionAnswer>,
    /// The oldest version that counts, if it stands for the one that was asked for (`--good`,
    /// `--since`) because the newest version does not come from that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<RevisionAnswer>,
    /// The content of the newest version.
    pub key: Key,
    /// The steps of the walk, in order.
    pub steps: Vec<HistoryStep>,
    /// The stretches of versions that could not be tested for one reason, the newest first.
    #[serde(default)]
    pub stretches: Vec<Stretch>,
    /// Versions with a failure that uses much more time, memory or output than that of the newest
    /// version, or prints much less.
    #[serde(default)]
    pub watched: Vec<Watched>,
    /// Whether misuse of memory may cause the oldest failure, if a tool checked that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryCheck>,
    /// The patch that is carried back at the end of the walk; empty if the test runs everywhere.
    pub back_port: BackPort,
    /// The fix on the newest version, if there is one.
    pub forward: Option<Forward>,
    /// How often the fix was adapted on its way forward before the run gave that up, if it did.
    #[serde(default)]
    pub unported: Option<u64>,
    /// The number of tests.
    pub tests: Tally,
    /// The number of searches for a patch that the test needs.
    pub searches: u64,
    /// The duration of the run in seconds.
    pub seconds: f64,
    /// Why the run began again by itself, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_over: Option<WhyAgain>,
    /// The parts of the sandbox that were enforced, if one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Enforced>,
    /// Other failures that tests of the run showed.
    pub others: Vec<OtherFailure>,
    /// The lessons of the first runs.
    pub learned: LearnedEnds,
    /// The settings of the run.
    pub settings: HistorySettings,
}

/// The finding.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum HistoryOutcome {
    /// A version fails, and the one before it passes, or shows another value at the assertion of
    /// the failure.
    Found {
        /// The version where the failure begins; more than one if the versions between cannot be
        /// tested, newest first.
        suspects: Vec<RevisionAnswer>,
        /// The newest version without the failure: it passes, unless `instead` is set.
        good: RevisionAnswer,
        /// The value that `good` shows at the assertion of the failure, in words, if it does not
        /// pass. Seen in a clean folder.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead: Option<String>,
        /// Why the versions between cannot be tested, if there are any.
        reasons: Vec<Untested>,
        /// The changes that cause the failure.
        causes: Vec<Cause>,
        /// The proof for the version if no changes were searched; otherwise each cause has its own
        /// proof.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ends: Option<EndsProof>,
        /// Whether the version also passes with everything that could be carried back.
        believed: Belief,
    },
    /// No version passes.
    NotARegression(NotARegression),
    /// The test cannot be run on any older version.
    Untestable {
        /// The oldest version that fails.
        oldest: RevisionAnswer,
        /// The older versions that were tried.
        reasons: Vec<Untested>,
        /// The smallest known difference that brings the failure back, as a patch.
        smallest: String,
    },
    /// The run was interrupted.
    Unfinished {
        /// The oldest version that is known to fail.
        oldest: RevisionAnswer,
    },
}

impl HistoryOutcome {
    /// Returns the changes that cause the failure.
    pub fn causes(&self) -> &[Cause] {
        match self {
            HistoryOutcome::Found { causes, .. } => causes,
            _ => &[],
        }
    }
}

/// The answer if no version passes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NotARegression {
    /// The oldest version, which fails as well.
    pub oldest: RevisionAnswer,
    /// How many versions were seen to fail, the newest included. The others were
    /// skipped, or cannot be tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<u64>,
    /// Whether there are older ones that could not be looked at.
    pub is_cut_off: bool,
    /// Whether the version also fails with everything that could be carried back.
    pub believed: Belief,
    /// A version that passes with its own test.
    pub old_test_passes: Option<RevisionAnswer>,
    /// The place where the failure begins without the back-port, if the oldest version fails with
    /// one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begins: Option<Box<Begins>>,
    /// The last lines of output of the test on the oldest version.
    pub prints: Vec<String>,
    /// Files that the checkout has and the folder of a test lacks.
    pub lacking: Vec<Word>,
}

/// The neighbours between which the failure begins if no patch is carried back, both tested in
/// clean folders. A patch that is needed for older versions may let the test run, or be the cause
/// itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Begins {
    /// The version that fails.
    pub failing: RevisionAnswer,
    /// The newest test as a patch for it, if it was seen to fail with that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing_test: Option<Word>,
    /// The version before it, which neither fails in the same way nor passes.
    pub before: RevisionAnswer,
    /// The newest test as a patch for it, if it was tested with that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_test: Option<Word>,
    /// What the test does in the version before, in words.
    pub shows: String,
}

/// Why a pass or a lasting failure is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Belief {
    /// No patch was carried back.
    Untouched,
    /// The outcome was seen with the test of the newest version or, where that test is unresolved
    /// below a mended stretch, with the test of the failing neighbour; a back-port may be carried
    /// as well.
    WithTest,
    /// The outcome was also seen with everything that could be carried back.
    WithAll,
    /// The outcome could not be confirmed with everything that could be carried back.
    AsItIs,
}

/// A version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RevisionAnswer {
    /// The full name of the version.
    pub id: String,
    /// The name that people use for the version.
    pub short_id: String,
    /// The first line of its message.
    pub title: String,
    /// The author.
    pub author: String,
    /// The time when it was made, in seconds since 1970, if it is known.
    pub time: Option<i64>,
    /// The number of newer versions.
    pub place: u64,
}

/// A version that cannot be tested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Untested {
    /// The name of the version.
    pub version: String,
    /// The number of newer versions.
    pub place: u64,
    /// The outcome of the test, in words.
    pub reason: String,
}

/// Neighbouring versions that could not be tested for one reason.
///
/// The versions at both ends were tested; the stretch may be longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Stretch {
    /// The name of the newest version.
    pub newest: String,
    /// The name of the oldest version.
    pub oldest: String,
    /// The number of versions newer than `newest`.
    pub place: u64,
    /// The number of versions in the stretch, at least.
    pub versions: u64,
    /// The reason.
    pub reason: StepReason,
    /// The other failure in words, if there was one.
    pub says: Option<String>,
    /// How the walk continued.
    pub fate: Fate,
}

/// How the walk continued at versions that could not be tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// The failure was seen again in older versions.
    Leapt,
    /// A patch was found with which the test runs there.
    Mended,
    /// The walk could not continue there.
    Open,
}

/// Whether misuse of memory may cause the failure of an old version, and not that of the newest.
/// Both versions were built and tested in clean folders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MemoryCheck {
    /// The command as it can be typed.
    pub command: String,
    /// The name of the old version, which was tested with its back-port.
    pub version: String,
    /// The number of versions newer than the old one.
    pub place: u64,
    /// The complaints about the old version: of the command, and warnings of its build about values
    /// that are not initialised or not returned.
    pub complaints: Vec<String>,
    /// The complaints about the newest version.
    pub newest: Vec<String>,
}

impl MemoryCheck {
    /// Returns the complaints about the old version that do not occur for the newest one.
    pub fn doubts(&self) -> Vec<&str> {
        let is_new = |it: &&String| !self.newest.contains(it);
        self.complaints.iter().filter(is_new).map(String::as_str).collect()
    }
}

/// A version whose failure uses much more of a resource than that of the newest version, or prints
/// much less.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Watched {
    /// The name of the version.
    pub version: String,
    /// The number of newer versions.
    pub place: u64,
    /// The resource that is used.
    pub measure: Measure,
    /// The factor by which its use differs.
    pub times: f64,
    /// Whether the failure was seen there a second time, in a clean folder.
    pub is_confirmed: bool,
}

/// A resource that a failing test uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Time.
    Time,
    /// Memory.
    Memory,
    /// Output.
    Output,
}

/// A step of the walk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HistoryStep {
    /// The version of the step.
    pub version: String,
    /// The number of newer versions.
    pub place: u64,
    /// The result.
    pub result: StepResult,
}

/// The result of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum StepResult {
    /// A test, or a patch that does not fit.
    Tested {
        /// The direction of the patch.
        #[serde(default)]
        way: Way,
        /// The verdict.
        #[serde(with = "verdict")]
        verdict: Verdict,
        /// Why the verdict is unresolved, if it is.
        reason: Option<StepReason>,
        /// The other failure in words, if there was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        says: Option<String>,
        /// How the place of the least certain part of the patch was found.
        rung: Option<String>,
    },
    /// A search for a patch that the test needs there.
    Searched {
        /// The direction of the patch.
        way: Way,
        /// The size of the difference that was searched.
        before: PatchLines,
        /// The size of the patch; `None` if none was found.
        after: Option<PatchLines>,
        /// The number of tests of the search.
        tests: u64,
        /// Whether the search made the patch of an earlier search smaller, until nothing of it
        /// could be removed.
        #[serde(default)]
        again: bool,
    },
}

/// The direction in which a patch is carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// To older versions.
    #[default]
    Back,
    /// To newer versions.
    Forward,
}

/// Why the test of a step is unresolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepReason {
    /// The assertion of the failure shows another value, so the failure is not there.
    OtherValue,
    /// The patch does not fit.
    Patch,
    /// The version cannot be configured.
    Configure,
    /// The version does not build.
    Build,
    /// The test ends in another way.
    Test,
    /// The version passes with its own test, which may lack the tracked function.
    OldTest,
    /// The test does not end in time.
    Timeout,
    /// The test reaches its limit on memory, output or processes.
    Memory,
}

/// The size of a patch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PatchLines {
    /// Files that it touches.
    pub files: u64,
    /// Runs of lines in them.
    pub hunks: u64,
    /// Lines that are added or removed.
    pub lines: u64,
}

/// The patch that is carried back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BackPort {
    /// The patch, which applies to the version that `on` names.
    pub patch: Word,
    /// The version that passes; the oldest one that fails if none passes, or if that one passes
    /// without the patch.
    pub on: String,
    /// The patch for the version where the failure begins, if `patch` is for the one before it.
    pub beside: Option<Word>,
    /// The size of `patch`.
    pub size: PatchLines,
    /// The file that contains the patch.
    pub file: Option<Word>,
}

impl BackPort {
    /// Returns the patch that a version of the answer was tested with, if there was one.
    pub fn given(&self, version: &RevisionAnswer) -> Option<&Word> {
        let patch =
            if self.on == version.short_id { Some(&self.patch) } else { self.beside.as_ref() };
        patch.filter(|patch| !patch.as_bytes().is_empty())
    }
}

/// The fix on the newest version: a candidate explanation, not a repair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Forward {
    /// The patch, which applies to the newest version.
    pub patch: Word,
    /// The size of the patch.
    pub size: PatchLines,
    /// The file that contains the patch.
    pub file: Option<Word>,
    /// The verdict on the newest version with the patch, in a clean folder.
    pub proof: Claim,
    /// The outcomes of the wider suite, without the fix and with it.
    pub also: Option<Also>,
    /// Whether it changes none of the files that the fix of the culprit changes: since then
    /// something else fails in the same way, or the files were renamed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_elsewhere: bool,
}

/// The outcomes of a wider suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Also {
    /// The outcome on the newest version without the fix, in words.
    pub without: String,
    /// The outcome on the newest version with the fix, in words.
    pub with: String,
    /// Whether both outcomes are the same.
    pub is_same: bool,
}
