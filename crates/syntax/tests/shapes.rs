//! Statements of grammars about nodes, compared with the parsers' trees of texts.

#![allow(clippy::unwrap_used)] // a missing sample fails the test either way

mod samples;

use std::ops::Range;

use whodunit_grammar::minimal::Minimal;
use whodunit_grammar::shape::{Child, Fit, KindId, Shapes};
use whodunit_syntax::grammars;
use whodunit_syntax::language::{Language, NodeKind};
use whodunit_syntax::parse::{parse, parses};
use whodunit_syntax::tree::{NodeId, SyntaxTree};

/// A language with its sample and its shapes.
struct Sample {
    language: Language,
    tree: SyntaxTree,
    minimal: Minimal,
    shapes: Shapes,
}

fn samples() -> impl Iterator<Item = Sample> {
    Language::all().iter().map(|language| {
        let (name, language) = (language.name(), language.clone());
        let tree = parse(&language, samples::text(&language));
        let grammar = grammars::grammar(name).unwrap();
        let minimal = Minimal::new(&grammar, grammars::given(name)).unwrap();
        let shapes = Shapes::new(grammar, &minimal);
        Sample { language, tree, minimal, shapes }
    })
}

impl Sample {
    fn symbol(&self, id: NodeId) -> Option<KindId> {
        let kind = self.tree.node(id).kind();
        self.shapes.symbol(self.language.kind_name(kind), self.language.is_named(kind))
    }

    fn child(&self, id: NodeId) -> Child {
        match self.symbol(id) {
            _ if self.tree.node(id).is_extra() => Child::Extra,
            _ if self.tree.node(id).kind() == NodeKind::TEXT => Child::Hidden,
            Some(symbol) => Child::Kind(symbol),
            None => Child::Unknown,
        }
    }

    fn fit(&self, id: NodeId, children: &[NodeId]) -> Fit<'_> {
        let symbol = self.symbol(id).unwrap();
        let children: Vec<Child> = children.iter().map(|child| self.child(*child)).collect();
        self.shapes.fit(symbol, &children)
    }

    /// Returns the nodes with children, and these; without those inside of comments.
    fn inner(&self) -> impl Iterator<Item = (NodeId, Vec<NodeId>)> + '_ {
        let ids = self.tree.ids().filter(|id| !self.tree.node(*id).is_extra());
        ids.map(|id| (id, self.tree.children(id).collect::<Vec<_>>()))
            .filter(|(_, children)| !children.is_empty())
    }

    /// Says whether the sample still parses with `text` in that place.
    fn parses_with(&self, place: Range<usize>, text: &str) -> bool {
        let source = self.tree.source();
        let (left, right) = (&source[..place.start], &source[place.end..]);
        let joints = self.minimal.joints();
        let last = String::from_utf8_lossy(left).chars().next_back().map(String::from);
        let first = String::from_utf8_lossy(right).chars().next().map(String::from);
        let before = joints.between(&last.unwrap_or_default(), text);
        let after = joints.between(text, &first.unwrap_or_default());
        let between = [before, text, after].concat();
        let between = if text.is_empty() { " " } else { &between };
        parses(&self.language, &[left, between.as_bytes(), right].concat())
    }
}

#[test]
fn every_node_of_a_text_without_errors_is_understood() {
    for sample in samples() {
        for (id, children) in sample.inner() {
            let kind = |id: &NodeId| sample.language.kind_name(sample.tree.node(*id).kind());
            let fit = sample.fit(id, &children);
            let kinds: Vec<&str> = children.iter().map(kind).collect();
            assert!(fit.is_understood(), "{:?}: {} {kinds:?}", sample.language, kind(&id));
        }
    }
}

#[test]
fn what_may_go_or_be_replaced_leaves_a_text_that_parses() {
    // One kind can be two things (an arm of a match that needs its comma, and the last one, which
    // does not), and white space may count, most of all in YAML: not every promise can be kept.
    const KEPT: f64 = 0.9;
    for sample in samples() {
        let (mut promises, mut broken) = (0, Vec::new());
        for (id, children) in sample.inner() {
            let fit = sample.fit(id, &children);
            for (place, child) in children.iter().enumerate() {
                let range = |id: &NodeId| sample.tree.node(*id).range();
                let goes = fit.goes_with(place);
                let minimal = fit.minimal(place).filter(|phrase| phrase.guesses() == 0);
                let kept = match (&goes, minimal) {
                    (Some(run), _) => {
                        let (first, last) = (&children[run.start], &children[run.end - 1]);
                        sample.parses_with(range(first).start..range(last).end, "")
                    }
                    (None, Some(phrase)) if sample.tree.node(*child).is_named() => {
                        sample.parses_with(range(child), phrase.text())
                    }
                    (None, _) => continue,
                };
                promises += 1;
                if !kept {
                    let kind = |id| sample.language.kind_name(sample.tree.node(id).kind());
                    broken.push(format!("{} {} {goes:?}", kind(id), kind(*child)));
                }
            }
        }
        println!("{:?}: {promises} promises, {} broken", sample.language, broken.len());
        let share = 1.0 - broken.len() as f64 / f64::from(promises);
        assert!(share >= KEPT, "{:?}: {share}\n{}", sample.language, broken.join("\n"));
    }
}
