//! The flags of `whodunit changes`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{AtomicArgs, HuntArgs};

#[derive(Debug, Args)]
pub(crate) struct ChangesArgs {
    /// The version that passes: a revision, tag or date of this repository, a folder or an archive
    ///
    /// GOOD..BAD names both.
    pub(crate) good: OsString,

    /// The version that fails (default: HEAD)
    pub(crate) bad: Option<OsString>,

    #[command(flatten)]
    pub(crate) hunt: HuntArgs,
    #[command(flatten)]
    pub(crate) atomic: AtomicArgs,
    #[command(flatten)]
    pub(crate) pages: PagesArgs,
}

/// Where the answer of `changes` goes in other forms.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "What is printed")]
pub(crate) struct PagesArgs {
    /// Write the changes as SARIF 2.1.0, for editors and code-hosting sites
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) sarif: Option<PathBuf>,

    /// Write the changes as Markdown, for a bug report
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) markdown: Option<PathBuf>,
}

impl PagesArgs {
    pub(crate) fn are_wanted(&self) -> bool {
        self.sarif.is_some() || self.markdown.is_some()
    }
}
