//! Puts the rules and the lexical part together, and refuses what cannot work.

use std::collections::HashMap;

use super::error::{GrammarError, Problem};
use super::lexer::Pattern;
use super::lexical::TokenLine;
use super::yacc::{Yacc, YaccRule, YaccSymbol};
use crate::{Expr, Grammar, Rule, RuleId};

/// A grammar and how its tokens are recognised.
#[derive(Clone, Debug)]
pub(super) struct Assembled {
    pub(super) grammar: Grammar,
    /// In the order of precedence.
    pub(super) patterns: Vec<(Pattern, PatternMeaning)>,
    /// For each rule the line it is on; none for tokens.
    pub(super) lines: Vec<Option<usize>>,
    /// The minimal strings that the lexical part gives.
    pub(super) minimal: HashMap<RuleId, String>,
}

/// The meaning of a match of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PatternMeaning {
    Skip,
    /// A token, as the grammar writes it.
    Token(Expr),
}

/// Puts both parts together; the names of the files are for messages only.
pub(super) fn assemble(
    (grammar_file, yacc): (&str, Yacc),
    (lexical_file, lines): (&str, Vec<TokenLine>),
) -> Result<Assembled, GrammarError> {
    let mut assembly = CfgAssembly::new(grammar_file, yacc)?;
    assembly.add_lines(lexical_file, &lines)?;
    assembly.add_declared();
    assembly.check_names()?;
    let name = grammar_file.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    let bodies: Vec<Expr> = assembly.yacc.rules.iter().map(|rule| assembly.body(rule)).collect();
    for (rule, body) in assembly.grammar.rules.iter_mut().zip(bodies) {
        rule.body = body;
    }
    let mut patterns: Vec<(Pattern, PatternMeaning)> = Vec::new();
    for text in assembly.literals() {
        patterns.push((Pattern::literal(&text), PatternMeaning::Token(Expr::Text(text))));
    }
    patterns.append(&mut assembly.patterns);
    assembly.grammar.name = name;
    let mut lines: Vec<Option<usize>> =
        assembly.yacc.rules.iter().map(|rule| Some(rule.line)).collect();
    lines.resize(assembly.grammar.rules.len(), None);
    Ok(Assembled { grammar: assembly.grammar, patterns, lines, minimal: assembly.minimal })
}

struct CfgAssembly<'f> {
    file: &'f str,
    yacc: Yacc,
    grammar: Grammar,
    ids: HashMap<String, RuleId>,
    /// The tokens that literals stand for.
    aliases: HashMap<String, RuleId>,
    patterns: Vec<(Pattern, PatternMeaning)>,
    minimal: HashMap<RuleId, String>,
}

impl<'f> CfgAssembly<'f> {
    /// Begins with the rules, the start rule first.
    fn new(file: &'f str, mut yacc: Yacc) -> Result<Self, GrammarError> {
        if let Some((name, line)) = yacc.start.take() {
            let Some(place) = yacc.rules.iter().position(|rule| rule.name == name) else {
                let problem = Problem::NoStart { name };
                return Err(GrammarError { file: file.to_owned(), line, problem });
            };
            yacc.rules[..=place].rotate_right(1);
        }
        let mut assembly = CfgAssembly {
            file,
            grammar: Grammar::default(),
            ids: HashMap::new(),
            aliases: HashMap::new(),
            patterns: Vec::new(),
            minimal: HashMap::new(),
            yacc,
        };
        for place in 0..assembly.yacc.rules.len() {
            // The bodies follow when all names are known.
            assembly.add_rule(assembly.yacc.rules[place].name.clone(), Expr::Empty);
        }
        Ok(assembly)
    }

    fn add_rule(&mut self, name: String, body: Expr) -> RuleId {
        let id = RuleId(self.grammar.rules.len() as u32);
        self.ids.insert(name.clone(), id);
        self.grammar.rules.push(Rule { name, visible: true, body });
        id
    }

    fn add_lines(&mut self, file: &str, lines: &[TokenLine]) -> Result<(), GrammarError> {
        for line in lines {
            let error = |problem| GrammarError { file: file.to_owned(), line: line.line, problem };
            let pattern =
                Pattern::expression(&line.shown_name(), &line.expression).map_err(error)?;
            let expression = Expr::Pattern(line.expression.clone());
            let Some(name) = &line.name else {
                self.grammar.extras.push(expression);
                self.patterns.push((pattern, PatternMeaning::Skip));
                continue;
            };
            if self.ids.contains_key(name) {
                return Err(error(Problem::Twice { name: name.clone() }));
            }
            self.patterns.push((pattern, PatternMeaning::Token(expression.clone())));
            let id = self.add_rule(name.clone(), expression);
            self.minimal.extend(line.minimal.clone().map(|minimal| (id, minimal)));
        }
        Ok(())
    }

    /// Adds tokens that only a declaration gives a text, and the end of the text.
    fn add_declared(&mut self) {
        for token in std::mem::take(&mut self.yacc.tokens) {
            let id = match self.ids.get(&token.name) {
                Some(id) => *id,
                None if token.is_end => self.add_rule(token.name, Expr::Empty),
                None => {
                    let text = token.text.clone().unwrap_or_default();
                    self.add_rule(token.name, Expr::Token(Box::new(Expr::Text(text))))
                }
            };
            self.aliases.extend(token.text.map(|text| (text, id)));
        }
    }

    fn check_names(&self) -> Result<(), GrammarError> {
        let mut names: Vec<String> = Vec::new();
        let mut first_line = None;
        for symbol in self.yacc.rules.iter().flat_map(|rule| rule.alternatives.iter().flatten()) {
            if let YaccSymbol::Name(name, line) = symbol
                && !self.ids.contains_key(name)
                && !names.contains(name)
            {
                names.push(name.clone());
                first_line.get_or_insert(*line);
            }
        }
        match first_line {
            None => Ok(()),
            Some(line) => {
                let problem = Problem::Undefined { names };
                Err(GrammarError { file: self.file.to_owned(), line, problem })
            }
        }
    }

    fn body(&self, rule: &YaccRule) -> Expr {
        let symbol = |symbol: &YaccSymbol| match symbol {
            // All names are known by now.
            YaccSymbol::Name(name, _) => {
                self.ids.get(name).map_or(Expr::Empty, |id| Expr::Rule(*id))
            }
            YaccSymbol::Literal(text) => match self.aliases.get(text) {
                Some(id) => Expr::Rule(*id),
                None => Expr::Text(text.clone()),
            },
        };
        let alternatives = rule.alternatives.iter();
        Expr::choice(
            alternatives.map(|symbols| Expr::seq(symbols.iter().map(symbol).collect())).collect(),
        )
    }

    /// Returns all literal texts, in the order of the grammar.
    fn literals(&self) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        let mut bodies: Vec<&Expr> =
            self.grammar.rules.iter().rev().map(|rule| &rule.body).collect();
        while let Some(body) = bodies.pop() {
            match body {
                Expr::Text(text) if !texts.contains(text) => texts.push(text.clone()),
                Expr::Token(part) => bodies.push(part),
                Expr::Seq(parts) | Expr::Choice(parts) => bodies.extend(parts.iter().rev()),
                _ => {}
            }
        }
        texts
    }
}
