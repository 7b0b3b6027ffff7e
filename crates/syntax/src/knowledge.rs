//! Everything that is known about a language, whether it came with the tool or with its user.
//!
//! What follows from a grammar's rules is computed when first asked for and kept with the
//! [`Language`], so that to ask again costs nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use whodunit_grammar::Grammar;
use whodunit_grammar::minimal::Minimal;
use whodunit_grammar::pattern::PatternError;
use whodunit_grammar::shape::Shapes;

use crate::grammars;
use crate::language::Language;

/// A language with what follows from its rules.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// The language.
    pub language: Language,
    /// What its nodes look like; absent for a parser that came without its rules.
    pub shapes: Option<Arc<Shapes>>,
    /// The minimal strings of its rules; present if the shapes are.
    pub minimal: Option<Arc<Minimal>>,
}

impl Knowledge {
    /// Returns what is known about a language; computed the first time only.
    pub fn of(language: &Language) -> Knowledge {
        let facts = language.facts();
        Knowledge {
            language: language.clone(),
            shapes: facts.map(|facts| facts.shapes.clone()),
            minimal: facts.map(|facts| facts.minimal.clone()),
        }
    }
}

/// What follows from the rules of a grammar.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    shapes: Arc<Shapes>,
    minimal: Arc<Minimal>,
}

impl Facts {
    /// Computes what follows from rules, with the texts that are given for some of them.
    pub(crate) fn new(
        grammar: Grammar,
        given: BTreeMap<String, String>,
    ) -> Result<Facts, PatternError> {
        let minimal = Arc::new(Minimal::new(&grammar, given)?);
        Ok(Facts { shapes: Arc::new(Shapes::new(grammar, &minimal)), minimal })
    }

    /// Computes what follows from the rules of a language that comes with the tool.
    pub(crate) fn shipped(language: &str) -> Option<Facts> {
        let grammar = grammars::grammar(language)?;
        let facts = Facts::new(grammar, grammars::given(language));
        Some(facts.expect("a test computes the minimal strings of every grammar that is shipped"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_that_is_built_in_is_known() {
        for language in Language::all() {
            let knowledge = Knowledge::of(language);
            assert!(knowledge.shapes.is_some() && knowledge.minimal.is_some(), "{language:?}");
        }
    }

    #[cfg(feature = "lang-json")]
    #[test]
    fn to_ask_again_computes_nothing() {
        let first = Knowledge::of(&Language::by_name("json").unwrap());
        let second = Knowledge::of(&Language::by_name("json").unwrap());
        assert!(Arc::ptr_eq(&first.shapes.unwrap(), &second.shapes.unwrap()));
    }
}
