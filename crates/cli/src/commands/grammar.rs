//! `whodunit grammar`: shows the rules of a language and the minimal string of each.
//!
//! A user's grammar is only read for this, neither compiled nor run.

mod page;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use whodunit_jobs::grammar::minimal::Minimal;
use whodunit_jobs::grammar::{Grammar, RuleId};
use whodunit_jobs::reduce::{LanguageError, is_yacc, read_cfg};
use whodunit_jobs::syntax::language::{Language, LoadError, read_rules};

use crate::args::GrammarArgs;
use crate::exit::Exit;
use crate::output::{self, WARNING};
use crate::trouble::{GrammarTrouble, Trouble};

/// The rules that are shown, and the minimal strings that follow from them.
struct Rules {
    grammar: Grammar,
    minimal: Arc<Minimal>,
}

pub(super) fn run(args: &GrammarArgs) -> Result<Exit, Trouble> {
    let text = match &args.language {
        None => page::languages(args.json)?,
        Some(language) => {
            let rules = find(language, args.lexical.as_deref())?;
            let shown = match &args.rule {
                None => rules.grammar.ids().collect(),
                Some(name) => vec![rules.named(name)?],
            };
            page::rules(&rules, &shown, args.json)?
        }
    };
    output::data(&text)?;
    Ok(Exit::Finished)
}

/// Finds a language by its name, or a grammar by its path. A known name is never taken as a
/// path.
fn find(language: &Path, lexical: Option<&Path>) -> Result<Rules, GrammarTrouble> {
    if lexical.is_some() && !is_yacc(language) {
        return Err(LanguageError::NotLexical(language.to_owned()).into());
    }
    let unknown = match Language::by_name(&output::plain(&language.to_string_lossy())) {
        Ok(known) => {
            if let (Some(shapes), Some(minimal)) = (known.shapes(), known.minimal()) {
                return Ok(Rules { grammar: shapes.grammar().clone(), minimal });
            }
            let no_rules = LoadError::NoRules { parser: known.name().into() };
            return Err(LanguageError::from(no_rules).into());
        }
        Err(unknown) => unknown,
    };
    if is_yacc(language) {
        read_yacc(language, lexical)
    } else if is_path(language) {
        let grammar = read_rules(language).map_err(LanguageError::from)?;
        let minimal = Minimal::new(&grammar, BTreeMap::new());
        let minimal = minimal
            .map_err(|source| LanguageError::NoMinimal { grammar: language.to_owned(), source })?;
        Ok(Rules { grammar, minimal: Arc::new(minimal) })
    } else {
        Err(LanguageError::from(unknown).into())
    }
}

fn is_path(language: &Path) -> bool {
    language.components().count() > 1 || language.extension().is_some() || language.exists()
}

fn read_yacc(path: &Path, lexical: Option<&Path>) -> Result<Rules, GrammarTrouble> {
    let cfg = read_cfg(Path::new(""), path, lexical)?;
    let unreachable: Vec<String> = cfg
        .unreachable()
        .into_iter()
        .map(|rule| format!("`{}`", output::plain(&cfg.grammar().rule(rule).name)))
        .collect();
    if !unreachable.is_empty() {
        let rules = unreachable.join(", ");
        output::note(&format!("{WARNING}warning:{WARNING:#} no text leads to {rules}"));
    }
    let minimal = cfg.minimal_strings();
    let minimal =
        minimal.map_err(|source| LanguageError::NoMinimal { grammar: path.to_owned(), source })?;
    Ok(Rules { grammar: cfg.grammar().clone(), minimal: Arc::new(minimal) })
}

impl Rules {
    /// Finds a rule by its name.
    fn named(&self, name: &str) -> Result<RuleId, GrammarTrouble> {
        self.grammar.find(name).ok_or_else(|| {
            let rules = self.grammar.rules.iter().map(|rule| &rule.name);
            let alike = |rule: &&String| rule.contains(name) || name.contains(rule.as_str());
            GrammarTrouble::NoRule {
                grammar: self.grammar.name.clone(),
                rule: name.to_owned(),
                near: rules.filter(alike).cloned().collect(),
            }
        })
    }
}
