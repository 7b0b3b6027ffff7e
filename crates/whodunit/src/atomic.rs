//! Atomic changes in the hands of the jobs: which of them a failing test can depend on, and how
//! suspect a suite of tests makes each.
//!
//! What they are is told by [`atoms`](whodunit_versions::atoms). Nothing is run here: what the tests
//! ran is read from files, or told from the calls that are written in the program.

mod answer;
mod error;
mod files;
mod listing;
mod measured;
mod names;
mod settings;
mod suite;
mod suspicion;

pub use answer::{AtomAnswer, AtomicAnswer, Phase, Phases, ResponsibleBy};
pub use error::AtomicError;
pub use listing::{AtomsAnswer, AtomsSettings, list};
pub(crate) use names::names_of_test;
pub use settings::{AtomicSettings, RankBy};
pub(crate) use suspicion::{Known, Suspicion};
