//! Identifiers in messages: quoted ones first.

use std::sync::LazyLock;

use regex::Regex;

use super::{Mention, MentionKind};

/// Words that stand in quotes beside names, or that every output has.
const COMMON: &[&str] = &[
    "and",
    "are",
    "bool",
    "can",
    "cannot",
    "char",
    "class",
    "const",
    "def",
    "directory",
    "double",
    "enum",
    "error",
    "errors",
    "exit",
    "exited",
    "fail",
    "failed",
    "file",
    "float",
    "fn",
    "for",
    "found",
    "from",
    "func",
    "function",
    "has",
    "import",
    "int",
    "interface",
    "line",
    "long",
    "make",
    "module",
    "namespace",
    "not",
    "note",
    "package",
    "short",
    "signed",
    "static",
    "status",
    "str",
    "struct",
    "such",
    "test",
    "tests",
    "the",
    "this",
    "type",
    "typedef",
    "union",
    "unsigned",
    "void",
    "warning",
    "was",
    "with",
];

/// Words with fewer bytes are ignored: most are loop counters. Chosen by hand.
const MIN_WORD_BYTES: usize = 2;

/// Returns the identifiers in some text, each once.
pub(super) fn identifiers(text: &str) -> Vec<String> {
    static PATTERN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[\p{L}_$][\w$]*").expect("a pattern of ours is valid"));
    let mut found: Vec<String> = Vec::new();
    for word in PATTERN.find_iter(text) {
        let word = word.as_str();
        let is_common = word.len() < MIN_WORD_BYTES || COMMON.binary_search(&word).is_ok();
        if !is_common && !found.iter().any(|known| known == word) {
            found.push(word.into());
        }
    }
    found
}

/// Returns the identifiers between quotation marks.
pub(super) fn quoted(text: &str) -> Vec<String> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"'([^'\n]+)'|"([^"\n]+)"|`([^`'\n]+)[`']|‘([^’\n]+)’|“([^”\n]+)”"#)
            .expect("a pattern of ours is valid")
    });
    let quotes = PATTERN.captures_iter(text);
    let texts = quotes.filter_map(|quote| quote.iter().skip(1).flatten().next());
    let joined = texts.map(|text| text.as_str()).collect::<Vec<_>>().join(" ");
    identifiers(&joined)
}

/// Takes every identifier of a text that no table recognises as a hint: the quoted ones, or all of
/// them if nothing is quoted.
pub(super) fn scan(text: &str) -> Vec<Mention> {
    let mut names = quoted(text);
    if names.is_empty() {
        names = identifiers(text);
    }
    let mention = |name| {
        let names = vec![name];
        Mention { file: None, line: None, names, kind: MentionKind::Word }
    };
    names.into_iter().map(mention).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_words_can_be_looked_up() {
        assert!(COMMON.is_sorted());
    }

    #[test]
    fn quoted_names_come_without_what_stands_beside_them() {
        let names = quoted("'struct ns::Box' has no ‘put(int)’ like `f' or `g`");
        assert_eq!(names, ["ns", "Box", "put"]);
    }
}
