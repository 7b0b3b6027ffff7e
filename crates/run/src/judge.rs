//! Turns the observation of a test run into a verdict.

mod failure;
mod observation;
mod obstacle;
mod other_value;
mod recognise;
mod rule;
mod signature;
mod wording;

pub use failure::Failure;
pub use observation::{Built, Observation, Provenance, Stage, Used};
pub use obstacle::Obstacle;
pub use rule::{Explicit, Inability, Rule};
pub use signature::{Signature, signal_name, signal_number};
pub use wording::{InputWords, Origin, Wording, with_other_letters};
