//! `whodunit man`: prints a manual page, or writes all of them.

use std::fs;

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{ManArgs, Typed};
use crate::exit::Exit;
use crate::output;
use crate::trouble::{Trouble, Usage};

pub(super) fn run(args: &ManArgs) -> Result<Exit, Trouble> {
    let mut command = Typed::command();
    if let Some(folder) = &args.dir {
        fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder))
            .map_err(|source| Trouble::Write { path: folder.clone(), source })?;
        return Ok(Exit::Finished);
    }
    // Now a command knows its whole name.
    command.build();
    let command = match &args.command {
        None => command,
        Some(name) => command
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Usage::NoPage(output::plain(name)))?,
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page).map_err(Trouble::Output)?;
    output::data(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Finished)
}
