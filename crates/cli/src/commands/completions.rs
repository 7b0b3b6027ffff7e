//! `whodunit completions`: prints the completions for a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Typed;
use crate::exit::Exit;
use crate::output;
use crate::trouble::Trouble;

pub(super) fn run(shell: Shell) -> Result<Exit, Trouble> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Typed::command(), "whodunit", &mut text);
    output::data(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Finished)
}
