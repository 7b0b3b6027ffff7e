//! Facts from the rules of a grammar, computed when first needed and kept with the language.

use std::collections::BTreeMap;
use std::sync::Arc;

use whodunit_grammar::Grammar;
use whodunit_grammar::minimal::Minimal;
use whodunit_grammar::pattern::PatternError;
use whodunit_grammar::shape::Shapes;

use crate::grammars;

/// Facts from the rules of a grammar.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// The shapes of nodes.
    pub(super) shapes: Arc<Shapes>,
    /// The minimal strings of rules.
    pub(super) minimal: Arc<Minimal>,
}

impl Facts {
    /// Computes the facts from rules, with the texts that are given for some of them.
    pub(crate) fn new(
        grammar: Grammar,
        given: BTreeMap<String, String>,
    ) -> Result<Facts, PatternError> {
        let minimal = Arc::new(Minimal::new(&grammar, given)?);
        Ok(Facts { shapes: Arc::new(Shapes::new(grammar, &minimal)), minimal })
    }

    /// Computes the facts from the rules of a language that comes with the tool.
    pub(crate) fn shipped(language: &str) -> Option<Facts> {
        let grammar = grammars::grammar(language)?;
        let facts = Facts::new(grammar, grammars::given(language));
        Some(facts.expect("a test computes the minimal strings of every grammar that is shipped"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::language::Language;

    #[test]
    fn every_language_that_is_built_in_is_known() {
        for language in Language::all() {
            let is_known = language.shapes().is_some() && language.minimal().is_some();
            assert!(is_known, "{language:?}");
        }
    }

    #[cfg(feature = "lang-json")]
    #[test]
    fn to_ask_again_computes_nothing() {
        let first = Language::by_name("json").unwrap().shapes();
        let second = Language::by_name("json").unwrap().shapes();
        assert!(Arc::ptr_eq(&first.unwrap(), &second.unwrap()));
    }
}
