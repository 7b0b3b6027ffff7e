//! The arguments of `bench reduce`.

use std::path::PathBuf;

use crate::run_args::RunArgs;

/// Runs whodunit and the other reducers that are installed on real failing inputs, and prints a
/// table.
#[derive(clap::Parser)]
#[command(name = "bench reduce", no_binary_name = true)]
pub(super) struct ReduceArgs {
    /// The folder with the cases, each a folder with `input.*` and `interesting.sh`
    #[arg(long, value_name = "DIR")]
    pub(super) cases: PathBuf,

    /// Run these tools only (default: all that are installed)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) tools: Vec<String>,

    /// Do not run tools, but reduce in this process without this pass of whodunit, or without each in
    /// turn if it is `all`, or without several (`A+B`); also the problems of `bench minimum`. Can be
    /// repeated
    #[arg(long, value_name = "NAME")]
    pub(super) without: Vec<String>,

    /// Do not run tools, but reduce in this process and print each result and what each pass asked
    #[arg(long, conflicts_with = "without")]
    pub(super) passes: bool,

    #[command(flatten)]
    pub(super) run: RunArgs,
}
