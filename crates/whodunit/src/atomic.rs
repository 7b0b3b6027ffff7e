//! Atomic changes in the hands of the jobs: which of them a failing test can depend on, and how
//! suspect a suite of tests makes each.
//!
//! What they are is told by [`whodunit_atoms`]. Nothing is run here: what the tests
//! ran is read from files, or told from the calls that are written in the program.

mod affected;
mod error;
mod files;
mod measured;
mod names;
mod suite;
mod suspicion;

pub use crate::answer::{AffectedTest, AtomAnswer, AtomicAnswer, Phase, Phases, ResponsibleBy};
pub use crate::settings::{AtomicSettings, RankBy};
pub use error::AtomicError;
pub(crate) use names::names_of_test;
pub(crate) use suspicion::{Known, Suspicion};
