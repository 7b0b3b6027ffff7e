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

use super::table::{Dot, Expand, Next, Starts, Symbol, Table, Terminal};
use crate::grammar::{Expr, Grammar, RuleId};

/// Tells whether a sequence of symbols can be made from a rule.
///
/// The symbols may be tokens, or rules that are left as they are: a rule fits wherever it is
/// mentioned. So it answers for a whole text, and for the children of one node as well.
///
/// ```
/// use whodunit_syntax::cfg::{Expand, Recogniser};
/// use whodunit_syntax::grammar::{Expr, Grammar, Rule, RuleId};
///
/// // block: '{' block* '}'
/// let text = |text: &str| Expr::Text(text.to_owned());
/// let blocks = Expr::Repeat(Box::new(Expr::Rule(RuleId(0))));
/// let body = Expr::Seq(vec![text("{"), blocks, text("}")]);
/// let rules = vec![Rule { name: "block".to_owned(), visible: true, body }];
/// let grammar = Grammar { name: "blocks".to_owned(), rules, extras: vec![] };
///
/// let recogniser = Recogniser::new(&grammar, Expand::Hidden);
/// let kind = |name, is_named| recogniser.kind(name, is_named).expect("the grammar has it");
/// let (open, block, close) = (kind("{", false), kind("block", true), kind("}", false));
/// assert!(recogniser.accepts(RuleId(0), &[open, block, block, close]));
/// assert!(!recogniser.accepts(RuleId(0), &[open, block]));
/// ```
#[derive(Clone, Debug)]
pub struct Recogniser {
    table: Table,
    expand: Expand,
}

impl Recogniser {
    /// Prepares a grammar; takes a while, so keep it.
    pub fn new(grammar: &Grammar, expand: Expand) -> Self {
        Recogniser { table: Table::new(grammar, expand, Starts::Any), expand }
    }

    /// Returns the symbol of a rule as it is mentioned in others; with [`Expand::Hidden`] visible
    /// rules are found by [`Recogniser::kind`] instead.
    pub fn rule(&self, rule: RuleId) -> Symbol {
        self.table.mention(rule)
    }

    /// Returns the symbol of a token; none if the grammar has no such token.
    pub fn token(&self, token: &Expr) -> Option<Symbol> {
        self.table.terminal(&Terminal::of(token)?)
    }

    /// Returns the symbol of a child by what it is called in the tree: the name of a rule or an
    /// alias if `is_named`, the text of a token otherwise. None if no rule mentions it.
    pub fn kind(&self, name: &str, is_named: bool) -> Option<Symbol> {
        match self.expand {
            Expand::Hidden => {
                self.table.terminal(&Terminal::Kind { name: name.to_owned(), is_named })
            }
            Expand::All => None,
        }
    }

    /// Returns whether the symbols, in this order, can be made from a rule.
    pub fn accepts(&self, rule: RuleId, symbols: &[Symbol]) -> bool {
        recognise(&self.table, self.table.rule(rule), symbols).is_ok()
    }
}

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

/// What a recogniser found out: for every place between two symbols the items that hold there.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    /// Set by set; inside a set by dot and origin.
    items: Vec<Item>,
    /// For each set the place after its last item, and before that the place after the last one
    /// that waits for a nonterminal: those come first, and are all that completing looks through.
    ends: Vec<(usize, usize)>,
    /// For cyclic nonterminals, by set, nonterminal and origin: the how-manieth they were
    /// completed in their set.
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
                // What is empty was stepped over already.
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
            if let Next::Terminal(next) | Next::Nonterminal(next) = self.table.next(item.dot)
                && next == symbol
            {
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
