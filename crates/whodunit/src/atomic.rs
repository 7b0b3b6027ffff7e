//! Atomic changes as the jobs use them: on which of them a failing test can depend, and how
//! suspicious a suite of tests makes each of them.
//!
//! [`whodunit_atoms`] computes the atomic changes. No test is run here: the code that the
//! tests executed is read from files, or derived from the calls in the source of the program.

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
