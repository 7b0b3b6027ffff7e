//! The flags of `whodunit history`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::{HuntArgs, PagesArgs, parse};

#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// Where the history is (default: the repository of this folder)
    ///
    /// A folder in a git repository, a checkout of Subversion or CVS, a folder of releases, a URL
    /// of Subversion, or the root of a CVS repository with a module: :local:/cvs#module.
    #[arg(value_name = "PLACE", value_hint = ValueHint::AnyPath)]
    pub(crate) place: Option<OsString>,

    #[command(flatten)]
    pub(crate) versions: VersionsArgs,
    #[command(flatten)]
    pub(crate) carried: CarriedArgs,
    #[command(flatten)]
    pub(crate) hunt: HuntArgs,
    #[command(flatten)]
    pub(crate) pages: PagesArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Which versions")]
pub(crate) struct VersionsArgs {
    /// A version that passes, if one is known; nothing older is looked at
    #[arg(long, value_name = "REV", conflicts_with = "since")]
    pub(crate) good: Option<String>,

    /// The oldest version that counts: a revision or a date (2026-03-01, 2 weeks ago)
    #[arg(long, value_name = "REV|DATE")]
    pub(crate) since: Option<String>,

    /// The newest version, which fails: a revision or a date (default: HEAD, the newest there is)
    #[arg(long, value_name = "REV|DATE")]
    pub(crate) until: Option<String>,

    /// Only versions that change this file or folder count. Can be repeated
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) path: Vec<OsString>,

    /// Revisions of files in CVS that are less than this apart are one version (default: 5m)
    #[arg(long, hide_short_help = true, value_name = "TIME", value_parser = parse::duration)]
    pub(crate) cvs_window: Option<Duration>,

    /// They are one version whoever committed them, and with whatever message
    #[arg(long, hide_short_help = true)]
    pub(crate) cvs_any_author: bool,

    /// Go back one version at a time, not in strides that double
    #[arg(long, hide_short_help = true)]
    pub(crate) linear: bool,

    /// Follow the first parent of each merge only (the default)
    #[arg(long, conflicts_with = "all_parents")]
    pub(crate) first_parent: bool,

    /// If a merge did it, look for the version on the branches that it merged
    #[arg(long)]
    pub(crate) all_parents: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What is carried to other versions")]
pub(crate) struct CarriedArgs {
    /// Put this file or folder of the newest version into every version. Can be repeated
    ///
    /// For a new test and its data. Without it the search finds out what the test needs.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) overlay: Vec<OsString>,

    /// Keep the lines that this coverage file or list names in what is carried back
    ///
    /// They are lines of the newest version that the test executes: what a coverage tool wrote
    /// (JaCoCo XML, LCOV, llvm-cov, gcov or coverage.py JSON, cover profiles of Go), or one place on
    /// each line: FILE, FILE:LINE or FILE:FIRST-LAST.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) protect: Option<PathBuf>,

    /// Check the memory of the oldest failing version and of the newest: below valgrind, or by a shell line
    ///
    /// A failure that lasts may rest on a value that is not initialised where something was taken out
    /// of what is carried back. Give a line that builds with a sanitizer and runs the test, or nothing
    /// for valgrind. Warnings of --build about such values are looked at as well. It changes no
    /// verdict: the answer says what was found.
    #[arg(long, hide_short_help = true, value_name = "CMD", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "valgrind")]
    pub(crate) memcheck: Option<String>,

    /// Run this shell line too on the newest version, without the fix and with it
    #[arg(long, value_name = "CMD")]
    pub(crate) also: Option<String>,
}
