//! The program `whodunit`: arguments, progress, reports and exit codes of the library.

mod args;
mod commands;
mod exit;
mod output;
mod pages;
mod picture;
mod plan;
mod progress;
mod report;
mod session;
mod signals;
mod trouble;
mod words;

use std::process::ExitCode;

use clap::Parser;
use whodunit::process::{self, launcher};

fn main() -> ExitCode {
    launcher::run_if_asked();
    // Without this, what a killed launcher leaves behind would go to `init` and live on.
    let _ = process::adopt_orphans();
    let exit = commands::run(args::Typed::parse()).unwrap_or_else(|trouble| {
        words::say(&trouble);
        exit::Exit::from(&trouble)
    });
    let _ = process::end_orphans();
    exit.into()
}
