//! The answer of a run: which changes did it, and what proves that.
//!
//! This is the documented schema of `changes --json`; see `docs/manual/changes.md`.

use serde::{Deserialize, Serialize};
use whodunit_core::Verdict;

use super::ends::LearnedEnds;
use super::settings::ChangesSettings;
use crate::engine::{Ended, Tally};
use crate::event::verdict;
use crate::reduce::OtherFailure;
use crate::word::Word;

/// The answer of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChangesAnswer {
    /// The version of this schema.
    pub schema: u32,
    /// The version of the program.
    pub version: String,
    /// The name of the run.
    pub run: String,
    /// Why the search ended; only `done` gives a smallest result.
    pub ended: Ended,
    /// The failure in words.
    pub failure: String,
    /// The command as it can be typed.
    pub command: String,
    /// The commits that did it, oldest first; more than one if those between cannot be tested.
    /// None if there is no history between the versions.
    pub commits: Vec<CommitAnswer>,
    /// How many commits there are between the versions.
    pub commits_between: u64,
    /// The causes; more than one only if all were asked for.
    pub causes: Vec<Cause>,
    /// What the changes of the causes are relative to.
    pub compared: Compared,
    /// How many changes of each kind there were.
    pub size: ChangeCounts,
    /// The tests it took.
    pub tests: Tally,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Whether tests in folders with earlier builds said something else than tests in clean ones;
    /// their results were thrown away then.
    pub warm_disagreed: bool,
    /// Other failures that were met on the way.
    pub others: Vec<OtherFailure>,
    /// What the first runs taught.
    pub learned: LearnedEnds,
    /// What the run was asked to do.
    pub settings: ChangesSettings,
}

/// Which two versions changes are between: the given ones, or the commits next to the culprit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// The version without the changes, as the user can name it.
    pub good: String,
    /// The version with the changes.
    pub bad: String,
}

/// How much there was to suspect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeCounts {
    /// Files that differ.
    pub files: u64,
    /// Runs of lines that differ.
    pub hunks: u64,
    /// Changes at the level that was searched.
    pub changes: u64,
}

/// A set of changes that makes the failure, and what of it must go for the failure to be gone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cause {
    /// The changes that make the good version fail, all of them needed.
    pub culprit: Vec<ChangeAnswer>,
    /// The changes without which the bad version passes.
    pub fix: Vec<ChangeAnswer>,
    /// How many other changes have to be there as well; none but for `isolate`, which looks for
    /// the smallest difference and not for the smallest set.
    #[serde(default)]
    pub with: u64,
    /// Applies to the good version, with those others, and makes it fail.
    pub culprit_patch: String,
    /// Applies to the bad version and makes it pass; empty if no such set was found.
    pub fix_patch: String,
    /// Where the patches were written.
    pub files: Option<PatchFiles>,
    /// What proves it.
    pub proof: ChangesProof,
}

/// Where the patches were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PatchFiles {
    /// The patch of the culprit.
    pub culprit: Word,
    /// The patch of the fix, if there is one.
    pub fix: Option<Word>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Text is another.
    Text,
    /// Several of these.
    Several,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// What proves a cause: tests in clean folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangesProof {
    /// The good version with the culprit.
    #[serde(with = "optional_verdict")]
    pub good_with_culprit: Option<Verdict>,
    /// The bad version without the fix.
    #[serde(with = "optional_verdict")]
    pub bad_without_fix: Option<Verdict>,
    /// Whether each change of the culprit is needed: without it, and what needs it, the good
    /// version does not fail.
    pub each_needed: bool,
}

/// Verdicts that may be absent.
mod optional_verdict {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use whodunit_core::Verdict;

    use super::verdict;

    #[derive(Serialize, Deserialize)]
    struct Word(#[serde(with = "verdict")] Verdict);

    #[allow(clippy::ref_option)] // serde asks for a reference
    pub(super) fn serialize<S: Serializer>(it: &Option<Verdict>, to: S) -> Result<S::Ok, S::Error> {
        it.map(Word).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Verdict>, D::Error> {
        Ok(Option::<Word>::deserialize(from)?.map(|Word(verdict)| verdict))
    }
}
