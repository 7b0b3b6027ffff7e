//! The output of `whodunit grammar`: for people, and as JSON.

use std::fmt::Write;

use serde::Serialize;
use whodunit_jobs::grammar::minimal::Phrase;
use whodunit_jobs::grammar::{Expr, Rule, RuleId};
use whodunit_jobs::syntax::language::Language;

use super::Rules;
use crate::inert;
use crate::output::{self, STRONG};
use crate::trouble::Trouble;

/// Characters of a line; the alternatives of a longer rule get lines of their own.
const WIDTH: usize = 100;

#[derive(Serialize)]
struct LanguageJson<'a> {
    name: &'a str,
    other_names: &'a [String],
    extensions: &'a [String],
    file_names: &'a [String],
}

#[derive(Serialize)]
struct GrammarJson<'a> {
    name: &'a str,
    /// The start rule.
    start: Option<&'a str>,
    /// Rules that may stand between any two tokens.
    extras: Vec<String>,
    /// Rules from which no finite string can be made.
    endless: Vec<&'a str>,
    rules: Vec<RuleJson<'a>>,
}

#[derive(Serialize)]
struct RuleJson<'a> {
    name: &'a str,
    visible: bool,
    body: String,
    minimal: Option<MinimalJson<'a>>,
}

#[derive(Serialize)]
struct MinimalJson<'a> {
    text: &'a str,
    tokens: usize,
    /// The number of tokens that were guessed to be empty.
    guesses: usize,
    /// Whether the minimal string was given instead of computed.
    given: bool,
}

/// Lists the languages that are built in.
pub(super) fn languages(json: bool) -> Result<String, Trouble> {
    let profiles = Language::all().iter().map(Language::profile);
    if json {
        let languages = profiles.map(|profile| LanguageJson {
            name: &profile.name,
            other_names: &profile.other_names,
            extensions: &profile.extensions,
            file_names: &profile.file_names,
        });
        return to_json(&languages.collect::<Vec<_>>());
    }
    let mut text = String::new();
    for profile in profiles {
        let extensions = profile.extensions.iter().map(|extension| format!(".{extension}"));
        let files: Vec<String> = extensions.chain(profile.file_names.iter().cloned()).collect();
        let _ = writeln!(text, "{STRONG}{:12}{STRONG:#} {}", profile.name, files.join(" "));
    }
    Ok(text)
}

/// Shows some rules.
pub(super) fn rules(rules: &Rules, shown: &[RuleId], json: bool) -> Result<String, Trouble> {
    let Rules { grammar, minimal } = rules;
    let endless: Vec<&str> = minimal
        .endless()
        .filter(|rule| shown.contains(rule))
        .map(|rule| grammar.rule(rule).name.as_str())
        .collect();
    if json {
        let rule = |&id: &RuleId| {
            let rule = grammar.rule(id);
            let minimal = minimal.of(id).map(|phrase| MinimalJson {
                text: phrase.text(),
                tokens: phrase.tokens(),
                guesses: phrase.guesses(),
                given: minimal.is_given(&rule.name),
            });
            let body = grammar.show(&rule.body);
            RuleJson { name: &rule.name, visible: rule.visible, body, minimal }
        };
        return to_json(&GrammarJson {
            name: &grammar.name,
            start: grammar.rules.first().map(|rule| rule.name.as_str()),
            extras: grammar.extras.iter().map(|extra| grammar.show(extra)).collect(),
            endless,
            rules: shown.iter().map(rule).collect(),
        });
    }
    let mut text = String::new();
    for &id in shown {
        let rule = grammar.rule(id);
        write_rule(&mut text, rule, |expr| output::plain(&grammar.show(expr)));
        let given = minimal.is_given(&rule.name);
        let _ = writeln!(text, "    minimal: {}", phrase(minimal.of(id), given));
    }
    if shown.len() > 1 {
        let extras: Vec<String> = grammar.extras.iter().map(|extra| grammar.show(extra)).collect();
        let extras = output::plain(&extras.join(", "));
        let _ = write!(text, "\n{} rules", shown.len());
        if let Some(start) = grammar.rules.first() {
            let _ = write!(text, "; a whole text is `{}`", output::plain(&start.name));
        }
        if !extras.is_empty() {
            let _ = write!(text, "; between tokens may stand {extras}");
        }
        text.push('\n');
    }
    if !endless.is_empty() {
        let endless = output::plain(&endless.join(", "));
        let _ = writeln!(text, "no finite string can be made from {endless}");
    }
    Ok(text)
}

/// Writes a rule on one line, or each of its alternatives on its own.
fn write_rule(text: &mut String, rule: &Rule, show: impl Fn(&Expr) -> String) {
    let name = output::plain(&rule.name);
    let sign = if rule.visible { '=' } else { '~' };
    let _ = write!(text, "{STRONG}{name}{STRONG:#} {sign}");
    let body = show(&rule.body);
    let fits = name.chars().count() + body.chars().count() + " = ".len() <= WIDTH;
    match &rule.body {
        // A choice with an empty alternative is written `…?`, whatever its length.
        Expr::Choice(parts) if !fits && !parts.contains(&Expr::Empty) => {
            for (place, part) in parts.iter().enumerate() {
                let sign = if place == 0 { ' ' } else { '|' };
                let _ = write!(text, "\n  {sign} {}", show(part));
            }
            text.push('\n');
        }
        _ => {
            let _ = writeln!(text, " {body}");
        }
    }
}

/// Returns a minimal string and where it came from.
fn phrase(phrase: Option<&Phrase>, given: bool) -> String {
    let Some(phrase) = phrase else { return "none".into() };
    let escape = |char: char| match char {
        char if char.is_control() => char.escape_default().to_string(),
        char => char.to_string(),
    };
    let mut said = match phrase.text() {
        "" => "nothing".into(),
        text => format!("`{}`", text.chars().map(escape).collect::<String>()),
    };
    if given {
        said.push_str(" (given)");
    }
    match phrase.guesses() {
        0 => {}
        1 => said.push_str(" (one token was guessed to be empty)"),
        guesses => said.push_str(&format!(" ({guesses} tokens were guessed to be empty)")),
    }
    said
}

fn to_json(value: &impl Serialize) -> Result<String, Trouble> {
    Ok(inert::json(value).map_err(|error| Trouble::Output(error.into()))? + "\n")
}
