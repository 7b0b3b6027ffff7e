//! Earley's algorithm (1970): recognises any context-free grammar, ambiguous or not.
//!
//! Symbols that may be empty are stepped over when they are predicted (Aycock and Horspool, 2002).
//! Departures: an item is only kept if the symbol at hand can come next in it, by FIRST and FOLLOW
//! sets, which leaves an LR-like handful of items a token; every item remembers where its last
//! symbol began, and whether there was a choice, so that a tree is read off without searching.
//! Leo's shortcut for right recursion is absent: with the look-ahead a right-recursive list is
//! linear unless its items can also begin what follows it.

use std::collections::HashMap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::table::{Dot, Next, Symbol, Table};

/// A place in a production, and what is known of how it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) dot: Dot,
    /// Where the production begins.
    pub(super) origin: u32,
    /// Where the symbol before the dot begins, the first way that was found.
    pub(super) split: u32,
    /// Whether there are other ways.
    pub(super) is_ambiguous: bool,
}

/// The result of a recogniser: for every place between two symbols the items that hold there.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    /// Set by set; inside a set by dot and origin.
    items: Vec<Item>,
    /// For each set the place after its last item, and before that the place after the last one
    /// that waits for a nonterminal: those come first, and are all that completing looks through.
    ends: Vec<(usize, usize)>,
    /// For cyclic nonterminals, by set, nonterminal and origin: the order in which they were
    /// completed within their set.
    ranks: HashMap<(u32, Symbol, u32), u32>,
}

/// Where a sequence of symbols goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The first symbol that does not fit; the end, if some are missing.
    pub(super) at: usize,
    /// The terminals that would, and the end of the text.
    pub(super) expected: Vec<Symbol>,
}

/// Reads symbols as a sentence of `start`.
pub(super) fn recognise(
    table: &Table,
    start: Symbol,
    symbols: &[Symbol],
) -> Result<Chart, Refusal> {
    let mut chart = Chart::default();
    let mut frontier = Frontier::new(table, start);
    let (mut kernel, mut next_kernel) = (Vec::new(), Vec::new());
    for place in 0..=symbols.len() {
        let at_hand = symbols.get(place).copied();
        let lookahead = at_hand.unwrap_or(table.end_of_text());
        frontier.close(&mut chart, place, &kernel, Some(lookahead));
        next_kernel.clear();
        match at_hand {
            Some(symbol) => frontier.scan(symbol, &mut next_kernel),
            None if frontier.is_accepting() => {
                frontier.save(&mut chart);
                return Ok(chart);
            }
            None => {}
        }
        if next_kernel.is_empty() {
            frontier.close(&mut chart, place, &kernel, None);
            return Err(Refusal { at: place, expected: frontier.expected() });
        }
        frontier.save(&mut chart);
        std::mem::swap(&mut kernel, &mut next_kernel);
    }
    Ok(chart)
}

impl Chart {
    /// Returns the items of a set, by dot and origin.
    pub(super) fn set(&self, place: u32) -> &[Item] {
        &self.items[self.start(place)..self.ends[place as usize].1]
    }

    fn start(&self, place: u32) -> usize {
        place.checked_sub(1).map_or(0, |before| self.ends[before as usize].1)
    }

    /// Returns the items of a set that wait for a nonterminal, which stands behind these dots.
    fn waiting(&self, place: u32, dots: Range<u32>) -> &[Item] {
        neighbours(&self.items[self.start(place)..self.ends[place as usize].0], dots)
    }

    /// Returns the items of a set whose dots are neighbours.
    pub(super) fn with_dots(&self, place: u32, dots: Range<u32>) -> &[Item] {
        neighbours(self.set(place), dots)
    }

    pub(super) fn find(&self, place: u32, dot: Dot, origin: u32) -> Option<&Item> {
        let set = self.set(place);
        let found = set.binary_search_by_key(&(dot, origin), |item| (item.dot, item.origin));
        found.ok().map(|found| &set[found])
    }

    /// Returns whether a cyclic nonterminal was completed before another one, both from `origin`
    /// to `place`.
    pub(super) fn is_before(&self, one: Symbol, other: Symbol, origin: u32, place: u32) -> bool {
        let rank = |symbol| self.ranks.get(&(place, symbol, origin));
        rank(one) < rank(other)
    }
}

fn neighbours(items: &[Item], dots: Range<u32>) -> &[Item] {
    let start = items.partition_point(|item| item.dot.0 < dots.start);
    let length = items[start..].partition_point(|item| item.dot.0 < dots.end);
    &items[start..start + length]
}

/// The set that is being made.
struct Frontier<'t> {
    table: &'t Table,
    start: Symbol,
    place: u32,
    lookahead: Option<Symbol>,
    items: Vec<Item>,
    /// Where an item is, by dot and origin; likewise for completed nonterminals, behind all dots.
    known: FxHashMap<(u32, u32), u32>,
    /// For each nonterminal whether it is predicted.
    is_predicted: Vec<bool>,
    predicted: Vec<Symbol>,
}

impl<'t> Frontier<'t> {
    fn new(table: &'t Table, start: Symbol) -> Self {
        Frontier {
            table,
            start,
            place: 0,
            lookahead: None,
            items: Vec::new(),
            known: FxHashMap::default(),
            is_predicted: vec![false; table.count_nonterminals()],
            predicted: Vec::new(),
        }
    }

    /// Makes the set of a place from the items that the last symbol led to.
    fn close(
        &mut self,
        chart: &mut Chart,
        place: usize,
        kernel: &[Item],
        lookahead: Option<Symbol>,
    ) {
        self.place = place as u32;
        self.lookahead = lookahead;
        self.items.clear();
        self.known.clear();
        for symbol in self.predicted.drain(..) {
            self.is_predicted[symbol.0 as usize] = false;
        }
        if place == 0 {
            self.predict(self.start);
        }
        for item in kernel {
            self.add(item.dot, item.origin, item.split);
        }
        let mut next = 0;
        while let Some(&item) = self.items.get(next) {
            next += 1;
            match self.table.next(item.dot) {
                Next::Terminal(_) => {}
                Next::Nonterminal(symbol) => {
                    self.predict(symbol);
                    if self.table.is_nullable(symbol) {
                        self.add(self.table.behind(item.dot), item.origin, self.place);
                    }
                }
                // Empty nonterminals were stepped over already.
                Next::End(_) if item.origin == self.place => {}
                Next::End(symbol) => self.complete(chart, symbol, item.origin),
            }
        }
    }

    fn predict(&mut self, symbol: Symbol) {
        if std::mem::replace(&mut self.is_predicted[symbol.0 as usize], true) {
            return;
        }
        self.predicted.push(symbol);
        let table = self.table;
        for production in table.productions_of(symbol) {
            self.add(table.productions[production as usize].dots[0], self.place, self.place);
        }
    }

    fn complete(&mut self, chart: &mut Chart, symbol: Symbol, origin: u32) {
        let key = (self.table.count_dots() as u32 + symbol.0, origin);
        let rank = self.known.len() as u32;
        if self.known.insert(key, rank).is_some() {
            return;
        }
        if self.table.nonterminal(symbol).is_some_and(|nonterminal| nonterminal.is_cyclic) {
            chart.ranks.insert((self.place, symbol, origin), rank);
        }
        for waiting in chart.waiting(origin, self.table.before(symbol)) {
            self.add(self.table.behind(waiting.dot), waiting.origin, origin);
        }
    }

    /// Adds an item, unless the symbol at hand cannot come next in it.
    fn add(&mut self, dot: Dot, origin: u32, split: u32) {
        if self.lookahead.is_some_and(|symbol| !self.table.can_go_on(dot, symbol)) {
            return;
        }
        let next = self.items.len() as u32;
        let found = *self.known.entry((dot.0, origin)).or_insert(next);
        if found == next {
            self.items.push(Item { dot, origin, split, is_ambiguous: false });
        } else {
            let item = &mut self.items[found as usize];
            item.is_ambiguous |= item.split != split;
        }
    }

    /// Collects the items that a symbol leads to.
    fn scan(&self, symbol: Symbol, kernel: &mut Vec<Item>) {
        for item in &self.items {
            if self.table.next(item.dot) == Next::Terminal(symbol) {
                let dot = self.table.behind(item.dot);
                kernel.push(Item { dot, split: self.place, is_ambiguous: false, ..*item });
            }
        }
    }

    fn is_accepting(&self) -> bool {
        if self.place == 0 {
            return self.table.is_nullable(self.start);
        }
        let is_whole =
            |item: &Item| item.origin == 0 && self.table.next(item.dot) == Next::End(self.start);
        self.items.iter().any(is_whole)
    }

    /// Returns the terminals that can come next, and the end of the text.
    fn expected(&self) -> Vec<Symbol> {
        let next = |item: &Item| match self.table.next(item.dot) {
            Next::Terminal(symbol) => Some(symbol),
            Next::Nonterminal(_) | Next::End(_) => None,
        };
        let mut expected: Vec<Symbol> = self.items.iter().filter_map(next).collect();
        expected.extend(self.is_accepting().then_some(self.table.end_of_text()));
        expected.sort_unstable();
        expected.dedup();
        expected
    }

    /// Puts the set into the chart, without what nothing will ask for: productions that have only
    /// begun and wait for a token.
    fn save(&self, chart: &mut Chart) {
        let start = chart.items.len();
        let is_asked_for = |item: &&Item| {
            !self.table.is_first(item.dot)
                || !matches!(self.table.next(item.dot), Next::Terminal(_))
        };
        chart.items.extend(self.items.iter().filter(is_asked_for));
        chart.items[start..].sort_unstable_by_key(|item| (item.dot, item.origin));
        let waiting = chart.items[start..]
            .partition_point(|item| matches!(self.table.next(item.dot), Next::Nonterminal(_)));
        chart.ends.push((start + waiting, chart.items.len()));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::cfg::table::Terminal;
    use crate::minimal::Minimal;
    use crate::random::{self, View};
    use crate::{Expr, Grammar, Rule, RuleId};

    /// Returns whether texts are the tokens of a sentence of the grammar.
    fn accepts<T: AsRef<str>>(grammar: &Grammar, texts: &[T]) -> bool {
        let table = Table::new(grammar);
        let symbol = |text: &T| table.terminal(&Terminal::Text(text.as_ref().to_owned()));
        let symbols: Option<Vec<Symbol>> = texts.iter().map(symbol).collect();
        let start = table.rule(RuleId(0));
        symbols.is_some_and(|symbols| recognise(&table, start, &symbols).is_ok())
    }

    #[test]
    fn a_rule_without_alternatives_accepts_nothing() {
        let body = Expr::Choice(Vec::new());
        let rules = vec![Rule { name: "none".to_owned(), visible: true, body }];
        let grammar = Grammar { name: "none".to_owned(), rules, extras: Vec::new() };
        assert!(!accepts::<&str>(&grammar, &[]));
    }

    proptest! {
        #[test]
        fn what_is_accepted_is_what_can_be_derived(
            grammar in random::grammars(),
            texts in prop::collection::vec(prop::collection::vec("[abc]", 0..6), 12),
        ) {
            for rule in grammar.ids() {
                let grammar = random::starting_with(&grammar, rule);
                let derived = random::derived(&grammar, View::Tokens, 5).swap_remove(0);
                for text in &texts {
                    prop_assert_eq!(accepts(&grammar, text), derived.contains(text), "{:?}", text);
                }
                for text in derived.iter().take(20) {
                    prop_assert!(accepts(&grammar, text), "{:?}", text);
                }
            }
        }

        #[test]
        fn every_minimal_string_is_accepted(grammar in random::grammars()) {
            let minimal = Minimal::new(&grammar, BTreeMap::new()).unwrap();
            for rule in grammar.ids() {
                let Some(phrase) = minimal.of(rule) else { continue };
                let tokens: Vec<&str> = phrase.text().split_whitespace().collect();
                prop_assert!(accepts(&random::starting_with(&grammar, rule), &tokens));
            }
        }
    }
}
