//! One derivation out of all that a chart holds.
//!
//! The choice is the same every time: of the productions of a nonterminal the earliest that fits,
//! then the first child as long as can be, then the second, and so on. A derivation never contains
//! itself: where a cyclic grammar (`a: a | 'x'`) would allow that, a nonterminal that was completed
//! earlier is taken, and there always is one. Nothing here recurses.

use std::collections::HashSet;

use super::earley::{Chart, Item};
use super::table::{Symbol, Table};

/// A derivation as a list of steps, each before those below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Derivation {
    pub(super) steps: Vec<DerivationStep>,
}

/// A symbol and what it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DerivationStep {
    pub(super) symbol: Symbol,
    /// Its production; none for a token, and for an empty step.
    pub(super) production: Option<u32>,
    /// The first token.
    pub(super) start: u32,
    /// The token after the last.
    pub(super) end: u32,
    /// The place after the last step below this one.
    pub(super) after: u32,
}

impl Derivation {
    /// Reads off a derivation of all tokens from `start`, which the chart is known to have.
    pub(super) fn new(table: &Table, chart: &Chart, start: Symbol, tokens: u32) -> Self {
        /// Work to do.
        enum Task {
            Expand(Symbol, u32, u32),
            Close(usize),
        }
        let chooser = Chooser { table, chart };
        let mut steps: Vec<DerivationStep> = Vec::new();
        let mut tasks = vec![Task::Expand(start, 0, tokens)];
        while let Some(task) = tasks.pop() {
            let (symbol, start, end) = match task {
                Task::Expand(symbol, start, end) => (symbol, start, end),
                Task::Close(step) => {
                    steps[step].after = steps.len() as u32;
                    continue;
                }
            };
            let after = steps.len() as u32 + 1;
            let mut step = DerivationStep { symbol, production: None, start, end, after };
            if table.nonterminal(symbol).is_some() && start < end {
                let (production, bounds) = chooser.choose(symbol, start, end);
                step.production = Some(production);
                tasks.push(Task::Close(steps.len()));
                let symbols = &table.productions[production as usize].symbols;
                for (place, symbol) in symbols.iter().enumerate().rev() {
                    tasks.push(Task::Expand(*symbol, bounds[place], bounds[place + 1]));
                }
            }
            steps.push(step);
        }
        Derivation { steps }
    }

    /// Returns the places of the steps directly below one.
    pub(super) fn children(&self, step: usize) -> impl Iterator<Item = usize> {
        let end = self.steps[step].after as usize;
        let mut next = step + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.steps[child].after as usize;
            Some(child)
        })
    }
}

struct Chooser<'c> {
    table: &'c Table,
    chart: &'c Chart,
}

/// A way over one symbol of a production.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// Which symbol, counted from one.
    layer: usize,
    from: u32,
    to: u32,
}

impl Chooser<'_> {
    /// Returns a production of a nonterminal between two places, and the bounds of its symbols.
    fn choose(&self, symbol: Symbol, start: u32, end: u32) -> (u32, Vec<u32>) {
        for production in self.table.productions_of(symbol) {
            let dots = &self.table.productions[production as usize].dots;
            let Some(item) = self.chart.find(end, dots[dots.len() - 1], start) else { continue };
            let whole = Whole { symbol, production, start, end };
            if let Some(bounds) = self.follow(whole, item) {
                return (production, bounds);
            }
        }
        unreachable!("a nonterminal is only expanded where the chart has completed it")
    }

    /// Goes back the only way there is; leaves it to [`Chooser::search`] if there are several.
    fn follow(&self, whole: Whole, last: &Item) -> Option<Vec<u32>> {
        let production = &self.table.productions[whole.production as usize];
        let mut bounds = vec![whole.end; production.symbols.len() + 1];
        let mut item = last;
        for layer in (1..bounds.len()).rev() {
            if item.is_ambiguous {
                return self.search(whole);
            }
            let edge = Edge { layer, from: item.split, to: bounds[layer] };
            if !self.is_founded(whole, edge) {
                return None;
            }
            bounds[layer - 1] = edge.from;
            if layer > 1 {
                item = self.chart.find(edge.from, production.dots[layer - 1], whole.start)?;
            }
        }
        Some(bounds)
    }

    /// Finds all ways through a production and takes the one with the longest first symbols.
    fn search(&self, whole: Whole) -> Option<Vec<u32>> {
        let length = self.table.productions[whole.production as usize].symbols.len();
        let mut edges: Vec<Edge> = Vec::new();
        let mut places = vec![whole.end];
        for layer in (1..=length).rev() {
            let mut earlier: Vec<u32> = Vec::new();
            for &to in &places {
                for from in self.splits(whole, layer, to) {
                    let edge = Edge { layer, from, to };
                    if self.is_founded(whole, edge) {
                        edges.push(edge);
                        earlier.push(from);
                    }
                }
            }
            earlier.sort_unstable();
            earlier.dedup();
            places = earlier;
        }
        // An edge that is not founded can leave later ones without a beginning.
        edges.reverse();
        let mut reached = HashSet::from([(0, whole.start)]);
        edges.retain(|edge| {
            let is_reached = reached.contains(&(edge.layer - 1, edge.from));
            if is_reached {
                reached.insert((edge.layer, edge.to));
            }
            is_reached
        });
        if !reached.contains(&(length, whole.end)) {
            return None;
        }
        let mut bounds = vec![whole.start];
        for layer in 1..=length {
            let last = *bounds.last()?;
            let ways = edges.iter().filter(|edge| edge.layer == layer && edge.from == last);
            bounds.push(ways.map(|edge| edge.to).max()?);
        }
        Some(bounds)
    }

    /// Returns where the symbol of a layer can begin if it ends at `to`.
    fn splits(&self, whole: Whole, layer: usize, to: u32) -> Vec<u32> {
        let production = &self.table.productions[whole.production as usize];
        let Some(item) = self.chart.find(to, production.dots[layer], whole.start) else {
            return Vec::new();
        };
        if !item.is_ambiguous {
            return vec![item.split];
        }
        let symbol = production.symbols[layer - 1];
        let mut splits = Vec::new();
        if self.table.is_nullable(symbol) {
            splits.push(to);
        }
        let completed = self.chart.with_dots(to, self.table.ends(symbol)).iter();
        splits.extend(completed.map(|item| item.origin).filter(|&origin| origin < to));
        splits.sort_unstable();
        splits.dedup();
        splits.retain(|&from| match layer {
            1 => from == whole.start,
            _ => {
                let dot = production.dots[layer - 1];
                from >= whole.start && self.chart.find(from, dot, whole.start).is_some()
            }
        });
        splits
    }

    /// Returns whether a symbol of a production does not lead in a circle: a cyclic one that
    /// covers as much as the whole has to be completed before it.
    fn is_founded(&self, whole: Whole, edge: Edge) -> bool {
        let symbol = self.table.productions[whole.production as usize].symbols[edge.layer - 1];
        let is_cyclic =
            |symbol| self.table.nonterminal(symbol).is_some_and(|found| found.is_cyclic);
        (edge.from, edge.to) != (whole.start, whole.end)
            || !is_cyclic(symbol)
            || !is_cyclic(whole.symbol)
            || self.chart.is_before(symbol, whole.symbol, whole.start, whole.end)
    }
}

/// A nonterminal that is to be replaced by a production.
#[derive(Clone, Copy, Debug)]
struct Whole {
    symbol: Symbol,
    production: u32,
    start: u32,
    end: u32,
}
