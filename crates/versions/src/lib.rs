//! Versions to deltas and back.
//!
//! Two [versions](Version) are [decomposed](decompose()) once into ordered deltas: folders, files,
//! items, hunks, lines. A candidate is a set of deltas, those that are taken from the bad version,
//! and every set can be laid out: nothing is ever patched. No process is run here, and no
//! repository is known.
//!
//! ```
//! use whodunit_versions::{Content, Entry, EntryKind, Level, TreePath, Version, decompose};
//! use whodunit_core::DeltaSet;
//!
//! let version = |text: &str| {
//!     let content = Content::bytes(text.as_bytes());
//!     Version::from_iter([(TreePath::from("f"), Entry { kind: EntryKind::Regular, content })])
//! };
//! let parts = decompose(&version("a\nb\nc\n"), &version("A\nb\nC\n"), Level::Line)?;
//! assert_eq!(parts.len(), 2);
//! let second = DeltaSet::run(1..2);
//! let file = &parts.lay_out(&second)[0];
//! assert_eq!(&*file.content.read()?, b"a\nb\nC\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod decompose;
pub mod decomposition;
mod definitions;
pub mod dependencies;
pub mod gate;
pub mod grouping;
pub mod layout;
mod lines;
pub mod parallel;
pub mod patch;
pub mod port;
pub mod replacing;
pub mod rewordings;
mod syntax_facts;
pub mod weave;

pub use decompose::{decompose, decompose_in_place};
pub use decomposition::{
    Boundary, ChangeKind, ChangedFile, ChangedText, Counts, Decomposition, DirectoryRename, Level,
    Part, Piece,
};
pub use definitions::{definition_language, definitions};
pub use dependencies::{Dependencies, Edge, Mentions, Reason};
pub use gate::ParseGate;
pub use grouping::{Grouping, Order};
pub use layout::{Differences, LaidOut};
pub use patch::{DoesNotApply, apply};
pub use port::{Conflict, Outcome, Patch, PatchSize, Ported, PortedPart, Rung, port};
pub use replacing::{REPLACEMENT_KINDS, Replacement, ReplacementKind, replacements_in};
pub use rewordings::{Rewording, rewordings, still_parses};
pub use syntax_facts::{NamedItem, items_of};
pub use weave::{Weave, carried};
pub use whodunit_files::{Content, Entry, EntryKind, ReadError, Store, TreePath, Version};
