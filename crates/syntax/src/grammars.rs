//! The grammars that come with the tool.
//!
//! The grammar crates do not export their rules, so each folder in `languages/` has them as text,
//! `rules.grammar`, written by `cargo run -p xtask -- grammars`. Beside it `given.json` has what no
//! grammar says: texts of tokens that only a scanner recognises, and texts for a few rules whose
//! shortest string is legal in the grammar but in hardly any program (a type: `int` rather than an
//! unknown name).

pub mod tree_sitter;

use std::collections::BTreeMap;

use whodunit_grammar::Grammar;

use crate::languages::{FOLDERS, folder};

/// Returns the languages whose grammars come with the tool, in order.
pub fn languages() -> impl Iterator<Item = &'static str> {
    FOLDERS.iter().filter(|folder| folder.rules.is_some()).map(|folder| folder.name)
}

/// Returns the grammar of a language as it is kept.
pub fn text(language: &str) -> Option<&'static str> {
    folder(language)?.rules
}

/// Returns the grammar of a language.
pub fn grammar(language: &str) -> Option<Grammar> {
    let read = |text: &str| text.parse().expect("a test reads every grammar that is shipped");
    text(language).map(read)
}

/// Returns the texts given for a language, by the names of tokens and rules; often none.
pub fn given(language: &str) -> BTreeMap<String, String> {
    let given = folder(language).and_then(|folder| folder.given);
    let read = |json| serde_json::from_str(json).expect("a test reads the given texts");
    given.map(read).unwrap_or_default()
}
