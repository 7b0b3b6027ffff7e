//! Grammars as text: how they are shown, and how those that come with the tool are kept.
//!
//! One rule a line; `name = body` shows as a node, of `name ~ body` only the content does.
//!
//! ```text
//! grammar arithmetic
//! extras /\s/
//! sum = product ("+" product)*
//! product = number ("*" number)*
//! number = /[0-9]+/
//! ```
//!
//! | written | means |
//! |---|---|
//! | `name`, `$name` | a rule; a token of the external scanner |
//! | `"text"`, `/expression/` | a token |
//! | `{ … }`, `!…` | a token made of parts; nothing before it |
//! | `… …`, `… \| …`, `( … )`, `()` | one after the other; one of them; grouping; nothing |
//! | `…*`, `…+`, `…?` | any number; once or more; perhaps |
//! | `…:name`, `…:"text"` | under another name in the tree |

mod line;

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::str::FromStr;

use self::line::GrammarLine;
use super::{Expr, Grammar, Rule, RuleId};

/// Where a text stops being a grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct NotationError {
    /// The line, counted from 1.
    pub line: usize,
    /// The text that was expected or found.
    pub what: String,
}

impl fmt::Display for Grammar {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("grammar ")?;
        write_name(to, &self.name)?;
        to.write_str("\nextras")?;
        for extra in &self.extras {
            to.write_char(' ')?;
            self.write(to, extra, Binding::Postfix)?;
        }
        for rule in &self.rules {
            to.write_char('\n')?;
            write_name(to, &rule.name)?;
            to.write_str(if rule.visible { " = " } else { " ~ " })?;
            self.write(to, &rule.body, Binding::Choice)?;
        }
        to.write_char('\n')
    }
}

/// How tightly what stands around an expression binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Choice,
    Seq,
    Postfix,
    Prefix,
}

impl Grammar {
    /// Returns an expression of this grammar as it is written.
    pub fn show(&self, expr: &Expr) -> String {
        let mut text = String::new();
        // A string takes everything.
        let _ = self.write(&mut text, expr, Binding::Choice);
        text
    }

    /// Writes one expression of this grammar; returns the error of the place written to.
    fn write(&self, to: &mut impl Write, expr: &Expr, around: Binding) -> fmt::Result {
        let inside = match expr {
            Expr::Choice(parts) if optional(parts).is_some() => Binding::Postfix,
            Expr::Choice(parts) if !parts.is_empty() => Binding::Choice,
            Expr::Seq(_) => Binding::Seq,
            Expr::Repeat(_) | Expr::Repeat1(_) | Expr::Alias { .. } => Binding::Postfix,
            _ => Binding::Prefix,
        };
        if inside < around {
            to.write_char('(')?;
            self.write(to, expr, Binding::Choice)?;
            return to.write_char(')');
        }
        match expr {
            Expr::Empty => to.write_str("()"),
            Expr::Rule(id) => write_name(to, &self.rule(*id).name),
            Expr::Text(text) => write_text(to, text),
            Expr::Pattern(pattern) => write_pattern(to, pattern),
            Expr::External(name) => {
                to.write_char('$')?;
                write_name(to, name)
            }
            Expr::Token(body) => {
                to.write_char('{')?;
                self.write(to, body, Binding::Choice)?;
                to.write_char('}')
            }
            Expr::Immediate(body) => {
                to.write_char('!')?;
                self.write(to, body, Binding::Prefix)
            }
            Expr::Seq(parts) => self.write_parts(to, parts, " ", Binding::Postfix),
            Expr::Choice(parts) => match optional(parts) {
                Some(part) => {
                    self.write(to, part, Binding::Postfix)?;
                    to.write_char('?')
                }
                None if parts.is_empty() => to.write_str("(|)"),
                None => self.write_parts(to, parts, " | ", Binding::Seq),
            },
            Expr::Repeat(body) => {
                self.write(to, body, Binding::Postfix)?;
                to.write_char('*')
            }
            Expr::Repeat1(body) => {
                self.write(to, body, Binding::Postfix)?;
                to.write_char('+')
            }
            Expr::Alias { body, name, named } => {
                self.write(to, body, Binding::Postfix)?;
                to.write_char(':')?;
                if *named { write_name(to, name) } else { write_text(to, name) }
            }
        }
    }

    fn write_parts(
        &self,
        to: &mut impl Write,
        parts: &[Expr],
        between: &str,
        around: Binding,
    ) -> fmt::Result {
        for (place, part) in parts.iter().enumerate() {
            if place > 0 {
                to.write_str(between)?;
            }
            self.write(to, part, around)?;
        }
        Ok(())
    }
}

/// Returns what is optional in a choice between it and nothing.
fn optional(parts: &[Expr]) -> Option<&Expr> {
    match parts {
        [part, Expr::Empty] if *part != Expr::Empty => Some(part),
        _ => None,
    }
}

fn is_plain(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-')
}

fn write_name(to: &mut impl Write, name: &str) -> fmt::Result {
    if !name.is_empty() && name.chars().all(is_plain) {
        return to.write_str(name);
    }
    to.write_char('<')?;
    write_escaped(to, name, '>')?;
    to.write_char('>')
}

fn write_text(to: &mut impl Write, text: &str) -> fmt::Result {
    to.write_char('"')?;
    write_escaped(to, text, '"')?;
    to.write_char('"')
}

fn write_escaped(to: &mut impl Write, text: &str, end: char) -> fmt::Result {
    for character in text.chars() {
        match character {
            '\n' => to.write_str("\\n")?,
            '\r' => to.write_str("\\r")?,
            '\t' => to.write_str("\\t")?,
            '\\' => to.write_str("\\\\")?,
            _ if character == end => write!(to, "\\{character}")?,
            _ if character.is_control() => write!(to, "\\u{{{:x}}}", character as u32)?,
            _ => to.write_char(character)?,
        }
    }
    Ok(())
}

/// Escapes what would end the expression or the line; the expression means the same afterwards.
fn write_pattern(to: &mut impl Write, pattern: &str) -> fmt::Result {
    to.write_char('/')?;
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '/' => to.write_str("\\/")?,
            '\n' => to.write_str("\\n")?,
            '\r' => to.write_str("\\r")?,
            '\\' => {
                to.write_char('\\')?;
                to.write_char(characters.next().unwrap_or('\\'))?;
            }
            _ => to.write_char(character)?,
        }
    }
    to.write_char('/')
}

impl FromStr for Grammar {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Grammar, NotationError> {
        let mut rest = text.lines().enumerate().map(|(place, line)| (place + 1, line));
        let name = header(rest.next(), "grammar")?.name()?;
        let mut extras = header(rest.next(), "extras")?;
        let rules: Vec<(usize, &str)> = rest.filter(|(_, line)| !line.is_empty()).collect();

        let mut ids = HashMap::new();
        let mut heads = Vec::with_capacity(rules.len());
        for (place, (line, text)) in rules.iter().enumerate() {
            let mut head = GrammarLine { text, line: *line, ids: None };
            let name = head.name()?;
            let visible = head.takes('=');
            if !visible && !head.takes('~') {
                return Err(head.error("expected `=` or `~` after the name"));
            }
            ids.insert(name.clone(), RuleId(place as u32));
            heads.push((name, visible, head.text));
        }

        let mut grammar = Grammar { name, ..Grammar::default() };
        extras.ids = Some(&ids);
        while !extras.is_over() {
            grammar.extras.push(extras.postfix()?);
        }
        for ((line, _), (name, visible, text)) in rules.into_iter().zip(heads) {
            let mut body = GrammarLine { text, line, ids: Some(&ids) };
            let rule = Rule { name, visible, body: body.choice()? };
            if !body.is_over() {
                return Err(body.error("expected the end of the rule"));
            }
            grammar.rules.push(rule);
        }
        Ok(grammar)
    }
}

fn header<'a>(
    line: Option<(usize, &'a str)>,
    word: &str,
) -> Result<GrammarLine<'a>, NotationError> {
    let (line, text) = line.unwrap_or((1, ""));
    match text.strip_prefix(word) {
        Some(text) => Ok(GrammarLine { text, line, ids: None }),
        None => Err(NotationError { line, what: format!("expected `{word}`") }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::random;
    use super::*;

    #[test]
    fn a_grammar_is_written_as_it_is_read() {
        let text = "grammar <what is it>\n\
            extras /\\s/ comment (\"a\" \"b\")\n\
            sum = product (\"+\" product)* | () | (|)\n\
            product ~ number:factor !{\"\\\"\" /[a\\/\\\\]/}? ($_end | \"\\n\"):\";\"+\n\
            number = !/[0-9]+/:<odd \\> name>\n\
            comment = {(\"#\" | \"--\") /.*/}?\n";
        let grammar: Grammar = text.parse().unwrap();
        assert_eq!(grammar.to_string(), text);
        assert!(!grammar.rules[1].visible);
        assert_eq!(grammar.rules[0].body.parts().len(), 3);
    }

    #[test]
    fn an_error_says_the_line_and_what_was_met() {
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<Grammar>().unwrap_err().to_string(), expected);
        };
        check("", "line 1: expected `grammar`");
        check("grammar g\nextras\na = b", "line 3: there is no rule `b`, met ``");
        check(
            "grammar g\nextras\na = \"x",
            "line 3: expected `\"` before the end of the line, met `\"x`",
        );
        check(
            "grammar g\nextras\na \"x\"",
            "line 3: expected `=` or `~` after the name, met `\"x\"`",
        );
        check("grammar g\nextras\na = (\"x\"", "line 3: expected `)`, met ``");
        check("grammar g\nextras\na = \"x\")", "line 3: expected the end of the rule, met `)`");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(grammar in random::grammars()) {
            prop_assert_eq!(grammar.to_string().parse::<Grammar>(), Ok(grammar));
        }

        #[test]
        fn reading_never_panics(text in "(grammar g\nextras\n)?[a-z=~ \"/{}()!:<>$|*+?\\\\\n]{0,40}") {
            let _ = text.parse::<Grammar>();
        }

        #[test]
        fn any_text_and_name_survives(name in "\\PC*", text in any::<String>()) {
            let body = Expr::Text(text);
            let rules = vec![Rule { name, visible: true, body }];
            let grammar = Grammar { name: String::new(), rules, extras: Vec::new() };
            prop_assert_eq!(grammar.to_string().parse::<Grammar>(), Ok(grammar));
        }
    }
}
