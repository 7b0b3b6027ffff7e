//! Turns a derivation into the tree that is reduced: recursion that means a list becomes a list.
//!
//! A chain of productions `r: r …` (or `r: … r`) is one [`KindOf::List`] node. Each step adds an
//! item, and every subset of the items leaves a sentence, because each production adds to any `r`.
//! If the text after a separator could also stand alone (`list: list ',' item | item`), the
//! innermost text is an item like the others and the separators are children of their own; if not
//! (`call: call '(' ')' | NAME`), it is the list's base and cannot be removed. So the `if (…)`
//! before a statement is an item too, and dropping it leaves the statement. An empty rule has a
//! node without children; choices inside of a rule have no node.

use std::ops::Range;

use super::derivation::Derivation;
use super::table::{NonterminalOrigin, Symbol, Table};
use super::{CfgKind, KindOf, Part, Separators};
use crate::RuleId;
use crate::arena::{Arena, ArenaBuilder};

/// A token of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) symbol: Symbol,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Makes the tree of a derivation.
pub(super) fn flatten(
    table: &Table,
    derivation: &Derivation,
    tokens: &[Token],
    text: Vec<u8>,
) -> Arena<CfgKind> {
    let mut flattener =
        Flattener { table, derivation, tokens, size: text.len(), tree: ArenaBuilder::default() };
    let mut tasks = vec![Task::Emit(0, Part::Only)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Emit(step, part) => flattener.emit(step, part, &mut tasks),
            Task::Item(rule, steps, part) => flattener.item(rule, steps, part, &mut tasks),
            Task::Close => flattener.tree.close(),
        }
    }
    flattener.tree.build(text)
}

enum Task {
    Emit(usize, Part),
    /// Several steps as one item of a list.
    Item(RuleId, Vec<usize>, Part),
    Close,
}

struct Flattener<'d> {
    table: &'d Table,
    derivation: &'d Derivation,
    tokens: &'d [Token],
    /// How long the text is.
    size: usize,
    tree: ArenaBuilder<CfgKind>,
}

/// A chain of productions of one nonterminal, each inside of the other.
struct Chain {
    side: RecursionSide,
    /// The steps that each production adds, from the first in the text to the last.
    links: Vec<Vec<usize>>,
    /// The step that is no link any more.
    base: usize,
}

/// Where the recursion is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RecursionSide {
    Left,
    Right,
}

impl Flattener<'_> {
    fn emit(&mut self, step: usize, part: Part, tasks: &mut Vec<Task>) {
        let found = self.derivation.steps[step];
        let Some(nonterminal) = self.table.nonterminal(found.symbol) else {
            let kind = KindOf::Token(self.table.token_rule(found.symbol));
            self.open(kind, part, found.start..found.end);
            self.tree.close();
            return;
        };
        match nonterminal.role {
            NonterminalOrigin::Rule(rule) => match self.chain(step) {
                Some(chain) => self.list(rule, step, &chain, part, tasks),
                None => {
                    self.open(KindOf::Rule(rule), part, found.start..found.end);
                    tasks.push(Task::Close);
                    self.push_children(step, tasks);
                }
            },
            NonterminalOrigin::Choice => self.push_children(step, tasks),
            NonterminalOrigin::Repeat(_) if found.start == found.end => {}
            NonterminalOrigin::Repeat(rule) => {
                let single = || Chain { side: RecursionSide::Left, links: Vec::new(), base: step };
                let chain = self.chain(step).unwrap_or_else(single);
                self.list(rule, step, &chain, part, tasks);
            }
        }
    }

    fn push_children(&self, step: usize, tasks: &mut Vec<Task>) {
        let start = tasks.len();
        tasks.extend(self.derivation.children(step).map(|child| Task::Emit(child, Part::Only)));
        tasks[start..].reverse();
    }

    /// Returns the chain that begins with a step, if there is one.
    fn chain(&self, step: usize) -> Option<Chain> {
        let symbol = self.symbol(step);
        let side = self.recursion(step)?;
        let mut chain = Chain { side, links: Vec::new(), base: step };
        while self.symbol(chain.base) == symbol && self.recursion(chain.base) == Some(side) {
            let mut link: Vec<usize> = self.derivation.children(chain.base).collect();
            let inner = match side {
                RecursionSide::Left => link.remove(0),
                RecursionSide::Right => link.pop().unwrap_or(chain.base),
            };
            chain.links.push(link);
            chain.base = inner;
        }
        if side == RecursionSide::Left {
            chain.links.reverse();
        }
        Some(chain)
    }

    /// Returns on which side a step's production is recursive; the left one if both.
    fn recursion(&self, step: usize) -> Option<RecursionSide> {
        let symbol = self.symbol(step);
        let production = self.derivation.steps[step].production?;
        let is_own = |other: &Symbol| self.table.untwinned(*other) == symbol;
        match self.table.productions[production as usize].symbols.as_slice() {
            [] | [_] => None,
            [first, ..] if is_own(first) => Some(RecursionSide::Left),
            [.., last] if is_own(last) => Some(RecursionSide::Right),
            _ => None,
        }
    }

    /// Returns the symbol of a step as the grammar has it.
    fn symbol(&self, step: usize) -> Symbol {
        self.table.untwinned(self.derivation.steps[step].symbol)
    }

    fn list(
        &mut self,
        rule: RuleId,
        step: usize,
        chain: &Chain,
        part: Part,
        tasks: &mut Vec<Task>,
    ) {
        let (whole, symbol) = (self.derivation.steps[step], self.symbol(step));
        let base = self.derivation.steps[chain.base];
        let is_alike = self.is_alike(symbol, chain);
        let least = usize::from(is_alike && !self.table.is_nullable(symbol));
        let separators = match chain.side {
            RecursionSide::Left => Separators::Before,
            RecursionSide::Right => Separators::After,
        };
        self.open(KindOf::List { rule, least, separators }, part, whole.start..whole.end);
        let mut inner = Vec::new();
        for link in &chain.links {
            let separators = if is_alike { self.separators(symbol, link, chain) } else { 0 };
            match chain.side {
                RecursionSide::Left => {
                    let (before, item) = link.split_at(separators);
                    inner.extend(before.iter().map(|&step| Task::Emit(step, Part::Separator)));
                    inner.push(Task::Item(rule, item.to_vec(), Part::Item));
                }
                RecursionSide::Right => {
                    let (item, behind) = link.split_at(link.len() - separators);
                    inner.push(Task::Item(rule, item.to_vec(), Part::Item));
                    inner.extend(behind.iter().map(|&step| Task::Emit(step, Part::Separator)));
                }
            }
        }
        // An empty base has nothing to show.
        if base.start < base.end {
            let base = match (is_alike, self.is_own(symbol, chain)) {
                (false, _) => Task::Emit(chain.base, Part::Base),
                (true, true) => Task::Emit(chain.base, Part::Item),
                (true, false) => {
                    let steps = self.derivation.children(chain.base).collect();
                    Task::Item(rule, steps, Part::Item)
                }
            };
            let place = if chain.side == RecursionSide::Left { 0 } else { inner.len() };
            inner.insert(place, base);
        }
        tasks.push(Task::Close);
        tasks.extend(inner.into_iter().rev());
    }

    /// Returns whether the base is an item like the others: what every link adds, without
    /// separators, could stand alone.
    fn is_alike(&self, symbol: Symbol, chain: &Chain) -> bool {
        let base = self.derivation.steps[chain.base];
        base.start < base.end
            && chain.links.iter().all(|link| self.alone(symbol, link, chain.side).is_some())
    }

    /// Returns whether the items are of the list's own kind, as in `e: e '+' e`.
    fn is_own(&self, symbol: Symbol, chain: &Chain) -> bool {
        chain.links.iter().any(|link| {
            let item = if chain.side == RecursionSide::Left { link.last() } else { link.first() };
            item.is_some_and(|&step| self.symbol(step) == symbol)
        })
    }

    fn separators(&self, symbol: Symbol, link: &[usize], chain: &Chain) -> usize {
        self.alone(symbol, link, chain.side).unwrap_or(0)
    }

    /// Returns how many symbols of a link have to go, on the side of the recursion, for the rest to
    /// be an alternative of the nonterminal, or the nonterminal itself.
    fn alone(&self, symbol: Symbol, link: &[usize], side: RecursionSide) -> Option<usize> {
        let symbols: Vec<Symbol> = link.iter().map(|&step| self.symbol(step)).collect();
        let is_alternative = |production: u32, rest: &[Symbol]| {
            let symbols = self.table.productions[production as usize].symbols.iter();
            symbols.map(|symbol| self.table.untwinned(*symbol)).eq(rest.iter().copied())
        };
        (0..link.len()).find(|&separators| {
            let rest = match side {
                RecursionSide::Left => &symbols[separators..],
                RecursionSide::Right => &symbols[..symbols.len() - separators],
            };
            let mut alternatives = self.table.productions_of(symbol);
            rest == [symbol] || alternatives.any(|production| is_alternative(production, rest))
        })
    }

    /// Emits steps as one child: as they are if there is one, below a node of their own if not.
    fn item(&mut self, rule: RuleId, steps: Vec<usize>, part: Part, tasks: &mut Vec<Task>) {
        let has_node = |step: usize| {
            let symbol = self.derivation.steps[step].symbol;
            let role = self.table.nonterminal(symbol).map(|nonterminal| nonterminal.role);
            matches!(role, None | Some(NonterminalOrigin::Rule(_)))
        };
        if let [step] = steps[..]
            && has_node(step)
        {
            return self.emit(step, part, tasks);
        }
        let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return };
        let (start, end) = (self.derivation.steps[*first].start, self.derivation.steps[*last].end);
        self.open(KindOf::Item(rule), part, start..end);
        tasks.push(Task::Close);
        tasks.extend(steps.into_iter().rev().map(|step| Task::Emit(step, Part::Only)));
    }

    fn open(&mut self, of: KindOf, part: Part, covered: Range<u32>) {
        let range = self.range(covered);
        self.tree.open(CfgKind { of, part }, range);
    }

    /// Returns the bytes of tokens. No tokens are nothing before the next one, but inside of the
    /// parent in any case.
    fn range(&mut self, covered: Range<u32>) -> Range<usize> {
        let token = |place: u32| self.tokens.get(place as usize);
        let (first, last) = (token(covered.start), token(covered.end.wrapping_sub(1)));
        if let (false, Some(first), Some(last)) = (covered.is_empty(), first, last) {
            return first.start as usize..last.end as usize;
        }
        let place = first.map_or(self.size, |first| first.start as usize);
        let parent = self.tree.last().map(|parent| parent.range.clone());
        let place = parent.map_or(place, |parent| place.clamp(parent.start, parent.end));
        place..place
    }
}
