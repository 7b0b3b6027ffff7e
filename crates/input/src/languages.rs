//! Sources of the structure of files: their language, a grammar of the user's own, a hierarchy.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use whodunit_grammar::arena::Arena;
use whodunit_grammar::cfg::{Cfg, ParseError};
use whodunit_grammar::minimal::Minimal;
use whodunit_grammar::pattern::PatternError;
use whodunit_grammar::{Expr, RuleId};
use whodunit_syntax::abridge::parse_abridged;
use whodunit_syntax::events::Event;
use whodunit_syntax::language::Language;
use whodunit_syntax::parse::parses;

use super::snapshot::{InputFile, Snapshot};

/// Bytes of a file that is parsed. A larger one is taken as text, because a tree takes a hundred
/// times the memory of its text. Chosen by hand.
pub(super) const MAX_PARSED_BYTES: usize = 16 << 20;

/// A file with more bytes than this is first cut into large parts only. Chosen by hand.
pub(super) const FIRST_LOOK_BYTES: usize = 64 << 10;

/// The languages of the files.
#[derive(Clone, Debug, Default)]
pub enum Languages {
    /// Guessed from their names and first bytes.
    #[default]
    ByFile,
    /// One language for all files.
    Given(Language),
    /// One grammar for all files; files that it refuses are text.
    Grammar(Arc<OwnGrammar>),
    /// The only file consists of these events; only events may be removed.
    Hierarchy(Arc<Arena<Event>>),
    /// Nothing is parsed.
    None,
}

/// The source of the structure of one file.
#[derive(Clone, Debug)]
pub(super) enum Syntax {
    Language(Language),
    Grammar(Arc<OwnGrammar>),
    Hierarchy(Arc<Arena<Event>>),
}

impl Languages {
    /// Returns whether a file has a language, but is not quite as its grammar has it.
    pub(super) fn reads_with_errors(&self, file: &InputFile) -> bool {
        self.of(file).is_some_and(|language| {
            parse_abridged(&language, &file.bytes, FIRST_LOOK_BYTES).is_none()
                && !parses(&language, &file.bytes)
        })
    }

    /// Returns the language of a file, which knows names, numbers and white space.
    pub(super) fn of(&self, file: &InputFile) -> Option<Language> {
        if file.bytes.len() > MAX_PARSED_BYTES {
            return None;
        }
        match self {
            Languages::ByFile => Language::for_file(&file.name, &file.bytes),
            Languages::Given(language) => Some(language.clone()),
            Languages::Grammar(_) | Languages::Hierarchy(_) | Languages::None => None,
        }
    }

    /// Returns the source of the structure of a file.
    pub(super) fn syntax_of(&self, file: &InputFile) -> Option<Syntax> {
        match self {
            Languages::Grammar(grammar) => Some(Syntax::Grammar(grammar.clone())),
            // The hierarchy describes the original content only.
            Languages::Hierarchy(events) => {
                (*events.text() == *file.bytes).then(|| Syntax::Hierarchy(events.clone()))
            }
            _ => self.of(file).map(Syntax::Language),
        }
    }

    /// Returns the files that are not as the grammar has it, and why.
    pub fn refused(&self, snapshot: &Snapshot) -> Vec<(PathBuf, ParseError)> {
        let Languages::Grammar(grammar) = self else { return Vec::new() };
        let refused =
            |file: &InputFile| Some((file.name.clone(), grammar.cfg.parse(&file.bytes).err()?));
        snapshot.files().iter().filter_map(refused).collect()
    }
}

/// A context-free grammar of the user's own, with the facts that follow from its rules.
#[derive(Clone, Debug)]
pub struct OwnGrammar {
    cfg: Cfg,
    minimal: Arc<Minimal>,
    /// For each rule those that may stand in its place, itself among them.
    stand_for: Vec<BTreeSet<RuleId>>,
}

impl OwnGrammar {
    /// Computes the facts that follow from the rules.
    pub fn new(cfg: Cfg) -> Result<Self, PatternError> {
        let minimal = Arc::new(cfg.minimal_strings()?);
        let stand_for = stand_for(&cfg, &minimal);
        Ok(OwnGrammar { cfg, minimal, stand_for })
    }

    pub(super) fn cfg(&self) -> &Cfg {
        &self.cfg
    }

    pub(super) fn minimal(&self) -> &Arc<Minimal> {
        &self.minimal
    }

    /// Returns the rules that may stand in the place of a rule, itself among them.
    pub(super) fn stand_for(&self, rule: RuleId) -> &BTreeSet<RuleId> {
        &self.stand_for[rule.0 as usize]
    }
}

/// Finds for each rule those from which it can be made with nothing added.
fn stand_for(cfg: &Cfg, minimal: &Minimal) -> Vec<BTreeSet<RuleId>> {
    let grammar = cfg.grammar();
    let is_nullable = |expr: &Expr| match expr {
        Expr::Rule(rule) => minimal.of(*rule).is_some_and(|phrase| phrase.tokens() == 0),
        expr => *expr == Expr::Empty,
    };
    let next = |rule: RuleId| {
        let body = &grammar.rule(rule).body;
        let alternatives = if let Expr::Choice(parts) = body { parts } else { from_ref(body) };
        let mut found = Vec::new();
        for alternative in alternatives {
            let parts =
                if let Expr::Seq(parts) = alternative { parts } else { from_ref(alternative) };
            let solid = parts.iter().filter(|part| !is_nullable(part)).count();
            found.extend(parts.iter().filter_map(|part| match part {
                Expr::Rule(rule) if solid == usize::from(!is_nullable(part)) => Some(*rule),
                _ => None,
            }));
        }
        found
    };
    let next: Vec<Vec<RuleId>> = grammar.ids().map(next).collect();
    let reached = |rule: RuleId| {
        let (mut reached, mut ahead) = (BTreeSet::from([rule]), vec![rule]);
        while let Some(rule) = ahead.pop() {
            let new = next[rule.0 as usize].iter().filter(|&&rule| reached.insert(rule));
            ahead.extend(new);
        }
        reached
    };
    grammar.ids().map(reached).collect()
}

fn from_ref(expr: &Expr) -> &[Expr] {
    std::slice::from_ref(expr)
}
