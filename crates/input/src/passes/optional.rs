//! Removable children for which the tree has no node.
//!
//! A node of the tree is a removable child with its separator. Some runs of children overlap others
//! or consist of signs alone, and some turn the rest into another kind of node that may stand in
//! the same place: without `= 1`, the C++ parameter `int a = 1` is no longer an optional one. A
//! proof that no part can be left out has to ask about these too.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use whodunit_grammar::shape::{Child, KindId, Shapes};
use whodunit_syntax::tree::{NodeId, SyntaxTree};

use crate::edits::Change;
use crate::structure::{ChildKinds, Parsed};

/// Children of a node up to which runs are tried that make another kind of node. With more children
/// only runs that keep the kind are found. Chosen by hand.
const MAX_CHILDREN: usize = 8;

/// Children in a run that makes another kind of node: a sign, a value, and as much again. Longer
/// runs are not tried.
const MAX_RUN: usize = 4;

/// Lists the deletion of each such run.
pub(super) fn find(file: &Parsed<'_>) -> Vec<Change> {
    let Some(shapes) = file.language.shapes() else { return Vec::new() };
    let tree = file.tree();
    let mut known = file.ranges_of_nodes();
    let kinds = ChildKinds::new(&tree, Some(&shapes));
    let mut grammar = OptionalParts { tree: &tree, shapes: &shapes, kinds, seen: HashMap::new() };
    let mut changes = Vec::new();
    for (start, end) in grammar.optional() {
        if known.insert((start, end)) && !file.is_protected(&(start..end)) {
            changes.push(file.delete(std::slice::from_ref(&(start..end))));
        }
    }
    changes
}

/// Questions to the grammar about the nodes of a tree.
struct OptionalParts<'a> {
    tree: &'a SyntaxTree,
    shapes: &'a Shapes,
    kinds: ChildKinds<'a>,
    /// Answers for nodes that look alike.
    seen: HashMap<Looks, Arc<Runs>>,
}

/// A node as the grammar sees it: its kind, its children, and the kinds that may stand in its
/// place.
type Looks = (KindId, Vec<Child>, BTreeSet<KindId>);

/// The runs of children of a node that may be removed.
struct Runs {
    optional: BTreeSet<(usize, usize)>,
    /// The kinds that may stand in the place of each child.
    places: Vec<BTreeSet<KindId>>,
}

impl OptionalParts<'_> {
    /// Returns each run of children that may be removed.
    fn optional(&mut self) -> BTreeSet<(usize, usize)> {
        let mut found = BTreeSet::new();
        let mut open = vec![(self.tree.root(), BTreeSet::new())];
        while let Some((id, place)) = open.pop() {
            let children: Vec<NodeId> = self.tree.children(id).collect();
            let Some(symbol) = self.kinds.kind(id).filter(|_| !self.tree.node(id).is_error())
            else {
                open.extend(children.into_iter().map(|child| (child, BTreeSet::new())));
                continue;
            };
            let kinds: Vec<Child> = children.iter().map(|&child| self.kinds.child(child)).collect();
            let runs = self.runs((symbol, kinds, place));
            for &(from, to) in &runs.optional {
                let start = self.tree.node(children[from]).range().start;
                found.insert((start, self.tree.node(children[to - 1]).range().end));
            }
            let inner = children.into_iter().enumerate();
            open.extend(inner.map(|(at, child)| (child, runs.places[at].clone())));
        }
        found.into_iter().filter(|(start, end)| start < end).collect()
    }

    fn runs(&mut self, looks: Looks) -> Arc<Runs> {
        if let Some(runs) = self.seen.get(&looks) {
            return runs.clone();
        }
        let (symbol, children, _) = &looks;
        let fit = self.shapes.fit(*symbol, children);
        let mut runs = Runs { optional: BTreeSet::new(), places: Vec::new() };
        for (at, child) in children.iter().enumerate() {
            let run = fit.goes_with(at).filter(|_| fit.is_understood());
            let run = run.or_else(|| self.with_other_kind(&looks, at));
            runs.optional.extend(run.map(|run| (run.start, run.end)));
            let is_symbol = matches!(child, Child::Kind(_));
            runs.places.push(if is_symbol { fit.kinds_at(at) } else { BTreeSet::new() });
        }
        let runs = Arc::new(runs);
        self.seen.insert(looks, runs.clone());
        runs
    }

    /// Returns the shortest run around a child without which the others make another kind of node
    /// that may stand in the same place. A run that leaves a single child is not listed: the child
    /// in the place of its parent is asked about anyway.
    fn with_other_kind(&self, looks: &Looks, at: usize) -> Option<Range<usize>> {
        let (symbol, children, place) = looks;
        let count = children.len();
        if count > MAX_CHILDREN {
            return None;
        }
        let fits = |run: &Range<usize>| {
            let left = [&children[..run.start], &children[run.end..]].concat();
            let others = place.iter().filter(|other| *other != symbol);
            others.into_iter().any(|&other| self.shapes.fit(other, &left).is_understood())
        };
        let lengths = 1..=MAX_RUN.min(count.saturating_sub(2));
        let mut runs = lengths.flat_map(|length| {
            let first = (at + 1).saturating_sub(length)..=at.min(count - length);
            first.map(move |from| from..from + length)
        });
        runs.find(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::super::listing::listed;
    use super::find;

    /// Returns the text without each of the parts, without white space.
    fn without(language: &str, text: &str) -> Vec<String> {
        let texts = listed(language, text, find);
        texts.iter().map(|text| text.split_whitespace().collect()).collect()
    }

    #[test]
    fn the_default_value_of_a_parameter_is_a_part() {
        let texts = without("cpp", "int f(int a = 1, int b = 2) { return a; }");
        for expected in ["intf(inta,intb=2){returna;}", "intf(inta=1,intb){returna;}"] {
            assert!(texts.iter().any(|text| text == expected), "{texts:?}");
        }
    }

    #[test]
    fn what_the_tree_has_is_not_listed_again() {
        assert_eq!(without("json", "[1, {\"a\": 2}, 3]"), [""; 0]);
    }
}
