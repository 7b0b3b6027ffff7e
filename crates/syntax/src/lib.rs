//! Text to trees and back: languages, grammars, minimal strings.
//!
//! The only place that names tree-sitter. Nothing here runs a process or prints.

pub mod cfg;
pub mod events;
pub mod gate;
pub mod grammar;
pub mod language;
mod languages;
pub mod outline;
pub mod parse;
pub mod tree;
