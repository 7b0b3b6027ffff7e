//! Reads a grammar written for YACC or Bison.
//!
//! Only the context-free rules count. Prologue, epilogue, actions (also those in the middle of a
//! rule), precedences and all other declarations are skipped: an Earley parser has no conflicts to
//! resolve. Of `%token` declarations two things are kept, the text that a token may be given
//! (`%token AND "&&"`) and the number 0, which means the end of the text. Alternatives with the
//! token `error` are left out; they are for texts that are no sentences.

mod words;

use self::words::{YaccToken, YaccTokenKind, words};
use super::error::{GrammarError, Problem};

/// The rules of a YACC file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Yacc {
    /// The name after `%start`, and its line.
    pub(super) start: Option<(String, usize)>,
    pub(super) tokens: Vec<DeclaredToken>,
    /// In the order of their first appearance; alternatives of one name are together.
    pub(super) rules: Vec<YaccRule>,
}

/// A token of a declaration that says more than its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeclaredToken {
    pub(super) name: String,
    /// The literal that stands for it in rules.
    pub(super) text: Option<String>,
    /// Whether it is the end of the text.
    pub(super) is_end: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct YaccRule {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) alternatives: Vec<Vec<YaccSymbol>>,
}

/// A symbol on the right side of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum YaccSymbol {
    /// A rule or a token, and the line where it is used.
    Name(String, usize),
    /// A token with this text.
    Literal(String),
}

impl Yacc {
    /// Reads the text of a file; `file` is for messages only.
    pub(super) fn read(file: &str, text: &str) -> Result<Self, GrammarError> {
        let words = words(file, text)?;
        let last_line = 1 + text.matches('\n').count();
        let mut reader = Reader { file, words: &words, next: 0, last_line, yacc: Yacc::default() };
        reader.declarations()?;
        reader.rules()?;
        Ok(reader.yacc)
    }
}

struct Reader<'w> {
    file: &'w str,
    words: &'w [YaccToken],
    next: usize,
    last_line: usize,
    yacc: Yacc,
}

impl Reader<'_> {
    /// Reads up to the first `%%`.
    fn declarations(&mut self) -> Result<(), GrammarError> {
        loop {
            match self.peek() {
                Some(YaccTokenKind::Divider) => {
                    self.next += 1;
                    return Ok(());
                }
                Some(YaccTokenKind::Directive(name)) => {
                    let name = name.clone();
                    self.next += 1;
                    self.declaration(&name)?;
                }
                Some(YaccTokenKind::Semicolon) => self.next += 1,
                _ => return Err(self.expected("a declaration or the `%%` before the rules")),
            }
        }
    }

    fn declaration(&mut self, name: &str) -> Result<(), GrammarError> {
        match name {
            "token" | "term" | "left" | "right" | "nonassoc" | "precedence" => self.tokens(),
            "start" => {
                let Some(YaccTokenKind::Name(start)) = self.peek() else {
                    return Err(self.expected("the name of the start rule"));
                };
                self.yacc.start = Some((start.clone(), self.line()));
            }
            _ => {}
        }
        // Whatever is left, and all of a declaration that is not known.
        while !matches!(
            self.peek(),
            None | Some(YaccTokenKind::Directive(_) | YaccTokenKind::Divider)
        ) {
            self.next += 1;
        }
        Ok(())
    }

    /// Reads `NAME 258 "text" NAME …`.
    fn tokens(&mut self) {
        let mut current: Option<DeclaredToken> = None;
        loop {
            match self.peek() {
                Some(YaccTokenKind::Name(name)) => {
                    let new = DeclaredToken { name: name.clone(), text: None, is_end: false };
                    self.yacc.tokens.extend(current.replace(new));
                }
                Some(YaccTokenKind::Number(number)) => {
                    if let Some(token) = &mut current {
                        token.is_end = number == "0";
                    }
                }
                Some(YaccTokenKind::Text(text)) => {
                    if let Some(token) = &mut current {
                        token.text = Some(text.clone());
                    }
                }
                Some(
                    YaccTokenKind::Tag | YaccTokenKind::Character(_) | YaccTokenKind::Other(_),
                ) => {}
                _ => break,
            }
            self.next += 1;
        }
        self.yacc.tokens.extend(current);
        self.yacc.tokens.retain(|token| token.text.is_some() || token.is_end);
    }

    /// Reads up to the second `%%` or the end.
    fn rules(&mut self) -> Result<(), GrammarError> {
        loop {
            match self.peek() {
                None | Some(YaccTokenKind::Divider) if self.yacc.rules.is_empty() => {
                    return Err(self.expected("a rule"));
                }
                None | Some(YaccTokenKind::Divider) => return Ok(()),
                Some(YaccTokenKind::Semicolon) => self.next += 1,
                // Bison lets declarations stand between rules.
                Some(YaccTokenKind::Directive(_)) => {
                    while !matches!(self.peek(), None | Some(YaccTokenKind::Semicolon)) {
                        self.next += 1;
                    }
                }
                _ => self.rule()?,
            }
        }
    }

    fn rule(&mut self) -> Result<(), GrammarError> {
        let Some(YaccTokenKind::Name(name)) = self.peek() else {
            return Err(self.expected("the name of a rule"));
        };
        let (name, line) = (name.clone(), self.line());
        self.next += 1;
        if self.peek() == Some(&YaccTokenKind::Reference) {
            self.next += 1;
        }
        if self.peek() != Some(&YaccTokenKind::Colon) {
            return Err(self.expected("`:` after the name of a rule"));
        }
        self.next += 1;
        let alternatives = self.alternatives()?;
        match self.yacc.rules.iter_mut().find(|rule| rule.name == name) {
            Some(rule) => rule.alternatives.extend(alternatives),
            None => self.yacc.rules.push(YaccRule { name, line, alternatives }),
        }
        Ok(())
    }

    fn alternatives(&mut self) -> Result<Vec<Vec<YaccSymbol>>, GrammarError> {
        let mut alternatives = vec![Vec::new()];
        while !self.at_end_of_rule() {
            let line = self.line();
            let symbol = match self.peek() {
                Some(YaccTokenKind::Name(name)) => Some(YaccSymbol::Name(name.clone(), line)),
                Some(YaccTokenKind::Character(text) | YaccTokenKind::Text(text)) => {
                    Some(YaccSymbol::Literal(text.clone()))
                }
                Some(YaccTokenKind::Bar) => {
                    alternatives.push(Vec::new());
                    None
                }
                Some(YaccTokenKind::Directive(name)) => {
                    // `%prec NAME` and its like have a value; `%empty` has none.
                    self.next += usize::from(name != "empty");
                    None
                }
                Some(YaccTokenKind::Action | YaccTokenKind::Tag | YaccTokenKind::Reference) => None,
                // An old way to begin an action.
                Some(YaccTokenKind::Other('=')) => None,
                _ => return Err(self.expected("a symbol, `|` or `;`")),
            };
            self.next += 1;
            if let (Some(symbol), Some(alternative)) = (symbol, alternatives.last_mut()) {
                alternative.push(symbol);
            }
        }
        let is_error =
            |symbol: &YaccSymbol| matches!(symbol, YaccSymbol::Name(n, _) if n == "error");
        alternatives.retain(|alternative| !alternative.iter().any(is_error));
        Ok(alternatives)
    }

    /// Returns whether the rule is over: the semicolon after it may be left out.
    fn at_end_of_rule(&self) -> bool {
        let kind = |ahead: usize| self.words.get(self.next + ahead).map(|word| &word.kind);
        match kind(0) {
            None | Some(YaccTokenKind::Semicolon | YaccTokenKind::Divider) => true,
            Some(YaccTokenKind::Name(_)) => {
                let after =
                    if kind(1) == Some(&YaccTokenKind::Reference) { kind(2) } else { kind(1) };
                after == Some(&YaccTokenKind::Colon)
            }
            _ => false,
        }
    }

    fn peek(&self) -> Option<&YaccTokenKind> {
        self.words.get(self.next).map(|word| &word.kind)
    }

    fn line(&self) -> usize {
        self.words.get(self.next).map_or(self.last_line, |word| word.line)
    }

    fn expected(&self, expected: &'static str) -> GrammarError {
        let found = self.peek().map_or("the end of the file".to_owned(), YaccTokenKind::shown);
        let problem = Problem::Expected { expected, found };
        GrammarError { file: self.file.to_owned(), line: self.line(), problem }
    }
}
