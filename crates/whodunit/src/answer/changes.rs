//! The answer of a run: which changes did it, and what proves that.
//!
//! This is the documented schema of `changes --json`; see `docs/manual/changes.md`.

use serde::{Deserialize, Serialize};
use whodunit_core::Verdict;
use whodunit_exec::process::Enforced;
use whodunit_run::evidence::{Claim, EachNeeded};
use whodunit_run::{Ended, Key, Tally, Word};

use crate::answer::{AtomicAnswer, JobName, LearnedEnds, OtherFailure, WhyAgain};
use crate::settings::{ChangeGroups, ChangesSettings};

/// The answer of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChangesAnswer {
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
    /// The commits that did it, oldest first; more than one if those between cannot be tested.
    /// None if there is no history between the versions.
    pub commits: Vec<CommitAnswer>,
    /// How probable it is of commits that they did it, the most probable first; empty if the test is
    /// steady.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub likely: Vec<LikelyCommit>,
    /// How many commits there are between the versions.
    pub commits_between: u64,
    /// Where the versions parted, if the bad one does not come from the good one.
    pub base: Option<Base>,
    /// The causes; more than one only if all were asked for.
    pub causes: Vec<Cause>,
    /// What proves the commit where no changes were looked for; else that is with each cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<EndsProof>,
    /// What the changes of the causes are relative to.
    pub compared: Compared,
    /// By what changes were put together; where there is no history it is not by commits.
    #[serde(default)]
    pub group: ChangeGroups,
    /// How many changes of each kind there were.
    pub size: ChangeCounts,
    /// The tests it took.
    pub tests: Tally,
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
    pub settings: ChangesSettings,
}

/// Which two versions changes are between: the given ones, or the commits next to the culprit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Compared {
    /// The version without the changes, as the user can name it.
    pub good: String,
    /// The version with the changes.
    pub bad: String,
    /// The commits that these are, if they are.
    #[serde(default)]
    pub commits: Option<CommitPair>,
    /// The commits that the given versions are, if they are.
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
    /// Which one.
    pub commit: CommitAnswer,
    /// What a test said of it in a clean folder. If it passes, it stands for the good version in the
    /// search for the commit; else the versions are compared as they are, and no commit is named.
    pub verdict: Claim,
}

/// The whole names of two commits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CommitPair {
    /// The one that passes.
    pub good: String,
    /// The one that fails.
    pub bad: String,
}

/// How much some changes are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChangeCounts {
    /// Files that differ.
    pub files: u64,
    /// Functions, classes and the like that differ, where the language is known.
    #[serde(default)]
    pub items: u64,
    /// Runs of lines that differ.
    pub hunks: u64,
    /// Lines that differ; an old and a new one that are alike count as one.
    #[serde(default)]
    pub lines: u64,
    /// Changes at the level that was searched.
    pub changes: u64,
}

/// A set of changes that makes the failure, and what of it must go for the failure to be gone.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Cause {
    /// The changes that make the good version fail, all of them needed.
    pub culprit: Vec<ChangeAnswer>,
    /// The changes without which the bad version passes.
    pub fix: Vec<ChangeAnswer>,
    /// How many other changes have to be there as well; none but for `isolate`, which looks for
    /// the smallest difference and not for the smallest set.
    #[serde(default)]
    pub with: u64,
    /// Which of all changes between the compared versions these are, by their numbers.
    #[serde(default)]
    pub numbers: ChangeNumbers,
    /// How much the culprit is.
    #[serde(default)]
    pub size: ChangeCounts,
    /// The atomic changes it is made of and how they were found, if that was asked for.
    #[serde(default)]
    pub atomic: Option<AtomicAnswer>,
    /// If a merge did it whose sides pass each by itself: what of the other side it takes for the
    /// culprit to fail.
    #[serde(default)]
    pub partners: Vec<Partner>,
    /// Applies to the version that `culprit_on` names and makes it fail; holds the other changes
    /// too that have to be there.
    pub culprit_patch: Word,
    /// The given good version, or the one before the culprit if the patch does no harm to the
    /// given one.
    #[serde(default)]
    pub culprit_on: String,
    /// Applies to the version that `fix_on` names and makes it pass; empty if no such set was
    /// found.
    pub fix_patch: Word,
    /// The given bad version, or the one with the culprit if the patch does not mend the given
    /// one.
    #[serde(default)]
    pub fix_on: String,
    /// The patches for the versions beside the commit that did it, where those above are for the
    /// given ones.
    #[serde(default)]
    pub beside: Beside,
    /// Where nothing small can be taken back: a part of the bad version without which it passes. It
    /// is a place to look at, and no repair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spot: Option<Spot>,
    /// Where the patches were written.
    pub files: Option<PatchFiles>,
    /// What proves it.
    pub proof: ChangesProof,
}

/// A part of the bad version that passes if it is taken out or replaced.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Spot {
    /// The lines it is in; the new text is that of the bad version, the old text is what passes.
    pub parts: Vec<ChangeAnswer>,
    /// What was done with the part.
    #[serde(default)]
    pub how: SpotHow,
    /// What is replaced by what, if it was replaced.
    #[serde(default)]
    pub replaced: Option<Replaced>,
    /// Does it to the bad version that the changes are relative to.
    pub patch: Word,
    /// What a test said without it in a clean folder.
    pub passes: Claim,
}

/// How a part of the bad version was changed for the test to pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpotHow {
    /// It was taken out.
    #[default]
    TakenOut,
    /// Another part of like kind was put in its place, which need not be in either version.
    Replaced,
    /// Some of its words were put back to those of the good version.
    AsItWas,
}

/// What of the bad version was replaced by what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// The words of the bad version.
    pub what: String,
    /// The words that were put in their place.
    pub by: String,
}

/// Changes by their numbers, from 0, among all that differ at the level that was searched; as the
/// first and the last number of each run of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChangeNumbers {
    /// Those of the culprit.
    pub culprit: Vec<[u32; 2]>,
    /// The others that have to be there.
    pub with: Vec<[u32; 2]>,
    /// Those of the fix.
    #[serde(default)]
    pub fix: Vec<[u32; 2]>,
}

/// Patches for the versions beside the commit that did it, where they are not the given ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Beside {
    /// Makes the version before it fail.
    pub culprit_patch: Option<Word>,
    /// Makes the version after it pass.
    pub fix_patch: Option<Word>,
}

/// Where the patches were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PatchFiles {
    /// The patch of the culprit.
    pub culprit: Word,
    /// The patch of the fix, if there is one.
    pub fix: Option<Word>,
    /// The patch of the culprit for the version before the commit, if it is another.
    #[serde(default)]
    pub beside_culprit: Option<Word>,
    /// The patch of the fix for the version after the commit, if it is another.
    #[serde(default)]
    pub beside_fix: Option<Word>,
    /// The patch that takes out a part of the bad version, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_spot: Option<Word>,
}

/// What of the other side of a merge has to be there for the culprit to fail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Partner {
    /// The commit of the other side.
    pub commit: CommitAnswer,
    /// The changes of it; none if only the commit is known.
    pub changes: Vec<ChangeAnswer>,
    /// Whether each of these is needed: without it the culprit was tested in a clean folder and does
    /// not fail. `false` if the search for less was given up; nothing if only the commit is known.
    pub each_needed: Option<EachNeeded>,
    /// What tests of the culprit on the version before this commit and on the one with it said in
    /// clean folders; nothing if the commits of the other side could not be told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<EndsProof>,
}

impl Partner {
    /// Returns whether nothing about it was given up or cut short.
    pub fn is_settled(&self) -> bool {
        self.each_needed.is_none_or(EachNeeded::holds)
    }
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChangeAnswer {
    /// What it changes.
    pub change: ChangeWord,
    /// The file in the bad version, or in the good one if it is gone.
    pub file: Word,
    /// The file in the good version, if it has another name there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_file: Option<Word>,
    /// The function, class and the like it lies in.
    pub item: Option<String>,
    /// The first and the last line in the good version, from 1.
    pub old_lines: Option<[u32; 2]>,
    /// The first and the last line in the bad version, from 1.
    pub new_lines: Option<[u32; 2]>,
    /// The commit it came with, if there is a history.
    pub commit: Option<String>,
    /// The old text, without the end of the line if it is one line.
    pub old_text: String,
    /// The new text.
    pub new_text: String,
}

/// What a change changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeWord {
    /// A folder has another name.
    DirectoryRenamed,
    /// A file is there.
    Added,
    /// A file is gone.
    Deleted,
    /// A file has another path.
    Renamed,
    /// A file can be run, or no longer.
    Mode,
    /// The whole content is another.
    Replaced,
    /// The members of classes stand in another order.
    Reordered,
    /// Text is another.
    Text,
    /// Several of these.
    Several,
}

/// A commit with how probable it is that it did it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LikelyCommit {
    /// The commit.
    pub commit: CommitAnswer,
    /// Between 0 and 1.
    pub probability: f64,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CommitAnswer {
    /// Its name, whole.
    pub id: String,
    /// Its name, as short as it gets.
    pub short_id: String,
    /// The first line of its message.
    pub title: String,
    /// Who wrote it.
    pub author: String,
    /// When it was written, in seconds since 1970.
    pub time: i64,
    /// How many parents it has; a merge has more than one.
    pub parents: u64,
}

/// What proves that something between two versions did it: tests of both in clean folders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EndsProof {
    /// The good version as it is.
    pub good: Option<Claim>,
    /// The bad version as it is.
    pub bad: Option<Claim>,
}

impl EndsProof {
    /// Returns whether a test says something else than what was found; `good` is what the good
    /// version should do.
    pub fn is_refuted(&self, good: Verdict) -> bool {
        let is = |seen: Option<Claim>, wanted| seen.is_some_and(|seen| seen.verdict() != wanted);
        is(self.good, good) || is(self.bad, Verdict::Fail)
    }
}

/// What proves a cause: tests in clean folders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChangesProof {
    /// The good version as it is.
    #[serde(default)]
    pub good: Option<Claim>,
    /// The bad version as it is.
    #[serde(default)]
    pub bad: Option<Claim>,
    /// The good version with the culprit.
    pub good_with_culprit: Option<Claim>,
    /// The bad version without the fix.
    pub bad_without_fix: Option<Claim>,
    /// The given good version with the culprit, if a commit did it and that is another version.
    #[serde(default)]
    pub given_good_with_culprit: Option<Claim>,
    /// The given bad version without the fix, if a commit did it and that is another version.
    #[serde(default)]
    pub given_bad_without_fix: Option<Claim>,
    /// Whether each change of the culprit is needed: without it the good version was tested in a
    /// clean folder and does not fail.
    pub each_needed: EachNeeded,
    /// Whether a fix was found, or else it is known that nothing less than all is one; `false` if
    /// the search for it was given up or cut short.
    pub fix_sought: bool,
}

impl Cause {
    /// Returns whether nothing about it was given up or cut short.
    pub fn is_settled(&self) -> bool {
        let proof = &self.proof;
        proof.each_needed.holds()
            && proof.fix_sought
            && self.partners.iter().all(Partner::is_settled)
    }
}

/// Returns how a run ended whose searches came to an end so, with these causes.
pub(crate) fn ended_with(ended: Ended, causes: &[Cause]) -> Ended {
    match ended {
        Ended::Done if !causes.iter().all(Cause::is_settled) => Ended::GaveUp,
        ended => ended,
    }
}

impl ChangesProof {
    /// Returns whether a test says something else than what was found: the search was misled, by a
    /// test that is not repeatable.
    ///
    /// `good` is what the good version should do: pass, or in `history` show something else.
    pub fn is_refuted(&self, good: Verdict) -> bool {
        let is = |seen: Option<Claim>, wanted| seen.is_some_and(|seen| seen.verdict() != wanted);
        EndsProof { good: self.good, bad: self.bad }.is_refuted(good)
            || is(self.good_with_culprit, Verdict::Fail)
            || is(self.bad_without_fix, Verdict::Pass)
    }
}
