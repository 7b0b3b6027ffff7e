//! The shortest text that a regular expression matches (HDD thesis, 5.3).
//!
//! Repetition becomes the least number of times, a character set one of its characters, a
//! disjunction the shortest of its sides. Among the characters of a set the most pleasant is taken:
//! `a`, then other letters and digits, control characters last.
//!
//! Expressions are read as tree-sitter reads them: `\w`, `\d`, `\s` mean ASCII, `\p{…}` Unicode.
//! Expressions without a shortest text of their own (look-around, word boundaries) are refused.

use std::borrow::Cow;

use regex_automata::hybrid::dfa::DFA;
use regex_automata::nfa::thompson;
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Why an expression gives no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// It is not a regular expression, or not one that is understood here.
    #[error("cannot read the regular expression `{pattern}`")]
    Syntax {
        /// The expression.
        pattern: String,
        /// The error of the reader.
        #[source]
        source: Box<regex_syntax::Error>,
    },
    /// The match depends on the surrounding text.
    #[error("the regular expression `{pattern}` looks at its surroundings")]
    LooksAround {
        /// The expression.
        pattern: String,
    },
    /// Nothing matches it.
    #[error("the regular expression `{pattern}` matches nothing")]
    Nothing {
        /// The expression.
        pattern: String,
    },
}

/// Returns the shortest text that `pattern` matches; of several, the most pleasant.
pub fn shortest(pattern: &str) -> Result<String, PatternError> {
    let hir = parse(pattern)?;
    match shortest_of(&hir) {
        Ok(Some(text)) => Ok(text),
        Ok(None) => Err(PatternError::Nothing { pattern: pattern.to_owned() }),
        Err(LooksAround) => Err(PatternError::LooksAround { pattern: pattern.to_owned() }),
    }
}

/// Says whether `pattern` matches the whole of `text`; `false` too for what is refused.
pub fn matches(pattern: &str, text: &str) -> bool {
    parse(pattern).is_ok_and(|hir| {
        hir.properties().look_set().is_empty() && end_of_longest(&hir, text) == Some(text.len())
    })
}

/// Returns where the longest match ends that begins with the text. An expression that is too large
/// for its automaton matches nothing.
fn end_of_longest(hir: &Hir, text: &str) -> Option<usize> {
    let nfa = thompson::Compiler::new().build_from_hir(hir).ok()?;
    let config = DFA::config().match_kind(MatchKind::All).skip_cache_capacity_check(true);
    let dfa = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
    let input = Input::new(text).anchored(Anchored::Yes);
    let end = dfa.try_search_fwd(&mut dfa.create_cache(), &input).ok()??;
    Some(end.offset())
}

/// How little a character pleases: the lower the better.
pub(super) fn plainness(character: char) -> u32 {
    match character {
        '0'..='9' => 0,
        'a'..='z' => 1,
        'A'..='Z' => 2,
        '_' => 3,
        '!'..='~' => 4,
        ' ' => 5,
        _ if !character.is_control() && !character.is_whitespace() => 6,
        _ => 7,
    }
}

struct LooksAround;

fn parse(pattern: &str) -> Result<Hir, PatternError> {
    ParserBuilder::new().build().parse(&ascii_classes(pattern)).map_err(|source| {
        PatternError::Syntax { pattern: pattern.to_owned(), source: Box::new(source) }
    })
}

/// Replaces the classes that mean ASCII in tree-sitter and Unicode in `regex-syntax`.
fn ascii_classes(pattern: &str) -> Cow<'_, str> {
    if !pattern.contains('\\') {
        return Cow::Borrowed(pattern);
    }
    let mut replaced = String::with_capacity(pattern.len() + 16);
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            replaced.push(character);
            continue;
        }
        match characters.next() {
            Some('w') => replaced.push_str("[0-9A-Za-z_]"),
            Some('W') => replaced.push_str("[^0-9A-Za-z_]"),
            Some('d') => replaced.push_str("[0-9]"),
            Some('D') => replaced.push_str("[^0-9]"),
            Some('s') => replaced.push_str(r"[\t-\r ]"),
            Some('S') => replaced.push_str(r"[^\t-\r ]"),
            Some(escaped) => replaced.extend(['\\', escaped]),
            None => replaced.push('\\'),
        }
    }
    Cow::Owned(replaced)
}

/// Returns the shortest text, or `None` where nothing matches.
fn shortest_of(hir: &Hir) -> Result<Option<String>, LooksAround> {
    Ok(match hir.kind() {
        HirKind::Empty => Some(String::new()),
        HirKind::Literal(literal) => String::from_utf8(literal.0.to_vec()).ok(),
        HirKind::Class(class) => most_pleasant(class).map(String::from),
        HirKind::Look(_) => return Err(LooksAround),
        HirKind::Repetition(repetition) if repetition.min == 0 => Some(String::new()),
        HirKind::Repetition(repetition) => {
            shortest_of(&repetition.sub)?.map(|text| text.repeat(repetition.min as usize))
        }
        HirKind::Capture(capture) => shortest_of(&capture.sub)?,
        HirKind::Concat(parts) => {
            let texts: Result<Vec<_>, _> = parts.iter().map(shortest_of).collect();
            texts?.into_iter().collect()
        }
        HirKind::Alternation(sides) => {
            let texts: Result<Vec<_>, _> = sides.iter().map(shortest_of).collect();
            texts?.into_iter().flatten().min_by_key(|text| cost(text))
        }
    })
}

fn cost(text: &str) -> (usize, u32) {
    (text.chars().count(), text.chars().map(plainness).sum())
}

fn most_pleasant(class: &Class) -> Option<char> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => {
            class.ranges().iter().map(|range| (range.start(), range.end())).collect()
        }
        Class::Bytes(class) => {
            let ranges = class.ranges().iter().filter(|range| range.end().is_ascii());
            ranges.map(|range| (range.start().into(), range.end().into())).collect()
        }
    };
    let holds =
        |character: &char| ranges.iter().any(|(start, end)| (start..=end).contains(&character));
    let ascii = ('a'..='z').chain('0'..='9').chain('A'..='Z').chain(['_']).chain('!'..='~');
    ascii
        .chain([' ', '\n', '\t'])
        .find(holds)
        .or_else(|| ranges.iter().map(|(start, _)| *start).min_by_key(|start| plainness(*start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, expected: &str) {
        assert_eq!(shortest(pattern).as_deref(), Ok(expected), "{pattern}");
        assert!(matches(pattern, expected), "{pattern} should match {expected:?}");
    }

    #[test]
    fn repetition_takes_the_least_sets_one_character_and_disjunction_the_shortest_side() {
        check("e*", "");
        check("e+", "e");
        check("e?", "");
        check("x{2,5}", "xx");
        check("[a-z]", "a");
        check("long|er|f", "f");
        check("(ab|c)d+", "cd");
    }

    #[test]
    fn letters_come_before_digits_signs_and_control_characters() {
        check(r"[^\n]", "a");
        check(r"\w+", "a");
        check(r"\d+", "0");
        check(r"[\x00-\x20;]", ";");
        check(r"\s", " ");
        check(r"[^a-zA-Z0-9]", "_");
        check("(?i)while", "while");
        check("[xX][0-9a-fA-F]+", "xa");
    }

    #[test]
    fn unicode_classes_and_escapes_of_javascript_are_understood() {
        check(r"[\p{XID_Start}_][\p{XID_Continue}]*", "a");
        check(r"\/\*[^*]*\*\/", "/**/");
        check(r"[^\x00-\x1F\s\p{Zs}0-9:;`#@,.{}()\[\]\-]", "a");
        check(r"\u00A0", "\u{a0}");
        check(r"[\s\u00A0\uFEFF\u3000]+", " ");
    }

    #[test]
    fn what_depends_on_its_surroundings_is_refused() {
        assert!(matches!(shortest(r"a\b"), Err(PatternError::LooksAround { .. })));
        assert!(matches!(shortest("a(?=b)"), Err(PatternError::Syntax { .. })));
        assert!(matches!(shortest("[a&&b]"), Err(PatternError::Nothing { .. })));
        assert!(matches!(shortest("("), Err(PatternError::Syntax { .. })));
    }

    #[test]
    fn a_match_is_of_the_whole_text() {
        assert!(matches(r"\s|\\\r?\n", " "));
        assert!(!matches(r"\s", "  "));
        assert!(matches("(a|aa)*b", "aaab"));
        assert!(!matches("(a|aa)*b", "aaa"));
        assert!(matches("(a*)*", "aaa"));
        assert!(matches("", "") && !matches("", "a"));
        assert!(!matches(r"a\b", "a"), "it depends on what comes next");
        assert!(!matches("[a&&b]", "a"));
    }
}
