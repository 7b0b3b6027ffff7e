//! A user's own context-free grammar: any grammar, with no conflicts to resolve.
//!
//! Two files describe a language, much as in the tool of Misherghi's thesis (chapter 7).
//!
//! The **grammar** is written for YACC or Bison, as it is: prologue, declarations, precedences,
//! actions and epilogue are skipped. Literals (`'+'`, `"while"`) are tokens.
//!
//! The **lexical part** has one token a line: a name, a regular expression and, if wanted, the
//! minimal string, with white space in between.
//!
//! ```text
//! # A line like this one is a comment.
//! NUMBER   [0-9]+           0
//! NAME     [A-Za-z_]\w*     a
//! STRING   "([^"\\]|\\.)*"  ""
//! SKIP     \s+
//! SKIP     /\*(?s:.)*?\*/
//! ```
//!
//! - Expressions are those of the `regex` crate; a blank in one is written `\ ` or `\x20`. None may
//!   match the empty string.
//! - The longest match wins, then a literal of the grammar, then the earlier line.
//! - The minimal string is the rest of the line; it has to be such a token itself.
//! - Where a rule has several minimal strings, or another one than the shortest is wanted, a line
//!   `%minimal RULE text` chooses one; it has to be a text of that rule.
//! - What `SKIP` matches may stand anywhere between tokens and is kept when the tree is printed.
//!
//! Both parts may be in one file, as that tool has it (`NAME : [|expression|] [|minimal|];` after a
//! line `%%`): see [`Cfg::read_one_file`].
//!
//! An ambiguous text gets one tree, always the same. Operators group to the left and signs bind
//! tighter, whatever they are: where a rule ends with itself (`e: e '-' e | '-' e`) that last part
//! is not an alternative that begins with the rule. Then, of the alternatives of a rule, the
//! earliest; then the first child as long as can be, then the second, and so on. So a dangling
//! `else` belongs to the nearest `if` if the rule without `else` comes first.

mod assemble;
mod derivation;
mod earley;
mod error;
mod flatten;
mod lexer;
mod lexical;
mod one_file;
mod table;
mod yacc;

pub use self::error::{GrammarError, ParseError, Problem};

use std::collections::HashMap;

use self::assemble::{PatternMeaning, assemble};
use self::derivation::Derivation;
use self::earley::{Refusal, recognise};
use self::flatten::{Token, flatten};
use self::lexer::{Lexer, Pattern};
use self::lexical::{GivenMinimal, Lexical};
use self::table::{Symbol, Table, Terminal};
use self::yacc::Yacc;
use crate::arena::Arena;
use crate::minimal::Minimal;
use crate::pattern::PatternError;
use crate::place::TextPosition;
use crate::{Grammar, RuleId};

/// A file of a grammar.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its name in messages.
    pub name: &'a str,
    /// Its content; comments need not be UTF-8.
    pub bytes: &'a [u8],
}

/// A grammar with its tokens, ready to parse.
#[derive(Clone, Debug)]
pub struct Cfg {
    grammar: Grammar,
    table: Table,
    lexer: Lexer,
    /// For each pattern of the lexer its symbol; none for what is skipped.
    symbols: Vec<Option<Symbol>>,
    minimal: HashMap<RuleId, String>,
}

/// The kind of a node of a parsed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CfgKind {
    /// The rule, token or list that it stands for.
    pub of: KindOf,
    /// Its part in its parent.
    pub part: Part,
}

/// The rule, token or list that a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindOf {
    /// A rule; the children are one of its alternatives.
    Rule(RuleId),
    /// A recursive rule whose items can go, one by one or together, down to `least` of them.
    List {
        /// The rule.
        rule: RuleId,
        /// How many items have to stay.
        least: usize,
        /// Which separators go with an item.
        separators: Separators,
    },
    /// An item of a list that is more than one symbol.
    Item(RuleId),
    /// A token, by the rule that names it; none for a literal.
    Token(Option<RuleId>),
}

/// To which item of a list the separators belong: they go with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separators {
    /// To the item after them. The first item has none, so if it is removed, the separators of the
    /// new first item are removed too.
    Before,
    /// To the one before them; likewise the last item has none.
    After,
}

/// The part of a node in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A part that has to be there.
    Only,
    /// An item of a list.
    Item,
    /// A separator between two items, mostly a token; see [`Separators`].
    Separator,
    /// The base of a list, to which its items are added; it cannot be removed.
    Base,
}

impl Cfg {
    /// Reads a grammar and its lexical part.
    pub fn read(grammar: Source<'_>, lexical: Source<'_>) -> Result<Self, GrammarError> {
        let text = String::from_utf8_lossy(grammar.bytes);
        let tokens = lexical::read(lexical.name, &String::from_utf8_lossy(lexical.bytes))?;
        Self::of_parts((grammar, &text), (lexical, tokens))
    }

    /// Returns whether a grammar has its tokens in the same file.
    pub fn is_one_file(bytes: &[u8]) -> bool {
        one_file::is_one_file(&String::from_utf8_lossy(bytes))
    }

    /// Reads rules and tokens from one file: rules as in YACC, a line `%%`, and the tokens as
    /// `NAME : [|expression|] [|minimal|];`, with expressions of LEX.
    pub fn read_one_file(source: Source<'_>) -> Result<Self, GrammarError> {
        let parts = one_file::read(source.name, &String::from_utf8_lossy(source.bytes))?;
        Self::of_parts((source, &parts.grammar), (source, parts.lexical))
    }

    fn of_parts(
        (grammar, text): (Source<'_>, &str),
        (lexical, Lexical { tokens: lines, minimals }): (Source<'_>, Lexical),
    ) -> Result<Self, GrammarError> {
        let yacc = Yacc::read(grammar.name, text)?;
        let assembled = assemble((grammar.name, yacc), (lexical.name, lines.clone()))?;
        let table = Table::new(&assembled.grammar);
        let error = |source: Source<'_>, line, problem| {
            let file = source.name.to_owned();
            Err(GrammarError { file, line, problem })
        };
        if let Some((rules, line)) = without_string(&table, &assembled.grammar, &assembled.lines) {
            return error(grammar, line, Problem::NoFiniteString { rules });
        }
        let (patterns, meanings): (Vec<Pattern>, Vec<PatternMeaning>) =
            assembled.patterns.into_iter().unzip();
        let symbol = |meaning: &PatternMeaning| match meaning {
            PatternMeaning::Skip => None,
            PatternMeaning::Token(token) => table.terminal(&Terminal::of(token)?),
        };
        let symbols = meanings.iter().map(symbol).collect();
        let lexer = match Lexer::new(&patterns) {
            Ok(lexer) => lexer,
            Err(problem) => return error(lexical, 1, problem),
        };
        let (grammar, minimal) = (assembled.grammar, assembled.minimal);
        let mut cfg = Cfg { grammar, table, lexer, symbols, minimal };
        for line in lines {
            if let (Some(name), Some(text)) = (line.name, line.minimal)
                && !cfg.is_token(&name, &text)
            {
                return error(lexical, line.line, Problem::Minimal { name, text });
            }
        }
        for GivenMinimal { name, text, line } in minimals {
            let rule = cfg.grammar.find(&name).filter(|&rule| cfg.is_of(rule, &text));
            let Some(rule) = rule else {
                return error(lexical, line, Problem::MinimalOfRule { name, text });
            };
            cfg.minimal.insert(rule, text);
        }
        Ok(cfg)
    }

    /// Returns whether a text can be derived from a rule.
    fn is_of(&self, rule: RuleId, text: &str) -> bool {
        let Ok(tokens) = self.tokens(text.as_bytes()) else { return false };
        let symbols: Vec<Symbol> = tokens.iter().map(|token| token.symbol).collect();
        match self.table.token_rule(self.table.mention(rule)) {
            Some(_) => symbols == [self.table.mention(rule)],
            None => recognise(&self.table, self.table.rule(rule), &symbols).is_ok(),
        }
    }

    /// Returns the grammar; tokens are rules whose body is a pattern or a text.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// Returns the minimal string that the lexical part gives a token or a rule.
    pub fn minimal(&self, token: RuleId) -> Option<&str> {
        self.minimal.get(&token).map(String::as_str)
    }

    /// Computes the minimal strings of all rules, with those that the lexical part gives.
    ///
    /// A token whose expression looks around (`\b`) needs a given one.
    pub fn minimal_strings(&self) -> Result<Minimal, PatternError> {
        let name = |token: &RuleId| self.grammar.rule(*token).name.clone();
        let given = self.minimal.iter().map(|(token, text)| (name(token), text.clone()));
        Minimal::new(&self.grammar, given.collect())
    }

    /// Returns the rules that no text can have a node of, which is worth a warning.
    pub fn unreachable(&self) -> Vec<RuleId> {
        self.table.unreachable()
    }

    /// Parses a text.
    ///
    /// Linear for the usual grammars of programming languages, operators without precedences
    /// among them; quadratic if they are unambiguous, cubic at worst. Any depth of nesting is fine.
    pub fn parse(&self, text: &[u8]) -> Result<Arena<CfgKind>, ParseError> {
        let tokens = self.tokens(text)?;
        let symbols: Vec<Symbol> = tokens.iter().map(|token| token.symbol).collect();
        let chart = recognise(&self.table, self.start(), &symbols)
            .map_err(|refusal| self.unexpected(text, &tokens, &refusal))?;
        let derivation = Derivation::new(&self.table, &chart, self.start(), tokens.len() as u32);
        drop(chart);
        Ok(flatten(&self.table, &derivation, &tokens, text.to_vec()))
    }

    /// Returns whether a text is a sentence of the grammar; cheaper than to parse it.
    pub fn accepts(&self, text: &[u8]) -> bool {
        self.tokens(text).is_ok_and(|tokens| {
            let symbols: Vec<Symbol> = tokens.iter().map(|token| token.symbol).collect();
            recognise(&self.table, self.start(), &symbols).is_ok()
        })
    }

    fn start(&self) -> Symbol {
        self.table.rule(RuleId(0))
    }

    fn tokens(&self, text: &[u8]) -> Result<Vec<Token>, ParseError> {
        let lexemes = self.lexer.lex(text)?;
        let token = |lexeme: &lexer::Lexeme| {
            let symbol = self.symbols[lexeme.pattern as usize]?;
            Some(Token { symbol, start: lexeme.start, end: lexeme.end })
        };
        Ok(lexemes.iter().filter_map(token).collect())
    }

    fn is_token(&self, name: &str, text: &str) -> bool {
        let symbol = self.grammar.find(name).map(|rule| self.table.mention(rule));
        let tokens = self.tokens(text.as_bytes()).unwrap_or_default();
        matches!(tokens[..], [token]
            if Some(token.symbol) == symbol && token.end as usize == text.len())
    }

    fn unexpected(&self, text: &[u8], tokens: &[Token], refusal: &Refusal) -> ParseError {
        let token = tokens.get(refusal.at);
        let byte = token.map_or(text.len(), |token| token.start as usize);
        let found = token.map_or("the end of the text".to_owned(), |token| {
            let bytes = &text[token.start as usize..token.end as usize];
            format!("`{}`", String::from_utf8_lossy(bytes).escape_debug())
        });
        let mut expected: Vec<String> =
            refusal.expected.iter().map(|symbol| self.shown(*symbol)).collect();
        expected.sort_unstable();
        ParseError::Unexpected { place: TextPosition::of(byte, text), expected, found }
    }

    /// Returns what a terminal is called in messages.
    fn shown(&self, symbol: Symbol) -> String {
        match (self.table.token_rule(symbol), self.table.terminal_of(symbol)) {
            (Some(rule), _) => self.grammar.rule(rule).name.clone(),
            (None, Some(Terminal::Text(text))) => format!("`{}`", text.escape_debug()),
            _ => "the end of the text".to_owned(),
        }
    }
}

/// Returns the names of the rules from which no finite string can be made, and the first's line.
fn without_string(
    table: &Table,
    grammar: &Grammar,
    lines: &[Option<usize>],
) -> Option<(Vec<String>, usize)> {
    let rules = table.unproductive();
    let first = rules.first()?;
    let line = lines[first.0 as usize].unwrap_or(1);
    Some((rules.iter().map(|rule| grammar.rule(*rule).name.clone()).collect(), line))
}
