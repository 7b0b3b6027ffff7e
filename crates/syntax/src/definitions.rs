//! The definitions of a text and the names that each of them uses, as plain values that outlive the
//! tree: classes, methods, fields and the like, with the lines of their heads and bodies.
//!
//! `definitions.json` in the folder of a language lists the nodes that define, call and access
//! something. AspectJ is read as Java with its additions masked (`aspects`).

mod aspects;
mod meaning;
mod member;
mod pairs;
mod read;
mod signature;
mod tables;
mod uses;

use std::sync::Arc;

pub use member::{
    FileFacts, Marks, Member, MemberKind, Part, Receiver, Region, Stretch, Use, UseSort,
};
pub use pairs::{Pair, Pairs};

use aspects::Masked;
use meaning::Meanings;

use crate::language::Language;
use crate::parse::parse;

/// Languages whose definitions can use each other, because one table describes them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Family(&'static str);

impl Family {
    /// Returns the family of a language; none if its definitions cannot be read.
    pub fn of(language: &Language) -> Option<Family> {
        Meanings::for_language(language).map(|meanings| Family(meanings.family))
    }
}

/// Reads the definitions of a text, if there is a table for its language; `name` is that of its
/// file.
pub fn read(language: &Language, name: &str, text: &Arc<[u8]>) -> Option<FileFacts> {
    let meanings = Meanings::for_language(language)?;
    let mut masked = Masked::of(name, text);
    let tree = match masked.text.take() {
        Some(masked) => parse(language, masked),
        None => parse(language, text.clone()),
    };
    Some(read::read(meanings, &tree, text, &masked, name))
}
