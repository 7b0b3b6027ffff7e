//! The grammars that come with the tool.
//!
//! The grammar crates do not export their rules, so these are kept as text in `grammars/`, written
//! by `cargo run -p xtask -- grammars`. Beside them `given.json` has what no grammar says: texts of
//! tokens that only a scanner recognises, and texts for a few rules whose shortest string is legal
//! in the grammar but in hardly any program (a type: `int` rather than an unknown name).

pub mod tree_sitter;

use std::collections::BTreeMap;

use whodunit_grammar::Grammar;

/// The languages with a grammar, in order, and the grammars.
const GRAMMARS: &[(&str, &str)] = &[
    ("bash", include_str!("../grammars/bash.grammar")),
    ("c", include_str!("../grammars/c.grammar")),
    ("c-sharp", include_str!("../grammars/c-sharp.grammar")),
    ("cpp", include_str!("../grammars/cpp.grammar")),
    ("css", include_str!("../grammars/css.grammar")),
    ("dtd", include_str!("../grammars/dtd.grammar")),
    ("go", include_str!("../grammars/go.grammar")),
    ("html", include_str!("../grammars/html.grammar")),
    ("java", include_str!("../grammars/java.grammar")),
    ("javascript", include_str!("../grammars/javascript.grammar")),
    ("json", include_str!("../grammars/json.grammar")),
    ("lua", include_str!("../grammars/lua.grammar")),
    ("php", include_str!("../grammars/php.grammar")),
    ("python", include_str!("../grammars/python.grammar")),
    ("ruby", include_str!("../grammars/ruby.grammar")),
    ("rust", include_str!("../grammars/rust.grammar")),
    ("smtlib", include_str!("../grammars/smtlib.grammar")),
    ("sql", include_str!("../grammars/sql.grammar")),
    ("toml", include_str!("../grammars/toml.grammar")),
    ("tsx", include_str!("../grammars/tsx.grammar")),
    ("typescript", include_str!("../grammars/typescript.grammar")),
    ("xml", include_str!("../grammars/xml.grammar")),
    ("yaml", include_str!("../grammars/yaml.grammar")),
];

/// Returns the languages whose grammars come with the tool, in order.
pub fn languages() -> impl Iterator<Item = &'static str> {
    GRAMMARS.iter().map(|(language, _)| *language)
}

/// Returns the grammar of a language as it is kept.
pub fn text(language: &str) -> Option<&'static str> {
    GRAMMARS.iter().find(|(name, _)| *name == language).map(|(_, text)| *text)
}

/// Returns the grammar of a language.
pub fn grammar(language: &str) -> Option<Grammar> {
    let read = |text: &str| text.parse().expect("a test reads every grammar that is shipped");
    text(language).map(read)
}

/// Returns the texts given for a language, by the names of tokens and rules; often none.
pub fn given(language: &str) -> BTreeMap<String, String> {
    let json = include_str!("../grammars/given.json");
    let mut given: BTreeMap<String, BTreeMap<String, String>> =
        serde_json::from_str(json).expect("a test reads the given texts");
    given.remove(language).unwrap_or_default()
}
