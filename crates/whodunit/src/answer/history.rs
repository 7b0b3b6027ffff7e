//! The answer of a run: which version did it, what had to be carried back to see that, and what
//! carries the fix forward.
//!
//! This is the documented schema of `history --json`; see `docs/manual/history.md`.

use serde::{Deserialize, Serialize};
use whodunit_core::Verdict;
use whodunit_exec::process::Enforced;
use whodunit_run::evidence::Claim;
use whodunit_run::{Ended, Key, Tally, Word, verdict};

use crate::answer::{Cause, EndsProof, JobName, LearnedEnds, OtherFailure, WhyAgain};
use crate::settings::HistorySettings;

/// The answer of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HistoryAnswer {
    /// Which job it is the answer of.
    pub job: JobName,
    /// The version of this schema.
    pub schema: u32,
    /// The version of the program.
    pub version: String,
    /// The name of the run.
    pub run: String,
    /// Why the search ended; only `done` means that all was asked about that the causes claim.
    pub ended: Ended,
    /// The failure in words.
    pub failure: String,
    /// The command as it can be typed.
    pub command: String,
    /// What was found.
    pub outcome: HistoryOutcome,
    /// How many versions there are, the newest included.
    pub versions: u64,
    /// The newest version.
    pub newest: RevisionAnswer,
    /// The oldest version that counts, if it stands for the one that was asked for (`--good`,
    /// `--since`) because the newest version does not come from that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<RevisionAnswer>,
    /// The content of the newest version.
    pub key: Key,
    /// What was tried, in order.
    pub steps: Vec<HistoryStep>,
    /// The stretches of versions that could not be tested for one reason, the newest first.
    #[serde(default)]
    pub stretches: Vec<Stretch>,
    /// Versions that fail, but not as the newest does.
    #[serde(default)]
    pub watched: Vec<Watched>,
    /// Whether the oldest failure rests on memory that is misused, if that was looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryCheck>,
    /// What is carried back in the end; empty if the test runs everywhere.
    pub back_port: BackPort,
    /// The fix on the newest version, if there is one.
    pub forward: Option<Forward>,
    /// How often the fix was made to fit on its way before that was given up, if it was.
    #[serde(default)]
    pub unported: Option<u64>,
    /// The tests it took.
    pub tests: Tally,
    /// How many searches for what the test needs there were.
    pub searches: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Why the run began again by itself, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_over: Option<WhyAgain>,
    /// What the sandbox enforced, if one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Enforced>,
    /// Other failures that were met on the way.
    pub others: Vec<OtherFailure>,
    /// What the first runs taught.
    pub learned: LearnedEnds,
    /// What the run was asked to do.
    pub settings: HistorySettings,
}

/// What was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum HistoryOutcome {
    /// A version fails, the one before it passes, or fails otherwise where this failure would show.
    Found {
        /// The version that did it; more than one if those between cannot be tested, newest first.
        suspects: Vec<RevisionAnswer>,
        /// The newest version without the failure: it passes, unless `instead` is there.
        good: RevisionAnswer,
        /// What `good` shows at the assertion where the failure would show, in words, if it does
        /// not pass. Seen in a clean folder.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead: Option<String>,
        /// Why those between cannot be tested, if there are any.
        reasons: Vec<Untested>,
        /// The changes that did it.
        causes: Vec<Cause>,
        /// What proves the version where no changes were looked for; else that is with each cause.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ends: Option<EndsProof>,
        /// Whether the pass was seen with all that was carried back, too.
        believed: Belief,
    },
    /// No version passes.
    NotARegression(NotARegression),
    /// The test cannot be run on anything older.
    Untestable {
        /// The oldest version that fails.
        oldest: RevisionAnswer,
        /// Those before it that were tried.
        reasons: Vec<Untested>,
        /// The smallest difference that is known to bring the failure back, as a patch.
        smallest: String,
    },
    /// The run was ended before its time.
    Unfinished {
        /// The oldest version that is known to fail.
        oldest: RevisionAnswer,
    },
}

impl HistoryOutcome {
    /// Returns the changes that did it.
    pub fn causes(&self) -> &[Cause] {
        match self {
            HistoryOutcome::Found { causes, .. } => causes,
            _ => &[],
        }
    }
}

/// No version passes.
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
    /// Whether the failure was seen with all that could have been carried back, too.
    pub believed: Belief,
    /// A version that was seen to pass with the test as it was then.
    pub old_test_passes: Option<RevisionAnswer>,
    /// Where the failure begins without the back-port, if the oldest version fails with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begins: Option<Box<Begins>>,
    /// The last lines that the test of the oldest version prints.
    pub prints: Vec<String>,
    /// What the checkout has and the folder of a test has not.
    pub lacking: Vec<Word>,
}

/// The neighbours between which a failure begins if no patch is carried back, both tested in clean
/// folders. A patch that is needed below them may let the test run, or be the cause itself.
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

/// Whether a pass or a lasting failure is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Belief {
    /// Nothing was carried back.
    Untouched,
    /// It was seen with the test as it is in the newest version or, where that says nothing below a
    /// mended stretch, with the test of the failing neighbour; a back-port may be carried as well.
    WithTest,
    /// It also passes with all that could have been carried back.
    WithAll,
    /// With all that could have been carried back it cannot be tested.
    AsItIs,
}

/// A version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RevisionAnswer {
    /// Its name, whole.
    pub id: String,
    /// Its name, as people use it.
    pub short_id: String,
    /// The first line of what its author says of it.
    pub title: String,
    /// Who made it.
    pub author: String,
    /// When it was made, in seconds since 1970, if that is known.
    pub time: Option<i64>,
    /// How many versions there are after it.
    pub place: u64,
}

/// A version that cannot be tested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Untested {
    /// Its name.
    pub version: String,
    /// How many versions there are after it.
    pub place: u64,
    /// What was seen, in words.
    pub reason: String,
}

/// Versions in a row that could not be tested, for one reason.
///
/// Those at its ends were tested; there may be more of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Stretch {
    /// The name of the newest.
    pub newest: String,
    /// The name of the oldest.
    pub oldest: String,
    /// How many versions there are after the newest.
    pub place: u64,
    /// How many versions it has, at least.
    pub versions: u64,
    /// Why they say nothing.
    pub reason: StepReason,
    /// What the failure says of itself, if there was one.
    pub says: Option<String>,
    /// What became of it.
    pub fate: Fate,
}

/// What became of versions that could not be tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// The failure was seen again behind them.
    Leapt,
    /// What the test needs there was found.
    Mended,
    /// They could not be tested.
    Open,
}

/// Whether the failure of an old version rests on memory that is misused, and that of the newest does
/// not. Both were built and tested in clean folders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MemoryCheck {
    /// What was run, as it can be typed.
    pub command: String,
    /// The old version, with what is carried back.
    pub version: String,
    /// How many versions there are after it.
    pub place: u64,
    /// The complaints about the old version: of the command, and warnings of its build about values
    /// that are not initialised or not returned.
    pub complaints: Vec<String>,
    /// The complaints about the newest version.
    pub newest: Vec<String>,
}

impl MemoryCheck {
    /// Returns the complaints about the old version that are none about the newest.
    pub fn doubts(&self) -> Vec<&str> {
        let is_new = |it: &&String| !self.newest.contains(it);
        self.complaints.iter().filter(is_new).map(String::as_str).collect()
    }
}

/// A version whose failure takes much more than that of the newest, or much less.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Watched {
    /// Its name.
    pub version: String,
    /// How many versions there are after it.
    pub place: u64,
    /// Of what.
    pub measure: Measure,
    /// How many times as much.
    pub times: f64,
    /// Whether the failure was seen there a second time, in a clean folder.
    pub is_confirmed: bool,
}

/// What a failure takes.
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

/// Something that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HistoryStep {
    /// The version it is about.
    pub version: String,
    /// How many versions there are after it.
    pub place: u64,
    /// What came of it.
    pub result: StepResult,
}

/// What came of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum StepResult {
    /// A test, or a patch that does not fit.
    Tested {
        /// Which way the patch goes.
        #[serde(default)]
        way: Way,
        /// The verdict.
        #[serde(with = "verdict")]
        verdict: Verdict,
        /// Why it is open, if it is.
        reason: Option<StepReason>,
        /// What the failure says of itself then, if there was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        says: Option<String>,
        /// How the place of the least certain part of the patch was found.
        rung: Option<String>,
    },
    /// A search for what the test needs there.
    Searched {
        /// Which way the patch goes.
        way: Way,
        /// How large the difference was.
        before: PatchLines,
        /// How large the patch is; nothing if none was found.
        after: Option<PatchLines>,
        /// How many tests the search took.
        tests: u64,
        /// Whether it made the patch of an earlier search smaller, until nothing of it can go.
        #[serde(default)]
        again: bool,
    },
}

/// Which way a patch is carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// To older versions.
    #[default]
    Back,
    /// To newer ones.
    Forward,
}

/// Why a step said nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepReason {
    /// Another value shows at the assertion where the failure would show, so it is not there.
    OtherValue,
    /// The patch does not fit.
    Patch,
    /// It cannot be configured.
    Configure,
    /// It does not build.
    Build,
    /// The test does something else.
    Test,
    /// It passes with the test as it was then, which may lack what is tracked.
    OldTest,
    /// The test does not end in time.
    Timeout,
    /// The test crashes or takes too much memory.
    Memory,
}

/// How large a patch is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PatchLines {
    /// Files that it touches.
    pub files: u64,
    /// Runs of lines in them.
    pub hunks: u64,
    /// Lines that come or go.
    pub lines: u64,
}

/// What is carried back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BackPort {
    /// The patch, which applies to the version that `on` names.
    pub patch: Word,
    /// The version that passes; the oldest that fails if there is none, or that passes as it is.
    pub on: String,
    /// The same for the version that did it, if the patch is for the one before it.
    pub beside: Option<Word>,
    /// How large it is.
    pub size: PatchLines,
    /// Where it was written.
    pub file: Option<Word>,
}

impl BackPort {
    /// Returns what a version of the answer was given, if anything was.
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
    /// How large it is.
    pub size: PatchLines,
    /// Where it was written.
    pub file: Option<Word>,
    /// What a test of the newest version with it said, in a clean folder.
    pub proof: Claim,
    /// What the wider suite said, without the fix and with it.
    pub also: Option<Also>,
    /// Whether it changes none of the files that the fix of the culprit changes: something else fails in
    /// the same way since, or the files have other names.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_elsewhere: bool,
}

/// What a wider suite said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Also {
    /// The newest version as it is, in words.
    pub without: String,
    /// The newest version with the fix, in words.
    pub with: String,
    /// Whether they are the same.
    pub is_same: bool,
}
