//! Flags of `steady`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::LimitArgs;
use super::parse;

#[derive(Debug, Args)]
pub(crate) struct SteadyArgs {
    /// The version to run it in: a folder, an archive, or a revision of this repository
    #[arg(default_value = ".", value_hint = ValueHint::AnyPath)]
    pub(crate) version: OsString,

    /// The command to run: exit 0 passes, 125 is inconclusive, else it fails
    #[arg(last = true, required = true, value_name = "CMD")]
    #[arg(value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<OsString>,

    /// Run it this many times in each way
    ///
    /// With 20 runs a rate that changes by half is noticed; rare failures need more.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub(crate) runs: u32,

    /// Run this many at once where several are (default: two for each processor)
    #[arg(short, long, value_name = "N", value_parser = parse::jobs)]
    pub(crate) jobs: Option<u16>,

    /// Run this shell line before each test, in its folder
    #[arg(long, value_name = "CMD")]
    pub(crate) build: Option<String>,

    /// Put this file or folder into the version: text is copied, everything else a link. Can be repeated
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) with: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Print the answer as JSON
    #[arg(long, help_heading = "What is printed")]
    pub(crate) json: bool,

    /// Print nothing but errors and what --json asks for
    #[arg(short, long, help_heading = "What is printed")]
    pub(crate) quiet: bool,
}
