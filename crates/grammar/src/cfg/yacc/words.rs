//! The words of a YACC file: names, literals, marks, and whole actions as one word.
//!
//! Text in the host language (prologue, actions, the values of declarations) is only measured:
//! braces are counted, but not those in strings, character constants and comments.

use crate::cfg::error::{GrammarError, Problem};

/// A word and the line that it begins on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct YaccToken {
    pub(super) kind: YaccTokenKind,
    pub(super) line: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum YaccTokenKind {
    Name(String),
    /// A number of a declaration.
    Number(String),
    /// `'x'`, without the quotes and with the escapes undone.
    Character(String),
    /// `"…"`, likewise.
    Text(String),
    /// `{ … }`, also the condition of a rule.
    Action,
    /// `<…>`, the type of a value.
    Tag,
    /// `[name]`, a name for a symbol inside of actions.
    Reference,
    /// `%token` and the like, without the sign.
    Directive(String),
    /// `%%`
    Divider,
    Colon,
    Bar,
    Semicolon,
    Other(char),
}

impl YaccTokenKind {
    /// Returns the word as it is named in a message.
    pub(super) fn shown(&self) -> String {
        match self {
            YaccTokenKind::Name(name) => format!("`{name}`"),
            YaccTokenKind::Number(number) => format!("`{number}`"),
            YaccTokenKind::Character(text) => format!("`'{}'`", text.escape_debug()),
            YaccTokenKind::Text(text) => format!("`\"{}\"`", text.escape_debug()),
            YaccTokenKind::Action => "an action".to_owned(),
            YaccTokenKind::Tag => "a type in angle brackets".to_owned(),
            YaccTokenKind::Reference => "a name in square brackets".to_owned(),
            YaccTokenKind::Directive(name) => format!("`%{name}`"),
            YaccTokenKind::Divider => "`%%`".to_owned(),
            YaccTokenKind::Colon => "`:`".to_owned(),
            YaccTokenKind::Bar => "`|`".to_owned(),
            YaccTokenKind::Semicolon => "`;`".to_owned(),
            YaccTokenKind::Other(other) => format!("`{other}`"),
        }
    }
}

/// Cuts a file into words, up to the second `%%`: what follows it is in the host language.
pub(super) fn words(file: &str, text: &str) -> Result<Vec<YaccToken>, GrammarError> {
    let mut scanner = Scanner { file, rest: text, line: 1 };
    let mut words = Vec::new();
    let mut dividers = 0;
    while let Some(word) = scanner.word()? {
        dividers += usize::from(word.kind == YaccTokenKind::Divider);
        if dividers == 2 {
            break;
        }
        words.push(word);
    }
    Ok(words)
}

struct Scanner<'t> {
    file: &'t str,
    rest: &'t str,
    line: usize,
}

impl<'t> Scanner<'t> {
    fn word(&mut self) -> Result<Option<YaccToken>, GrammarError> {
        self.skip_blanks()?;
        let line = self.line;
        let Some(first) = self.rest.chars().next() else {
            return Ok(None);
        };
        let kind = match first {
            '%' => match self.percent()? {
                Some(kind) => kind,
                // A prologue: what comes next is the word.
                None => return self.word(),
            },
            '\'' => YaccTokenKind::Character(self.literal('\'', "a character", "`'`")?),
            '"' => YaccTokenKind::Text(self.literal('"', "a string", "`\"`")?),
            '{' => {
                self.skip_braces("an action")?;
                YaccTokenKind::Action
            }
            '<' => self.enclosed('<', '>', YaccTokenKind::Tag),
            '[' => self.enclosed('[', ']', YaccTokenKind::Reference),
            ':' => self.mark(YaccTokenKind::Colon),
            '|' => self.mark(YaccTokenKind::Bar),
            ';' => self.mark(YaccTokenKind::Semicolon),
            first if first.is_ascii_digit() => {
                YaccTokenKind::Number(self.take(|c| c.is_ascii_alphanumeric()).to_owned())
            }
            first if is_name(first) => {
                // A dash is part of a name in Bison; `-` never begins one.
                YaccTokenKind::Name(self.take(|c| is_name(c) || c == '-').to_owned())
            }
            other => {
                self.advance(other.len_utf8());
                YaccTokenKind::Other(other)
            }
        };
        Ok(Some(YaccToken { kind, line }))
    }

    /// Reads what a percent sign begins: nothing for a prologue.
    fn percent(&mut self) -> Result<Option<YaccTokenKind>, GrammarError> {
        let kind = match self.rest.as_bytes().get(1) {
            Some(b'%') => {
                self.advance(2);
                YaccTokenKind::Divider
            }
            Some(b'{') => {
                let Some(length) = self.rest.find("%}") else {
                    return Err(self.unclosed(self.line, "a prologue", "`%}`"));
                };
                self.advance(length + 2);
                return Ok(None);
            }
            Some(b'?') => {
                self.advance(2);
                self.skip_blanks()?;
                self.skip_braces("a condition")?;
                YaccTokenKind::Action
            }
            _ => {
                self.advance(1);
                YaccTokenKind::Directive(self.take(|c| is_name(c) || c == '-').to_owned())
            }
        };
        Ok(Some(kind))
    }

    /// Skips white space and comments.
    fn skip_blanks(&mut self) -> Result<(), GrammarError> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.advance(blanks);
            if !self.skip_comment()? {
                return Ok(());
            }
        }
    }

    /// Skips the comment that begins here; returns whether there is one.
    fn skip_comment(&mut self) -> Result<bool, GrammarError> {
        if self.rest.starts_with("//") {
            let length = self.rest.find('\n').unwrap_or(self.rest.len());
            self.advance(length);
            return Ok(true);
        }
        if self.rest.starts_with("/*") {
            let Some(length) = self.rest[2..].find("*/") else {
                return Err(self.unclosed(self.line, "a comment", "`*/`"));
            };
            self.advance(length + 4);
            return Ok(true);
        }
        Ok(false)
    }

    /// Skips what is between two braces, which begins here.
    fn skip_braces(&mut self, what: &'static str) -> Result<(), GrammarError> {
        let line = self.line;
        let mut depth = 0_usize;
        while let Some(next) = self.rest.chars().next() {
            match next {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                '\'' | '"' => {
                    self.skip_constant(next);
                    continue;
                }
                '/' if self.skip_comment()? => continue,
                _ => {}
            }
            self.advance(next.len_utf8());
            if depth == 0 {
                return Ok(());
            }
        }
        Err(self.unclosed(line, what, "`}`"))
    }

    /// Skips a string or character of the host language. It ends with its line at the latest: an
    /// apostrophe is not always a quote there.
    fn skip_constant(&mut self, quote: char) {
        let mut escaped = false;
        let mut length = self.rest.len();
        for (place, next) in self.rest.char_indices().skip(1) {
            if !escaped && (next == quote || next == '\n') {
                length = place + 1;
                break;
            }
            escaped = !escaped && next == '\\';
        }
        self.advance(length);
    }

    /// Reads a literal of the grammar, which begins here.
    fn literal(
        &mut self,
        quote: char,
        what: &'static str,
        expected: &'static str,
    ) -> Result<String, GrammarError> {
        let mut text = String::new();
        let mut rest = self.rest[1..].chars();
        while let Some(next) = rest.next() {
            match next {
                '\\' => text.push(unescape(&mut rest)),
                '\n' => break,
                next if next == quote => {
                    let error = self.error(self.line, Problem::EmptyLiteral);
                    self.advance(self.rest.len() - rest.as_str().len());
                    return if text.is_empty() { Err(error) } else { Ok(text) };
                }
                next => text.push(next),
            }
        }
        Err(self.unclosed(self.line, what, expected))
    }

    /// Reads `<…>` or `[…]`, if it is closed on its line; otherwise the mark alone.
    fn enclosed(&mut self, open: char, close: char, kind: YaccTokenKind) -> YaccTokenKind {
        let line = self.rest.lines().next().unwrap_or_default();
        match line.find(close) {
            Some(length) => {
                self.advance(length + 1);
                kind
            }
            None => self.mark(YaccTokenKind::Other(open)),
        }
    }

    fn mark(&mut self, kind: YaccTokenKind) -> YaccTokenKind {
        self.advance(1);
        kind
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let length = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let taken = &self.rest[..length];
        self.advance(length);
        taken
    }

    fn advance(&mut self, bytes: usize) {
        self.line += self.rest[..bytes].matches('\n').count();
        self.rest = &self.rest[bytes..];
    }

    fn unclosed(&self, line: usize, what: &'static str, expected: &'static str) -> GrammarError {
        self.error(line, Problem::Unclosed { what, expected })
    }

    fn error(&self, line: usize, problem: Problem) -> GrammarError {
        GrammarError { file: self.file.to_owned(), line, problem }
    }
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '.'
}

/// Reads what follows a backslash, as C does.
fn unescape(rest: &mut std::str::Chars<'_>) -> char {
    let Some(next) = rest.next() else {
        return '\\';
    };
    let (radix, most) = match next {
        'n' => return '\n',
        't' => return '\t',
        'r' => return '\r',
        'a' => return '\x07',
        'b' => return '\x08',
        'f' => return '\x0C',
        'v' => return '\x0B',
        'x' => (16, 2),
        '0'..='7' => (8, 3),
        other => return other,
    };
    let mut code = next.to_digit(8).unwrap_or(0);
    let mut read = usize::from(radix == 8);
    while read < most
        && let Some(digit) = rest.clone().next().and_then(|digit| digit.to_digit(radix))
    {
        code = code * radix + digit;
        rest.next();
        read += 1;
    }
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}
