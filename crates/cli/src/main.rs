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
use trouble::Trouble;
use whodunit_exec::process::{self, launcher};

fn main() -> ExitCode {
    launcher::run_if_asked();
    defect::listen();
    // Without this, processes that a killed launcher leaves would become children of `init`
    // and live on.
    let _ = process::adopt_orphans();
    let is_for_programs = args::wants_json(std::env::args_os());
    let exit = match catch_unwind(|| run(is_for_programs)) {
        _ if defect::was_seen() => {
            defect::say();
            Exit::Defect
        }
        Ok(Ok(exit)) => exit,
        Ok(Err(trouble)) => {
            match is_for_programs {
                true => words::say_as_json(&trouble),
                false => words::say(&trouble),
            }
            Exit::from(&trouble)
        }
        Err(_) => Exit::Defect,
    };
    let _ = process::end_orphans();
    exit.into()
}

/// Carries out what was typed. An error in the arguments ends the program.
fn run(is_for_programs: bool) -> Result<Exit, Trouble> {
    let typed = args::Typed::try_parse().unwrap_or_else(|error| {
        if is_for_programs && error.use_stderr() {
            words::say_usage_as_json(&error.to_string(), Exit::BadInput);
        }
        error.exit()
    });
    commands::run(typed)
}
