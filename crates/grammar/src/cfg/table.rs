//! A grammar as the Earley parser wants it: flat productions, numbered, with what may come next.
//!
//! Repetition, options and nested choices become nonterminals of their own, which have no name and
//! no node. For every place inside a production the table knows which symbols can come next in any
//! text, so that the parser drops most of what classical Earley would carry along.

mod facts;
mod flat;
mod rows;

use std::collections::HashMap;
use std::ops::Range;

use self::flat::{Flat, Part};
use self::rows::Rows;
use crate::{Grammar, RuleId};

/// A terminal or a nonterminal, by its number in one grammar; meaningless in another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Symbol(pub(super) u32);

/// A place inside a production.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Dot(pub(super) u32);

/// The symbol after a [`Dot`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Next {
    /// Ordered so that places before the same nonterminal are neighbours.
    Nonterminal(Symbol),
    Terminal(Symbol),
    /// Nothing is left of a production of this nonterminal.
    End(Symbol),
}

/// The origin of a nonterminal in the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NonterminalOrigin {
    Rule(RuleId),
    /// A choice inside of a rule.
    Choice,
    /// A repetition inside of this rule.
    Repeat(RuleId),
}

#[derive(Clone, Debug)]
pub(super) struct Nonterminal {
    pub(super) role: NonterminalOrigin,
    /// The nonterminal that this one is without recursion on the left; mostly none.
    twin_of: Option<Symbol>,
    /// In the order of the grammar.
    pub(super) productions: Range<u32>,
    pub(super) is_nullable: bool,
    /// Whether it may be on a way from a nonterminal back to itself that adds no token.
    pub(super) is_cyclic: bool,
    /// The dots that stand before it.
    before: Range<u32>,
    /// The dots at the end of its productions.
    ends: Range<u32>,
}

#[derive(Clone, Debug)]
pub(super) struct Production {
    pub(super) symbols: Vec<Symbol>,
    /// The places in it: before each symbol, and at the end.
    pub(super) dots: Vec<Dot>,
}

/// The origin of a terminal in the grammar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Terminal {
    Text(String),
    Pattern(String),
    External(String),
    /// A token made of parts, as the grammar writes it.
    Token(String),
}

/// See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Table {
    nonterminals: Vec<Nonterminal>,
    terminals: Vec<Terminal>,
    numbers: HashMap<Terminal, u32>,
    /// For each rule that is one token, the terminal.
    token_rules: HashMap<RuleId, Symbol>,
    /// The other way round; the first rule if there are several.
    token_names: HashMap<Symbol, RuleId>,
    pub(super) productions: Vec<Production>,
    /// For each dot, what it stands before.
    nexts: Vec<Next>,
    /// For each dot, the one behind the symbol after it.
    behinds: Vec<Dot>,
    /// For each dot, whether it is the first of its production.
    firsts: Vec<bool>,
    /// For each dot, the symbols that can follow, in any text.
    lookahead: Rows,
}

impl Table {
    pub(super) fn new(grammar: &Grammar) -> Self {
        let mut flat = Flat::new(grammar);
        flat.group_to_the_left();
        let count = flat.roles.len() as u32;
        let symbol = |part: &Part| match part {
            Part::Nonterminal(number) => Symbol(*number),
            Part::Terminal(number) => Symbol(count + number),
        };
        let mut productions: Vec<Production> = Vec::new();
        let mut nonterminals = Vec::new();
        for (role, alternatives) in flat.roles.into_iter().zip(&flat.productions) {
            let start = productions.len() as u32;
            productions.extend(alternatives.iter().map(|parts| Production {
                symbols: parts.iter().map(symbol).collect(),
                dots: Vec::new(),
            }));
            nonterminals.push(Nonterminal {
                role,
                twin_of: flat.twins.get(&(nonterminals.len() as u32)).copied().map(Symbol),
                productions: start..productions.len() as u32,
                is_nullable: false,
                is_cyclic: false,
                before: 0..0,
                ends: 0..0,
            });
        }
        let token_rules: HashMap<RuleId, Symbol> = flat
            .token_rules
            .into_iter()
            .map(|(rule, number)| (rule, Symbol(count + number)))
            .collect();
        let mut token_names: HashMap<Symbol, RuleId> = HashMap::new();
        for (rule, symbol) in &token_rules {
            let name = token_names.entry(*symbol).or_insert(*rule);
            *name = (*name).min(*rule);
        }
        let mut table = Table {
            nonterminals,
            terminals: flat.terminals,
            numbers: flat.numbers,
            token_rules,
            token_names,
            productions,
            nexts: Vec::new(),
            behinds: Vec::new(),
            firsts: Vec::new(),
            lookahead: Rows::default(),
        };
        table.find_nullable();
        table.find_cycles();
        table.number_dots();
        table.find_lookahead();
        table
    }

    pub(super) fn nonterminal(&self, symbol: Symbol) -> Option<&Nonterminal> {
        self.nonterminals.get(symbol.0 as usize)
    }

    pub(super) fn count_nonterminals(&self) -> usize {
        self.nonterminals.len()
    }

    pub(super) fn count_dots(&self) -> usize {
        self.nexts.len()
    }

    /// Returns the nonterminal of a rule.
    pub(super) fn rule(&self, rule: RuleId) -> Symbol {
        Symbol(rule.0)
    }

    /// Returns how a rule shows when another one mentions it: its terminal if it is one token.
    pub(super) fn mention(&self, rule: RuleId) -> Symbol {
        self.token_rules.get(&rule).copied().unwrap_or_else(|| self.rule(rule))
    }

    /// Returns the first rule that is this one token; none for a literal and a nonterminal.
    pub(super) fn token_rule(&self, symbol: Symbol) -> Option<RuleId> {
        self.token_names.get(&symbol).copied()
    }

    pub(super) fn terminal(&self, terminal: &Terminal) -> Option<Symbol> {
        let number = self.numbers.get(terminal)?;
        Some(Symbol(self.nonterminals.len() as u32 + number))
    }

    /// Returns what a symbol is, if it is a terminal.
    pub(super) fn terminal_of(&self, symbol: Symbol) -> Option<&Terminal> {
        self.terminals.get((symbol.0 as usize).checked_sub(self.nonterminals.len())?)
    }

    /// Returns what stands for the end of the text where a symbol is wanted.
    pub(super) fn end_of_text(&self) -> Symbol {
        Symbol((self.nonterminals.len() + self.terminals.len()) as u32)
    }

    /// Returns the nonterminal that the grammar has in place of a twin; any other symbol itself.
    pub(super) fn untwinned(&self, symbol: Symbol) -> Symbol {
        self.nonterminal(symbol).and_then(|nonterminal| nonterminal.twin_of).unwrap_or(symbol)
    }

    /// Returns the productions of a nonterminal, in the order of the grammar; none of a terminal.
    pub(super) fn productions_of(&self, symbol: Symbol) -> Range<u32> {
        self.nonterminal(symbol).map_or(0..0, |nonterminal| nonterminal.productions.clone())
    }

    pub(super) fn next(&self, dot: Dot) -> Next {
        self.nexts[dot.0 as usize]
    }

    /// Returns the dot behind the symbol after this one, which is not the last.
    pub(super) fn behind(&self, dot: Dot) -> Dot {
        self.behinds[dot.0 as usize]
    }

    pub(super) fn is_first(&self, dot: Dot) -> bool {
        self.firsts[dot.0 as usize]
    }

    pub(super) fn can_go_on(&self, dot: Dot, with: Symbol) -> bool {
        self.lookahead.contains(dot.0 as usize, with.0 as usize)
    }

    /// Returns the dots that stand before a nonterminal.
    pub(super) fn before(&self, symbol: Symbol) -> Range<u32> {
        self.nonterminals[symbol.0 as usize].before.clone()
    }

    /// Returns the dots at the end of the productions of a nonterminal, in their order.
    pub(super) fn ends(&self, symbol: Symbol) -> Range<u32> {
        self.nonterminals[symbol.0 as usize].ends.clone()
    }

    /// Numbers the places inside productions so that those before one nonterminal, and those at
    /// the end of one, are neighbours.
    fn number_dots(&mut self) {
        let mut places: Vec<(Next, u32, u32)> = Vec::new();
        let count = self.nonterminals.len() as u32;
        for (lhs, nonterminal) in (0..).zip(&self.nonterminals) {
            for production in nonterminal.productions.clone() {
                let symbols = &self.productions[production as usize].symbols;
                for (place, symbol) in (0..).zip(symbols) {
                    let is_terminal = symbol.0 >= count;
                    let next = if is_terminal {
                        Next::Terminal(*symbol)
                    } else {
                        Next::Nonterminal(*symbol)
                    };
                    places.push((next, production, place));
                }
                places.push((Next::End(Symbol(lhs)), production, symbols.len() as u32));
            }
        }
        places.sort_unstable();
        for production in &mut self.productions {
            production.dots = vec![Dot(0); production.symbols.len() + 1];
        }
        for (dot, (next, production, place)) in (0..).zip(places) {
            self.productions[production as usize].dots[place as usize] = Dot(dot);
            self.nexts.push(next);
            self.firsts.push(place == 0);
            let (Next::Nonterminal(symbol) | Next::Terminal(symbol) | Next::End(symbol)) = next;
            let Some(nonterminal) = self.nonterminals.get_mut(symbol.0 as usize) else { continue };
            let is_end = matches!(next, Next::End(_));
            let range = if is_end { &mut nonterminal.ends } else { &mut nonterminal.before };
            *range = if range.end == 0 { dot..dot + 1 } else { range.start..dot + 1 };
        }
        self.behinds = vec![Dot(0); self.nexts.len()];
        for production in &self.productions {
            for pair in production.dots.windows(2) {
                self.behinds[pair[0].0 as usize] = pair[1];
            }
        }
    }
}
