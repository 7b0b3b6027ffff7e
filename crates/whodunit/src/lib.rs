//! Finds the cause of a failure by running tests.
//!
//! Two ways in: [`Minimize`] takes any list and a function as oracle; [`reduce`] takes files and a
//! command, as the program `whodunit` does. Both drive a [search](core::Search) with the
//! [engine](whodunit_run::Engine), which gives the same answer for any number of workers.
//!
//! The library never prints, exits or reads environment variables. A program that runs commands
//! through it begins its `main` with [`launcher::run_if_asked`](whodunit_exec::process::launcher::run_if_asked).

pub mod answer;
pub mod atomic;
pub mod changes;
pub mod event;
mod files;
mod first_runs;
pub mod history;
mod job;
pub mod journal;
mod lab;
pub mod listing;
mod record;
mod records;
pub mod reduce;
pub mod settings;

pub use job::Past;
pub use lab::LabError;
pub use records::RecordsError;
pub use whodunit_atoms as atoms;
pub use whodunit_core as core;
pub use whodunit_coverage as coverage;
pub use whodunit_grammar as grammar;
pub use whodunit_run::{Minimal, Minimize, MinimizeError};
pub use whodunit_syntax as syntax;
pub use whodunit_vcs as vcs;
pub use whodunit_versions as versions;
