//! The arguments of `bench changes`.

use std::path::PathBuf;

use crate::run_args::{RunArgs, WithArgs};

/// Runs whodunit on real regressions between two releases, and prints a table.
#[derive(clap::Parser)]
#[command(name = "bench changes", no_binary_name = true)]
pub(super) struct ChangesArgs {
    /// The folder with the cases, each a folder with `case.toml`, `setup.sh` and `test.sh`
    #[arg(long, value_name = "DIR")]
    pub(super) cases: PathBuf,

    /// Take `CASE/good` and `CASE/bad` from this folder; what is not there is fetched into it
    #[arg(long, value_name = "DIR")]
    pub(super) fetched: Option<PathBuf>,

    /// Also run these searches of whodunit for comparison
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = ["ddmin"])]
    pub(super) tools: Vec<String>,

    #[command(flatten)]
    pub(super) with: WithArgs,

    #[command(flatten)]
    pub(super) run: RunArgs,
}
