//! Reads one line of a grammar, from left to right.

use std::collections::HashMap;

use super::{NotationError, is_plain};
use crate::{Expr, RuleId};

/// The rest of a line.
pub(super) struct GrammarLine<'a> {
    pub(super) text: &'a str,
    pub(super) line: usize,
    /// The rules, once all are known.
    pub(super) ids: Option<&'a HashMap<String, RuleId>>,
}

impl GrammarLine<'_> {
    pub(super) fn error(&self, what: &str) -> NotationError {
        let rest: String = self.text.chars().take(20).collect();
        NotationError { line: self.line, what: format!("{what}, met `{rest}`") }
    }

    fn peek(&mut self) -> Option<char> {
        self.text = self.text.trim_start_matches(' ');
        self.text.chars().next()
    }

    pub(super) fn is_over(&mut self) -> bool {
        self.peek().is_none()
    }

    pub(super) fn takes(&mut self, character: char) -> bool {
        let found = self.peek() == Some(character);
        if found {
            self.text = &self.text[character.len_utf8()..];
        }
        found
    }

    fn expect(&mut self, character: char) -> Result<(), NotationError> {
        if self.takes(character) {
            return Ok(());
        }
        Err(self.error(&format!("expected `{character}`")))
    }

    pub(super) fn choice(&mut self) -> Result<Expr, NotationError> {
        let first = self.seq()?;
        if self.peek() != Some('|') {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.takes('|') {
            parts.push(self.seq()?);
        }
        Ok(Expr::Choice(parts))
    }

    fn seq(&mut self) -> Result<Expr, NotationError> {
        let first = self.postfix()?;
        let mut parts = vec![first];
        while self.peek().is_some_and(|next| !matches!(next, '|' | ')' | '}')) {
            parts.push(self.postfix()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::Seq(parts) })
    }

    pub(super) fn postfix(&mut self) -> Result<Expr, NotationError> {
        let mut expr = self.prefix()?;
        // A sign that belongs to what stands before it follows without a space.
        loop {
            let sign = self.text.chars().next();
            if !matches!(sign, Some('*' | '+' | '?' | ':')) {
                return Ok(expr);
            }
            self.text = &self.text[1..];
            expr = match sign {
                Some('*') => Expr::Repeat(Box::new(expr)),
                Some('+') => Expr::Repeat1(Box::new(expr)),
                Some('?') => Expr::Choice(vec![expr, Expr::Empty]),
                _ => {
                    let named = self.peek() != Some('"');
                    let name = if named { self.name()? } else { self.quoted('"')? };
                    Expr::Alias { body: Box::new(expr), name, named }
                }
            };
        }
    }

    fn prefix(&mut self) -> Result<Expr, NotationError> {
        match self.peek() {
            Some('"') => Ok(Expr::Text(self.quoted('"')?)),
            Some('/') => Ok(Expr::Pattern(self.pattern()?)),
            Some('$') => {
                self.expect('$')?;
                Ok(Expr::External(self.name()?))
            }
            Some('!') => {
                self.expect('!')?;
                Ok(Expr::Immediate(Box::new(self.prefix()?)))
            }
            Some('{') => {
                self.expect('{')?;
                let body = self.choice()?;
                self.expect('}')?;
                Ok(Expr::Token(Box::new(body)))
            }
            Some('(') => self.group(),
            _ => {
                let name = self.name()?;
                match self.ids.and_then(|ids| ids.get(&name)) {
                    Some(id) => Ok(Expr::Rule(*id)),
                    None => Err(self.error(&format!("there is no rule `{name}`"))),
                }
            }
        }
    }

    fn group(&mut self) -> Result<Expr, NotationError> {
        self.expect('(')?;
        let body = match self.peek() {
            Some(')') => Expr::Empty,
            Some('|') => {
                self.expect('|')?;
                Expr::Choice(Vec::new())
            }
            _ => self.choice()?,
        };
        self.expect(')')?;
        Ok(body)
    }

    pub(super) fn name(&mut self) -> Result<String, NotationError> {
        if self.peek() == Some('<') {
            return self.quoted('>');
        }
        let end = self.text.find(|character| !is_plain(character)).unwrap_or(self.text.len());
        if end == 0 {
            return Err(self.error("expected a name"));
        }
        let (name, rest) = self.text.split_at(end);
        self.text = rest;
        Ok(name.to_owned())
    }

    /// Reads what stands between the sign at hand and `end`.
    fn quoted(&mut self, end: char) -> Result<String, NotationError> {
        let mut text = String::new();
        let mut characters = self.text.char_indices().skip(1);
        while let Some((place, character)) = characters.next() {
            if character == end {
                self.text = &self.text[place + 1..];
                return Ok(text);
            }
            if character != '\\' {
                text.push(character);
                continue;
            }
            match characters.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, 'r')) => text.push('\r'),
                Some((_, 't')) => text.push('\t'),
                Some((_, 'u')) => {
                    let digits = characters.by_ref().skip(1).map(|(_, digit)| digit);
                    let digits: String = digits.take_while(|digit| *digit != '}').collect();
                    let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                    text.push(code.ok_or_else(|| self.error("no such character"))?);
                }
                Some((_, escaped)) => text.push(escaped),
                None => break,
            }
        }
        Err(self.error(&format!("expected `{end}` before the end of the line")))
    }

    fn pattern(&mut self) -> Result<String, NotationError> {
        let mut pattern = String::new();
        let mut characters = self.text.char_indices().skip(1);
        while let Some((place, character)) = characters.next() {
            match character {
                '/' => {
                    self.text = &self.text[place + 1..];
                    return Ok(pattern);
                }
                '\\' => match characters.next() {
                    Some((_, '/')) => pattern.push('/'),
                    Some((_, escaped)) => pattern.extend(['\\', escaped]),
                    None => break,
                },
                _ => pattern.push(character),
            }
        }
        Err(self.error("expected `/` before the end of the line"))
    }
}
