//! What can be said on the command line of `bench reduce`.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::session;

/// Runs whodunit and the other reducers that are installed on real failing inputs, and prints a
/// table.
#[derive(clap::Parser)]
#[command(name = "bench reduce", no_binary_name = true)]
pub(super) struct ReduceArgs {
    /// The folder with the cases, each a folder with `input.*` and `interesting.sh`
    #[arg(long, value_name = "DIR")]
    pub(super) cases: PathBuf,

    /// Run this case only. Can be repeated
    #[arg(long, value_name = "NAME")]
    pub(super) only: Vec<String>,

    /// Run these tools only (default: all that are installed)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) tools: Vec<String>,

    /// End a run after this many seconds
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = session::seconds)]
    pub(super) cap: Duration,

    /// Run this many tests at once, where a tool can
    #[arg(short, long, value_name = "N", default_value_t = 2)]
    pub(super) jobs: usize,

    /// The whodunit to run (default: the one that was built beside this program)
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,

    /// Also put the rows into this file; the rows of other runs there are kept
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = concat!(env!("CARGO_MANIFEST_DIR"), "/tables/reduce.md"),
    )]
    pub(super) write: Option<PathBuf>,
}

impl ReduceArgs {
    /// Returns where whodunit should be.
    pub(super) fn program(&self) -> io::Result<PathBuf> {
        session::whodunit(self.program.as_deref())
    }
}
