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

    #[command(flatten)]
    pub(crate) hunt: HuntArgs,
    #[command(flatten)]
    pub(crate) atomic: AtomicArgs,
    #[command(flatten)]
    pub(crate) pages: PagesArgs,
}
