//! From a sentence of a user's own grammar to nodes.
//!
//! Items of a list may be removed, and so may parts that can be empty; every other part can be
//! replaced by the minimal string of its rule. A rule that is just another one (`expression:
//! term`) makes no node of its own: the place has the kind of the outer rule, and the node in it
//! that of the inner one.

use std::collections::BTreeSet;
use std::ops::Range;

use whodunit_core::Facts;
use whodunit_grammar::RuleId;
use whodunit_grammar::arena::{Arena, NodeId};
use whodunit_grammar::cfg::{CfgKind, KindOf, Part};

use super::grow::{Grower, KindName, Own, facts};
use super::roles::Shortest;
use crate::languages::OwnGrammar;
use crate::tokens;

impl Grower {
    /// Takes over a file that is a sentence.
    pub(super) fn derived_file(
        &mut self,
        grammar: &OwnGrammar,
        tree: &Arena<CfgKind>,
        start: u32,
        is_free: bool,
    ) {
        let mut sentence = Sentence::new(grammar, tree, start);
        self.open_file(sentence.range(&(0..tree.text().len())), is_free);
        let mut tasks = vec![Task::Close, Task::Node { id: tree.root(), own: Own::plain() }];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Close => self.close(),
                Task::Node { id, own } => self.derived_node(&mut sentence, id, own, &mut tasks),
            }
        }
        let Sentence { places, kinds, .. } = sentence;
        for &place in &places {
            for &rule in grammar.stand_for(place).intersection(&kinds) {
                let kind = self.kind(KindName::Rule(rule));
                self.builder.stands_for(self.place_kind(number(place)), kind);
            }
        }
        self.next_place += places.last().map_or(0, |&last| number(last));
    }

    fn derived_node(
        &mut self,
        sentence: &mut Sentence<'_>,
        id: NodeId,
        mut own: Own,
        tasks: &mut Vec<Task>,
    ) {
        let inner = sentence.innermost(id);
        let children = sentence.children(inner);
        let covered: u32 = children.iter().map(|child| child.weight).sum();
        let total = sentence.weight(id);
        if let Some(place) = sentence.rule(id) {
            own.minimal = sentence.minimal(place);
            own.is_free |= own.minimal.as_ref().is_some_and(|minimal| minimal.tokens == 0);
            own.place = number(place);
            sentence.places.insert(place);
        }
        let mut facts: Facts = facts(&own, total - covered, total);
        if let Some(rule) = sentence.rule(inner) {
            sentence.kinds.insert(rule);
            facts = facts.kind(self.kind(KindName::Rule(rule)));
        }
        facts = facts.place(self.place_kind(own.place));
        if let KindOf::List { rule, .. } = sentence.tree.node(inner).kind.of {
            facts = facts.list(self.place_kind(number(rule)));
            sentence.places.insert(rule);
        }
        let text = sentence.range(&sentence.tree.node(id).range);
        self.open(sentence.lead(id), text, facts, &own);
        tasks.push(Task::Close);
        let nodes = children.into_iter().rev();
        tasks.extend(nodes.map(|Child { id, own, .. }| Task::Node { id, own }));
    }
}

/// Work to do, the next task last.
enum Task {
    Node { id: NodeId, own: Own },
    Close,
}

/// A part that becomes a node.
struct Child {
    id: NodeId,
    own: Own,
    /// Its tokens, and those of the separator before it.
    weight: u32,
}

/// One file while it is being taken over.
struct Sentence<'a> {
    grammar: &'a OwnGrammar,
    tree: &'a Arena<CfgKind>,
    /// The address of the first byte.
    start: u32,
    /// How many tokens there are before each node.
    tokens: Vec<u32>,
    /// The place after the last node below each node.
    ends: Vec<u32>,
    /// Where the last token before each node ends.
    leads: Vec<u32>,
    /// The rules that places ask for.
    places: BTreeSet<RuleId>,
    /// The rules that stand in places.
    kinds: BTreeSet<RuleId>,
}

impl<'a> Sentence<'a> {
    fn new(grammar: &'a OwnGrammar, tree: &'a Arena<CfgKind>, start: u32) -> Self {
        let (mut counted, mut end) = (0, 0);
        let (mut tokens, mut leads) = (Vec::new(), Vec::new());
        for id in tree.ids() {
            tokens.push(counted);
            leads.push(start + end);
            let range = &tree.node(id).range;
            if tree.is_leaf(id) && !range.is_empty() {
                counted += tokens::count(tree.bytes(id)).max(1) as u32;
                end = range.end as u32;
            }
        }
        tokens.push(counted);
        let (places, kinds) = (BTreeSet::new(), BTreeSet::new());
        let ends = ends(tree);
        Sentence { grammar, tree, start, tokens, ends, leads, places, kinds }
    }

    /// Descends from a rule for as long as it is just another one.
    fn innermost(&self, mut id: NodeId) -> NodeId {
        while let KindOf::Rule(_) = self.tree.node(id).kind.of {
            let is_there = |child: &NodeId| !self.tree.node(*child).range.is_empty();
            let mut children = self.tree.children(id).filter(is_there);
            match (children.next(), children.next()) {
                (Some(only), None) if !self.is_sign(only) => id = only,
                _ => break,
            }
        }
        id
    }

    /// Returns the parts that become nodes: neither empty parts nor signs that belong to the
    /// node.
    fn children(&self, id: NodeId) -> Vec<Child> {
        let parts: Vec<NodeId> =
            self.tree.children(id).filter(|&part| !self.tree.node(part).range.is_empty()).collect();
        let part_of = |id: NodeId| self.tree.node(id).kind.part;
        let in_row = parts.iter().any(|&id| part_of(id) == Part::Separator);
        let mut children = Vec::new();
        let (mut separator, mut separator_weight): (Option<Range<u32>>, u32) = (None, 0);
        for id in parts {
            let part = part_of(id);
            if part == Part::Separator {
                let start = separator.map_or(self.lead(id), |range| range.start);
                separator = Some(start..self.range(&self.tree.node(id).range).end);
                separator_weight += self.weight(id);
                continue;
            }
            let is_item = part == Part::Item;
            if is_item || !self.is_sign(id) {
                let weight = self.weight(id) + std::mem::take(&mut separator_weight);
                let separator = separator.take();
                let in_row = in_row && is_item;
                let own = Own { is_free: is_item, in_row, separator, ..Own::plain() };
                children.push(Child { id, own, weight });
            }
        }
        children
    }

    /// Returns whether a node is a literal of the grammar.
    fn is_sign(&self, id: NodeId) -> bool {
        self.tree.node(id).kind.of == KindOf::Token(None)
    }

    fn rule(&self, id: NodeId) -> Option<RuleId> {
        match self.tree.node(id).kind.of {
            KindOf::Rule(rule) | KindOf::List { rule, .. } | KindOf::Token(Some(rule)) => {
                Some(rule)
            }
            KindOf::Item(_) | KindOf::Token(None) => None,
        }
    }

    fn minimal(&self, rule: RuleId) -> Option<Shortest> {
        let text = self.grammar.minimal().of(rule)?.text().to_owned();
        Some(Shortest { tokens: tokens::count(text.as_bytes()) as u32, text })
    }

    fn weight(&self, id: NodeId) -> u32 {
        self.tokens[self.ends[id.0 as usize] as usize] - self.tokens[id.0 as usize]
    }

    fn lead(&self, id: NodeId) -> u32 {
        self.leads[id.0 as usize]
    }

    fn range(&self, range: &Range<usize>) -> Range<u32> {
        self.start + range.start as u32..self.start + range.end as u32
    }
}

/// Returns the place after the last node below each node.
fn ends(tree: &Arena<CfgKind>) -> Vec<u32> {
    let mut ends: Vec<u32> = tree.ids().map(|id| id.0 + 1).collect();
    // Children come after their parents, so the nodes below a node are done when it is reached.
    for place in (0..ends.len()).rev() {
        if let Some(parent) = tree.node(NodeId(place as u32)).parent {
            let parent = parent.0 as usize;
            ends[parent] = ends[parent].max(ends[place]);
        }
    }
    ends
}

/// Returns the number of the place that asks for a rule; 0 is that of no place.
fn number(rule: RuleId) -> u32 {
    rule.0 + 1
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use whodunit_core::searches::Sweep;
    use whodunit_core::{Answer, Search, Step, TreeCandidate, Verdict};
    use whodunit_grammar::cfg::{Cfg, Source};

    use super::*;
    use crate::{InputCandidate, InputFile, Languages, Protection, Snapshot, Structure};

    fn example(path: &str) -> Vec<u8> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/");
        std::fs::read(format!("{folder}{path}")).unwrap()
    }

    /// Sweeps over a text with an oracle that requires all `needed`. Returns the result, the
    /// number of candidates that were no sentences, and the number of all candidates.
    fn sweep(language: &str, text: &[u8], needed: &[&str]) -> (String, usize, usize) {
        let (grammar, lexical) =
            (example(&format!("{language}.y")), example(&format!("{language}.lex")));
        let source = |bytes| Source { name: language, bytes };
        let cfg = Cfg::read(source(&grammar), source(&lexical)).unwrap();
        let file = InputFile { name: "a".into(), bytes: text.into(), mode: 0o644 };
        let languages = Languages::Grammar(Arc::new(OwnGrammar::new(cfg.clone()).unwrap()));
        let base = Arc::new(Snapshot::new(vec![file]));
        let protection = Protection::new(&[]).unwrap();
        let structure = Arc::new(Structure::read(&base, &languages, &protection).unwrap());
        assert!(structure.edits(&TreeCandidate::whole(structure.tree())).is_empty());

        let text_of = |shown: TreeCandidate| {
            let snapshot = InputCandidate::shown(structure.clone(), shown).snapshot();
            String::from_utf8(snapshot.files()[0].bytes.to_vec()).unwrap()
        };
        let (mut refused, mut asked) = (0, 0);
        let mut search = Sweep::new(structure.tree());
        while let Step::Ask(shown) = search.step() {
            let text = text_of(shown);
            let is_sentence = cfg.accepts(text.as_bytes());
            (refused, asked) = (refused + usize::from(!is_sentence), asked + 1);
            let fails = is_sentence && needed.iter().all(|needle| text.contains(needle));
            search.learn(&Answer::from(if fails { Verdict::Fail } else { Verdict::Unresolved }));
        }
        (text_of(search.best()), refused, asked)
    }

    #[test]
    fn candidates_of_an_ambiguous_grammar_are_sentences() {
        let (left, refused, _) =
            sweep("arithmetic/arithmetic", &example("arithmetic/thesis.txt"), &["/", "-"]);
        assert_eq!((left.trim_end(), refused), ("1/2-2", 0));
        let (left, refused, _) =
            sweep("arithmetic/arithmetic", &example("arithmetic/deep.txt"), &["/", "("]);
        assert_eq!((left.trim_end(), refused), ("1 / (1)", 0));
    }

    #[test]
    fn candidates_of_a_large_grammar_are_sentences() {
        let (left, refused, asked) =
            sweep("java-subset/java", &example("java-subset/Digest.java"), &["while", "% 64"]);
        assert!(left.len() < 200, "{left}");
        assert_eq!(refused, 0, "of {asked}: {left}");
    }

    #[test]
    fn a_rule_that_is_just_another_one_takes_no_questions() {
        let (left, _, asked) = sweep("java-subset/java", b"class a { int b = ((c)); }", &["c)"]);
        assert_eq!((left.as_str(), asked < 20), ("class a { int b = (c); }", true), "{asked}");
    }
}
