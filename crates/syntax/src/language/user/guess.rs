//! Guesses which kinds of a user's language are names, numbers, strings and comments, by their
//! names. Grammars agree on such words to a large degree; a test compares the guesses with the
//! files of the languages that come with the tool.

use std::collections::BTreeSet;

use whodunit_grammar::{Expr, Grammar};

use crate::language::{Language, Profile};

const COMMENT: &[&str] = &["comment", "comments"];
const STRING: &[&str] = &["string", "char", "character", "rune", "heredoc"];
const NUMBER: &[&str] =
    &["number", "integer", "int", "float", "decimal", "hexadecimal", "numeral", "numeric", "real"];
const IDENTIFIER: &[&str] = &["identifier", "ident", "id", "name", "symbol"];

/// Words of kinds that are something around or inside of the above: `string_content`,
/// `integral_type`, `qualified_name`, `float_expression`.
const NOT: &[&str] = &[
    "array",
    "assignment",
    "beginning",
    "class",
    "clause",
    "content",
    "declaration",
    "definition",
    "delimiter",
    "end",
    "escape",
    "expression",
    "fragment",
    "interpolation",
    "list",
    "marker",
    "operator",
    "qualified",
    "range",
    "reference",
    "scoped",
    "sequence",
    "set",
    "start",
    "statement",
    "type",
];

const BRACKETS: [(&str, &str); 3] = [("(", ")"), ("[", "]"), ("{", "}")];

/// Returns a guess of a language's profile by the names of its kinds, and by its rules if they are
/// known.
pub(super) fn profile(language: &Language, grammar: Option<&Grammar>) -> Profile {
    let mut profile = Profile { name: language.name().to_owned(), ..Profile::default() };
    let names = |named: bool| -> BTreeSet<&str> {
        let kinds = language.kinds().filter(|kind| language.is_named(*kind) == named);
        kinds.map(|kind| language.kind_name(kind)).collect()
    };
    for name in names(true) {
        let list = match role(name) {
            Some(List::Comments) => &mut profile.comments,
            Some(List::Strings) => &mut profile.strings,
            Some(List::Numbers) if is_leaf(grammar, name) => &mut profile.numbers,
            Some(List::Identifiers) if is_leaf(grammar, name) => &mut profile.identifiers,
            _ => continue,
        };
        list.push(name.to_owned());
    }
    let signs = names(false);
    for (open, close) in BRACKETS {
        if signs.contains(open) && signs.contains(close) {
            profile.brackets.push((open.to_owned(), close.to_owned()));
        }
    }
    profile
}

enum List {
    Comments,
    Strings,
    Numbers,
    Identifiers,
}

fn role(name: &str) -> Option<List> {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    // An underscore in front means hidden, whatever it is.
    if name.starts_with('_') {
        None
    } else if has(&["identifier", "ident"]) && !has(&["scoped", "qualified", "list"]) {
        Some(List::Identifiers) // before the next: a `type_identifier` is a name
    } else if has(NOT) {
        None
    } else if has(COMMENT) {
        Some(List::Comments)
    } else if has(STRING) {
        Some(List::Strings)
    } else if has(NUMBER) {
        Some(List::Numbers)
    } else if has(IDENTIFIER) {
        Some(List::Identifiers)
    } else {
        None
    }
}

/// Returns the words of a name: two for `line_comment` and for `LineComment`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = '_';
    for character in name.chars() {
        let begins = character.is_uppercase() && before.is_lowercase();
        if begins || !character.is_alphanumeric() {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
        before = character;
    }
    words
}

/// Returns whether nodes of a kind can have no children, as far as is known.
fn is_leaf(grammar: Option<&Grammar>, name: &str) -> bool {
    let rule = grammar.and_then(|grammar| Some(grammar.rule(grammar.find(name)?)));
    rule.is_none_or(|rule| !names_a_rule(&rule.body))
}

fn names_a_rule(expr: &Expr) -> bool {
    matches!(expr, Expr::Rule(_)) || expr.parts().iter().any(names_a_rule)
}

#[cfg(feature = "default")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammars;

    /// Returns the differences between the guesses and the file of a language.
    fn differences(name: &str) -> String {
        let language = Language::by_name(name).unwrap();
        let guessed = profile(&language, grammars::grammar(name).as_ref());
        let lists = |profile: &Profile| {
            let lists =
                [&profile.identifiers, &profile.numbers, &profile.strings, &profile.comments];
            lists.map(|list| list.iter().cloned().collect::<BTreeSet<String>>())
        };
        let mut line = format!("{name}:");
        for (known, guessed) in lists(language.profile()).iter().zip(&lists(&guessed)) {
            line.extend(known.difference(guessed).map(|kind| format!(" -{kind}")));
            line.extend(guessed.difference(known).map(|kind| format!(" +{kind}")));
        }
        line
    }

    #[test]
    fn the_guesses_are_nearly_what_is_written_about_known_languages() {
        let names = ["c", "go", "java", "javascript", "json", "lua", "python", "rust", "smtlib"];
        let lines: Vec<String> = names.into_iter().map(differences).collect();
        let expected = [
            "c: +character +system_lib_string",
            "go: +blank_identifier -imaginary_literal",
            "java: -hex_floating_point_literal",
            "javascript:",
            "json:",
            "lua:",
            "python:",
            "rust: +doc_comment",
            "smtlib: -binary",
        ];
        assert_eq!(lines, expected);
    }
}
