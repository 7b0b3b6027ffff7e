//! The answer of a run of `changes`: the changes that cause the failure, and their proof.
//!
//! This is the documented schema of `changes --json`; see `docs/manual/changes.md`.

use serde::{Deserialize, Serialize};
use whodunit_core::Verdict;
use whodunit_exec::process::Enforced;
use whodunit_run::evidence::{Claim, EachNeeded};
use whodunit_run::{Ended, Key, Tally, Word};

use crate::answer::{AtomicAnswer, JobName, LearnedEnds, OtherFailure, WhyAgain};
use crate::settings::{ChangeGroups, ChangesSettings};

/// The answer of a run of `changes`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChangesAnswer {
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
    /// The commits that cause the failure, oldest first; more than one if the commits between
    /// cannot be tested. None if there is no history between the versions.
    pub commits: Vec<CommitAnswer>,
    /// Commits with the probability that each causes the failure, the most probable first; empty if
    /// the test is steady.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub likely: Vec<LikelyCommit>,
    /// The number of commits between the versions.
    pub commits_between: u64,
    /// The commit where the versions parted, if the bad one does not come from the good one.
    pub base: Option<Base>,
    /// The causes; more than one only if the user asked for all.
    pub causes: Vec<Cause>,
    /// The proof for the commit if no changes were searched; otherwise each cause has its own
    /// proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<EndsProof>,
    /// The two versions that the changes of the causes lie between.
    pub compared: Compared,
    /// The criteria that grouped the changes; never commits if there is no history.
    #[serde(default)]
    pub group: ChangeGroups,
    /// The number of changes of each kind.
    pub size: ChangeCounts,
    /// The number of tests.
    pub tests: Tally,
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
    pub settings: ChangesSettings,
}

/// The two versions that changes lie between: the given ones, or the commits next to the culprit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Compared {
    /// The version without the changes, as the user can name it.
    pub good: String,
    /// The version with the changes.
    pub bad: String,
    /// The commits of these versions, if they are commits.
    #[serde(default)]
    pub commits: Option<CommitPair>,
    /// The commits of the given versions, if they are commits.
    #[serde(default)]
    pub given: Option<CommitPair>,
    /// The content of the given versions.
    #[serde(default)]
    pub key: Option<Key>,
}

/// The commit where two versions parted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Base {
    /// The commit.
    pub commit: CommitAnswer,
    /// The verdict on it in a clean folder. If it passes, it replaces the good version in the
    /// search for the commit; otherwise the versions are compared directly, and no commit is named.
    pub verdict: Claim,
}

/// The whole names of two commits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CommitPair {
    /// The commit that passes.
    pub good: String,
    /// The commit that fails.
    pub bad: String,
}

/// The size of some changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChangeCounts {
    /// Files that differ.
    pub files: u64,
    /// Functions, classes and similar items that differ, where the language is known.
    #[serde(default)]
    pub items: u64,
    /// Runs of lines that differ.
    pub hunks: u64,
    /// Lines that differ; an old line and a similar new one count as one.
    #[serde(default)]
    pub lines: u64,
    /// Changes at the level that was searched.
    pub changes: u64,
}

/// A set of changes that causes the failure, and the part of it whose removal makes the failure
/// disappear.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Cause {
    /// The changes that make the good version fail, all of them needed.
    pub culprit: Vec<ChangeAnswer>,
    /// The changes without which the bad version passes.
    pub fix: Vec<ChangeAnswer>,
    /// The number of other changes that must be present as well; 0 except for `isolate`, which
    /// looks for the smallest difference and not for the smallest set.
    #[serde(default)]
    pub with: u64,
    /// The numbers of these changes among all changes between the compared versions.
    #[serde(default)]
    pub numbers: ChangeNumbers,
    /// The size of the culprit.
    #[serde(default)]
    pub size: ChangeCounts,
    /// The atomic changes in the culprit and how they were found, if the user asked for them.
    #[serde(default)]
    pub atomic: Option<AtomicAnswer>,
    /// The changes of the other side of a merge that the culprit needs to fail. Not empty only if a
    /// merge causes the failure although each of its sides passes on its own.
    #[serde(default)]
    pub partners: Vec<Partner>,
    /// A patch that makes the version `culprit_on` fail; it contains the other changes that must be
    /// present, too.
    pub culprit_patch: Word,
    /// The given good version, or the one before the culprit if the patch does not make the given
    /// one fail.
    #[serde(default)]
    pub culprit_on: String,
    /// A patch that makes the version `fix_on` pass; empty if no fix was found.
    pub fix_patch: Word,
    /// The given bad version, or the one with the culprit if the patch does not make the given one
    /// pass.
    #[serde(default)]
    pub fix_on: String,
    /// The patches for the versions directly before and after the commit that causes the failure,
    /// if the patches above are for the given versions.
    #[serde(default)]
    pub beside: Beside,
    /// A part of the bad version without which it passes, if no small set of changes can be undone.
    /// It is a place to look at, and no repair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spot: Option<Spot>,
    /// The files that contain the patches.
    pub files: Option<PatchFiles>,
    /// The proof of the cause.
    pub proof: ChangesProof,
}

/// A part of the bad version; with this part removed or replaced the version passes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Spot {
    /// The lines of the part; the new text is that of the bad version, the old text is the one that
    /// passes.
    pub parts: Vec<ChangeAnswer>,
    /// How the part was changed.
    #[serde(default)]
    pub how: SpotHow,
    /// The old and new words, if the part was replaced.
    #[serde(default)]
    pub replaced: Option<Replaced>,
    /// A patch that makes this change in the bad version that the causes are relative to.
    pub patch: Word,
    /// The verdict on the changed version in a clean folder.
    pub passes: Claim,
}

/// How a part of the bad version was changed so that the test passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpotHow {
    /// The part was removed.
    #[default]
    TakenOut,
    /// The part was replaced by another one of a similar kind, which need not be in either version.
    Replaced,
    /// Some of its words were replaced by those of the good version.
    AsItWas,
}

/// Words of the bad version with their replacement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// The words of the bad version.
    pub what: String,
    /// The words that were put in their place.
    pub by: String,
}

/// Numbers of changes, from 0, among all changes at the searched level; each range is given by its
/// first and last number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChangeNumbers {
    /// The changes of the culprit.
    pub culprit: Vec<[u32; 2]>,
    /// The other changes that must be present.
    pub with: Vec<[u32; 2]>,
    /// Those of the fix.
    #[serde(default)]
    pub fix: Vec<[u32; 2]>,
}

/// Patches for the versions directly before and after the commit that causes the failure, if these
/// are not the given ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Beside {
    /// A patch that makes the version before the commit fail.
    pub culprit_patch: Option<Word>,
    /// A patch that makes the version after the commit pass.
    pub fix_patch: Option<Word>,
}

/// The files that contain the patches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PatchFiles {
    /// The patch of the culprit.
    pub culprit: Word,
    /// The patch of the fix, if there is one.
    pub fix: Option<Word>,
    /// The patch of the culprit for the version before the commit, if it is a separate one.
    #[serde(default)]
    pub beside_culprit: Option<Word>,
    /// The patch of the fix for the version after the commit, if it is a separate one.
    #[serde(default)]
    pub beside_fix: Option<Word>,
    /// The patch that changes the spot in the bad version, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_spot: Option<Word>,
}

/// The changes of the other side of a merge that the culprit needs to fail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Partner {
    /// The commit of the other side.
    pub commit: CommitAnswer,
    /// The needed changes of this commit; none if only the commit is known.
    pub changes: Vec<ChangeAnswer>,
    /// Whether each of these changes is needed: the culprit was tested without it in a clean folder
    /// and does not fail. `false` if the search for less gave up; `None` if only the commit is
    /// known.
    pub each_needed: Option<EachNeeded>,
    /// The verdicts on the culprit in clean folders, on the version before this commit and on the
    /// one with it; `None` if it is not known which commit of the other side is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<EndsProof>,
}

impl Partner {
    /// Returns whether no search for the partner gave up or was cut short.
    pub fn is_settled(&self) -> bool {
        self.each_needed.is_none_or(EachNeeded::holds)
    }
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChangeAnswer {
    /// The kind of the change.
    pub change: ChangeWord,
    /// The file in the bad version, or in the good one if it was deleted.
    pub file: Word,
    /// The file in the good version, if it has another name there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_file: Option<Word>,
    /// The function, class or similar item around the change.
    pub item: Option<String>,
    /// The first and the last line in the good version, from 1.
    pub old_lines: Option<[u32; 2]>,
    /// The first and the last line in the bad version, from 1.
    pub new_lines: Option<[u32; 2]>,
    /// The commit of the change, if there is a history.
    pub commit: Option<String>,
    /// The old text, without the end of the line if it is one line.
    pub old_text: String,
    /// The new text.
    pub new_text: String,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeWord {
    /// A folder was renamed.
    DirectoryRenamed,
    /// A file was added.
    Added,
    /// A file was deleted.
    Deleted,
    /// A file was moved or renamed.
    Renamed,
    /// A file was made executable, or no longer executable.
    Mode,
    /// The whole content was replaced.
    Replaced,
    /// The members of classes were reordered.
    Reordered,
    /// Text was changed.
    Text,
    /// Several of these changes.
    Several,
}

/// A commit with the probability that it causes the failure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LikelyCommit {
    /// The commit.
    pub commit: CommitAnswer,
    /// The probability, between 0 and 1.
    pub probability: f64,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CommitAnswer {
    /// The full name of the commit.
    pub id: String,
    /// The short name of the commit.
    pub short_id: String,
    /// The first line of its message.
    pub title: String,
    /// The author.
    pub author: String,
    /// The time when it was written, in seconds since 1970.
    pub time: i64,
    /// The number of parents; a merge has more than one.
    pub parents: u64,
}

/// The proof that a change between two versions causes the failure: tests of both versions in clean
/// folders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EndsProof {
    /// The verdict on the good version.
    pub good: Option<Claim>,
    /// The verdict on the bad version.
    pub bad: Option<Claim>,
}

impl EndsProof {
    /// Returns whether a test contradicts the finding; `good` is the verdict that the good version
    /// should have.
    pub fn is_refuted(&self, good: Verdict) -> bool {
        let is = |seen: Option<Claim>, wanted| seen.is_some_and(|seen| seen.verdict() != wanted);
        is(self.good, good) || is(self.bad, Verdict::Fail)
    }
}

/// The proof of a cause: tests in clean folders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChangesProof {
    /// The verdict on the good version.
    #[serde(default)]
    pub good: Option<Claim>,
    /// The verdict on the bad version.
    #[serde(default)]
    pub bad: Option<Claim>,
    /// The verdict on the good version with the culprit.
    pub good_with_culprit: Option<Claim>,
    /// The verdict on the bad version without the fix.
    pub bad_without_fix: Option<Claim>,
    /// The verdict on the given good version with the culprit, if a commit causes the failure and
    /// the versions differ.
    #[serde(default)]
    pub given_good_with_culprit: Option<Claim>,
    /// The verdict on the given bad version without the fix, if a commit causes the failure and the
    /// versions differ.
    #[serde(default)]
    pub given_bad_without_fix: Option<Claim>,
    /// Whether each change of the culprit is needed: the good version was tested with the culprit
    /// without it, in a clean folder, and does not fail.
    pub each_needed: EachNeeded,
    /// Whether a fix was found, or it is known that only all changes together are one; `false` if
    /// the search for a fix gave up or was cut short.
    pub fix_sought: bool,
}

impl Cause {
    /// Returns whether no search for the cause gave up or was cut short.
    pub fn is_settled(&self) -> bool {
        let proof = &self.proof;
        proof.each_needed.holds()
            && proof.fix_sought
            && self.partners.iter().all(Partner::is_settled)
    }
}

/// Returns how a run ended whose searches ended with `ended` and found these causes.
pub(crate) fn ended_with(ended: Ended, causes: &[Cause]) -> Ended {
    match ended {
        Ended::Done if !causes.iter().all(Cause::is_settled) => Ended::GaveUp,
        ended => ended,
    }
}

impl ChangesProof {
    /// Returns whether a test contradicts the finding. Then a test that is not repeatable misled
    /// the search.
    ///
    /// `good` is the verdict that the good version should have: pass, or in `history` another one.
    pub fn is_refuted(&self, good: Verdict) -> bool {
        let is = |seen: Option<Claim>, wanted| seen.is_some_and(|seen| seen.verdict() != wanted);
        EndsProof { good: self.good, bad: self.bad }.is_refuted(good)
            || is(self.good_with_culprit, Verdict::Fail)
            || is(self.bad_without_fix, Verdict::Pass)
    }
}
