//! Chores of the project: writes what is generated and committed.
//!
//! `cargo run -p xtask -- grammars` takes the grammars out of the grammar crates.

mod grammars;

use std::process::ExitCode;

fn main() -> ExitCode {
    let chores: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match chores.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["grammars"] => grammars::write(),
        _ => Err("usage: cargo run -p xtask -- grammars".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[allow(clippy::print_stderr)] // whoever runs a chore reads it here
            {
                eprintln!("error: {error}");
            }
            ExitCode::FAILURE
        }
    }
}
