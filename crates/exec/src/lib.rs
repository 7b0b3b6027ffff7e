//! Runs the user's commands on candidates, in folders of this machine.
//!
//! Absent: searches, verdicts that are made here, jobs.

mod again;
mod command;
mod error;
mod oracle;
mod runner;
mod trace;

pub mod local;
pub mod process;
pub mod scratch;
pub mod warm;

pub use command::{BadCommand, Command, Script, is_checkout, quote, root_of};
pub use error::WorkerError;
pub use oracle::{Oracle, StageLimits};
