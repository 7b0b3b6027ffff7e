//! The flags of `whodunit changes`.

use std::ffi::OsString;

use clap::Args;

use super::{AtomicArgs, HuntArgs, PagesArgs};

#[derive(Debug, Args)]
pub(crate) struct ChangesArgs {
    /// The version that passes: a revision, tag or date of this repository, a folder or an archive
    ///
    /// GOOD..BAD names both.
    pub(crate) good: OsString,

    /// The version that fails (default: HEAD)
    pub(crate) bad: Option<OsString>,

    /// Give every version the tests of the good one, in place of its own
    ///
    /// Files are those of tests by their names and folders (tests/, test_a.py, ATest.java). What
    /// changed in tests is no suspect then.
    #[arg(long, help_heading = "How a version is tested")]
    pub(crate) old_tests: bool,

    #[command(flatten)]
    pub(crate) hunt: HuntArgs,
    #[command(flatten)]
    pub(crate) atomic: AtomicArgs,
    #[command(flatten)]
    pub(crate) pages: PagesArgs,
}
