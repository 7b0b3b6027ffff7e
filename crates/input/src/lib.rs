//! An input as candidates: files, syntax, tokens and bytes, and the passes over them.
//!
//! Nothing here runs a test; files are only written where a candidate is laid out.

mod candidate;
mod changes;
mod columns;
mod edits;
mod files;
mod ladder;
mod languages;
mod nested;
mod parsed;
mod passes;
mod protect;
mod rung;
mod simplicity;
mod snapshot;
mod structure;
mod tokens;
mod trial;
mod walked;

pub use candidate::{Input, InputCandidate};
pub use files::tidy;
pub use ladder::{Ladder, LadderSettings};
pub use languages::{Languages, OwnGrammar};
pub use protect::{Protection, Shields};
pub use rung::{Granularity, Rung};
pub use snapshot::{InputFile, Snapshot};
pub use structure::Structure;
pub use tokens::{count as count_tokens, is_binary};
