//! Decides what to test next.
//!
//! A [`Search`] is a value: it is asked for a [`Step`], told an [`Answer`], and can be copied.
//! Nothing in this crate does I/O, reads a clock or starts a thread; that is what lets the engine
//! play copies of a search forward and still give the same answer for any number of workers.

#![forbid(unsafe_code)]

mod delta;
#[cfg(test)]
mod drawing;
mod foretell;
mod hierarchy;
mod implications;
mod noise;
mod repeat;
mod script;
mod search;
pub mod searches;
pub mod strategy;
mod tree;
mod verdict;

pub use delta::{Delta, DeltaSet};
pub use foretell::Foretell;
pub use hierarchy::{Hierarchy, HierarchyBuilder, Node, Part};
pub use implications::{Implications, ImplicationsBuilder};
pub use noise::{LeastRate, Noise, Sightings};
pub use repeat::{Decided, Repeat};
pub use script::{Answers, Run, Script, Scripted, Waits};
pub use search::{Aim, Search, Step, Task};
pub use tree::{Edit, Facts, Kind, Piece, Removal, Tree, TreeBuilder, TreeCandidate};
pub use verdict::{Answer, Lesson, Reason, Verdict};
