//! The languages that come with the tool: a folder in `languages/` each.
//!
//! `build.rs` lists the folders and writes the table, so that a new one needs no line of code. If
//! two languages have the same file extension, the one that lists signs is tried first.

use tree_sitter_language::LanguageFn;

pub(crate) use tables::FOLDERS;

/// The folder of a language.
pub(crate) struct Folder {
    /// The name of the language and its folder.
    pub(crate) name: &'static str,
    /// Its profile.
    pub(crate) profile: &'static str,
    /// The rules of its grammar; none before they are written for the first time.
    pub(crate) rules: Option<&'static str>,
    /// The texts that are given for some rules.
    pub(crate) given: Option<&'static str>,
    /// The query for names, in parts; empty if there is none.
    pub(crate) names: &'static [&'static str],
    /// Its table of definitions, with the language that the table is written for.
    pub(crate) definitions: Option<(&'static str, &'static str)>,
    /// Its parser, if the language is built in.
    pub(crate) parser: Option<LanguageFn>,
}

/// Returns the folder of a language.
pub(crate) fn folder(name: &str) -> Option<&'static Folder> {
    FOLDERS.iter().find(|folder| folder.name == name)
}

/// Unsafe because it names functions written in C. The grammar crates do the same inside.
#[allow(unsafe_code)]
mod tables {
    use super::Folder;

    include!(concat!(env!("OUT_DIR"), "/languages.rs"));
}
