//! Errors in a grammar, and in a text that should follow it.

use std::fmt;

use crate::place::TextPosition;

/// A fault of a grammar or of its lexical part, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct GrammarError {
    /// The file, as the caller called it.
    pub file: String,
    /// The line, counted from one.
    pub line: usize,
    /// The problem.
    pub problem: Problem,
}

/// A problem of a grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Something else should have come.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// The expected text.
        expected: &'static str,
        /// The text that was found.
        found: String,
    },
    /// Something is begun and not ended; the line is where it begins.
    #[error("{what} is not closed: expected {expected}")]
    Unclosed {
        /// The construct that is not closed.
        what: &'static str,
        /// The text that would close it.
        expected: &'static str,
    },
    /// A literal without any text.
    #[error("a literal needs at least one character")]
    EmptyLiteral,
    /// A name with two meanings.
    #[error("`{name}` is defined already")]
    Twice {
        /// The name.
        name: String,
    },
    /// The start rule is not there.
    #[error("the start rule `{name}` has no rule")]
    NoStart {
        /// Its name.
        name: String,
    },
    /// Names that are neither rules nor tokens; the line is where the first one is used.
    #[error("neither a rule nor a line of the lexical part defines {}", Listed(names))]
    Undefined {
        /// The names, in the order of use.
        names: Vec<String>,
    },
    /// Rules that only lead back to themselves; the line is that of the first one.
    #[error("no finite string can be made from {}", Listed(rules))]
    NoFiniteString {
        /// The names of the rules.
        rules: Vec<String>,
    },
    /// A regular expression that cannot be used.
    #[error("the expression of `{name}` cannot be used: {reason}")]
    Expression {
        /// The token.
        name: String,
        /// The message of the expression's reader.
        reason: String,
    },
    /// A token that could be empty.
    #[error("the expression of `{name}` matches the empty string")]
    MatchesEmpty {
        /// The token.
        name: String,
    },
    /// A token that cannot be.
    #[error("the expression of `{name}` matches nothing at all")]
    MatchesNothing {
        /// The token.
        name: String,
    },
    /// A string that was chosen for a rule and is not one of its own.
    #[error("the minimal string `{text}` is not an `{name}`")]
    MinimalOfRule {
        /// The rule.
        name: String,
        /// The string.
        text: String,
    },
    /// A minimal string that is something else.
    #[error("the minimal string `{text}` of `{name}` is not read as one such token")]
    Minimal {
        /// The token.
        name: String,
        /// Its would-be minimal string.
        text: String,
    },
    /// All tokens together are too much for the lexer.
    #[error("the tokens cannot be recognised together: {reason}")]
    Lexer {
        /// The message of the lexer's builder.
        reason: String,
    },
}

/// Why a text is not a sentence of a grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// No token begins here.
    #[error("{place}: no token begins with `{found}`")]
    NoToken {
        /// Where.
        place: TextPosition,
        /// The beginning of what is there.
        found: String,
    },
    /// A token that cannot stand here.
    #[error("{place}: expected {}, found {found}", OneOf(expected))]
    Unexpected {
        /// Where.
        place: TextPosition,
        /// The tokens that could stand here, by name.
        expected: Vec<String>,
        /// The text at this place.
        found: String,
    },
    /// More text than places can be counted in.
    #[error("a text of {bytes} bytes is too large for a grammar of one's own")]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
}

/// Names in quotes, with commas.
struct Listed<'a>(&'a [String]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, name) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(formatter, "{comma}`{name}`")?;
        }
        Ok(())
    }
}

/// The first few names to choose from, and how many there are more.
struct OneOf<'a>(&'a [String]);

impl fmt::Display for OneOf<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// As many as a line holds.
        const SHOWN: usize = 8;
        let shown = self.0.len().min(SHOWN);
        if shown > 1 {
            formatter.write_str("one of ")?;
        }
        write!(formatter, "{}", self.0[..shown].join(", "))?;
        match self.0.len() - shown {
            0 => Ok(()),
            more => write!(formatter, " or {more} others"),
        }
    }
}
