//! Tables of test counts and speed. Counts are exact and committed; speed is measured as ratios
//! within one run, because times depend on the machine.

mod atomic;
mod atoms;
mod changes;
mod changesets;
mod chosen;
mod cpu;
mod histories;
mod input;
mod languages;
mod large;
mod lists;
mod memory;
mod minimum;
mod noisy;
mod overhead;
mod page;
mod parallel;
mod reduce;
mod run_args;
mod sandbox;
mod searches;
mod seeded;
mod session;
mod structure;
mod thesis;
mod tools;
mod trees;
mod versions;
mod warm;
mod workbench;

use std::error::Error;
use std::process::ExitCode;

const USAGE: &str = "usage: bench lists      tests that list searches need (bench/tables/lists.md)
       bench trees      tests that tree searches need (bench/tables/trees.md)
       bench changesets tests that searches for changes need (bench/tables/changesets.md)
       bench histories  tests that `history` needs on made-up histories (bench/tables/histories.md)
       bench noisy      runs that searches need with a flaky test (bench/tables/noisy.md)
       bench thesis     the experiments of the thesis, rebuilt (bench/tables/thesis.md)
       bench minimum    problems whose smallest text is known (bench/tables/minimum.md);
                        bench minimum NAME prints what is left of some, and what each pass asked
       bench tools      the same programs with compilers as oracles (bench/tables/tools.md);
                        --help lists its options
       bench overhead   tests per second against a bare spawn-and-wait loop
       bench sandbox    what the sandbox adds to a test, side by side (bench/tables/sandbox.md)
       bench parallel   eight workers against one, with a test that sleeps
       bench large      a 200 MB log with one needed line
       bench structure  own time and memory on large files that parse
       bench versions   large versions: time until the first test, laying out, memory
       bench atoms      atomic changes of a large program: time for them, and what a test reaches
       bench warm       incremental builds against a new folder for each test
       bench changes    real regressions between releases (bench/tables/changes.md);
                        --help lists its options
       bench seeded     real releases with a fault put into them (bench/tables/seeded.md);
                        --help lists its options
       bench searches   the searches of 1999 on real differences (bench/tables/searches.md);
                        --help lists its options
       bench atomic     atomic changes of libraries, beside dd_plus over hunks
                        (bench/tables/atomic.md); --help lists its options
       bench languages  two changes that do harm together, in several languages
                        (bench/tables/languages.md); --help lists its options
       bench reduce     whodunit and other reducers on real inputs (bench/tables/reduce.md);
                        --help lists its options, bench/README.md says how to install the others";

#[allow(clippy::print_stdout, clippy::print_stderr)] // a command for people
fn main() -> ExitCode {
    whodunit_exec::process::launcher::run_if_asked();
    let name = std::env::args().nth(1).unwrap_or_default();
    let report: Result<String, Box<dyn Error>> = match name.as_str() {
        "lists" => Ok(lists::table()),
        "trees" => Ok(trees::table()),
        "changesets" => Ok(changesets::table()),
        "noisy" => Ok(noisy::table()),
        "thesis" => Ok(thesis::table()),
        "minimum" => Ok(match std::env::args().nth(2) {
            Some(only) => minimum::results(&only),
            None => minimum::table(),
        }),
        "histories" => histories::table(std::env::args().nth(2).as_deref()),
        "overhead" => overhead::measure(),
        "sandbox" => sandbox::measure(),
        "parallel" => parallel::measure(),
        "large" => large::measure(),
        "structure" => structure::measure(),
        structure::ONE_FILE => structure::measure_one(std::env::args().nth(2).as_deref()),
        "warm" => warm::measure(),
        "versions" => versions::measure(),
        "atoms" => atoms::measure(),
        "changes" => changes::measure(std::env::args_os().skip(2)),
        "seeded" => seeded::measure(std::env::args_os().skip(2)),
        "searches" => searches::measure(std::env::args_os().skip(2)),
        "atomic" => atomic::measure(std::env::args_os().skip(2)),
        "languages" => languages::measure(std::env::args_os().skip(2)),
        "tools" => tools::measure(std::env::args_os().skip(2)),
        "reduce" => reduce::measure(std::env::args_os().skip(2)),
        reduce::COUNTED_TEST => return reduce::run_counted(std::env::args_os().skip(2)),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match report {
        Ok(report) => {
            print!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
