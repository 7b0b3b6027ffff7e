//! Drawings of questions about trees, for tests.
//!
//! A tree is written as names, each followed by its children in parentheses, or in brackets if
//! they are items that may move to another list: `if(test! [a b])`. A name alone can be left
//! out; `!` means replaced by a minimal string, `~` either, `=` neither; `x:e` is of kind `e`, and
//! any node of a kind may stand for another one. Every node weighs 1, the root above all is
//! fixed and not drawn. One line a question: what is shown (`0` is a minimal string, `-` nothing
//! at all), then the verdict as in the drawings of lists.

use std::fmt::Write;

use crate::{Answer, Delta, Facts, Kind, Piece, Search, Step, Tree, TreeCandidate, Verdict};

/// A tree whose nodes have names.
pub(crate) struct Named {
    pub(crate) tree: Tree,
    names: Vec<String>,
}

/// Reads a tree.
pub(crate) fn tree(text: &str) -> Named {
    let mut builder = Tree::builder_with(Facts::fixed(0).list(Kind(0)));
    let mut names = vec![String::new()];
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix([')', ']']) {
            builder.close();
            rest = after.trim_start();
            continue;
        }
        let length = rest.find(['(', '[', ')', ']', ' ']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        let (name, mut facts) = read_word(word);
        names.push(name.into());
        rest = match after.strip_prefix(['(', '[']) {
            Some(inside) => {
                if after.starts_with('[') {
                    facts = facts.list(Kind(0));
                }
                builder.open(facts);
                inside
            }
            None => {
                builder.leaf(facts);
                after
            }
        }
        .trim_start();
    }
    for kind in ('a'..='z').map(|letter| Kind(letter as u32)) {
        builder.stands_for(kind, kind);
    }
    Named { tree: builder.build(), names }
}

fn read_word(word: &str) -> (&str, Facts) {
    let name = word.trim_end_matches(['!', '~', '=']);
    let facts = match &word[name.len()..] {
        "!" => Facts::minimal(1, 1),
        "~" => Facts::either(1, 1),
        "=" => Facts::fixed(1),
        _ => Facts::free(1),
    };
    let kind = name.split_once(':').and_then(|(_, kind)| kind.chars().next());
    let name = name.split(':').next().unwrap_or_default();
    (name, kind.map_or(facts, |kind| facts.kind(Kind(kind as u32))))
}

/// Asserts that a search asks exactly the drawn questions. Indentation and outer blank lines of
/// `expected` do not count.
pub(crate) fn check<S>(
    text: &str,
    start: impl Fn(&Tree) -> S,
    oracle: impl Fn(&[&str]) -> bool,
    expected: &str,
) where
    S: Search<Candidate = TreeCandidate>,
{
    let named = tree(text);
    let drawn = named.draw(start(&named.tree), oracle);
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    assert!(
        drawn.lines().map(str::trim).eq(expected.iter().copied()),
        "drawn:\n{drawn}\nexpected:\n{}\n",
        expected.join("\n")
    );
}

/// Returns an oracle that fails when all these words are shown.
pub(crate) fn needs(culprits: &'static [&'static str]) -> impl Fn(&[&str]) -> bool {
    move |shown| culprits.iter().all(|culprit| shown.contains(culprit))
}

impl Named {
    /// Returns the node of that name.
    pub(crate) fn node(&self, name: &str) -> Delta {
        let place = self.names.iter().position(|known| known == name);
        Delta(place.expect("the tree has a node of that name") as u32)
    }

    /// Draws what a candidate shows.
    pub(crate) fn row(&self, candidate: &TreeCandidate) -> String {
        let mut row = String::new();
        for piece in candidate.shown_nodes(&self.tree) {
            let last = row.chars().last();
            let space = if matches!(last, None | Some('(')) { "" } else { " " };
            match piece {
                Piece::Enter { node, .. } if node == self.tree.root() => {}
                Piece::Leave(node) if node == self.tree.root() => {}
                Piece::Enter { node, .. } | Piece::Whole { first: node, .. } => {
                    row.push_str(space);
                    row.push_str(&self.names[node.0 as usize]);
                    row.push('(');
                }
                Piece::Minimal(_) => {
                    row.push_str(space);
                    row.push('0');
                }
                Piece::Leave(_) if last == Some('(') => {
                    row.pop();
                }
                Piece::Leave(_) => row.push(')'),
            }
        }
        if row.is_empty() { "-".into() } else { row }
    }

    fn draw<S>(&self, mut search: S, oracle: impl Fn(&[&str]) -> bool) -> String
    where
        S: Search<Candidate = TreeCandidate>,
    {
        let mut drawing = String::new();
        loop {
            let Step::Ask(question) = search.step() else {
                writeln!(drawing, "{} =", self.row(&search.best())).expect("it takes it all");
                return drawing;
            };
            let row = self.row(&question);
            let fails = oracle(&row.split(['(', ')', ' ']).collect::<Vec<_>>());
            let (verdict, mark) =
                if fails { (Verdict::Fail, '✗') } else { (Verdict::Pass, '✓') };
            writeln!(drawing, "{row} {mark}").expect("a string takes it all");
            search.learn(&Answer::from(verdict));
        }
    }
}
