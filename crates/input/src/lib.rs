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
mod passes;
mod protect;
mod published;
mod regions;
mod settings;
mod simplicity;
mod snapshot;
mod structure;
mod text_cut;
mod tokens;
mod validity;

pub use candidate::{Input, InputCandidate};
pub use files::tidy;
pub use ladder::Ladder;
pub use languages::{Languages, OwnGrammar};
pub use passes::{optional_parts, pass_names};
pub use protect::{Protection, Shields};
pub use published::{InputSearch, Isolated, IsolatedDelta};
pub use settings::{Granularity, LadderSettings, ReduceSearch};
pub use snapshot::{InputFile, Snapshot};
pub use structure::Structure;
pub use text_cut::TextCut;
pub use tokens::{count as count_tokens, is_binary};
pub use validity::Validity;
