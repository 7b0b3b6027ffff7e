//! Flags about atomic changes: those of `changes --atomic` and of `atoms`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

/// How `changes` makes use of atomic changes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Atomic changes")]
pub(crate) struct AtomicArgs {
    /// Search in three phases: chains of atomic changes, atomic changes, changed lines
    ///
    /// An atomic change is a method, field, class, function and so on that is added, deleted or
    /// changed. Those that the failing test cannot depend on are set aside; they come back if the
    /// failure is not found among the rest. The other flags of this section turn this on.
    #[arg(long)]
    atomic: bool,

    /// Show how many changes each phase began and ended with
    #[arg(long)]
    pub(crate) phases: bool,

    #[command(flatten)]
    pub(crate) suspects: SuspectArgs,
}

impl AtomicArgs {
    /// Returns what was typed about atomic changes, if they are to be used.
    pub(crate) fn chosen(self) -> Option<SuspectArgs> {
        let are_used = self.atomic || self.phases || self.suspects.are_given();
        are_used.then_some(self.suspects)
    }
}

/// What is known of the failing test, and of others.
#[derive(Debug, Args)]
#[command(next_help_heading = "Atomic changes")]
pub(crate) struct SuspectArgs {
    /// The failing test begins in this method, function or class. Can be repeated
    ///
    /// `Class.method` names one of several methods. Without this and --coverage the names are
    /// looked for in the command, in its script and in what the failing version prints.
    #[arg(long, value_name = "NAME", conflicts_with = "coverage")]
    pub(crate) entry: Vec<String>,

    /// The failing test runs what this file says, measured in the bad version. Can be repeated
    ///
    /// JaCoCo's XML, LCOV, the JSON of gcov, llvm-cov or coverage.py, or a profile of Go.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) coverage: Vec<PathBuf>,

    /// Which tests pass and fail in the bad version, as JUnit's XML. Can be repeated
    ///
    /// What failing tests run and passing ones do not is asked about first.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) junit: Vec<PathBuf>,

    /// What each test of --junit runs: a coverage file, or a folder of them. Can be repeated
    ///
    /// A file is named after its test; LCOV and coverage.py can hold many tests in one. Without
    /// this it is told from the calls that are written in the program.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) test_coverage: Vec<PathBuf>,

    /// How the tests of --junit make a change suspect
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Rank::Share)]
    #[arg(requires = "junit")]
    pub(crate) rank: Rank,
}

impl SuspectArgs {
    fn are_given(&self) -> bool {
        let SuspectArgs { entry, coverage, junit, test_coverage, rank: _ } = self;
        !(entry.is_empty() && coverage.is_empty() && junit.is_empty() && test_coverage.is_empty())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rank {
    /// By the share of failed tests among those that run it, each side in per cent of its tests
    Share,
    /// By Ochiai's coefficient
    Ochiai,
}

#[derive(Debug, Args)]
pub(crate) struct AtomsArgs {
    /// The older version: a revision, tag or date of this repository, a folder or an archive
    ///
    /// OLD..NEW names both.
    pub(crate) old: OsString,

    /// The newer version (default: HEAD); with --kinds several, each compared with the one before
    pub(crate) new: Vec<OsString>,

    /// Count the changes of each kind, for each pair of versions that follow each other
    #[arg(long, conflicts_with_all = ["dot", "tests", "entry", "coverage", "junit"])]
    pub(crate) kinds: bool,

    /// List the tests of the newer version, each with the changes that can affect it
    ///
    /// What a test runs is told from the calls that are written in the program, or with
    /// --test-coverage as it was measured. Tests are those that the sources show, or those of
    /// --junit.
    #[arg(long)]
    pub(crate) tests: bool,

    /// Give the newer version the tests of the older one, in place of its own
    #[arg(long)]
    pub(crate) old_tests: bool,

    #[command(flatten)]
    pub(crate) suspects: SuspectArgs,
    #[command(flatten)]
    pub(crate) output: AtomsOutput,
}

/// In what form atomic changes are listed.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is printed")]
#[group(multiple = false)]
pub(crate) struct AtomsOutput {
    /// Print them as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print the graph of what needs what, for Graphviz
    #[arg(long)]
    pub(crate) dot: bool,

    /// Print the graph of what needs what as a picture
    #[arg(long)]
    pub(crate) svg: bool,
}
