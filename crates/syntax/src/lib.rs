//! Text to trees and back: languages, grammars, minimal strings, and what belongs together.
//!
//! The only place that names tree-sitter. Nothing here prints, and the only process that is ever run
//! is the C compiler, for a [language of the user's own](language::Language::load).

pub mod abridge;
mod binary;
mod bounded;
pub mod couplings;
pub mod definitions;
pub mod events;
pub mod grammars;
pub mod language;
mod languages;
pub mod lines;
pub mod names;
pub mod outline;
pub mod parse;
pub mod parse_check;
pub mod replacements;
pub mod tree;
pub mod words;

pub use binary::is_binary;
