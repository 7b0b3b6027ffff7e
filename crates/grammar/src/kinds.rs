//! The kinds of nodes that a grammar's trees have, and what each can be made of.

use std::collections::{HashMap, HashSet};

use super::minimal::{Minimal, Phrase};
use super::{Expr, Grammar, RuleId};

/// The label of an edge of an automaton: the kinds that it accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// One symbol.
    One(KindId),
    /// The symbols of a hidden rule that stands for one symbol, by its place.
    Of(RuleId),
}

/// A kind of node, as a number; only good for the grammar it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindId(pub(super) u32);

/// How a hidden rule comes back to itself through hidden rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recursion {
    /// It does not.
    None,
    /// Only at its beginning.
    Left,
    /// Only at its end.
    Right,
    /// In between.
    Middle,
}

/// A text that can stand for an expression, by its number.
pub(super) type Filler = u32;

/// The content that a node can have.
#[derive(Clone, Copy, Debug)]
pub(super) enum NodeBody<'a> {
    /// Children.
    Parts(&'a Expr),
    /// The text of a token alone.
    Token(Filler),
}

/// The kinds of a grammar.
#[derive(Debug)]
pub(super) struct Kinds {
    grammar: Grammar,
    kinds: Vec<KindEntry>,
    named: HashMap<String, KindId>,
    unnamed: HashMap<String, KindId>,
    sources: HashMap<Expr, Filler>,
    phrases: Vec<Option<Phrase>>,
    /// For each hidden rule that always stands for one symbol, the symbols.
    singles: Vec<Option<HashSet<KindId>>>,
    recursion: Vec<Recursion>,
    /// For each rule whether its text was given rather than found.
    given: Vec<bool>,
}

#[derive(Debug)]
struct KindEntry {
    name: String,
    named: bool,
    /// The rules and tokens that make such a node.
    sources: Vec<Expr>,
}

impl Kinds {
    pub(super) fn new(grammar: Grammar, minimal: &Minimal) -> Kinds {
        let mut kinds = Kinds {
            kinds: Vec::new(),
            named: HashMap::new(),
            unnamed: HashMap::new(),
            sources: HashMap::new(),
            phrases: Vec::new(),
            singles: vec![None; grammar.rules.len()],
            recursion: recursion(&grammar),
            given: grammar.rules.iter().map(|rule| minimal.is_given(&rule.name)).collect(),
            grammar: Grammar::default(),
        };
        for (id, rule) in grammar.ids().zip(&grammar.rules) {
            let expr = Expr::Rule(id);
            if rule.visible {
                kinds.enter(&rule.name, true, &expr);
            }
            kinds.enter_source(&expr, minimal);
        }
        for body in grammar.rules.iter().map(|rule| &rule.body).chain(&grammar.extras) {
            kinds.collect(&grammar, body, minimal);
        }
        kinds.grammar = grammar;
        for id in kinds.grammar.ids() {
            let mut open = HashSet::new();
            kinds.singles[id.0 as usize] = kinds.singles_of(&Expr::Rule(id), &mut open);
        }
        kinds
    }

    fn collect(&mut self, grammar: &Grammar, expr: &Expr, minimal: &Minimal) {
        match expr {
            Expr::Seq(parts) | Expr::Choice(parts) => {
                parts.iter().for_each(|part| self.collect(grammar, part, minimal));
            }
            Expr::Repeat(body) | Expr::Repeat1(body) => self.collect(grammar, body, minimal),
            Expr::Empty | Expr::Rule(_) => {}
            token => {
                if let Some((name, named)) = shown(grammar, token) {
                    self.enter(name, named, source(token));
                }
                self.enter_source(source(token), minimal);
                if let Expr::Alias { body, .. } = token {
                    self.collect(grammar, body, minimal);
                }
            }
        }
    }

    fn enter(&mut self, name: &str, named: bool, source: &Expr) {
        let numbers = if named { &mut self.named } else { &mut self.unnamed };
        let next = KindId(self.kinds.len() as u32);
        let symbol = *numbers.entry(name.to_owned()).or_insert(next);
        if symbol == next {
            self.kinds.push(KindEntry { name: name.to_owned(), named, sources: Vec::new() });
        }
        let sources = &mut self.kinds[symbol.0 as usize].sources;
        if !sources.contains(source) {
            sources.push(source.clone());
        }
    }

    fn enter_source(&mut self, source: &Expr, minimal: &Minimal) {
        if !self.sources.contains_key(source) {
            self.sources.insert(source.clone(), self.phrases.len() as Filler);
            self.phrases.push(match source {
                Expr::Rule(id) => minimal.of(*id).cloned(),
                source => minimal.of_expr(source),
            });
        }
    }

    /// Returns the symbols of which `expr` always shows exactly one, if so.
    fn singles_of(&self, expr: &Expr, open: &mut HashSet<RuleId>) -> Option<HashSet<KindId>> {
        if let Some(symbol) = self.shown_as(expr) {
            return Some(HashSet::from([symbol]));
        }
        match expr {
            Expr::Choice(parts) if !parts.is_empty() => {
                let mut all = HashSet::new();
                for part in parts {
                    all.extend(self.singles_of(part, open)?);
                }
                Some(all)
            }
            Expr::Rule(id) if open.insert(*id) => {
                let known = self.singles[id.0 as usize].clone();
                let found = known.or_else(|| self.singles_of(&self.grammar.rule(*id).body, open));
                open.remove(id);
                found
            }
            _ => None,
        }
    }

    pub(super) fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    pub(super) fn count(&self) -> usize {
        self.kinds.len()
    }

    pub(super) fn find(&self, name: &str, named: bool) -> Option<KindId> {
        if named { &self.named } else { &self.unnamed }.get(name).copied()
    }

    pub(super) fn name(&self, symbol: KindId) -> (&str, bool) {
        let kind = &self.kinds[symbol.0 as usize];
        (&kind.name, kind.named)
    }

    /// Returns what such a node can be made of.
    pub(super) fn bodies(&self, symbol: KindId) -> Vec<NodeBody<'_>> {
        let sources = self.kinds[symbol.0 as usize].sources.iter();
        let body = |source| match source {
            &Expr::Rule(id) => NodeBody::Parts(&self.grammar.rule(id).body),
            repeated @ (Expr::Repeat(_) | Expr::Repeat1(_)) => NodeBody::Parts(repeated),
            token => NodeBody::Token(self.sources[token]),
        };
        sources.map(body).collect()
    }

    /// Returns the minimal string of such a node.
    pub(super) fn minimal(&self, symbol: KindId) -> Option<&Phrase> {
        let sources = self.kinds[symbol.0 as usize].sources.iter();
        sources.filter_map(|source| self.phrase(self.sources[source])).min()
    }

    pub(super) fn phrase(&self, filler: Filler) -> Option<&Phrase> {
        self.phrases[filler as usize].as_ref()
    }

    /// Returns the symbol as which an expression shows, if it shows as one.
    pub(super) fn shown_as(&self, expr: &Expr) -> Option<KindId> {
        let (name, named) = shown(&self.grammar, expr)?;
        self.find(name, named)
    }

    /// Returns the number of the minimal string of a token or a rule.
    pub(super) fn filler(&self, expr: &Expr) -> Filler {
        self.sources[source(expr)]
    }

    pub(super) fn is_single(&self, rule: RuleId) -> bool {
        self.singles[rule.0 as usize].is_some()
    }

    pub(super) fn recursion(&self, rule: RuleId) -> Recursion {
        self.recursion[rule.0 as usize]
    }

    pub(super) fn is_given(&self, rule: RuleId) -> bool {
        self.given[rule.0 as usize]
    }

    pub(super) fn lets(&self, label: Label, symbol: KindId) -> bool {
        match label {
            Label::One(one) => one == symbol,
            Label::Of(rule) => {
                self.singles[rule.0 as usize].as_ref().is_some_and(|all| all.contains(&symbol))
            }
        }
    }

    /// Returns the symbols that a label lets pass.
    pub(super) fn passing(&self, label: Label) -> Vec<KindId> {
        match label {
            Label::One(one) => vec![one],
            Label::Of(rule) => self.singles[rule.0 as usize].iter().flatten().copied().collect(),
        }
    }
}

/// Returns the name as which an expression shows, and whether that is a named node.
fn shown<'a>(grammar: &'a Grammar, expr: &'a Expr) -> Option<(&'a str, bool)> {
    match expr {
        Expr::Rule(id) => {
            let rule = grammar.rule(*id);
            rule.visible.then_some((&rule.name, true))
        }
        Expr::Text(text) => Some((text, false)),
        Expr::External(name) => (!name.starts_with('_')).then_some((name, true)),
        Expr::Immediate(body) => shown(grammar, body),
        Expr::Alias { name, named, .. } => Some((name, *named)),
        _ => None,
    }
}

/// Returns an expression without the name it shows under, unless that name is its text.
fn source(expr: &Expr) -> &Expr {
    match expr {
        Expr::Alias { body, named: false, .. } if matches!(**body, Expr::External(_)) => expr,
        Expr::Alias { body, .. } | Expr::Immediate(body) => source(body),
        expr => expr,
    }
}

/// A hidden rule named by another one.
struct Mention {
    rule: RuleId,
    first: bool,
    last: bool,
}

fn recursion(grammar: &Grammar) -> Vec<Recursion> {
    let mentions: Vec<Vec<Mention>> = grammar
        .rules
        .iter()
        .map(|rule| {
            let mut found = Vec::new();
            if !rule.visible {
                mentions(grammar, &rule.body, true, true, &mut found);
            }
            found
        })
        .collect();
    let reached: Vec<HashSet<RuleId>> = grammar.ids().map(|id| reached(&mentions, id)).collect();
    let returns = |from: RuleId, to: RuleId| reached[from.0 as usize].contains(&to);
    let kind = |id: RuleId| {
        if !returns(id, id) {
            return Recursion::None;
        }
        let circle: Vec<&Mention> = grammar
            .ids()
            .filter(|other| returns(id, *other) && returns(*other, id))
            .flat_map(|other| &mentions[other.0 as usize])
            .filter(|mention| returns(mention.rule, id))
            .collect();
        if circle.iter().all(|mention| mention.last) {
            Recursion::Right
        } else if circle.iter().all(|mention| mention.first) {
            Recursion::Left
        } else {
            Recursion::Middle
        }
    };
    grammar.ids().map(kind).collect()
}

fn reached(mentions: &[Vec<Mention>], from: RuleId) -> HashSet<RuleId> {
    let mut reached = HashSet::new();
    let mut waiting = vec![from];
    while let Some(id) = waiting.pop() {
        let next = mentions[id.0 as usize].iter().map(|mention| mention.rule);
        waiting.extend(next.filter(|next| reached.insert(*next)));
    }
    reached
}

fn mentions(grammar: &Grammar, expr: &Expr, first: bool, last: bool, found: &mut Vec<Mention>) {
    match expr {
        Expr::Rule(rule) if !grammar.rule(*rule).visible => {
            found.push(Mention { rule: *rule, first, last });
        }
        Expr::Seq(parts) => {
            for (place, part) in parts.iter().enumerate() {
                let (first, last) = (first && place == 0, last && place + 1 == parts.len());
                mentions(grammar, part, first, last, found);
            }
        }
        Expr::Choice(parts) => {
            parts.iter().for_each(|part| mentions(grammar, part, first, last, found));
        }
        Expr::Repeat(body) | Expr::Repeat1(body) => {
            mentions(grammar, body, false, false, found);
        }
        _ => {}
    }
}
