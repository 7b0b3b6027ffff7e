//! Flags that all searches for changes share: those of `changes` and of `history`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::{BudgetArgs, FlakyArgs, JobsArgs, LimitArgs, OutputArgs};

/// What is run in the versions, and how changes are searched for.
#[derive(Debug, Args)]
pub(crate) struct HuntArgs {
    /// The command to run in each version: exit 0 is good, 125 unknown, else bad
    // Flags that come before would otherwise give it their heading.
    #[arg(last = true, value_name = "CMD", help_heading = None::<&'static str>)]
    #[arg(value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<OsString>,

    /// Of `reduce` only; taken here to explain the difference.
    #[arg(long = "test", value_name = "SCRIPT", hide = true)]
    pub(crate) script: Option<OsString>,

    #[command(flatten)]
    pub(crate) runner: RunnerArgs,
    #[command(flatten)]
    pub(crate) test: HuntTestArgs,
    #[command(flatten)]
    pub(crate) search: HuntSearchArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) flaky: FlakyArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Write the patches to this folder (default: with the journal of the run)
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(help_heading = "What is printed")]
    pub(crate) out: Option<PathBuf>,
}

/// One test of a known runner, in place of a command.
///
/// The command is made so that a test which is not found, is skipped or cannot be built is inconclusive
/// and never a pass.
#[derive(Debug, Args)]
#[command(next_help_heading = "One test of a known runner, in place of a command")]
#[group(multiple = false)]
pub(crate) struct RunnerArgs {
    /// Run this test of pytest: FILE::TEST. Every version gets FILE as it is now
    #[arg(long, value_name = "FILE::TEST")]
    pub(crate) pytest: Option<String>,

    /// Run this test of `cargo test`, by its whole name: module::test
    #[arg(long, value_name = "NAME")]
    pub(crate) cargo_test: Option<String>,

    /// Run this test of `go test`, in any package of this folder
    #[arg(long, value_name = "NAME")]
    pub(crate) go_test: Option<String>,

    /// Run this test of `node --test`: FILE::NAME. Every version gets FILE as it is now
    #[arg(long, value_name = "FILE::NAME")]
    pub(crate) node_test: Option<String>,
}

/// How a version is tested.
#[derive(Debug, Args)]
#[command(next_help_heading = "How a version is tested")]
pub(crate) struct HuntTestArgs {
    /// Run this shell line before the build; if it fails, the version cannot be configured
    ///
    /// The first of three stages: configure, build, test. Each has a time limit and an outcome of
    /// its own, so that a version that cannot be configured is told from one that does not build.
    /// With --fresh no compiled file of another version is there.
    #[arg(long, value_name = "CMD")]
    pub(crate) configure: Option<String>,

    /// Run this shell line before the test; if it fails, nothing can be said about the version
    ///
    /// What its output names (files, lines, missing symbols) is used to find out which changes
    /// need each other.
    #[arg(long, value_name = "CMD")]
    pub(crate) build: Option<String>,

    /// Keep what builds leave in this folder, and do not build again what was built before
    ///
    /// For other runs with the same --configure and --build, and after `whodunit resume`. What is
    /// proved is built in a clean folder all the same. Costs a copy of what each build leaves.
    #[arg(long, hide_short_help = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(conflicts_with_all = ["fresh", "clean"])]
    pub(crate) build_cache: Option<PathBuf>,

    /// Put this file or folder into every version. Can be repeated
    ///
    /// For what a checkout has and no version does: node_modules, .venv, data, a new test. A file of
    /// text is copied; a folder is a link to the real one, which all tests share. What lies outside
    /// of the checkout gets its name at the top.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) with: Vec<PathBuf>,

    /// Run this shell line first of all, and the rest only if it exits with 0. Can be repeated
    #[arg(long, value_name = "CMD")]
    pub(crate) gate: Vec<String>,

    /// Run this shell line in the work folder between two tests
    ///
    /// A work folder is used again for the next test, so that builds are incremental.
    #[arg(long, value_name = "CMD", conflicts_with = "fresh")]
    pub(crate) clean: Option<String>,

    /// Run each test in a new folder
    #[arg(long)]
    pub(crate) fresh: bool,

    /// Give the output of a failed build to this shell line, which prints what it is about
    ///
    /// One FILE:LINE or one name a line. For compilers that are not known.
    #[arg(long, hide_short_help = true, value_name = "CMD")]
    pub(crate) hint: Option<String>,

    /// Let any failure count, not only the one that the bad version shows
    #[arg(long)]
    pub(crate) any_failure: bool,

    /// The outcome depends on this environment variable. Can be repeated
    ///
    /// If its value is another when the run is resumed, the run starts again.
    #[arg(long, value_name = "NAME")]
    pub(crate) env: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "The search")]
pub(crate) struct HuntSearchArgs {
    /// How fine the answer is
    #[arg(long, value_name = "LEVEL", value_enum, default_value_t = HuntLevel::Line)]
    pub(crate) level: HuntLevel,

    /// Find every independent cause, not only one; in a history, all in the commit that is found
    #[arg(long)]
    pub(crate) all: bool,

    /// The search that decides
    #[arg(long, hide_short_help = true, value_name = "NAME", value_enum, default_value_t = HuntSearch::Closure)]
    pub(crate) search: HuntSearch,

    /// What belongs together and is tried together; several, each within the groups of the one before
    ///
    /// `location,lexical` tries folders, then files, then changes that share names.
    #[arg(long, hide_short_help = true, value_name = "HOW", value_enum, value_delimiter = ',')]
    #[arg(default_values_t = [HuntGroup::Location])]
    pub(crate) group: Vec<HuntGroup>,

    /// Each change is only possible after all before it; the order is that of --group
    #[arg(long, hide_short_help = true)]
    pub(crate) ordered: bool,

    /// The change at A is only possible with the one at B. Can be repeated
    ///
    /// A and B are FILE, for all that changed in it, or FILE:LINE, a line of the bad version.
    #[arg(long, hide_short_help = true, value_name = "A:B")]
    pub(crate) needs: Vec<String>,

    /// The same from a file with lines like: src/a.c:10 needs src/b.h
    #[arg(long, hide_short_help = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) needs_file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum HuntLevel {
    /// Only the commit, of the history between the versions
    Commit,
    /// All that changed in a folder
    Directory,
    /// All that changed in a file
    File,
    /// All that changed in a function, a class and the like
    Item,
    /// A run of changed lines
    #[value(alias = "hunks")]
    Hunk,
    /// A changed line
    #[value(alias = "lines")]
    Line,
    /// A changed word or sign
    #[value(alias = "tokens")]
    Token,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum HuntSearch {
    /// Bisection over sets of changes that are closed under what needs what
    Closure,
    /// The first algorithm of delta debugging (1999)
    Dd,
    /// The second one, which heeds what cannot be tested
    DdPlus,
    /// The smallest failing set (2002)
    Ddmin,
    /// The smallest difference between passing and failing (2002)
    Isolate,
    /// The bisection of iterative delta debugging (2011): files, then hunks, then lines
    Halving,
    /// The same without regard to files and hunks
    HalvingFlat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum HuntGroup {
    /// Changes of the same folder and file
    Location,
    /// Changes of the same function or class
    Syntactic,
    /// Changes that share rare names
    Lexical,
    /// Definitions with what uses or calls them
    Semantic,
    /// Changes of the same commit, where there is a history
    Process,
}
