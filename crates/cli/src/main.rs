//! The program `whodunit`: arguments, progress, reports and exit codes of the library.

mod args;
mod commands;
mod consent;
mod defect;
mod exit;
mod inert;
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

use std::panic::catch_unwind;
use std::process::ExitCode;

use clap::Parser;

use exit::Exit;
use whodunit_exec::process::{self, launcher};

fn main() -> ExitCode {
    launcher::run_if_asked();
    defect::listen();
    // Without this, what a killed launcher leaves behind would go to `init` and live on.
    let _ = process::adopt_orphans();
    let exit = match catch_unwind(|| commands::run(args::Typed::parse())) {
        _ if defect::was_seen() => {
            defect::say();
            Exit::Defect
        }
        Ok(Ok(exit)) => exit,
        Ok(Err(trouble)) => {
            words::say(&trouble);
            Exit::from(&trouble)
        }
        Err(_) => Exit::Defect,
    };
    let _ = process::end_orphans();
    exit.into()
}
