//! One file for each command.

mod atoms;
mod changes;
mod clean;
mod completions;
mod demo;
mod grammar;
mod history;
mod man;
mod reduce;
mod report;
mod resume;
mod show;
mod steady;
mod verify;

use clap::CommandFactory;

use crate::args::{Command, Typed};
use crate::exit::Exit;
use crate::output;
use crate::trouble::Trouble;

/// Carries out a command.
pub(crate) fn run(typed: Typed) -> Result<Exit, Trouble> {
    match typed.command {
        Command::Reduce(args) => reduce::run(*args),
        Command::Changes(args) => changes::run(*args),
        Command::History(args) => history::run(*args),
        Command::Atoms(args) => atoms::run(args),
        Command::Steady(args) => steady::run(args),
        Command::Resume(args) => resume::run(args),
        Command::Show(args) => show::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Grammar(args) => grammar::run(&args),
        Command::Clean(args) => clean::run(&args),
        Command::Demo => demo::run(),
        Command::Completions { shell } => completions::run(shell),
        Command::Man(args) => man::run(&args),
        Command::Version => {
            output::data(&Typed::command().render_version())?;
            Ok(Exit::Finished)
        }
    }
}
