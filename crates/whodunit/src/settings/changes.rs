//! The settings of a run of `changes`. The journal keeps them, so that the run can be continued.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use whodunit_run::Word;

use crate::settings::{AtomicSettings, FlakySettings, LimitSettings, SandboxMode};

/// The settings of a run of `changes`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChangesSettings {
    /// The version that passes: a folder, an archive, or a revision of the repository.
    pub good: Word,
    /// The version that fails.
    pub bad: Word,
    /// How versions are tested, and how changes are searched for.
    #[serde(flatten)]
    pub how: VersionSettings,
}

/// How versions are tested, and how changes are searched for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct VersionSettings {
    /// The folder that everything else is relative to.
    pub origin: Word,
    /// The command, run in a tree that holds the candidate.
    pub test: Vec<Word>,
    /// Files and folders that every version gets: small text files as copies, everything else as
    /// links.
    #[serde(default)]
    pub with: Vec<Word>,
    /// The version whose tests replace the tests of every version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_tests: Option<Word>,
    /// Shell command that runs before the build; if it fails, the test is unresolved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configure: Option<String>,
    /// Shell command that runs before the test; if it fails, the test is unresolved.
    pub build: Option<String>,
    /// Folder that keeps outputs of builds, for this run and others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_cache: Option<Word>,
    /// Cheap checks that run before everything else, as shell commands.
    pub gates: Vec<String>,
    /// Shell command that runs in a folder between two tests.
    pub clean: Option<String>,
    /// Whether each test runs in a new folder.
    pub fresh: bool,
    /// Shell command that extracts the places from the output of a failed build.
    pub hint: Option<String>,
    /// Whether any failure counts, or only the failure of the bad version.
    pub any_failure: bool,
    /// Limits of a test.
    pub limits: LimitSettings,
    /// The size of one change.
    pub level: ChangeLevel,
    /// The search that decides.
    pub search: ChangeSearch,
    /// The criteria that group changes.
    pub group: ChangeGroups,
    /// Whether each change is only possible after the ones before it.
    pub ordered: bool,
    /// The changes that need others, each as `A:B`.
    #[serde(default)]
    pub needs: Vec<String>,
    /// A file with lines `A needs B`.
    #[serde(default)]
    pub needs_file: Option<Word>,
    /// Settings of a search in phases over atomic changes, if there is to be one.
    #[serde(default)]
    pub atomic: Option<AtomicSettings>,
    /// Whether the search looks for every independent cause.
    pub all: bool,
    /// Folder for the patches; if none is given, they are kept with the journal of the run.
    pub out: Option<Word>,
    /// The number of tests that run at the same time.
    pub jobs: usize,
    /// The time that the run may take.
    pub budget: Option<Duration>,
    /// The number of tests that the run may make.
    pub max_tests: Option<u64>,
    /// Whether tests may write only in their own folder, without a network.
    pub sandbox: SandboxMode,
    /// Environment variables that the outcome of a test depends on.
    pub variables: Vec<String>,
    /// The treatment of a flaky test.
    #[serde(default)]
    pub flaky: FlakySettings,
}

impl ChangesSettings {
    /// Compares two versions; a version is a folder, an archive, or a revision of the repository.
    pub fn new(good: impl Into<Word>, bad: impl Into<Word>, how: VersionSettings) -> Self {
        ChangesSettings { good: good.into(), bad: bad.into(), how }
    }
}

impl VersionSettings {
    /// Tests versions with this command, down to lines, one test at a time. All paths are relative to
    /// the folder `origin`.
    pub fn new(origin: impl Into<Word>, test: impl IntoIterator<Item: Into<Word>>) -> Self {
        VersionSettings {
            origin: origin.into(),
            test: test.into_iter().map(Into::into).collect(),
            with: Vec::new(),
            old_tests: None,
            configure: None,
            build: None,
            build_cache: None,
            gates: Vec::new(),
            clean: None,
            fresh: false,
            hint: None,
            any_failure: false,
            limits: LimitSettings::default(),
            level: ChangeLevel::default(),
            search: ChangeSearch::default(),
            group: ChangeGroups::default(),
            ordered: false,
            needs: Vec::new(),
            needs_file: None,
            atomic: None,
            all: false,
            out: None,
            jobs: 1,
            budget: None,
            max_tests: None,
            sandbox: SandboxMode::Off,
            variables: Vec::new(),
            flaky: FlakySettings::default(),
        }
    }
}

/// The size of one change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeLevel {
    /// A commit of the history between the versions.
    Commit,
    /// All changes in a folder.
    Directory,
    /// All changes in a file.
    File,
    /// All changes in a function, a class or a similar item.
    Item,
    /// A run of changed lines.
    Hunk,
    /// A changed line.
    #[default]
    Line,
    /// A changed word or punctuation mark.
    Token,
}

/// The search that decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeSearch {
    /// Bisection over sets of changes that contain all that their changes need.
    #[default]
    Closure,
    /// Algorithm 1 of the paper of 1999.
    Dd,
    /// Algorithm 2 of the paper of 1999.
    DdPlus,
    /// The search for a smallest failing set, of the paper of 2002.
    Ddmin,
    /// The search for a smallest difference between a passing and a failing set, of the paper of
    /// 2002.
    Isolate,
    /// The bisection of iterative delta debugging, over files, then hunks, then lines.
    Halving,
    /// The same bisection without regard to files and hunks.
    HalvingFlat,
}

/// A criterion that groups changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeGroup {
    /// By folder and file.
    #[default]
    Location,
    /// By function or class.
    Syntactic,
    /// By rare names that they share.
    Lexical,
    /// By meaning: definitions with the code that uses or calls them.
    Semantic,
    /// By commit, if there is a history.
    Process,
}

impl ChangeGroup {
    const ALL: [ChangeGroup; 5] = [
        ChangeGroup::Location,
        ChangeGroup::Syntactic,
        ChangeGroup::Lexical,
        ChangeGroup::Semantic,
        ChangeGroup::Process,
    ];

    /// Returns the name of the criterion.
    pub fn word(self) -> &'static str {
        match self {
            ChangeGroup::Location => "location",
            ChangeGroup::Syntactic => "syntactic",
            ChangeGroup::Lexical => "lexical",
            ChangeGroup::Semantic => "semantic",
            ChangeGroup::Process => "process",
        }
    }
}

/// The criteria that group changes; each one divides the groups of the one before. In files they
/// are written as one text: `location,lexical`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ChangeGroups(Vec<ChangeGroup>);

impl ChangeGroups {
    /// Takes criteria, the coarsest first; an empty list means `location`.
    pub fn new(groups: impl IntoIterator<Item = ChangeGroup>) -> Self {
        let mut all = Vec::new();
        for group in groups {
            if !all.contains(&group) {
                all.push(group);
            }
        }
        if all.is_empty() { Self::default() } else { ChangeGroups(all) }
    }

    /// Returns the criteria, the coarsest first.
    pub fn all(&self) -> &[ChangeGroup] {
        &self.0
    }

    /// Returns whether this criterion is used.
    pub fn contains(&self, group: ChangeGroup) -> bool {
        self.0.contains(&group)
    }

    /// Returns whether these are the criteria that are used if none are asked for.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for ChangeGroups {
    fn default() -> Self {
        ChangeGroups(vec![ChangeGroup::Location])
    }
}

impl fmt::Display for ChangeGroups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.0.iter().map(|group| group.word()).collect();
        f.write_str(&words.join(","))
    }
}

impl From<ChangeGroups> for String {
    fn from(groups: ChangeGroups) -> String {
        groups.to_string()
    }
}

impl TryFrom<String> for ChangeGroups {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let group = |word: &str| {
            let known = ChangeGroup::ALL.into_iter().find(|group| group.word() == word);
            known.ok_or_else(|| format!("changes are not grouped by `{word}`"))
        };
        let groups: Result<Vec<ChangeGroup>, String> = text.split(',').map(group).collect();
        Ok(Self::new(groups?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_written_as_a_text_and_read_back() {
        let both = ChangeGroups::new([ChangeGroup::Location, ChangeGroup::Lexical]);
        let text = serde_json::to_string(&both).expect("it is a text");
        assert_eq!(text, "\"location,lexical\"");
        assert_eq!(serde_json::from_str::<ChangeGroups>(&text).expect("it was written"), both);
        assert!(serde_json::from_str::<ChangeGroups>("\"location,no\"").is_err());
    }
}
