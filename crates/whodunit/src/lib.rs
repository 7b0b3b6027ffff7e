//! Finds the cause of a failure by running tests.
//!
//! There are three ways in. [`Minimize`] takes any list and a function as oracle. [`ReduceText`]
//! takes a text or bytes and a function. [`reduce`], [`changes`] and [`history`] take files,
//! versions and a command, like the program `whodunit`. All of them drive a [search](core::Search)
//! with the [engine](whodunit_run::Engine), which gives the same answer for any number of workers.
//!
//! The library never prints, exits or reads environment variables. A program that runs commands
//! through it begins its `main` with [`launcher::run_if_asked`](whodunit_exec::process::launcher::run_if_asked).

pub mod answer;
pub mod atomic;
pub mod changes;
pub mod event;
mod files;
mod first_runs;
pub mod foreign;
pub mod history;
mod job;
pub mod journal;
mod lab;
pub mod listing;
mod record;
mod records;
pub mod reduce;
pub mod settings;
pub mod steady;
mod test_files;
mod text;
pub mod verify;
mod versions_run;

pub use job::Past;
pub use lab::LabError;
pub use records::RecordsError;
pub use text::{ReduceText, ReduceTextError, ReducedText};
pub use whodunit_atoms as atoms;
pub use whodunit_core as core;
pub use whodunit_core::Verdict;
pub use whodunit_coverage as coverage;
pub use whodunit_files::regular;
pub use whodunit_grammar as grammar;
pub use whodunit_run::{Minimal, Minimize, MinimizeError};
pub use whodunit_syntax as syntax;
pub use whodunit_vcs as vcs;
pub use whodunit_versions as versions;
