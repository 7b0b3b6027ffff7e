//! Searches for lies in the answers of a program: `lies PROGRAM`. Variables set the number of runs
//! and the first seed; see `Settings::from_environment`.

use std::path::Path;
use std::process::ExitCode;

use whodunit_lies::{Settings, detect, obey_if_asked};

#[allow(clippy::print_stderr)] // a command for people
fn main() -> ExitCode {
    if let Some(code) = obey_if_asked() {
        return code;
    }
    let Some(program) = std::env::args_os().nth(1) else {
        eprintln!("usage: lies PROGRAM");
        return ExitCode::from(2);
    };
    detect(&Settings::from_environment(Path::new(&program), 200))
}
