//! Reads the format of Misherghi's tool (thesis, chapter 7 and Figure 7.1): one file with the rules
//! as in YACC, a line `%%`, and the tokens.
//!
//! ```text
//! E : E '+' E | '(' E ')' | N ;
//! %%
//! N : [|[0-9]+|] [|1|];
//! SKIP : [|[ \t\n]+|];
//! ```
//!
//! Expressions are those of LEX as far as these differ from ours: text in double quotes stands for
//! itself. The minimal string may be left out, and is computed then. Declarations and a `%%` of
//! their own may stand before the rules.

use super::error::{GrammarError, Problem};
use super::lexical::{GivenMinimal, Lexical, MINIMAL, SKIP, TokenLine, is_name};

/// The two parts of such a file.
pub(super) struct OneFile {
    /// The rules, with a divider before them; lines have the numbers that they have in the file.
    pub(super) grammar: String,
    pub(super) lexical: Lexical,
}

/// Finds the tokens of a text: where they begin, if they are in this format.
fn tokens_start(text: &str) -> Option<usize> {
    let mut last = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        start += line.len();
        if line.trim() == "%%" {
            last = Some(start);
        }
    }
    let start = last?;
    let mut rest = text[start..].trim_start();
    while let Some(comment) = rest.strip_prefix("/*") {
        rest = comment.split_once("*/")?.1.trim_start();
    }
    let name = rest.strip_prefix(MINIMAL).unwrap_or(rest).trim_start();
    let after =
        name.trim_start_matches(|next: char| next.is_alphanumeric() || "_.-".contains(next));
    let after = after.trim_start();
    after.strip_prefix(':').unwrap_or(after).trim_start().starts_with("[|").then_some(start)
}

/// Returns whether a text has its tokens in itself.
pub(super) fn is_one_file(text: &str) -> bool {
    tokens_start(text).is_some()
}

/// Reads both parts of a text; `file` is for messages only.
pub(super) fn read(file: &str, text: &str) -> Result<OneFile, GrammarError> {
    let start = tokens_start(text).unwrap_or(text.len());
    let (rules, tokens) = text.split_at(start);
    let rules = rules.trim_end().strip_suffix("%%").unwrap_or(rules);
    let has_divider = rules.lines().any(|line| line.trim() == "%%");
    let grammar = if has_divider { rules.to_owned() } else { format!("%% {rules}") };
    let first_line = 1 + text[..start].matches('\n').count();
    let mut reader = Reader { file, text: tokens, next: 0, first_line };
    let mut lexical = Lexical::default();
    while reader.skip_space() {
        reader.definition(&mut lexical)?;
    }
    Ok(OneFile { grammar, lexical })
}

struct Reader<'t> {
    file: &'t str,
    text: &'t str,
    next: usize,
    /// The line of the file that the text begins on.
    first_line: usize,
}

impl<'t> Reader<'t> {
    /// Reads `NAME : [|expression|] [|minimal|];` or `%minimal NAME : [|text|];`.
    fn definition(&mut self, lexical: &mut Lexical) -> Result<(), GrammarError> {
        let line = self.line();
        let is_choice = self.take(MINIMAL);
        self.skip_space();
        let name = self.name()?;
        self.skip_space();
        if !self.take(":") && !is_choice {
            return Err(self.expected("`:` after the name of a token"));
        }
        let first = self.quoted()?.ok_or_else(|| self.expected("`[|`"))?;
        if is_choice {
            lexical.minimals.push(GivenMinimal { name, text: first.to_owned(), line });
        } else {
            let minimal = self.quoted()?.map(str::to_owned);
            let name = (name != SKIP).then_some(name);
            if name.is_some() && lexical.tokens.iter().any(|token| token.name == name) {
                let problem = Problem::Twice { name: name.unwrap_or_default() };
                return Err(GrammarError { file: self.file.to_owned(), line, problem });
            }
            let minimal = minimal.filter(|_| name.is_some());
            lexical.tokens.push(TokenLine { name, expression: from_lex(first), minimal, line });
        }
        self.skip_space();
        if self.take(";") { Ok(()) } else { Err(self.expected("`;` after a definition")) }
    }

    fn name(&mut self) -> Result<String, GrammarError> {
        let rest = &self.text[self.next..];
        let is_part = |next: char| next.is_alphanumeric() || "_.-".contains(next);
        let name = &rest[..rest.find(|next| !is_part(next)).unwrap_or(rest.len())];
        if !is_name(name) {
            return Err(self.expected("the name of a token, or `SKIP`"));
        }
        self.next += name.len();
        Ok(name.to_owned())
    }

    /// Reads `[|…|]`, if that is what follows.
    fn quoted(&mut self) -> Result<Option<&'t str>, GrammarError> {
        self.skip_space();
        let line = self.line();
        if !self.take("[|") {
            return Ok(None);
        }
        let rest = &self.text[self.next..];
        let Some(end) = rest.find("|]") else {
            let problem = Problem::Unclosed { what: "`[|`", expected: "`|]`" };
            return Err(GrammarError { file: self.file.to_owned(), line, problem });
        };
        self.next += end + 2;
        Ok(Some(&rest[..end]))
    }

    fn take(&mut self, expected: &str) -> bool {
        let is_there = self.text[self.next..].starts_with(expected);
        self.next += if is_there { expected.len() } else { 0 };
        is_there
    }

    /// Skips white space and comments; returns whether anything follows.
    fn skip_space(&mut self) -> bool {
        loop {
            let rest = &self.text[self.next..];
            let trimmed = rest.trim_start();
            self.next += rest.len() - trimmed.len();
            let end = match trimmed.strip_prefix("/*") {
                Some(comment) => comment.find("*/").map_or(trimmed.len(), |end| end + 4),
                None => return !trimmed.is_empty(),
            };
            self.next += end;
        }
    }

    fn line(&self) -> usize {
        self.first_line + self.text[..self.next].matches('\n').count()
    }

    fn expected(&self, expected: &'static str) -> GrammarError {
        let rest = self.text[self.next..].lines().next().unwrap_or_default().trim();
        let found = match rest {
            "" => "the end of the line".to_owned(),
            rest => format!("`{}`", rest.chars().take(20).collect::<String>()),
        };
        let problem = Problem::Expected { expected, found };
        GrammarError { file: self.file.to_owned(), line: self.line(), problem }
    }
}

/// Writes an expression of LEX as one of ours: text in double quotes stands for itself.
fn from_lex(expression: &str) -> String {
    let (mut written, mut in_class, mut in_quotes) = (String::new(), false, false);
    let mut characters = expression.chars();
    while let Some(next) = characters.next() {
        match next {
            '\\' => {
                written.push(next);
                written.extend(characters.next());
            }
            '"' if !in_class => in_quotes = !in_quotes,
            _ if in_quotes => {
                if !next.is_alphanumeric()
                    && next.is_ascii()
                    && !next.is_whitespace()
                    && next != '_'
                {
                    written.push('\\');
                }
                written.push(next);
            }
            '[' => {
                in_class = true;
                written.push(next);
            }
            ']' => {
                in_class = false;
                written.push(next);
            }
            _ => written.push(next),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::super::{Cfg, Source};
    use super::*;

    const ARITHMETIC: &str = "E : E '*' E { $$ = $1; } | '(' E ')' | N | NAME ;\n%%\n\
                              /* Figure 7.1 */\nN : [|[0-9]+|] [|1|];\nNAME : [|\"if\"|\"x*\"|];\n\
                              SKIP: [|\"/*\"([^\\*]|\\*[^/])*\"*/\"|];\nSKIP: [|[ \\n]+|];\n";

    fn cfg(text: &str) -> Result<Cfg, String> {
        let source = Source { name: "one.y", bytes: text.as_bytes() };
        Cfg::read_one_file(source).map_err(|error| error.to_string())
    }

    fn minimal(cfg: &Cfg, rule: &str) -> String {
        let minimal = cfg.minimal_strings().unwrap();
        minimal.of(cfg.grammar().find(rule).unwrap()).unwrap().text().to_owned()
    }

    #[test]
    fn rules_and_tokens_are_read_from_one_file() {
        assert!(is_one_file(ARITHMETIC) && !is_one_file("%%\nE: 'a';\n%%\nint main() {}\n"));
        let cfg = cfg(ARITHMETIC).unwrap();
        assert!(cfg.accepts(b"(12 * if) /* text * */ * x*"));
        assert!(!cfg.accepts(b"12 *"));
        assert_eq!(minimal(&cfg, "E"), "1");
    }

    #[test]
    fn of_several_minimal_strings_one_can_be_chosen() {
        let chosen = cfg(&format!("{ARITHMETIC}%minimal E : [|if|];\n")).unwrap();
        assert_eq!(minimal(&chosen, "E"), "if");
        let wrong = cfg(&format!("{ARITHMETIC}%minimal E [|else|];\n")).unwrap_err();
        assert_eq!(wrong, "one.y:8: the minimal string `else` is not an `E`");
    }

    #[test]
    fn faults_are_told_with_their_lines() {
        let unclosed = cfg("E : N ;\n%%\nN : [|0|] ;\nM : [|1").unwrap_err();
        assert_eq!(unclosed, "one.y:4: `[|` is not closed: expected `|]`");
        let missing = cfg("E : N ;\n%%\nN : [|0|]\nM : [|1|];").unwrap_err();
        assert_eq!(missing, "one.y:4: expected `;` after a definition, found `M : [|1|];`");
    }
}
