//! From the expressions of a grammar to flat productions.
//!
//! A nested choice becomes a nonterminal of its own, and so does a repetition, as a left-recursive
//! list: those are what an Earley parser does in linear time.

use std::collections::HashMap;

use super::{NonterminalOrigin, Terminal};
use crate::{Expr, Grammar, RuleId};

/// A grammar on its way to a table: how many nonterminals there are is not known yet.
pub(super) struct Flat {
    /// The origin of each nonterminal; the rules come first.
    pub(super) roles: Vec<NonterminalOrigin>,
    /// For each nonterminal its productions.
    pub(super) productions: Vec<Vec<Vec<Part>>>,
    pub(super) terminals: Vec<Terminal>,
    pub(super) numbers: HashMap<Terminal, u32>,
    /// The rules that are one token, and the number of the terminal.
    pub(super) token_rules: HashMap<RuleId, u32>,
    /// Nonterminals that are others without recursion on the left, and those others.
    pub(super) twins: HashMap<u32, u32>,
}

/// A symbol by its number among its own kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Nonterminal(u32),
    Terminal(u32),
}

impl Flat {
    pub(super) fn new(grammar: &Grammar) -> Self {
        let mut flat = Flat {
            roles: grammar.ids().map(NonterminalOrigin::Rule).collect(),
            productions: vec![Vec::new(); grammar.rules.len()],
            terminals: Vec::new(),
            numbers: HashMap::new(),
            token_rules: HashMap::new(),
            twins: HashMap::new(),
        };
        for rule in grammar.ids() {
            let body = &grammar.rule(rule).body;
            // A rule for one literal stays a rule, because the literal may be used elsewhere.
            if let (false, Some(terminal)) = (matches!(body, Expr::Text(_)), Terminal::of(body)) {
                let number = flat.terminal(terminal);
                flat.token_rules.insert(rule, number);
            }
        }
        for rule in grammar.ids() {
            flat.choice(rule.0, &grammar.rule(rule).body, rule);
        }
        flat
    }

    /// Gives every nonterminal that is recursive on the left a twin without that recursion, and
    /// puts it where the nonterminal stands last in one of its own productions.
    ///
    /// The sentences stay the same: `r: x r` over `r: r y` is also `r: r y` over `r: x r`. But
    /// `e: e '+' e` is not ambiguous any more, and takes linear time instead of cubic.
    pub(super) fn group_to_the_left(&mut self) {
        for nonterminal in 0..self.roles.len() {
            let productions = &self.productions[nonterminal];
            let is_own = |part: Option<&Part>| match part {
                Some(Part::Nonterminal(number)) => *number as usize == nonterminal,
                Some(Part::Terminal(_)) | None => false,
            };
            let is_left = |parts: &&Vec<Part>| is_own(parts.first());
            let ends_itself = |parts: &Vec<Part>| parts.len() > 1 && is_own(parts.last());
            if !productions.iter().any(|parts| is_left(&parts))
                || !productions.iter().any(ends_itself)
            {
                continue;
            }
            let twin = self.nonterminal(self.roles[nonterminal]);
            self.twins.insert(twin, nonterminal as u32);
            for parts in &mut self.productions[nonterminal] {
                if ends_itself(parts) {
                    parts.pop();
                    parts.push(Part::Nonterminal(twin));
                }
            }
            let others = self.productions[nonterminal].iter().filter(|parts| !is_left(parts));
            self.productions[twin as usize] = others.cloned().collect();
        }
    }

    /// Makes every alternative of an expression a production of a nonterminal.
    fn choice(&mut self, nonterminal: u32, body: &Expr, around: RuleId) {
        let alternatives = match body {
            Expr::Choice(alternatives) => alternatives.as_slice(),
            one => std::slice::from_ref(one),
        };
        for alternative in alternatives {
            let mut parts = Vec::new();
            self.sequence(alternative, around, &mut parts);
            self.productions[nonterminal as usize].push(parts);
        }
    }

    /// Adds what an expression stands for to a production. Recurses as deep as the grammar's own
    /// text nests.
    fn sequence(&mut self, body: &Expr, around: RuleId, parts: &mut Vec<Part>) {
        match body {
            Expr::Empty => {}
            Expr::Seq(bodies) => {
                for body in bodies {
                    self.sequence(body, around, parts);
                }
            }
            Expr::Choice(_) => {
                let nonterminal = self.nonterminal(NonterminalOrigin::Choice);
                self.choice(nonterminal, body, around);
                parts.push(Part::Nonterminal(nonterminal));
            }
            Expr::Repeat(inner) => self.repeat(inner, Least::None, around, parts),
            Expr::Repeat1(inner) => self.repeat(inner, Least::One, around, parts),
            Expr::Rule(rule) => parts.push(match self.token_rules.get(rule) {
                Some(number) => Part::Terminal(*number),
                None => Part::Nonterminal(rule.0),
            }),
            Expr::Alias { body, .. } => self.sequence(body, around, parts),
            Expr::Text(_)
            | Expr::Pattern(_)
            | Expr::External(_)
            | Expr::Token(_)
            | Expr::Immediate(_) => {
                if let Some(terminal) = Terminal::of(body) {
                    parts.push(Part::Terminal(self.terminal(terminal)));
                }
            }
        }
    }

    fn repeat(&mut self, body: &Expr, least: Least, around: RuleId, parts: &mut Vec<Part>) {
        let nonterminal = self.nonterminal(NonterminalOrigin::Repeat(around));
        let mut once = Vec::new();
        self.sequence(body, around, &mut once);
        let mut again = vec![Part::Nonterminal(nonterminal)];
        again.extend(&once);
        let productions = &mut self.productions[nonterminal as usize];
        productions.push(if least == Least::None { Vec::new() } else { once });
        productions.push(again);
        parts.push(Part::Nonterminal(nonterminal));
    }

    fn nonterminal(&mut self, role: NonterminalOrigin) -> u32 {
        self.roles.push(role);
        self.productions.push(Vec::new());
        self.roles.len() as u32 - 1
    }

    fn terminal(&mut self, terminal: Terminal) -> u32 {
        let next = self.terminals.len() as u32;
        let number = *self.numbers.entry(terminal.clone()).or_insert(next);
        if number == next {
            self.terminals.push(terminal);
        }
        number
    }
}

/// How often something has to come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Least {
    None,
    One,
}

impl Terminal {
    /// Returns the terminal that an expression is, if it is one token.
    pub(in crate::cfg) fn of(body: &Expr) -> Option<Self> {
        match body {
            Expr::Text(text) => Some(Terminal::Text(text.clone())),
            Expr::Pattern(pattern) => Some(Terminal::Pattern(pattern.clone())),
            Expr::External(name) => Some(Terminal::External(name.clone())),
            Expr::Token(inner) | Expr::Immediate(inner) => {
                Some(Terminal::of(inner).unwrap_or_else(|| Terminal::Token(format!("{inner:?}"))))
            }
            _ => None,
        }
    }
}
