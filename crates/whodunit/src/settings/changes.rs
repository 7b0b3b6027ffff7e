//! What a run of `changes` was asked to do. Kept in the journal, so that it can go on.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use whodunit_run::Word;

use crate::settings::{AtomicSettings, FlakySettings, LimitSettings, SandboxMode};

/// What a run of `changes` was asked to do.
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
    /// Files and folders that every version is given, as links to where they are.
    #[serde(default)]
    pub with: Vec<Word>,
    /// The version whose tests every version is given, in place of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_tests: Option<Word>,
    /// What runs before the build, as a line for the shell; if it fails nothing can be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configure: Option<String>,
    /// What runs before the test, as a line for the shell; if it fails nothing can be said.
    pub build: Option<String>,
    /// A folder where outputs of builds are kept, for this run and others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_cache: Option<Word>,
    /// Cheap checks to run before all else, as lines for the shell.
    pub gates: Vec<String>,
    /// What is run in a folder between two tests, as a line for the shell.
    pub clean: Option<String>,
    /// Whether each test runs in a new folder.
    pub fresh: bool,
    /// Says what the output of a failed build is about, as a line for the shell.
    pub hint: Option<String>,
    /// Whether any failure counts, or only the one that the bad version shows.
    pub any_failure: bool,
    /// How much a test may use.
    pub limits: LimitSettings,
    /// What one change is.
    pub level: ChangeLevel,
    /// The search that decides.
    pub search: ChangeSearch,
    /// By what changes are put together.
    pub group: ChangeGroups,
    /// Whether each change is only possible after the ones before it.
    pub ordered: bool,
    /// Which changes need which, each as `A:B`.
    #[serde(default)]
    pub needs: Vec<String>,
    /// A file with lines `A needs B`.
    #[serde(default)]
    pub needs_file: Option<Word>,
    /// What is known for a search in phases over atomic changes, if there is to be one.
    #[serde(default)]
    pub atomic: Option<AtomicSettings>,
    /// Whether every independent cause is looked for.
    pub all: bool,
    /// Where the patches go; with the journal of the run if nothing is said.
    pub out: Option<Word>,
    /// How many tests run at once.
    pub jobs: usize,
    /// How long it may take.
    pub budget: Option<Duration>,
    /// How many tests it may take.
    pub max_tests: Option<u64>,
    /// Whether tests may write in their own folder only, without a network.
    pub sandbox: SandboxMode,
    /// Variables that the outcome of a test depends on.
    pub variables: Vec<String>,
    /// What is done about a test that does not always say the same.
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

/// What one change is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeLevel {
    /// A commit of the history between the versions.
    Commit,
    /// All that changed in a folder.
    Directory,
    /// All that changed in a file.
    File,
    /// All that changed in a function, a class and the like.
    Item,
    /// A run of changed lines.
    Hunk,
    /// A changed line.
    #[default]
    Line,
    /// A changed word or sign.
    Token,
}

/// The search that decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeSearch {
    /// Bisection over sets of changes that are closed under what needs what.
    #[default]
    Closure,
    /// Algorithm 1 of 1999.
    Dd,
    /// Algorithm 2 of 1999.
    DdPlus,
    /// The smallest failing set, of 2002.
    Ddmin,
    /// The smallest difference between passing and failing, of 2002.
    Isolate,
    /// The bisection of iterative delta debugging, over files, then hunks, then lines.
    Halving,
    /// The same without regard to files and hunks.
    HalvingFlat,
}

/// By what changes are put together.
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
    /// By what they mean for each other: definitions with what uses or calls them.
    Semantic,
    /// By the commit they came with, where there is a history.
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

    /// Returns the word for it.
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

/// By what changes are put together, each criterion within the groups of the one before. In files it
/// is a text: `location,lexical`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ChangeGroups(Vec<ChangeGroup>);

impl ChangeGroups {
    /// Takes criteria, the coarsest first; without any it is by location.
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

    /// Returns whether a criterion is among them.
    pub fn contains(&self, group: ChangeGroup) -> bool {
        self.0.contains(&group)
    }

    /// Returns whether it is what is taken if nothing else is asked for.
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
