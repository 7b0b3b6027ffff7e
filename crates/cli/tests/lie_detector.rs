//! Random runs of the whole program, and checks of every claim of their answers; the code is in
//! `lies/`. `LIES_RUNS=20000 LIES_SEED=7` asks for more of them, `LIES_ONLY=SEED:SIZE` for one
//! case.

use std::path::Path;
use std::process::ExitCode;

use whodunit_lies::{Settings, detect, obey_if_asked};

/// The default number of runs of the program.
const RUNS: usize = 2000;

fn main() -> ExitCode {
    // The tests of these runs are this program, too.
    if let Some(code) = obey_if_asked() {
        return code;
    }
    detect(&Settings::from_environment(Path::new(env!("CARGO_BIN_EXE_whodunit")), RUNS))
}
