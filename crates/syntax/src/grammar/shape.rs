//! What a grammar says about a node and its children: which children may go, which kinds may stand
//! in a child's place, what the shortest text for that place is.
//!
//! Everything is answered from what is known of the gaps between children, so an answer costs
//! little however long the list is.
//!
//! Extras (comments) may stand anywhere and may always go. Where the children are not what the
//! grammar says (errors), nothing is promised: everything may go. Of the tokens that do not show in
//! the tree (line ends, hidden patterns) an answer counts only on those that can have been there
//! before; which of these were is not known, so whoever has a parser asks it in the end.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::OnceLock;

use super::Grammar;
use super::automaton::Automaton;
use super::gaps::Gaps;
use super::kinds::Kinds;
pub use super::kinds::Symbol;
use super::minimal::{Minimal, Phrase};

/// The shapes of all nodes of a language.
#[derive(Debug)]
pub struct Shapes {
    kinds: Kinds,
    /// Built when first asked for; `None` inside for one that would be too big.
    automata: Vec<OnceLock<Option<Automaton>>>,
}

/// A child of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Child {
    /// What the grammar puts here.
    Symbol(Symbol),
    /// What may stand anywhere.
    Extra,
    /// The text of a token that does not show, if the tree has it.
    Hidden,
    /// An error, or a kind that the grammar does not know.
    Unknown,
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
    pub fn symbol(&self, name: &str, named: bool) -> Option<Symbol> {
        self.kinds.find(name, named)
    }

    /// Returns the name of a kind, and whether it is that of a named node.
    pub fn name(&self, symbol: Symbol) -> (&str, bool) {
        self.kinds.name(symbol)
    }

    /// Returns the shortest text of a node of this kind; that of its place may be shorter still.
    pub fn minimal(&self, symbol: Symbol) -> Option<&Phrase> {
        self.kinds.minimal(symbol)
    }

    /// Returns what is known of a node with these children.
    pub fn fit(&self, node: Symbol, children: &[Child]) -> Fit<'_> {
        let automaton = self.automata[node.0 as usize]
            .get_or_init(|| Automaton::new(&self.kinds, &self.kinds.bodies(node)));
        Fit::new(&self.kinds, automaton.as_ref(), children)
    }
}

/// What is to become of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// It stays.
    Keep,
    /// It goes.
    Drop,
    /// It stays if it can.
    Either,
}

/// What can be done with a child, at best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role<'a> {
    /// It may go.
    Removable,
    /// It may go together with these neighbours, itself among them: an item with its comma.
    RemovableWith(Range<usize>),
    /// It may only become this text (which was not guessed).
    Replaceable(&'a Phrase),
    /// It stays as it is.
    Fixed,
}

/// The longest run of children that is considered as one thing that may go; a key, a colon, a value
/// and a comma, and as much again.
const LONGEST_RUN: usize = 8;

/// A node with its children, held against the grammar.
#[derive(Debug)]
pub struct Fit<'a> {
    kinds: &'a Kinds,
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
            seen += usize::from(matches!(child, Child::Symbol(_)));
            before.push(seen);
        }
        let gaps = automaton.and_then(|automaton| Gaps::new(kinds, automaton, children));
        Fit { kinds, gaps, children: children.to_vec(), before }
    }

    /// Says whether the children are what the grammar says; if not, nothing is promised.
    pub fn is_understood(&self) -> bool {
        self.gaps.is_some()
    }

    /// Says whether what is left is legal without these neighbouring children.
    ///
    /// # Panics
    ///
    /// If there are no such children; so do the other questions.
    pub fn may_go(&self, run: Range<usize>) -> bool {
        let (from, to) = (self.before[run.start], self.before[run.end]);
        let hidden = self.children[run].contains(&Child::Hidden);
        self.gaps.as_ref().is_none_or(|gaps| match hidden {
            true => gaps.joins_without_silent(from, to),
            false => from == to || gaps.joins(from, to, &[]),
        })
    }

    /// Returns the shortest run of children around `place` that may go; of two, the one with what
    /// follows.
    pub fn goes_with(&self, place: usize) -> Option<Range<usize>> {
        let Some(gaps) = self.gaps.as_ref() else { return Some(place..place + 1) };
        let alone = place..place + 1;
        if !matches!(self.children[place], Child::Symbol(_)) {
            return self.may_go(alone.clone()).then_some(alone);
        }
        let (here, count) = (self.before[place], gaps.places().len());
        for length in 1..=LONGEST_RUN.min(count) {
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

    /// Says whether a node of this kind may stand in the place of a child.
    ///
    /// A kind that is another one's name for the same thing counts as that too: a name may stand
    /// where the name of a type does.
    pub fn may_stand(&self, place: usize, kind: Symbol) -> bool {
        self.gaps.as_ref().is_none_or(|gaps| {
            let (from, to) = (self.before[place], self.before[place + 1]);
            self.kinds.kin(kind).iter().any(|kind| gaps.joins(from, to, &[*kind]))
        })
    }

    /// Says whether several nodes may stand in the place of a child: the items of a list inside
    /// another, with their commas and without their brackets.
    pub fn may_splice(&self, place: usize, kinds: &[Symbol]) -> bool {
        let (from, to) = (self.before[place], self.before[place + 1]);
        self.gaps.as_ref().is_none_or(|gaps| gaps.joins(from, to, kinds))
    }

    /// Returns the kinds that may stand in the place of a child.
    pub fn kinds_at(&self, place: usize) -> BTreeSet<Symbol> {
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

    /// Returns what can be done with a child, at best.
    pub fn role(&self, place: usize) -> Role<'a> {
        match self.goes_with(place) {
            Some(run) if run.len() == 1 => return Role::Removable,
            Some(run) => return Role::RemovableWith(run),
            None => {}
        }
        let is_sign = match self.children[place] {
            Child::Symbol(symbol) => !self.kinds.name(symbol).1,
            _ => false,
        };
        match self.minimal(place) {
            Some(minimal) if minimal.guesses() == 0 && !is_sign => Role::Replaceable(minimal),
            _ => Role::Fixed,
        }
    }

    /// Decides about the children that may stay or go, so that the whole is legal and as many of
    /// them as possible stay; returns for each child whether it stays.
    pub fn settle(&self, wishes: &[Wish]) -> Option<Vec<bool>> {
        let mut stays: Vec<bool> = wishes.iter().map(|wish| *wish != Wish::Drop).collect();
        let Some(gaps) = &self.gaps else { return Some(stays) };
        let hidden = (0..stays.len()).filter(|place| self.children[*place] == Child::Hidden);
        if hidden.into_iter().any(|place| !stays[place] && !self.may_go(place..place + 1)) {
            return None;
        }
        let inner: Vec<Wish> = gaps.places().iter().map(|place| wishes[*place]).collect();
        for (place, stay) in gaps.places().iter().zip(gaps.settle(&inner)?) {
            stays[*place] = stay;
        }
        Some(stays)
    }

    /// Leaves out children, and of the signs next to them (commas) as few as must go with them;
    /// returns for each child whether it stays.
    pub fn leave_out(&self, dropped: impl IntoIterator<Item = usize>) -> Option<Vec<bool>> {
        let mut wishes = vec![Wish::Keep; self.children.len()];
        for place in dropped {
            wishes[place] = Wish::Drop;
        }
        let Some(gaps) = &self.gaps else { return self.settle(&wishes) };
        for pair in gaps.places().windows(2) {
            for (gone, beside) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                let sign = matches!(self.children[beside],
                    Child::Symbol(symbol) if !self.kinds.name(symbol).1);
                if wishes[gone] == Wish::Drop && wishes[beside] == Wish::Keep && sign {
                    wishes[beside] = Wish::Either;
                }
            }
        }
        self.settle(&wishes)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::super::kinds::Recursion;
    use super::super::random::{self, View, Word};
    use super::*;

    const LIST: &str = "grammar list\n\
         extras /\\s/ comment\n\
         list = \"[\" (_item (\",\" _item)*)? \"]\"\n\
         _item ~ number | name | list\n\
         call = name list body?\n\
         body = \"{\" (_item \";\")* \"}\"\n\
         number = /[0-9]+/\n\
         name = /[a-z]+/\n\
         comment = {\"#\" /.*/}\n\
         typed = name:type name\n";

    fn shapes(text: &str) -> Shapes {
        let grammar: Grammar = text.parse().unwrap();
        let minimal = Minimal::new(&grammar, BTreeMap::new()).unwrap();
        Shapes::new(grammar, &minimal)
    }

    /// Finds a kind: a named one if there is one of that name.
    fn symbol(shapes: &Shapes, name: &str) -> Symbol {
        shapes.symbol(name, true).or_else(|| shapes.symbol(name, false)).unwrap()
    }

    fn children(shapes: &Shapes, names: &str) -> Vec<Child> {
        let child = |name| match name {
            "comment" => Child::Extra,
            "HIDDEN" => Child::Hidden,
            "ERROR" => Child::Unknown,
            name => Child::Symbol(symbol(shapes, name)),
        };
        names.split_whitespace().map(child).collect()
    }

    fn fit<'a>(shapes: &'a Shapes, node: &str, names: &str) -> Fit<'a> {
        shapes.fit(symbol(shapes, node), &children(shapes, names))
    }

    /// Draws what is left: `#` stays, `.` goes.
    fn left(stays: Option<Vec<bool>>) -> Option<String> {
        Some(stays?.iter().map(|stays| if *stays { '#' } else { '.' }).collect())
    }

    #[test]
    fn an_item_goes_with_its_comma() {
        let shapes = shapes(LIST);
        let fit = fit(&shapes, "list", "[ number , name , list ]");
        assert!(fit.is_understood());
        assert_eq!(fit.goes_with(1), Some(1..3));
        assert_eq!(fit.goes_with(3), Some(3..5));
        assert_eq!(fit.goes_with(5), Some(4..6), "the last one goes with the comma before it");
        assert_eq!(fit.goes_with(0), None);
        assert!(fit.may_go(1..6), "all items with all commas");
        assert!(!fit.may_go(1..4), "a comma would be left at the front");
        assert_eq!(fit.role(2), Role::RemovableWith(2..4));
        assert_eq!(fit.role(6), Role::Fixed);
    }

    #[test]
    fn items_are_left_out_in_any_combination_with_as_few_commas_as_possible() {
        let shapes = shapes(LIST);
        let fit = fit(&shapes, "list", "[ number , name , list ]");
        assert_eq!(left(fit.leave_out([3])).as_deref(), Some("##..###"));
        assert_eq!(left(fit.leave_out([1, 5])).as_deref(), Some("#..#..#"));
        assert_eq!(left(fit.leave_out([1, 3, 5])).as_deref(), Some("#.....#"));
        assert_eq!(left(fit.leave_out([0])), None);
    }

    #[test]
    fn an_only_child_of_a_fixed_place_can_only_be_replaced() {
        let shapes = shapes(LIST);
        let fit = fit(&shapes, "call", "name list body");
        assert!(matches!(fit.role(0), Role::Replaceable(text) if text.text() == "a"));
        assert!(matches!(fit.role(1), Role::Replaceable(text) if text.text() == "[]"));
        assert_eq!(fit.role(2), Role::Removable);
    }

    #[test]
    fn the_shortest_text_of_a_place_is_of_whatever_kind_fits_there() {
        let shapes = shapes(LIST);
        let fit = fit(&shapes, "list", "[ list ]");
        assert_eq!(fit.minimal(1).map(Phrase::text), Some("0"));
        assert_eq!(shapes.minimal(symbol(&shapes, "list")).map(Phrase::text), Some("[]"));
        let kinds: Vec<&str> =
            fit.kinds_at(1).into_iter().map(|kind| shapes.name(kind).0).collect();
        assert_eq!(kinds, ["list", "number", "name"]);
    }

    #[test]
    fn a_descendant_is_hoisted_where_its_kind_fits_also_under_another_name() {
        let shapes = shapes(LIST);
        let list = fit(&shapes, "list", "[ list ]");
        assert!(list.may_stand(1, symbol(&shapes, "number")));
        assert!(!list.may_stand(1, symbol(&shapes, "body")));
        let typed = fit(&shapes, "typed", "type name");
        assert!(typed.may_stand(0, symbol(&shapes, "name")), "a name is a type's name too");
        assert!(typed.may_stand(1, symbol(&shapes, "type")));
        assert!(!typed.may_stand(0, symbol(&shapes, "number")));
    }

    #[test]
    fn the_items_of_a_list_are_spliced_into_the_list_above() {
        let shapes = shapes(LIST);
        let fit = fit(&shapes, "list", "[ name , list ]");
        let run = |names: &str| -> Vec<Symbol> {
            names.split_whitespace().map(|name| symbol(&shapes, name)).collect()
        };
        assert!(fit.may_splice(3, &run("number , number , name")));
        assert!(!fit.may_splice(3, &run("number number")));
        assert!(!fit.may_splice(3, &run("")), "a comma would be left at the end");
    }

    #[test]
    fn comments_may_always_go_and_are_in_nobodys_way() {
        let shapes = shapes(LIST);
        let fit = fit(&shapes, "list", "[ comment number comment , name ]");
        assert!(fit.is_understood());
        assert_eq!(fit.role(1), Role::Removable);
        assert_eq!(fit.goes_with(2), Some(2..5));
        assert!(fit.may_go(2..5) && fit.may_go(1..2) && fit.may_go(3..4));
        assert_eq!(left(fit.leave_out([2])).as_deref(), Some("##.#.##"));
    }

    #[test]
    fn of_children_with_errors_everything_may_go_and_nothing_is_promised() {
        let shapes = shapes(LIST);
        for names in ["[ ERROR ]", "[ number number ]"] {
            let fit = fit(&shapes, "list", names);
            assert!(!fit.is_understood());
            assert_eq!(fit.role(0), Role::Removable);
            assert!(fit.may_go(0..3));
            assert!(fit.minimal(1).is_none());
        }
    }

    #[test]
    fn a_hidden_token_is_counted_on_only_where_it_can_have_been_before() {
        let shapes = shapes(
            "grammar g\nextras /\\s/\n\
             line = name (\";\" | $_line_end)\n\
             lines = (name $_line_end)*\n\
             quoted = (/b'/ | \"'\") name? \"'\"\n\
             name = /[a-z]+/\n",
        );
        assert_eq!(fit(&shapes, "line", "name ;").role(1), Role::Fixed);
        assert_eq!(fit(&shapes, "lines", "name name").role(0), Role::Removable);
        let lines = fit(&shapes, "line", "name HIDDEN");
        assert_eq!(lines.role(1), Role::Fixed, "what ends the line has to be there");
        let quoted = fit(&shapes, "quoted", "' name '");
        assert!(!quoted.may_go(1..3), "the quote that is left is no beginning without a letter");
        assert!(fit(&shapes, "quoted", "name '").is_understood());
    }

    #[test]
    fn recursion_through_hidden_rules_is_followed() {
        let shapes = shapes(
            "grammar g\nextras /\\s/\n\
             left = _left\n\
             _left ~ _left \",\" name | name\n\
             right = _right\n\
             _right ~ name \",\" _right | name\n\
             nested = _nested\n\
             _nested ~ \"(\" _nested \")\" | name\n\
             mixed = _a\n\
             _a ~ \"a\" _b | \"c\"\n\
             _b ~ _b \"b\" | \"d\"\n\
             name = /[a-z]+/\n",
        );
        for node in ["left", "right"] {
            let fit = fit(&shapes, node, "name , name , name");
            assert_eq!(fit.goes_with(2), Some(2..4), "{node}");
            assert!(!fit.may_go(2..3), "{node}");
        }
        assert!(fit(&shapes, "nested", "( ( name ) )").is_understood());
        assert!(!fit(&shapes, "nested", "( ( name )").is_understood());
        assert!(fit(&shapes, "mixed", "a d b b").is_understood());
        assert!(!fit(&shapes, "mixed", "c b").is_understood());
    }

    #[test]
    fn a_list_of_a_hundred_thousand_items_is_no_burden() {
        let shapes = shapes(LIST);
        let items = 100_000;
        let text = format!("[ {} name ]", "number , ".repeat(items - 1));
        let fit = fit(&shapes, "list", &text);
        assert!(fit.is_understood());
        for item in 0..items - 1 {
            assert_eq!(fit.goes_with(2 * item + 1), Some(2 * item + 1..2 * item + 3));
        }
        let stays = fit.leave_out((0..items).step_by(2).map(|item| 2 * item + 1)).unwrap();
        assert_eq!(stays.iter().filter(|stays| **stays).count(), items + 1);
    }

    fn legal(shapes: &Shapes, word: &[String]) -> bool {
        let names = word.iter().map(|name| Child::Symbol(symbol(shapes, name)));
        shapes.fit(symbol(shapes, "r0"), &names.collect::<Vec<_>>()).is_understood()
    }

    proptest! {
        #[test]
        fn answers_are_those_of_trying_every_sequence(grammar in random::grammars()) {
            const LONGEST: usize = 4;
            let words = random::derived(&grammar, View::Children, LONGEST).swap_remove(0);
            let minimal = Minimal::new(&grammar, BTreeMap::new()).unwrap();
            let shapes = Shapes::new(grammar, &minimal);
            let alphabet: Vec<String> = (0..shapes.kinds.count() as u32)
                .map(|kind| shapes.name(Symbol(kind)).0.to_owned())
                .collect();
            // Recursion in the middle is followed so far and no further.
            let mut rules = shapes.grammar().ids();
            let exact = rules.all(|rule| shapes.kinds.recursion(rule) != Recursion::Middle);
            let agree = |claimed: bool, word: &[String]| {
                claimed == words.contains(word) || !exact && !claimed
            };
            let mut sequences: Vec<Word> = vec![Vec::new()];
            for _ in 0..3 {
                for sequence in sequences.clone() {
                    for name in &alphabet {
                        sequences.push([sequence.as_slice(), std::slice::from_ref(name)].concat());
                    }
                }
            }
            for sequence in &sequences {
                prop_assert!(agree(legal(&shapes, sequence), sequence), "{:?}", sequence);
            }
            for word in &words {
                let names: Vec<Child> =
                    word.iter().map(|name| Child::Symbol(symbol(&shapes, name))).collect();
                let fit = shapes.fit(symbol(&shapes, "r0"), &names);
                if !fit.is_understood() {
                    continue;
                }
                for from in 0..word.len() {
                    for to in from + 1..=word.len() {
                        let rest = [&word[..from], &word[to..]].concat();
                        prop_assert!(agree(fit.may_go(from..to), &rest));
                        let mut wishes = vec![Wish::Either; word.len()];
                        wishes[from..to].fill(Wish::Drop);
                        let settled = fit.settle(&wishes);
                        prop_assert!(settled.is_some() || !fit.may_go(from..to));
                        if let Some(stays) = settled {
                            let kept = word.iter().zip(stays).filter(|(_, stays)| *stays);
                            let kept: Word = kept.map(|(name, _)| name.clone()).collect();
                            prop_assert!(words.contains(&kept), "{:?} of {:?}", kept, word);
                        }
                    }
                    for name in &alphabet {
                        let mut other = word.clone();
                        other[from] = name.clone();
                        let kind = symbol(&shapes, name);
                        prop_assert!(agree(fit.may_stand(from, kind), &other));
                        prop_assert!(agree(fit.kinds_at(from).contains(&kind), &other));
                    }
                }
            }
        }
    }
}
