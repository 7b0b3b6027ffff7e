//! Questions about a node and its children: which children may be removed, which kinds may stand in
//! a child's place, and the shortest text for that place. For example, in `[1, 2]` the `1` may be
//! removed with its comma, and `2` may be replaced by any value.
//!
//! Answers are computed from the gaps between children, so an answer is cheap for a
//! list of any length.
//!
//! Extras (comments) may stand anywhere and may always be removed. If the children do not fit the
//! grammar (errors), nothing is promised: every child may be removed. Some tokens do not show in
//! the tree (line ends, hidden patterns); an answer relies only on those that can have been there
//! before. Which of these were there is unknown, so a caller with a parser should check the result.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::OnceLock;

use super::Grammar;
use super::automaton::Automaton;
pub use super::child::Child;
use super::gaps::Gaps;
pub use super::kinds::KindId;
use super::kinds::Kinds;
use super::minimal::{Minimal, Phrase};

/// The shapes of all nodes of a language.
#[derive(Debug)]
pub struct Shapes {
    kinds: Kinds,
    /// Built when first asked for; `None` inside for one that would be too big.
    automata: Vec<OnceLock<Option<Automaton>>>,
}

impl Shapes {
    /// Prepares the shapes of a grammar with its minimal strings.
    pub fn new(grammar: Grammar, minimal: &Minimal) -> Shapes {
        let kinds = Kinds::new(grammar, minimal);
        let automata = (0..kinds.count()).map(|_| OnceLock::new()).collect();
        Shapes { kinds, automata }
    }

    /// Returns the grammar.
    pub fn grammar(&self) -> &Grammar {
        self.kinds.grammar()
    }

    /// Returns the kind of that name: a named node, or the text of an unnamed one.
    pub fn symbol(&self, name: &str, named: bool) -> Option<KindId> {
        self.kinds.find(name, named)
    }

    /// Returns the name of a kind, and whether it is that of a named node.
    pub fn name(&self, symbol: KindId) -> (&str, bool) {
        self.kinds.name(symbol)
    }

    /// Returns the shortest text of a node of this kind; that of its place may be shorter still.
    pub fn minimal(&self, symbol: KindId) -> Option<&Phrase> {
        self.kinds.minimal(symbol)
    }

    /// Returns what is known of a node with these children.
    pub fn fit(&self, node: KindId, children: &[Child]) -> Fit<'_> {
        let automaton = self.automata[node.0 as usize]
            .get_or_init(|| Automaton::new(&self.kinds, &self.kinds.bodies(node)));
        Fit::new(&self.kinds, automaton.as_ref(), children)
    }
}

/// Children in a run that goes as one thing: a key, a colon, a value and a comma, and as many
/// again. Longer runs are not found.
const MAX_RUN: usize = 8;

/// A node with its children, held against the grammar.
#[derive(Debug)]
pub struct Fit<'a> {
    /// Absent where nothing is promised.
    gaps: Option<Gaps<'a>>,
    children: Vec<Child>,
    /// For each gap between children, how many symbols are before it.
    before: Vec<usize>,
}

impl<'a> Fit<'a> {
    fn new(kinds: &'a Kinds, automaton: Option<&'a Automaton>, children: &[Child]) -> Self {
        let mut before = vec![0];
        let mut seen = 0;
        for child in children {
            seen += usize::from(matches!(child, Child::Kind(_)));
            before.push(seen);
        }
        let gaps = automaton.and_then(|automaton| Gaps::new(kinds, automaton, children));
        Fit { gaps, children: children.to_vec(), before }
    }

    /// Returns whether the children fit the grammar; if not, nothing is promised.
    pub fn is_understood(&self) -> bool {
        self.gaps.is_some()
    }

    /// Returns whether the other children are legal without these neighbouring ones.
    ///
    /// # Panics
    ///
    /// If there are no such children; so do the other questions.
    pub fn may_go(&self, run: Range<usize>) -> bool {
        let (from, to) = (self.before[run.start], self.before[run.end]);
        let hidden = self.children[run].contains(&Child::Hidden);
        self.gaps.as_ref().is_none_or(|gaps| match hidden {
            true => gaps.accepts_removal_without_silent(from, to),
            false => from == to || gaps.accepts_removal(from, to),
        })
    }

    /// Returns the shortest run of children around `place` that may go; of two, the one with what
    /// follows.
    pub fn goes_with(&self, place: usize) -> Option<Range<usize>> {
        let Some(gaps) = self.gaps.as_ref() else { return Some(place..place + 1) };
        let alone = place..place + 1;
        if !matches!(self.children[place], Child::Kind(_)) {
            return self.may_go(alone.clone()).then_some(alone);
        }
        let (here, count) = (self.before[place], gaps.places().len());
        for length in 1..=MAX_RUN.min(count) {
            for from in ((here + 1).saturating_sub(length)..=here).rev() {
                let to = from + length;
                if to > count {
                    continue;
                }
                let run = gaps.places()[from]..gaps.places()[to - 1] + 1;
                if self.may_go(run.clone()) {
                    return Some(run);
                }
            }
        }
        None
    }

    /// Returns the kinds that may stand in the place of a child.
    pub fn kinds_at(&self, place: usize) -> BTreeSet<KindId> {
        let (from, to) = (self.before[place], self.before[place + 1]);
        self.gaps.as_ref().map(|gaps| gaps.kinds_between(from, to)).unwrap_or_default()
    }

    /// Returns the shortest text that may stand in the place of a child, of whatever kind.
    pub fn minimal(&self, place: usize) -> Option<&'a Phrase> {
        let gaps = self.gaps.as_ref()?;
        let (from, to) = (self.before[place], self.before[place + 1]);
        if self.children[place] == Child::Hidden {
            return gaps.minimal_silent(from);
        }
        gaps.minimal_between(from, to)
    }
}

#[cfg(test)]
mod tests;
