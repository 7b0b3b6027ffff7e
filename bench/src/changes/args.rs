//! What can be said on the command line of `bench changes`.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::session;

/// Runs whodunit on real regressions between two releases, and prints a table.
#[derive(clap::Parser)]
#[command(name = "bench changes", no_binary_name = true)]
pub(super) struct ChangesArgs {
    /// The folder with the cases, each a folder with `case.toml`, `setup.sh` and `test.sh`
    #[arg(long, value_name = "DIR")]
    pub(super) cases: PathBuf,

    /// Run this case only. Can be repeated
    #[arg(long, value_name = "NAME")]
    pub(super) only: Vec<String>,

    /// Take `CASE/good` and `CASE/bad` from this folder; what is not there is fetched into it
    #[arg(long, value_name = "DIR")]
    pub(super) fetched: Option<PathBuf>,

    /// Also run these searches of whodunit for comparison
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = ["ddmin"])]
    pub(super) tools: Vec<String>,

    /// End a run after this many seconds
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = session::seconds)]
    pub(super) cap: Duration,

    /// Run this many tests at once (default: as whodunit decides)
    #[arg(short, long, value_name = "N")]
    pub(super) jobs: Option<usize>,

    /// The whodunit to run (default: the one that was built beside this program)
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,

    /// Also put the rows into this file; the rows of other cases there are kept
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = concat!(env!("CARGO_MANIFEST_DIR"), "/tables/changes.md"),
    )]
    pub(super) write: Option<PathBuf>,
}

impl ChangesArgs {
    /// Returns where whodunit should be.
    pub(super) fn program(&self) -> io::Result<PathBuf> {
        session::whodunit(self.program.as_deref())
    }
}
