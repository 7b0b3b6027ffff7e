//! Numbers that follow what they count, sum or measure when parts of it go.

use std::borrow::Cow;
use std::ops::Range;

use whodunit_syntax::couplings::{Coupling, Edited, Measure, couplings};
use whodunit_syntax::tree::{NodeId, SyntaxTree};

use crate::subject::edits::Edit;

/// So many couplings are no longer a coincidence but a property of the format: looking after all
/// of them at each question would take longer than the tests.
const MOST: usize = 256;

/// The numbers of a file that follow something else in it.
#[derive(Debug)]
pub(super) struct Followers {
    tree: SyntaxTree,
    couplings: Vec<Coupling>,
    /// The address of the first byte.
    start: u64,
}

impl Followers {
    /// Finds the numbers of a text; `None` if there are none, or far too many, or if the text is not
    /// understood: then hardly any of them would be one.
    pub(super) fn find(tree: &SyntaxTree, start: u64) -> Option<Followers> {
        if tree.has_errors() {
            return None;
        }
        let couplings = couplings(tree);
        let few = !couplings.is_empty() && couplings.len() <= MOST;
        few.then(|| Followers { tree: tree.clone(), couplings, start })
    }

    /// Returns the parts of the text that are measured, each with the number that measures it.
    pub(super) fn measured(&self) -> Vec<(Range<usize>, Range<usize>)> {
        let range = |id: NodeId| self.tree.node(id).range();
        let mut measured = Vec::new();
        for coupling in &self.couplings {
            let number = range(coupling.number);
            let mut add = |part: Range<usize>| measured.push((part, number.clone()));
            match &coupling.of {
                Measure::Count { items: ids } | Measure::Sum { terms: ids, .. } => {
                    ids.iter().for_each(|&id| add(range(id)));
                }
                Measure::Length { of, .. } | Measure::Size { of } | Measure::Lines { of } => {
                    self.tree.subtree(*of).for_each(|id| add(range(id)));
                }
                Measure::Offset { of } => {
                    let before = |id: &NodeId| range(*id).end <= range(*of).start;
                    self.tree.leaves().filter(before).for_each(|id| add(range(id)));
                }
            }
        }
        measured
    }

    /// Adds the edits of those numbers that are no longer right.
    pub(super) fn follow(&self, edits: &mut Vec<Edit>) {
        let mut more = Vec::new();
        {
            let after = After { followers: self, edits };
            for coupling in &self.couplings {
                let number = self.addresses(coupling.number);
                let untouched = edits
                    .iter()
                    .all(|edit| edit.range.end <= number.start || edit.range.start >= number.end);
                let written = |edit: &Edit| edit.range == number;
                if !untouched || more.iter().any(written) {
                    continue;
                }
                let text = coupling.text(&self.tree, &after);
                let old = self.tree.text(coupling.number);
                if let Some(text) = text.filter(|text| text.as_slice() != old) {
                    more.push(Edit { range: number, text });
                }
            }
        }
        edits.extend(more);
        edits.sort_by_key(|edit| edit.range.start);
    }

    fn addresses(&self, id: NodeId) -> Range<u64> {
        let range = self.tree.node(id).range();
        self.start + range.start as u64..self.start + range.end as u64
    }
}

/// The text after some edits.
struct After<'a> {
    followers: &'a Followers,
    edits: &'a [Edit],
}

impl Edited for After<'_> {
    fn is_kept(&self, node: NodeId) -> bool {
        let range = self.followers.addresses(node);
        let first = self.edits.partition_point(|edit| edit.range.end <= range.start);
        let edit = self.edits.get(first);
        edit.is_none_or(|edit| edit.range.start > range.start || edit.range.end < range.end)
    }

    fn text(&self, node: NodeId) -> Option<Cow<'_, [u8]>> {
        if !self.is_kept(node) {
            return None;
        }
        let range = self.followers.addresses(node);
        let source = self.followers.tree.source();
        let within = |address: u64| (address - self.followers.start) as usize;
        let (mut text, mut at) = (Vec::new(), range.start);
        let first = self.edits.partition_point(|edit| edit.range.end <= range.start);
        for edit in self.edits[first..].iter().take_while(|edit| edit.range.start < range.end) {
            text.extend_from_slice(&source[within(at)..within(edit.range.start.max(at))]);
            text.extend_from_slice(&edit.text);
            at = edit.range.end.min(range.end);
        }
        text.extend_from_slice(&source[within(at)..within(range.end)]);
        Some(Cow::Owned(text))
    }

    fn start(&self, node: NodeId) -> Option<usize> {
        if !self.is_kept(node) {
            return None;
        }
        let start = self.followers.addresses(node).start;
        let of_file = |edit: &&Edit| edit.range.start >= self.followers.start;
        let before = self.edits.iter().filter(of_file).take_while(|edit| edit.range.end <= start);
        let shift: i64 = before
            .map(|edit| edit.text.len() as i64 - (edit.range.end - edit.range.start) as i64)
            .sum();
        usize::try_from((start - self.followers.start) as i64 + shift).ok()
    }
}
