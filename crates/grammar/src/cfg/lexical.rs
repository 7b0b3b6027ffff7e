//! Reads the lexical part of a grammar: one token a line.
//!
//! A line is a name, a regular expression and, if wanted, the minimal string, with white space in
//! between; a line `%minimal RULE text` chooses a minimal string. The form is described in the text
//! of [`crate::cfg`].

use super::error::{GrammarError, Problem};

/// The name of what is read and then left out.
pub(super) const SKIP: &str = "SKIP";

/// Begins a line that chooses one of the minimal strings of a rule.
pub(super) const MINIMAL: &str = "%minimal";

/// The lexical part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lexical {
    pub(super) tokens: Vec<TokenLine>,
    pub(super) minimals: Vec<GivenMinimal>,
}

/// A minimal string that is chosen for a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GivenMinimal {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) line: usize,
}

/// A line of the lexical part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TokenLine {
    /// The token's name; none for what is left out.
    pub(super) name: Option<String>,
    pub(super) expression: String,
    pub(super) minimal: Option<String>,
    pub(super) line: usize,
}

impl TokenLine {
    /// Returns the name to use in messages.
    pub(super) fn shown_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| SKIP.to_owned())
    }
}

/// Reads the text of a file; `file` is for messages only.
pub(super) fn read(file: &str, text: &str) -> Result<Lexical, GrammarError> {
    let mut lines: Vec<TokenLine> = Vec::new();
    let mut minimals = Vec::new();
    for (place, text) in text.lines().enumerate() {
        let line = place + 1;
        let error = |problem| GrammarError { file: file.to_owned(), line, problem };
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let (name, rest) = field(text);
        if name == MINIMAL {
            let (name, text) = field(rest);
            minimals.push(GivenMinimal { name: name.to_owned(), text: text.to_owned(), line });
            continue;
        }
        if !is_name(name) {
            let (expected, found) = ("the name of a token, or `SKIP`", format!("`{name}`"));
            return Err(error(Problem::Expected { expected, found }));
        }
        let (expression, minimal) = field(rest);
        if expression.is_empty() {
            let (expected, found) = ("a regular expression", "the end of the line".to_owned());
            return Err(error(Problem::Expected { expected, found }));
        }
        let name = (name != SKIP).then(|| name.to_owned());
        if name.is_some() && lines.iter().any(|line| line.name == name) {
            return Err(error(Problem::Twice { name: name.unwrap_or_default() }));
        }
        let minimal = Some(minimal.to_owned()).filter(|minimal| !minimal.is_empty());
        if name.is_none()
            && let Some(found) = &minimal
        {
            let (expected, found) = ("nothing after an expression to skip", format!("`{found}`"));
            return Err(error(Problem::Expected { expected, found }));
        }
        lines.push(TokenLine { name, expression: expression.to_owned(), minimal, line });
    }
    Ok(Lexical { tokens: lines, minimals })
}

/// Cuts off the first field; a blank behind a backslash does not end it.
fn field(text: &str) -> (&str, &str) {
    let mut escaped = false;
    for (place, next) in text.char_indices() {
        if next.is_whitespace() && !escaped {
            return (&text[..place], text[place..].trim_start());
        }
        escaped = !escaped && next == '\\';
    }
    (text, "")
}

pub(super) fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && characters.all(|next| next.is_alphanumeric() || "_.-".contains(next))
}
