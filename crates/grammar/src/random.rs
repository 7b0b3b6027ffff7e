//! Small random grammars, and all that they derive up to a length, for tests.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Expr, Grammar, Rule, RuleId};

/// A derived string of tokens, or a sequence of visible children.
pub(super) type Sentence = Vec<String>;

/// The part of a derivation that is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// The tokens at the very bottom.
    Tokens,
    /// The children: visible rules are not looked into.
    Children,
}

/// Returns grammars of a few rules over the tokens `a`, `b`, `c`.
pub(super) fn grammars() -> impl Strategy<Value = Grammar> {
    let rules = (1..=4_u32).prop_flat_map(|count| {
        prop::collection::vec((exprs(count), any::<bool>()), count as usize)
    });
    rules.prop_map(|rules| Grammar {
        name: "random".to_owned(),
        rules: rules
            .into_iter()
            .enumerate()
            .map(|(place, (body, visible))| Rule {
                name: format!("r{place}"),
                visible: visible || place == 0,
                body,
            })
            .collect(),
        extras: vec![Expr::Pattern(r"\s".to_owned())],
    })
}

fn exprs(count: u32) -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        3 => prop::sample::select(vec!["a", "b", "c"]).prop_map(|text| Expr::Text(text.to_owned())),
        3 => (0..count).prop_map(|rule| Expr::Rule(RuleId(rule))),
        1 => Just(Expr::Empty),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::seq),
            3 => prop::collection::vec(inner.clone(), 0..4).prop_map(Expr::choice),
            1 => inner.clone().prop_map(|body| Expr::Repeat(Box::new(body))),
            1 => inner.prop_map(|body| Expr::Repeat1(Box::new(body))),
        ]
    })
}

/// Returns the grammar with another rule as the one where a text begins.
pub(super) fn starting_with(grammar: &Grammar, rule: RuleId) -> Grammar {
    let text = grammar.to_string();
    let mut lines: Vec<&str> = text.lines().collect();
    let rules = lines.len() - grammar.rules.len();
    lines[rules..=rules + rule.0 as usize].rotate_right(1);
    lines.join("\n").parse().expect("it was written just now")
}

/// Returns for each rule all it derives of at most `longest` parts: by trying, to a fixpoint.
pub(super) fn derived(grammar: &Grammar, view: View, longest: usize) -> Vec<BTreeSet<Sentence>> {
    let mut known = vec![BTreeSet::new(); grammar.rules.len()];
    loop {
        let next: Vec<BTreeSet<Sentence>> = grammar
            .rules
            .iter()
            .map(|rule| words(grammar, &rule.body, &known, view, longest))
            .collect();
        if next == known {
            return known;
        }
        known = next;
    }
}

fn words(
    grammar: &Grammar,
    expr: &Expr,
    known: &[BTreeSet<Sentence>],
    view: View,
    longest: usize,
) -> BTreeSet<Sentence> {
    let words = |expr| words(grammar, expr, known, view, longest);
    match expr {
        Expr::Empty => BTreeSet::from([Sentence::new()]),
        Expr::Text(text) => BTreeSet::from([vec![text.clone()]]),
        Expr::Rule(id) if view == View::Children && grammar.rule(*id).visible => {
            BTreeSet::from([vec![grammar.rule(*id).name.clone()]])
        }
        Expr::Rule(id) => known[id.0 as usize].clone(),
        Expr::Seq(parts) => {
            let first = BTreeSet::from([Sentence::new()]);
            parts.iter().fold(first, |left, part| joined(&left, &words(part), longest))
        }
        Expr::Choice(parts) => parts.iter().flat_map(words).collect(),
        Expr::Repeat(body) | Expr::Repeat1(body) => {
            let once = words(body);
            let mut all = once.clone();
            for _ in 0..longest {
                all.extend(joined(&all, &once, longest));
            }
            if matches!(expr, Expr::Repeat(_)) {
                all.insert(Sentence::new());
            }
            all
        }
        _ => unreachable!("random grammars have no such expressions"),
    }
}

fn joined(
    left: &BTreeSet<Sentence>,
    right: &BTreeSet<Sentence>,
    longest: usize,
) -> BTreeSet<Sentence> {
    let pairs = left.iter().flat_map(|left| right.iter().map(move |right| (left, right)));
    let short = pairs.filter(|(left, right)| left.len() + right.len() <= longest);
    short.map(|(left, right)| [left.as_slice(), right.as_slice()].concat()).collect()
}
