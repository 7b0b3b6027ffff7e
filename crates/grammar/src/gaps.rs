//! The states that the automaton of a body can be in at the gaps between a node's children.
//!
//! For each gap there are two sets: the states that the children before it lead to, and the states
//! from which the children after it lead to the end. With these sets a change between two gaps is
//! judged without reading the other children again. For example, for `[ 1 , 2 ]` the children `1 ,`
//! may be removed, because the state after `[` is one from which `2 ]` leads to the end.

use std::collections::{BTreeSet, HashMap};

use super::automaton::{Automaton, State};
use super::child::Child;
use super::kinds::{Filler, KindId, Kinds, Label};
use super::minimal::Phrase;

/// The children of a node that are symbols, and the gaps between them.
#[derive(Debug)]
pub(super) struct Gaps<'a> {
    kinds: &'a Kinds,
    automaton: &'a Automaton,
    /// The children without the extras.
    symbols: Vec<KindId>,
    /// Where each of these is among all children.
    places: Vec<usize>,
    sets: Sets,
    /// For each gap, where the automaton can be.
    before: Vec<Gap>,
    /// For each gap, from where the rest leads to the end.
    after: Vec<Gap>,
    /// For each gap, the silent tokens that can be there.
    silent: Vec<SetId>,
}

/// Sets of states at a gap between children.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// Right next to the child.
    near: SetId,
    /// And what silent tokens lead to from there.
    far: SetId,
}

impl<'a> Gaps<'a> {
    /// Walks over the children; `None` if they are not what the automaton allows.
    pub(super) fn new(
        kinds: &'a Kinds,
        automaton: &'a Automaton,
        children: &[Child],
    ) -> Option<Self> {
        let mut symbols = Vec::new();
        let mut places = Vec::new();
        for (place, child) in children.iter().enumerate() {
            match child {
                Child::Extra | Child::Hidden => continue,
                Child::Unknown => return None,
                Child::Kind(symbol) => symbols.push(*symbol),
            }
            places.push(place);
        }
        let sets = Sets::for_children(symbols.len());
        let mut gaps = Gaps {
            kinds,
            automaton,
            symbols,
            places,
            sets,
            before: Vec::new(),
            after: Vec::new(),
            silent: Vec::new(),
        };
        gaps.walk(None);
        let last = gaps.before[gaps.symbols.len()];
        if !gaps.sets.states(last.far).contains(&automaton.end) {
            return None;
        }
        let all = 0..=gaps.symbols.len();
        if automaton.silent.iter().all(Vec::is_empty) {
            gaps.silent = all.map(|_| gaps.sets.enter(Vec::new())).collect();
        } else {
            // Which tokens can be there is only known after a walk that lets all of them pass.
            let silent: Vec<SetId> = all.map(|gap| gaps.silent_at(gap)).collect();
            gaps.walk(Some(&silent));
            gaps.silent = silent;
        }
        Some(gaps)
    }

    /// Fills in the sets before and after each gap; at a gap only the `silent` tokens pass.
    fn walk(&mut self, silent: Option<&[SetId]>) {
        let Automaton { start, end, onward, backward, .. } = self.automaton;
        let gaps = |gap: usize| silent.map(|silent| silent[gap]);
        let walk = GapWalk { kinds: self.kinds, edges: onward, silent: &self.automaton.silent };
        let count = self.symbols.len();
        let steps = self.symbols.iter().enumerate().map(|(gap, symbol)| (*symbol, gaps(gap + 1)));
        self.before = walk.gaps(&mut self.sets, (start.clone(), gaps(0)), steps);
        let silent_backward = &self.automaton.silent_backward;
        let walk = GapWalk { kinds: self.kinds, edges: backward, silent: silent_backward };
        let steps = self.symbols.iter().enumerate().map(|(gap, symbol)| (*symbol, gaps(gap)));
        self.after = walk.gaps(&mut self.sets, (vec![*end], gaps(count)), steps.rev());
        self.after.reverse();
    }

    /// Returns whether the children between two gaps may be removed. Silent tokens may be left in
    /// their place.
    pub(super) fn accepts_removal(&self, from: usize, to: usize) -> bool {
        if self.accepts_removal_without_silent(from, to) {
            return true;
        }
        let start = self.sets.states(self.before[from].near);
        let here = self.past(start, &self.silent_between(from, to));
        meet(&here, self.sets.states(self.after[to].near))
    }

    /// Returns whether nothing at all may stand between two gaps.
    pub(super) fn accepts_removal_without_silent(&self, from: usize, to: usize) -> bool {
        let end = self.sets.states(self.after[to].near);
        meet(self.sets.states(self.before[from].near), end)
    }

    /// Returns the kinds that may stand between two gaps, in place of what is there.
    pub(super) fn kinds_between(&self, from: usize, to: usize) -> BTreeSet<KindId> {
        let (here, after) = self.sides(from, to);
        let edges = here.iter().flat_map(|state| &self.automaton.onward[*state as usize]);
        let fitting = edges.filter(|(_, to)| after.binary_search(to).is_ok());
        fitting.flat_map(|(label, _)| self.kinds.passing(*label)).collect()
    }

    /// Returns the shortest text that may stand between two gaps, in place of what is there.
    pub(super) fn minimal_between(&self, from: usize, to: usize) -> Option<&'a Phrase> {
        let (here, after) = self.sides(from, to);
        let fillers = here.iter().flat_map(|state| &self.automaton.fillers[*state as usize]);
        let fitting = fillers.filter(|(_, to)| after.binary_search(to).is_ok());
        fitting.filter_map(|(filler, _)| self.kinds.phrase(*filler)).min()
    }

    /// Returns the shortest text of a token that can be at a gap and does not show.
    pub(super) fn minimal_silent(&self, gap: usize) -> Option<&'a Phrase> {
        let silent = self.sets.states(self.silent[gap]).iter();
        silent.filter_map(|token| self.kinds.phrase(*token)).min()
    }

    /// Returns where each of the symbols is among all children.
    pub(super) fn places(&self) -> &[usize] {
        &self.places
    }

    /// Returns where the automaton can be before what stands between two gaps, and after it.
    fn sides(&self, from: usize, to: usize) -> (Vec<State>, Vec<State>) {
        let silent = self.silent_between(from, to);
        let here = self.past(self.sets.states(self.before[from].near), &silent);
        let after = self.sets.states(self.after[to].near);
        (here, closed(&self.automaton.silent_backward, after, Some(&silent)))
    }

    /// Returns where silent tokens lead.
    fn past(&self, from: &[State], silent: &[Filler]) -> Vec<State> {
        closed(&self.automaton.silent, from, Some(silent))
    }

    /// Returns the silent tokens that can be at either of two gaps.
    fn silent_between(&self, from: usize, to: usize) -> Vec<Filler> {
        let (from, to) = (self.silent[from], self.silent[to]);
        let mut tokens = self.sets.states(from).to_vec();
        if from != to {
            tokens.extend(self.sets.states(to));
        }
        tokens
    }

    /// Returns the silent tokens that can be at a gap when all else is as it is.
    fn silent_at(&mut self, gap: usize) -> SetId {
        let after = self.sets.states(self.after[gap].far);
        let before = self.sets.states(self.before[gap].far).iter();
        let moves = before.flat_map(|state| &self.automaton.silent[*state as usize]);
        let fitting = moves.filter(|(_, to)| after.binary_search(to).is_ok());
        let tokens = in_order(fitting.map(|(token, _)| *token));
        self.sets.enter(tokens)
    }
}

/// A walk over the children, onward or backward.
struct GapWalk<'a> {
    kinds: &'a Kinds,
    edges: &'a [Vec<(Label, State)>],
    silent: &'a [Vec<(Filler, State)>],
}

impl GapWalk<'_> {
    /// Returns the sets at every gap; a step that was made before is not made again.
    ///
    /// With a symbol, and with the start, come the silent tokens that pass after it.
    fn gaps(
        &self,
        sets: &mut Sets,
        (start, silent): (Vec<State>, Option<SetId>),
        symbols: impl Iterator<Item = (KindId, Option<SetId>)>,
    ) -> Vec<Gap> {
        let mut steps = HashMap::new();
        let mut here = self.gap(sets, start, silent);
        let mut gaps = vec![here];
        for (symbol, silent) in symbols {
            let known = steps.get(&(here.far, symbol, silent)).copied();
            let next = known.unwrap_or_else(|| {
                let next = step(self.kinds, self.edges, sets.states(here.far), symbol);
                self.gap(sets, next, silent)
            });
            if sets.numbers.is_some() {
                steps.insert((here.far, symbol, silent), next);
            }
            here = next;
            gaps.push(here);
        }
        gaps
    }

    fn gap(&self, sets: &mut Sets, near: Vec<State>, silent: Option<SetId>) -> Gap {
        let far = closed(self.silent, &near, silent.map(|silent| sets.states(silent)));
        Gap { far: sets.enter(far), near: sets.enter(near) }
    }
}

fn step(
    kinds: &Kinds,
    edges: &[Vec<(Label, State)>],
    from: &[State],
    symbol: KindId,
) -> Vec<State> {
    let edges = from.iter().flat_map(|state| &edges[*state as usize]);
    in_order(edges.filter(|(label, _)| kinds.lets(*label, symbol)).map(|(_, to)| *to))
}

fn in_order(states: impl Iterator<Item = State>) -> Vec<State> {
    let mut states: Vec<State> = states.collect();
    states.sort_unstable();
    states.dedup();
    states
}

/// Returns the states and those to which silent tokens (all, or these) lead, in order.
fn closed(silent: &[Vec<(Filler, State)>], from: &[State], these: Option<&[Filler]>) -> Vec<State> {
    let mut reached = from.to_vec();
    let mut next = 0;
    while next < reached.len() {
        for (token, to) in &silent[reached[next] as usize] {
            if these.is_none_or(|these| these.contains(token)) && !reached.contains(to) {
                reached.push(*to);
            }
        }
        next += 1;
    }
    reached.sort_unstable();
    reached
}

/// Says whether two sets have a state in common.
fn meet(left: &[State], right: &[State]) -> bool {
    let (few, many) = if left.len() < right.len() { (left, right) } else { (right, left) };
    few.iter().any(|state| many.binary_search(state).is_ok())
}

/// Sets of states, or of silent tokens.
#[derive(Debug, Default)]
struct Sets {
    sets: Vec<Vec<State>>,
    /// Equal sets have one number if there is a list of them; with few children that does not pay.
    numbers: Option<HashMap<Vec<State>, SetId>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SetId(u32);

/// With this many children or more equal sets of states are stored once; with fewer looking them up
/// costs more than it saves. Chosen by hand.
const MIN_SHARED_CHILDREN: usize = 16;

impl Sets {
    fn for_children(count: usize) -> Sets {
        Sets { sets: Vec::new(), numbers: (count >= MIN_SHARED_CHILDREN).then(HashMap::new) }
    }

    fn enter(&mut self, set: Vec<State>) -> SetId {
        let next = SetId(self.sets.len() as u32);
        if let Some(numbers) = &mut self.numbers {
            if let Some(known) = numbers.get(&set) {
                return *known;
            }
            numbers.insert(set.clone(), next);
        }
        self.sets.push(set);
        next
    }

    fn states(&self, id: SetId) -> &[State] {
        &self.sets[id.0 as usize]
    }
}
