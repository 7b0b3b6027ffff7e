//! `git whodunit …` runs this program, which becomes the program `whodunit` beside it.

use std::env;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let beside = env::current_exe().map(|program| program.with_file_name("whodunit"));
    let program = beside.ok().filter(|path| path.is_file());
    let program = program.unwrap_or_else(|| PathBuf::from("whodunit"));
    // This returns only if that program cannot be started.
    let error = Command::new(&program).args(env::args_os().skip(1)).exec();
    let _ = writeln!(io::stderr(), "error: cannot start `{}`: {error}", program.display());
    ExitCode::FAILURE
}
