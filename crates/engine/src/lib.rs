//! Finds the cause of a failure by running tests.
//!
//! Two ways in: [`Minimize`] takes any list and a function as oracle; [`reduce`] takes files and a
//! command, as the program `whodunit` does. Both drive a [search](core::Search) with the
//! [engine], which gives the same answer for any number of workers.
//!
//! The library never prints, exits or reads environment variables. A program that runs commands
//! through it begins its `main` with [`process::launcher::run_if_asked`].

pub mod atomic;
pub mod changes;
pub mod engine;
pub mod event;
pub mod evidence;
mod first_runs;
pub mod hints;
pub mod history;
pub mod journal;
mod key;
mod list;
pub mod local;
pub mod memory;
pub mod oracle;
pub mod process;
mod record;
mod records;
pub mod reduce;
mod refutation;
mod runner;
pub mod scratch;
pub mod subject;
pub mod warm;
mod word;
pub mod worker;

pub use key::{Key, KeyHasher};
pub use list::{Minimal, Minimize, MinimizeError};
pub use records::RecordsError;
pub use refutation::Refutation;
pub use whodunit_atoms as atoms;
pub use whodunit_core as core;
pub use whodunit_coverage as coverage;
pub use whodunit_grammar as grammar;
pub use whodunit_syntax as syntax;
pub use whodunit_vcs as vcs;
pub use whodunit_versions as versions;
pub use word::Word;
