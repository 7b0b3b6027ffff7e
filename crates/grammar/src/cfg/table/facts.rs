//! Facts about a grammar: the nonterminals that may be empty, those that derive themselves, and the
//! symbols that can come next at every place.

use super::rows::Rows;
use super::{NonterminalOrigin, Symbol, Table};
use crate::RuleId;

impl Table {
    /// Returns the rules from which no finite string can be made.
    pub(in crate::cfg) fn unproductive(&self) -> Vec<RuleId> {
        let mut is_productive = vec![false; self.nonterminals.len()];
        let made = |is_productive: &[bool], symbol: &Symbol| {
            is_productive.get(symbol.0 as usize).is_none_or(|&is_productive| is_productive)
        };
        self.grow(&mut is_productive, |table, is_productive, production| {
            table.productions[production].symbols.iter().all(|s| made(is_productive, s))
        });
        self.rules_without(&is_productive)
    }

    /// Returns the rules that the first one does not lead to.
    pub(in crate::cfg) fn unreachable(&self) -> Vec<RuleId> {
        let mut is_reached = vec![false; self.nonterminals.len()];
        let mut found = vec![Symbol(0)];
        while let Some(symbol) = found.pop() {
            let Some(nonterminal) = self.nonterminal(symbol) else { continue };
            if !std::mem::replace(&mut is_reached[symbol.0 as usize], true) {
                let productions = nonterminal.productions.clone();
                found.extend(productions.flat_map(|p| &self.productions[p as usize].symbols));
            }
        }
        let mut rules = self.rules_without(&is_reached);
        rules.retain(|rule| !self.token_rules.contains_key(rule));
        rules
    }

    /// Marks nonterminals one of whose productions holds, until nothing changes.
    fn grow(&self, marks: &mut [bool], holds: impl Fn(&Table, &[bool], usize) -> bool) {
        let mut changed = true;
        while changed {
            changed = false;
            for (place, nonterminal) in self.nonterminals.iter().enumerate() {
                if !marks[place]
                    && nonterminal.productions.clone().any(|p| holds(self, marks, p as usize))
                {
                    marks[place] = true;
                    changed = true;
                }
            }
        }
    }

    fn rules_without(&self, marks: &[bool]) -> Vec<RuleId> {
        let unmarked = self.nonterminals.iter().zip(marks).filter(|(_, mark)| !**mark);
        unmarked
            .filter_map(|(nonterminal, _)| match nonterminal.role {
                NonterminalOrigin::Rule(rule) if nonterminal.twin_of.is_none() => Some(rule),
                _ => None,
            })
            .collect()
    }

    pub(super) fn find_nullable(&mut self) {
        let mut is_nullable = vec![false; self.nonterminals.len()];
        let empty = |marks: &[bool], symbol: &Symbol| {
            marks.get(symbol.0 as usize).is_some_and(|&is_nullable| is_nullable)
        };
        self.grow(&mut is_nullable, |table, marks, production| {
            table.productions[production].symbols.iter().all(|symbol| empty(marks, symbol))
        });
        for (nonterminal, is_nullable) in self.nonterminals.iter_mut().zip(is_nullable) {
            nonterminal.is_nullable = is_nullable;
        }
    }

    pub(in crate::cfg) fn is_nullable(&self, symbol: Symbol) -> bool {
        self.nonterminal(symbol).is_some_and(|nonterminal| nonterminal.is_nullable)
    }

    /// Leaves as cyclic what stays when nonterminals that lead nowhere, or that nothing leads to,
    /// are taken away again and again: all cycles, and perhaps what is between two of them.
    pub(super) fn find_cycles(&mut self) {
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for (from, nonterminal) in self.nonterminals.iter().enumerate() {
            for production in nonterminal.productions.clone() {
                let symbols = &self.productions[production as usize].symbols;
                let solid = symbols.iter().filter(|symbol| !self.is_nullable(**symbol)).count();
                for symbol in symbols {
                    let alone = solid == usize::from(!self.is_nullable(*symbol));
                    if alone && self.nonterminal(*symbol).is_some() {
                        edges.push((from, symbol.0 as usize));
                    }
                }
            }
        }
        let mut left = edges.len() + 1;
        while edges.len() < left {
            left = edges.len();
            let mut leads = vec![(false, false); self.nonterminals.len()];
            for &(from, to) in &edges {
                leads[from].0 = true;
                leads[to].1 = true;
            }
            edges.retain(|&(from, to)| leads[from].1 && leads[to].0);
        }
        for (from, _) in edges {
            self.nonterminals[from].is_cyclic = true;
        }
    }

    pub(super) fn find_lookahead(&mut self) {
        let symbols = self.end_of_text().0 as usize + 1;
        let firsts = self.first_symbols(symbols);
        let follows = self.follow_symbols(symbols, &firsts);
        let mut lookahead = Rows::new(self.nexts.len(), symbols);
        for (lhs, nonterminal) in self.nonterminals.iter().enumerate() {
            for production in nonterminal.productions.clone() {
                let production = &self.productions[production as usize];
                for (place, dot) in production.dots.iter().enumerate() {
                    let rest = &production.symbols[place..];
                    if self.add_first_of(rest, &firsts, &mut lookahead, dot.0 as usize) {
                        lookahead.add_row(dot.0 as usize, &follows, lhs);
                    }
                }
            }
        }
        self.lookahead = lookahead;
    }

    /// Adds what a sequence can begin with to a row; returns whether all of it may be empty.
    fn add_first_of(&self, symbols: &[Symbol], firsts: &Rows, to: &mut Rows, row: usize) -> bool {
        for symbol in symbols {
            to.add_row(row, firsts, symbol.0 as usize);
            if !self.is_nullable(*symbol) {
                return false;
            }
        }
        true
    }

    /// Returns for each symbol the terminals that it can begin with; a terminal with itself.
    fn first_symbols(&self, count: usize) -> Rows {
        let mut firsts = Rows::new(count, count);
        for symbol in self.nonterminals.len()..count {
            firsts.insert(symbol, symbol);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (lhs, nonterminal) in self.nonterminals.iter().enumerate() {
                for production in nonterminal.productions.clone() {
                    for symbol in &self.productions[production as usize].symbols {
                        changed |= firsts.add_own_row(lhs, symbol.0 as usize);
                        if !self.is_nullable(*symbol) {
                            break;
                        }
                    }
                }
            }
        }
        firsts
    }

    /// Returns for each nonterminal the symbols that can come after it.
    fn follow_symbols(&self, count: usize, firsts: &Rows) -> Rows {
        let mut follows = Rows::new(self.nonterminals.len(), count);
        // Behind the first rule, the whole text, there is its end.
        follows.insert(0, count - 1);
        let mut changed = true;
        while changed {
            changed = false;
            for (lhs, nonterminal) in self.nonterminals.iter().enumerate() {
                for production in nonterminal.productions.clone() {
                    let symbols = &self.productions[production as usize].symbols;
                    for (place, symbol) in symbols.iter().enumerate() {
                        let row = symbol.0 as usize;
                        if self.nonterminal(*symbol).is_none() {
                            continue;
                        }
                        let rest = &symbols[place + 1..];
                        let solid = rest.iter().position(|symbol| !self.is_nullable(*symbol));
                        for next in &rest[..solid.map_or(rest.len(), |solid| solid + 1)] {
                            changed |= follows.add_row(row, firsts, next.0 as usize);
                        }
                        if solid.is_none() {
                            changed |= follows.add_own_row(row, lhs);
                        }
                    }
                }
            }
        }
        follows
    }
}
