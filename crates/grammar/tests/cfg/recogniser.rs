//! Sequences of symbols checked against a rule: children of a node, and sentences.

use whodunit_grammar::cfg::{Expand, Recogniser, Symbol};
use whodunit_grammar::{Expr, Grammar, Rule, RuleId};

fn text(text: &str) -> Expr {
    Expr::Text(text.to_owned())
}

fn rule(name: &str, body: Expr) -> Rule {
    Rule { name: name.to_owned(), visible: !name.starts_with('_'), body }
}

/// A list of values in brackets; the choice of values is hidden, the line end has no name.
fn lists() -> Grammar {
    let value = || Expr::Rule(RuleId(1));
    let more = Expr::Repeat(Box::new(Expr::Seq(vec![text(","), value()])));
    let values = Expr::Choice(vec![Expr::Empty, Expr::Seq(vec![value(), more])]);
    let end = Expr::Pattern("\\n".to_owned());
    let key =
        Expr::Alias { body: Box::new(Expr::Rule(RuleId(2))), name: "key".into(), named: true };
    let pair = Expr::Seq(vec![key, text(":"), value()]);
    let rules = vec![
        rule("list", Expr::Seq(vec![text("["), values, text("]"), end])),
        rule(
            "_value",
            Expr::Choice(vec![Expr::Rule(RuleId(0)), Expr::Rule(RuleId(2)), Expr::Rule(RuleId(3))]),
        ),
        rule("number", Expr::Pattern("[0-9]+".to_owned())),
        rule("pair", pair),
    ];
    Grammar { name: "lists".to_owned(), rules, extras: Vec::new() }
}

#[test]
fn the_children_of_a_node_are_recognised_by_name() {
    let recogniser = Recogniser::new(&lists(), Expand::Hidden);
    let kinds = |names: &[&str]| -> Vec<Symbol> {
        let is_named = |name: &str| name.starts_with(char::is_alphabetic);
        names.iter().map(|name| recogniser.kind(name, is_named(name)).unwrap()).collect()
    };
    let accepts = |rule, names: &[&str]| recogniser.accepts(RuleId(rule), &kinds(names));
    assert!(accepts(0, &["[", "]"]));
    assert!(accepts(0, &["[", "number", ",", "list", ",", "pair", "]"]));
    assert!(!accepts(0, &["[", "number", "list", "]"]));
    assert!(!accepts(0, &["[", "number", ","]));
    assert!(!accepts(0, &["[", "[", "]", "]"]), "a list inside is one child");
    assert!(accepts(3, &["key", ":", "list"]));
    assert!(!accepts(3, &["number", ":", "list"]), "it is called a key here");
    assert_eq!(recogniser.kind("_value", true), None);
    assert_eq!(recogniser.kind("nonsense", true), None);
}

#[test]
fn sentences_and_rules_can_be_mixed() {
    let recogniser = Recogniser::new(&lists(), Expand::All);
    let token = |expr: &Expr| recogniser.token(expr).unwrap();
    let (open, close) = (token(&text("[")), token(&text("]")));
    let end = token(&Expr::Pattern("\\n".to_owned()));
    let (comma, colon) = (token(&text(",")), token(&text(":")));
    let (list, number) = (recogniser.rule(RuleId(0)), recogniser.rule(RuleId(2)));
    assert!(recogniser.accepts(RuleId(0), &[open, open, close, end, comma, number, close, end]));
    assert!(recogniser.accepts(RuleId(0), &[open, list, comma, number, colon, list, close, end]));
    assert!(recogniser.accepts(RuleId(1), &[list]));
    assert!(recogniser.accepts(RuleId(2), &[number]));
    assert!(!recogniser.accepts(RuleId(0), &[open, list, comma, close, end]));
    assert!(!recogniser.accepts(RuleId(0), &[]));
}

#[test]
fn a_rule_without_alternatives_accepts_nothing() {
    let rules = vec![rule("none", Expr::Choice(Vec::new()))];
    let grammar = Grammar { name: "none".to_owned(), rules, extras: Vec::new() };
    assert!(!Recogniser::new(&grammar, Expand::All).accepts(RuleId(0), &[]));
}
