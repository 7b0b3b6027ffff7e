//! The sequences of children that a body allows, as a finite automaton over visible symbols.
//!
//! Hidden rules are put in where they are named. Recursion through hidden rules that only ever
//! ends them (`list ~ item list`) or begins them (`list ~ list item`) becomes a loop, exactly.
//! Recursion in the middle is followed a few levels deep: a sequence nested deeper is not
//! recognised, one that is recognised is legal. Tokens that do not show are passed silently, but
//! not unnoticed.

use std::collections::{HashMap, HashSet};

use super::kinds::{Filler, Kinds, Label, NodeBody, Recursion};
use super::{Expr, RuleId};

/// How deep recursion in the middle of hidden rules is followed: first deeper than people nest by
/// hand, then less deep if the automaton gets too large. Chosen by hand.
const DEPTHS: [usize; 3] = [6, 3, 1];

/// States of an automaton. One that would be larger is not built, and nothing is known about the
/// children of such nodes. Chosen by hand.
const MAX_STATES: usize = 20_000;

/// A state, by its number.
pub(super) type State = u32;

/// An automaton without empty moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Automaton {
    /// Where it can be before the first child, in order.
    pub(super) start: Vec<State>,
    /// Where it is at the end.
    pub(super) end: State,
    /// For each state what leads on, and where to.
    pub(super) onward: Vec<Vec<(Label, State)>>,
    /// For each state what leads to it, and from where.
    pub(super) backward: Vec<Vec<(Label, State)>>,
    /// For each state the tokens that lead on and do not show, and where to.
    pub(super) silent: Vec<Vec<(Filler, State)>>,
    /// For each state the tokens that lead to it and do not show, and from where.
    pub(super) silent_backward: Vec<Vec<(Filler, State)>>,
    /// For each state the minimal strings that lead on, and where to.
    pub(super) fillers: Vec<Vec<(Filler, State)>>,
}

impl Automaton {
    /// Builds the automaton of several bodies, of which a node has one; `None` if it gets too big.
    pub(super) fn new(kinds: &Kinds, bodies: &[NodeBody<'_>]) -> Option<Automaton> {
        DEPTHS.into_iter().find_map(|deepest| {
            let mut builder = Builder::new(kinds, deepest);
            let (start, end) = (builder.state(), builder.state());
            for body in bodies {
                match body {
                    NodeBody::Parts(parts) => builder.build(parts, start, end),
                    NodeBody::Token(token) => builder.build_silent(*token, start, end),
                }
            }
            if builder.too_big { None } else { Some(builder.without_empty_moves(start, end)) }
        })
    }
}

#[derive(Default)]
struct Moves {
    empty: Vec<State>,
    edges: Vec<(Label, State)>,
    silent: Vec<(Filler, State)>,
    fillers: Vec<(Filler, State)>,
}

/// A hidden rule that is being put in.
struct Open {
    rule: RuleId,
    from: State,
    to: State,
}

struct Builder<'a> {
    kinds: &'a Kinds,
    deepest: usize,
    moves: Vec<Moves>,
    open: Vec<Open>,
    /// How many of the open rules have a given text, which is to be taken rather than any inside.
    given: usize,
    too_big: bool,
}

impl<'a> Builder<'a> {
    fn new(kinds: &'a Kinds, deepest: usize) -> Self {
        let (moves, open) = (Vec::new(), Vec::new());
        Builder { kinds, deepest, moves, open, given: 0, too_big: false }
    }

    fn state(&mut self) -> State {
        self.moves.push(Moves::default());
        (self.moves.len() - 1) as State
    }

    fn empty(&mut self, from: State, to: State) {
        self.moves[from as usize].empty.push(to);
    }

    /// Lets what `expr` allows lead from one state to another.
    ///
    /// Nothing that is built here leads back to `from` or on from `to`, so both can be shared.
    fn build(&mut self, expr: &Expr, from: State, to: State) {
        if self.moves.len() > MAX_STATES {
            self.too_big = true;
        }
        if self.too_big {
            return;
        }
        match expr {
            Expr::Empty => self.empty(from, to),
            Expr::Seq(parts) => {
                let mut here = from;
                for (place, part) in parts.iter().enumerate() {
                    let next = if place + 1 == parts.len() { to } else { self.state() };
                    self.build(part, here, next);
                    here = next;
                }
                if parts.is_empty() {
                    self.empty(from, to);
                }
            }
            Expr::Choice(parts) => parts.iter().for_each(|part| self.build(part, from, to)),
            Expr::Repeat(body) => {
                let between = self.state();
                self.empty(from, between);
                self.build(body, between, between);
                self.empty(between, to);
            }
            Expr::Repeat1(body) => {
                let (before, after) = (self.state(), self.state());
                self.empty(from, before);
                self.build(body, before, after);
                self.empty(after, before);
                self.empty(after, to);
            }
            expr => self.build_symbol(expr, from, to),
        }
    }

    fn build_symbol(&mut self, expr: &Expr, from: State, to: State) {
        let filler = self.kinds.filler(expr);
        if let Some(symbol) = self.kinds.shown_as(expr) {
            self.fill(filler, from, to);
            self.moves[from as usize].edges.push((Label::One(symbol), to));
        } else if let Expr::Rule(rule) = expr {
            self.fill(filler, from, to);
            self.put_in(*rule, from, to);
        } else {
            self.build_silent(filler, from, to);
        }
    }

    fn build_silent(&mut self, token: Filler, from: State, to: State) {
        self.fill(token, from, to);
        self.moves[from as usize].silent.push((token, to));
    }

    fn fill(&mut self, filler: Filler, from: State, to: State) {
        if self.given == 0 {
            self.moves[from as usize].fillers.push((filler, to));
        }
    }

    /// Puts in what a hidden rule allows.
    fn put_in(&mut self, rule: RuleId, from: State, to: State) {
        if self.kinds.is_single(rule) {
            self.moves[from as usize].edges.push((Label::Of(rule), to));
            return;
        }
        let mut same = self.open.iter().filter(|open| open.rule == rule);
        let open = match self.kinds.recursion(rule) {
            Recursion::None => Open { rule, from, to },
            Recursion::Middle if same.by_ref().count() >= self.deepest => return,
            Recursion::Middle => Open { rule, from, to },
            // A beginning of its own, so that coming back to it comes back to this rule alone.
            Recursion::Right => match same.find(|open| open.to == to) {
                Some(open) => {
                    let again = open.from;
                    return self.empty(from, again);
                }
                None => {
                    let own = self.state();
                    self.empty(from, own);
                    Open { rule, from: own, to }
                }
            },
            Recursion::Left => match same.find(|open| open.from == from) {
                Some(open) => {
                    let done = open.to;
                    return self.empty(done, to);
                }
                None => {
                    let own = self.state();
                    self.empty(own, to);
                    Open { rule, from, to: own }
                }
            },
        };
        let (from, to) = (open.from, open.to);
        let kinds = self.kinds;
        let given = usize::from(kinds.is_given(rule));
        self.open.push(open);
        self.given += given;
        self.build(&kinds.grammar().rule(rule).body, from, to);
        self.given -= given;
        self.open.pop();
    }

    fn without_empty_moves(self, start: State, end: State) -> Automaton {
        let matters = |state: State| {
            let moves = &self.moves[state as usize];
            let leads_on =
                !(moves.edges.is_empty() && moves.silent.is_empty() && moves.fillers.is_empty());
            state == end || leads_on
        };
        let mut numbers = vec![None; self.moves.len()];
        let mut count = 0;
        for state in (0..self.moves.len() as State).filter(|state| matters(*state)) {
            numbers[state as usize] = Some(count as State);
            count += 1;
        }
        let mut reached = Reached { moves: &self.moves, numbers: &numbers, known: HashMap::new() };
        let mut automaton = Automaton {
            start: reached.from(start),
            end: numbers[end as usize].unwrap_or_default(),
            onward: vec![Vec::new(); count],
            backward: vec![Vec::new(); count],
            silent: vec![Vec::new(); count],
            silent_backward: vec![Vec::new(); count],
            fillers: vec![Vec::new(); count],
        };
        for (moves, number) in self.moves.iter().zip(&numbers) {
            let Some(number) = *number else { continue };
            for (label, to) in &moves.edges {
                for to in reached.from(*to) {
                    automaton.onward[number as usize].push((*label, to));
                    automaton.backward[to as usize].push((*label, number));
                }
            }
            for (token, to) in &moves.silent {
                for to in reached.from(*to) {
                    automaton.silent[number as usize].push((*token, to));
                    automaton.silent_backward[to as usize].push((*token, number));
                }
            }
            for (filler, to) in &moves.fillers {
                let reached = reached.from(*to).into_iter().map(|to| (*filler, to));
                automaton.fillers[number as usize].extend(reached);
            }
        }
        automaton
    }
}

/// Where empty moves lead.
struct Reached<'a> {
    moves: &'a [Moves],
    numbers: &'a [Option<State>],
    known: HashMap<State, Vec<State>>,
}

impl Reached<'_> {
    /// Returns the states that matter and are reached from `state` without a symbol, in order.
    fn from(&mut self, state: State) -> Vec<State> {
        if let Some(known) = self.known.get(&state) {
            return known.clone();
        }
        let mut seen = HashSet::from([state]);
        let mut waiting = vec![state];
        let mut reached = Vec::new();
        while let Some(state) = waiting.pop() {
            reached.extend(self.numbers[state as usize]);
            let next = &self.moves[state as usize].empty;
            waiting.extend(next.iter().filter(|next| seen.insert(**next)));
        }
        reached.sort_unstable();
        self.known.insert(state, reached.clone());
        reached
    }
}
