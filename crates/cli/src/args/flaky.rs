//! Flags about tests that do not always say the same.

use clap::{Args, ValueEnum};

use super::parse;

#[derive(Debug, Args)]
#[command(next_help_heading = "Tests that fail only sometimes")]
pub(crate) struct FlakyArgs {
    /// What to do if two runs of the same differ
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Flakiness::Auto)]
    pub(crate) flaky: Flakiness,

    /// Run each end this many times first (default: twice, and 20 and 10 times if two differ)
    ///
    /// For a failure so rare that two runs in a row do not show it, and for a test that is known not to
    /// be steady: what is found is then run nine times as well, even if no two runs differ before.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) repeat: Option<u32>,

    /// Repeat tests that are not steady until the answer is this sure
    #[arg(long, hide_short_help = true, value_name = "P", default_value_t = 0.99, value_parser = parse::probability)]
    pub(crate) confidence: f64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Flakiness {
    /// Learn how often the failure shows, and repeat tests until the answer is sure enough
    Auto,
    /// Stop with an error
    Refuse,
}
