//! Chores of the project: writes generated files that are committed.
//!
//! `cargo run -p xtask -- grammars` extracts the grammars from the grammar crates.

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
            #[allow(clippy::print_stderr)] // output for people
            {
                eprintln!("error: {error}");
            }
            ExitCode::FAILURE
        }
    }
}
